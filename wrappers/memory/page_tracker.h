/* SPDX-License-Identifier: MIT
 * Asks the kernel which pages of the program's memory were written since the last query (Linux 6.7:
 * PAGEMAP_SCAN with asynchronous write protection by userfaultfd).
 *
 * The only effect on the program is the time that this takes. At the first write to a page, including writes
 * by system calls, the kernel removes the protection without a signal or an error. No descriptor stays open.
 * Only memory that the kernel manages can be tracked, private or shared; memory of device drivers cannot. If
 * system calls are filtered (seccomp), tracking is not attempted, because a filter may kill the process.
 *
 * Writes by another process that shares the memory (CLONE_VM without CLONE_THREAD, a shared mapping), or that
 * writes to it by process_vm_writev() or /proc, are not detected until the program has a fault of its own, or
 * has waited for that process. Not thread-safe.
 */
#ifndef MEMORY_PAGE_TRACKER_H
#define MEMORY_PAGE_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page_tracker {
    uintptr_t start, end;      /* whole pages */
    struct page_tracker *next; /* for use by this module only */
};

/* Starts to track the whole pages [start, end). *t must stay where it is until page_tracker_stop(). Returns
 * false if the kernel cannot, or if another tracker has one of these pages: each would take what the other
 * has to report. */
bool page_tracker_start(struct page_tracker *t, uintptr_t start, uintptr_t end);

/* Calls written() for each run of pages that were written since the last query, or since the start. A page
 * that is written during this call is reported by this or the next one. Returns false if the kernel cannot
 * tell; any page may have been written then. Later calls may succeed again.
 *
 * A scan of the page tables of 64 MB takes 20 microseconds. The hint avoids most of that. */
struct page_tracker_hint {
    uintptr_t near; /* address at which to search first */
    uint64_t pages; /* the highest number of pages that were written */
    /* The number of faults (fault_log.h) when `pages` was determined; a first write is a fault. */
    uint64_t faults;
    /* Returns true if the page was certainly written. Other pages do not count as found: the kernel removes
     * the protection before it counts the fault, and if it stops another thread in between, that thread's
     * page is found without being one of `pages`. The thread has not written there yet. */
    bool (*is_written)(void *context, uintptr_t page);
};
typedef void (*page_tracker_written)(void *context, uintptr_t start, uintptr_t end);
bool page_tracker_take(struct page_tracker *t, const struct page_tracker_hint *hint,
                       page_tracker_written written, void *context);

/* Marks these pages as not written. Returns false if that failed for any of them. */
bool page_tracker_protect(const uintptr_t *pages, unsigned count);

/* Pages of several memories, which may be anywhere, are registered as a group. They belong to the group until
 * it is dropped. */
#define PAGE_GROUPS_MAX 32
#define NO_PAGE_GROUP   (-1)

struct page_run {
    uintptr_t start, end; /* whole pages */
};

/* Registers the runs. Returns the number of the group, from 0 to PAGE_GROUPS_MAX - 1, or NO_PAGE_GROUP if the
 * kernel accepts none of them. Those that it accepts remain in runs and *count. Nothing is protected yet. */
int page_tracker_add_group(struct page_run *runs, size_t *count);
void page_tracker_drop_group(int number);

/* Calls written() for each part of the runs, of which there is at least one, that was written since it was
 * protected. protect_again: protects these pages again, in the same moment. Returns false if the kernel
 * cannot tell, for instance because memory was unmapped. */
bool page_tracker_look(const struct page_run *runs, size_t count, bool protect_again,
                       page_tracker_written written, void *context);

/* Stops tracking. The memory may already be unmapped. */
void page_tracker_stop(struct page_tracker *t);

/* Call it in a forked child, where nothing of the parent is tracked. */
void page_tracker_forget_parent(void);

#endif
