/* SPDX-License-Identifier: MIT
 * Page faults of the process: how many there were, and the addresses of the last ones where the kernel tells
 * them (a perf event of one thread, kernel.perf_event_paranoid of 2 at most). To find the one page of a large
 * mapping that was written, an address is 20 times as cheap as going through the page tables.
 *
 * Only the faults of one thread are logged, but those of all are counted: that thread knows the addresses
 * when none was counted that is not in the log. No descriptor stays open, and the program gets no signal. Not
 * for use by several threads at once.
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

/* Are the addresses of all faults between the two known? They are those numbered from->logged up to
 * to->logged, for fault_log_address(). */
bool fault_log_knows(const struct fault_mark *from, const struct fault_mark *to);
uintptr_t fault_log_address(uint64_t number);

/* Tells that addresses were missed. When that happens often, the log is started, for the calling thread. */
void fault_log_want(void);
bool fault_log_is_running(void);

/* What it costs each page fault (half a microsecond) ends. */
void fault_log_stop(void);

/* In a forked child. Where nobody calls this the log has ended all the same. */
void fault_log_forget_parent(void);

#endif
