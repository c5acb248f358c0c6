/* SPDX-License-Identifier: MIT
 * Decides which of many memories have to be looked at. Each memory is awake or asleep. Awake ones are
 * compared each time. Once comparing those that do not change has cost much, the kernel tracks their pages
 * (page_tracker.h), and they fall asleep. A page that is written wakes all memories with bytes on it.
 *
 * A memory only falls asleep when it was compared after all its pages had been protected, with no fault on
 * any of them noticed in between. So a write is either in that comparison, or is a later fault. Not
 * thread-safe.
 */
#ifndef MEMORY_QUIET_MEMORY_H
#define MEMORY_QUIET_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault_mark;
struct quiet_link;

/* For use by this module only, except where it says otherwise. */
struct quiet_memory {
    uintptr_t start;
    size_t size;
    bool may_sleep;
    bool asleep;
    bool unchanged;           /* when it was last compared */
    bool chosen;              /* its pages are to be protected */
    bool guarded;             /* its pages were protected, and no write to any of them was noticed since */
    unsigned refusals;        /* how often, in a row, the kernel did not track its pages */
    unsigned wait;            /* number of times that it is not chosen after that */
    size_t link_count;        /* the number of its pages; 0: not known yet */
    struct quiet_link *links; /* one for each page */
    struct quiet_memory *next, *previous; /* awake ones */
};

/* Adds an awake memory. may_sleep: false for memory that is always looked at. */
void quiet_memory_add(struct quiet_memory *m, uintptr_t start, size_t size, bool may_sleep);
void quiet_memory_remove(struct quiet_memory *m);

/* Returns the awake one after m, or the first one for NULL; NULL: there are no more. */
struct quiet_memory *quiet_memory_next_awake(const struct quiet_memory *m);

/* Call these in this order for each awake memory that will be compared: expect; look, once for all; compared,
 * after each comparison. now: a fault_log_mark() taken between the first two. look() may wake others. */
void quiet_memory_expect(struct quiet_memory *m);
void quiet_memory_look(const struct fault_mark *now);
void quiet_memory_compared(struct quiet_memory *m, bool changed);

/* Call it in a forked child. Frees nothing, because another thread of the parent may have held the heap's
 * lock. */
void quiet_memory_forget_parent(void);

#endif
