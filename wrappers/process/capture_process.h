/* SPDX-License-Identifier: MIT
 * The traced process: where its records go, and what happens at fork and exit.
 */
#ifndef PROCESS_CAPTURE_PROCESS_H
#define PROCESS_CAPTURE_PROCESS_H

#include "records/ring_pool.h"

/* Points at the process's generation, which counts forks; at 0 while capture has not started in this process.
 * A forked child begins with 0, however it was forked. */
extern const volatile uint32_t *capture_generation;

/* APIs to record: a mask of enum spec_api. */
extern uint32_t capture_api_mask;

/* What the process tells whoever keeps state for its threads. */
struct capture_process_callbacks {
    /* A thread has ended. owner_data: what its slot in the ring pool had (struct ring_slot). */
    void (*thread_ended)(void *owner_data);
    /* In a forked child: another thread of the parent may have held a lock. */
    void (*forked)(void);
};

/* Starts capture once for each process: connects to the collector, or opens a trace file of its own.
 * Returns the pool of rings, or NULL when this process is not recorded; the reason is logged once.
 * callbacks: kept; the same in all calls. */
struct ring_pool *capture_process_start(const struct capture_process_callbacks *callbacks);

/* The same once capture has started; NULL when the process is not recorded. */
struct ring_pool *capture_process_rings(void);

/* True once the collector has gone: nothing is recorded any more. */
bool capture_process_gave_up(void);

/* Counts a call that could not be recorded, because there was no ring for its thread. */
void capture_process_count_lost(void);

/* To be called by a thread whose ring is full: returns when there may be room again. False: stop recording.
 */
bool capture_process_wait(struct ring_producer *p);

/* To be called at the end of a frame or a draw. A process without a collector may write its trace then. */
void capture_process_offer_flush(void);

/* Writes what is recorded so far. Does nothing with a collector, which does so after the process's end. */
void capture_process_flush(void);

/* To be called when the program has locked all of its memory: unlocks the recorder's. */
void capture_process_unlock_memory(void);

/* To be called before the program installs a filter of system calls: makes those that the recorder needs
 * later. */
void capture_process_expect_filter(void);

#endif
