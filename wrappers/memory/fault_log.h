/* SPDX-License-Identifier: MIT
 * The page faults of the process: their number, and the addresses of the last ones. The addresses come from a
 * perf event of one thread, which takes a kernel.perf_event_paranoid of at most 2. To find the one page of a
 * large mapping that was written, an address is 20 times cheaper than going through the page tables.
 *
 * Only one thread's faults are logged, but those of all threads are counted. While both numbers agree, the
 * log has the addresses of all faults. No descriptor stays open, and the program gets no signal. Not for use
 * by several threads at once.
 */
#ifndef MEMORY_FAULT_LOG_H
#define MEMORY_FAULT_LOG_H

#include <stdbool.h>
#include <stdint.h>

/* A moment. The first write to a page that is protected by userfaultfd is a fault, whatever thread and system
 * call makes it. */
struct fault_mark {
    uint64_t count;  /* faults so far */
    uint64_t logged; /* addresses so far */
    bool exact;      /* those of the same faults */
};

uint64_t fault_log_count(void);
struct fault_mark fault_log_mark(void);

/* Are the addresses of all faults between these two moments known? Their numbers, for fault_log_address(),
 * are from->logged up to to->logged. */
bool fault_log_knows(const struct fault_mark *from, const struct fault_mark *to);
uintptr_t fault_log_address(uint64_t number);

/* To be called when addresses were needed that are not known. The log is started, for the calling thread,
 * when that happens often. */
void fault_log_want(void);
bool fault_log_is_running(void);

/* Stops the log, which costs half a microsecond a page fault. */
void fault_log_stop(void);

/* To be called in a forked child. The log has ended there in any case. */
void fault_log_forget_parent(void);

#endif
