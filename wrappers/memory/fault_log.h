/* SPDX-License-Identifier: MIT
 * Counts the page faults of the process and logs the addresses of the last ones. The addresses come from a
 * perf event of one thread, which requires kernel.perf_event_paranoid to be at most 2. To find the one page
 * of a large mapping that was written, a logged address is 20 times cheaper than a scan of the page tables.
 *
 * Only the faults of one thread are logged, but those of all threads are counted. As long as both numbers
 * agree, the log contains the addresses of all faults. No descriptor stays open, and the program gets no
 * signals. Not thread-safe.
 */
#ifndef MEMORY_FAULT_LOG_H
#define MEMORY_FAULT_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* A point in time. The first write to a page that is protected by userfaultfd is a fault, whichever thread or
 * system call writes. */
struct fault_mark {
    uint64_t count;  /* number of faults so far */
    uint64_t logged; /* number of logged addresses so far */
    bool exact;      /* both numbers refer to the same faults */
};

uint64_t fault_log_count(void);
struct fault_mark fault_log_mark(void);

/* Returns true if the addresses of all faults between the two marks are known. Their numbers, for
 * fault_log_address(), are from->logged to to->logged - 1. */
bool fault_log_knows(const struct fault_mark *from, const struct fault_mark *to);
uintptr_t fault_log_address(uint64_t number);

/* Call this when addresses were needed but unknown. If that happens often, the log is started for the calling
 * thread. */
void fault_log_want(void);
bool fault_log_is_running(void);

/* Stops the log, which costs half a microsecond for each page fault. */
void fault_log_stop(void);

/* Call it in a forked child, where the log has ended in any case. */
void fault_log_forget_parent(void);

#endif
