/* SPDX-License-Identifier: MIT
 * The state of the traced process: where its records go, and what happens at fork and exit.
 */
#ifndef PROCESS_CAPTURE_PROCESS_H
#define PROCESS_CAPTURE_PROCESS_H

#include "records/ring_pool.h"

/* Points to the process's generation, which counts forks. Points to 0 until capture has started in this
 * process. A forked child begins with 0, even if no atfork handler ran. */
extern const volatile uint32_t *capture_generation;

/* A bit of the generation: some calls are recorded with backtraces. A thread's generation is without it, so
 * that all calls then go where a thread that has not started yet goes, and others pay nothing. */
#define CAPTURE_WANTS_STACKS UINT32_C(0x80000000)

/* APIs to record: a mask of enum spec_api. */
extern uint32_t capture_api_mask;

/* Callbacks for the module that keeps the state of threads. */
struct capture_process_callbacks {
    /* A thread has ended. owner_data: from its slot in the ring pool (struct ring_slot). */
    void (*thread_ended)(void *owner_data);
    /* In a forked child, since another thread of the parent may have held a lock. */
    void (*forked)(void);
};

/* Starts capture once for each process: connects to the collector, or opens a trace file. Returns the pool of
 * rings, or NULL if this process is not recorded; the reason is logged once. callbacks: lent for ever, and
 * the same in all calls. */
struct ring_pool *capture_process_start(const struct capture_process_callbacks *callbacks);

/* Returns the pool of rings once capture has started. Returns NULL if the process is not recorded. */
struct ring_pool *capture_process_rings(void);

/* Returns true if the collector is gone and nothing is recorded any more. */
bool capture_process_gave_up(void);

/* Counts a call that was not recorded because its thread had no ring. */
void capture_process_count_lost(void);

/* Counts a call that was not recorded because a signal handler made it while this thread was recording
 * another one. For threads that have started only. */
void capture_process_count_interrupting(void);

/* Called by a thread whose ring is full. Returns true when there may be room again, or false if recording
 * must stop. */
bool capture_process_wait(struct ring_producer *p);

/* Call it at the end of a frame or a draw. A process without a collector may then write its trace. */
void capture_process_offer_flush(void);

/* Writes what has been recorded so far. Does nothing if there is a collector, which writes everything even
 * after the process has ended. */
void capture_process_flush(void);

/* Call it when the program ends by exit() or quick_exit(). Flushes, too. */
void capture_process_end(void);

/* Call it when the program has locked all its memory. Unlocks the memory of the recorder. */
void capture_process_unlock_memory(void);

/* Call it before the program installs a filter of system calls. Executes the system calls that the recorder
 * needs later. */
void capture_process_expect_filter(void);

#endif
