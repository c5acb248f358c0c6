/* SPDX-License-Identifier: MIT
 * The traced process: where its records go, and what happens at fork and exit.
 */
#ifndef PROCESS_CAPTURE_PROCESS_H
#define PROCESS_CAPTURE_PROCESS_H

#include "records/ring_pool.h"

/* Points at 0 in a process that has not started capture, which includes every forked child, however it was
 * forked; at the process's generation otherwise. */
extern const volatile uint32_t *capture_generation;

/* APIs to record: a mask of enum spec_api. */
extern uint32_t capture_api_mask;

/* What the process tells whoever keeps state for its threads. */
struct capture_process_callbacks {
    /* A thread has ended. belonging: what its slot in the ring pool had (struct ring_slot). */
    void (*thread_ended)(void *belonging);
    /* In a forked child: another thread of the parent may have held a lock. */
    void (*forked)(void);
};

/* Starts capture once for each process: connects to the collector, or opens a trace file of its own.
 * Returns the rings to take one from, NULL when this process is not recorded (the reason is logged once).
 * callbacks: kept; the same in all calls. */
struct ring_pool *capture_process_start(const struct capture_process_callbacks *callbacks);

/* The same once capture has started; NULL when the process is not recorded. */
struct ring_pool *capture_process_rings(void);

/* Nothing is recorded any more: the collector has gone. */
bool capture_process_gave_up(void);

/* Counts a call that could not be recorded for want of a ring. */
void capture_process_count_lost(void);

/* Called by a thread whose ring is full. False: stop recording. */
bool capture_process_wait(struct ring_producer *p);

/* A frame has ended, or a draw: a chance to write, without a collector. */
void capture_process_offer_flush(void);

/* Writes out everything, when there is no collector that would do so after the process's end. */
void capture_process_flush(void);

/* The recorder's memory need not stay in memory, though the program has just locked all that it sees. */
void capture_process_unlock_memory(void);

/* The program is about to forbid itself system calls. */
void capture_process_expect_filter(void);

#endif
