/* SPDX-License-Identifier: MIT
 * The threads that replay: one for each traced thread, in which its contexts are current. Only one of them
 * runs at a time, and hands over to the next one where the trace goes on in another thread. So calls keep
 * their order, and what they share needs no locks. The main thread replays the first traced thread; a trace
 * of one thread has no others.
 */
#ifndef RETRACE_REPLAY_HOSTS_H
#define RETRACE_REPLAY_HOSTS_H

#include "replayer.h"

/* Replays calls that belong to the same traced thread, r->thread_number. Returns false when the replay has
 * ended, with *rc, or true if the next call belongs to thread *next. */
typedef bool (*replay_run)(struct replayer *r, void *context, uint32_t *next, int *rc);

/* Calls run again and again until the replay has ended, in the thread for the traced thread of the next call,
 * beginning with `first`. When it returns, no context is current in any other thread than this one. Returns
 * *rc, with its message, or TRACE_ERR_MEMORY. */
int replay_hosts_run(struct replayer *r, uint32_t first, replay_run run, void *context);

#endif
