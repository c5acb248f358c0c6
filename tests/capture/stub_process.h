/* SPDX-License-Identifier: MIT
 * A traced process without a library to preload: calls are recorded into real rings and come out as a trace.
 * The test says what goes wrong.
 */
#ifndef TESTS_STUB_PROCESS_H
#define TESTS_STUB_PROCESS_H

#include "capture/capture.h"
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "capture/record_writer.h"
#include "context/gl_context.h"
#include "lookup/real_functions.h"
#include "lookup/thunks.h"
#include "records/record_merger.h"

#include "spec_ids.h"
#include "formats/apitrace/read/reader.h"

struct stub_process {
    struct segment segment;
    struct ring_pool pool;
    struct record_encoder encoder;
    struct record_merger merger;
    bool not_recorded;     /* it could not be started */
    bool gave_up;          /* the collector has gone */
    unsigned waits;        /* for space in a ring, so far */
    bool (*on_wait)(void); /* in place of draining; false: stop recording */
    unsigned starts, lost, logs, flush_offers, persistent_writes, left_contexts;
    capture_hook before, after; /* all hooks */
};
extern struct stub_process stub_process;
extern uint32_t stub_generation;

/* A process with so many rings, without or with the common one of threads that have none. */
void stub_process_start(uint32_t rings, bool common);
void stub_process_stop(void);

/* Encodes what is in the rings. */
void stub_process_drain(void);

/* The trace so far. Close it. */
struct trace_reader *stub_process_open_trace(void);

/* The names of the trace's calls, each followed by a space; "!" behind those that were never left, "*" behind
 * fake ones. Lent until the next call. */
const char *stub_process_calls(void);

/* A call of the program's, made as a stub makes it. ret may be NULL. */
void stub_process_call(uint32_t function, const union spec_arg *args, union spec_arg *ret);

#endif
