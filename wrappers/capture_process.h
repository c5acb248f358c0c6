/* SPDX-License-Identifier: MIT
 * The traced process: where its records go, and what happens at fork and exit.
 */
#ifndef WRAPPERS_CAPTURE_PROCESS_H
#define WRAPPERS_CAPTURE_PROCESS_H

#include "shared_ring.h"

/* Points at 0 in a process that has not started capture, which includes every forked child, however it was
 * forked; at the process's generation otherwise. */
extern const volatile uint32_t *capture_generation;

/* APIs to record: a mask of enum spec_api. */
extern uint32_t capture_api_mask;

/* Starts capture once for each process: connects to the collector, or opens a trace file of its own.
 * Returns the segment to take rings from, NULL when this process is not recorded (the reason is logged once).
 */
const struct segment *capture_process_start(void);

/* Called by a thread whose ring is full. False: stop recording. */
bool capture_process_wait(struct ring_producer *p);

/* A frame has ended, or a draw: a chance to write, without a collector. */
void capture_process_offer_flush(void);

/* Writes out everything, when there is no collector that would do so after the process's end. */
void capture_process_flush(void);

/* Fills hello.text with the program's path and arguments; returns its bytes. */
struct connection_hello;
uint32_t capture_process_describe(struct connection_hello *hello);

/* One line on the standard error. */
void capture_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
