/* SPDX-License-Identifier: MIT
 * Which pages of the program's memory were written since the last question, as the kernel knows it
 * (Linux 6.7: PAGEMAP_SCAN with asynchronous write protection by userfaultfd).
 *
 * The program notices nothing but time: the kernel lifts the protection by itself when a page is first
 * written, also by a system call, and no signal and no error comes of it. No descriptor stays open. Only
 * memory of the kernel's own is followed, private or shared, never what a device driver mapped. Where system
 * calls are filtered (seccomp) nothing is tried, since a filter may kill for it.
 *
 * Another process that shares the memory (CLONE_VM without CLONE_THREAD, a shared mapping) is not seen to
 * write it. Not for use by several threads at once.
 */
#ifndef MEMORY_PAGE_TRACKER_H
#define MEMORY_PAGE_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page_tracker {
    uintptr_t start, end; /* whole pages */
};

/* Follows the whole pages at [start, end) from now on; false when the kernel cannot. */
bool page_tracker_start(struct page_tracker *t, uintptr_t start, uintptr_t end);

/* Calls written() for each run of pages that were written since the last question, or since the start. A page
 * that is written meanwhile is told of next time at the latest. False when that cannot be known: any page may
 * have been written. Later questions may have answers again.
 *
 * Going through the page tables of 64 MB takes 20 microseconds. hint spares most of that. */
struct page_tracker_hint {
    uintptr_t near;  /* where to look first */
    uint64_t pages;  /* at most so many were written … */
    uint64_t faults; /* … when there had been so many faults (fault_log.h): a first write is one */
};
typedef void (*page_tracker_written)(void *context, uintptr_t start, uintptr_t end);
bool page_tracker_take(struct page_tracker *t, const struct page_tracker_hint *hint,
                       page_tracker_written written, void *context);

/* These pages count as not written from now on, which makes no question of it. False when that failed for
 * some of them. */
bool page_tracker_protect(const uintptr_t *pages, unsigned count);

/* The memory need not be there any more. */
void page_tracker_stop(struct page_tracker *t);

/* In a forked child, where nothing of the parent's is followed. */
void page_tracker_forget_parent(void);

#endif
