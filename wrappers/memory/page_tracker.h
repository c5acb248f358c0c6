/* SPDX-License-Identifier: MIT
 * Asks the kernel which pages of the program's memory were written since the last question
 * (Linux 6.7: PAGEMAP_SCAN with asynchronous write protection by userfaultfd).
 *
 * The program only notices that this takes time. When a page is first written, also by a system call, the
 * kernel lifts the protection by itself, without a signal or an error. No descriptor stays open. Only memory
 * that the kernel manages can be followed, private or shared, but not memory of a device driver's. Where
 * system calls are filtered (seccomp) nothing is tried, since a filter may kill for it.
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
 * that is written during this call is reported by the next one at the latest. False when the kernel cannot
 * tell: any page may have been written. Later calls may succeed again.
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

/* From now on these pages count as not written. False when that failed for some of them. */
bool page_tracker_protect(const uintptr_t *pages, unsigned count);

/* The memory need not be there any more. */
void page_tracker_stop(struct page_tracker *t);

/* To be called in a forked child, where nothing of the parent's is followed. */
void page_tracker_forget_parent(void);

#endif
