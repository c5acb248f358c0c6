/* SPDX-License-Identifier: MIT
 * A traced process without a preloaded library: calls are recorded into real rings and then encoded as a
 * trace. The test controls what goes wrong.
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
    bool not_recorded;     /* capture could not be started */
    bool gave_up;          /* the collector is gone */
    unsigned waits;        /* number of waits for space in a ring so far */
    bool (*on_wait)(void); /* called instead of draining; false: stop recording */
    unsigned starts, lost, logs, flush_offers, persistent_writes, left_contexts;
    capture_hook before, after; /* called as every function's hooks */
};
extern struct stub_process stub_process;
extern uint32_t stub_generation;

/* Starts a process with this many rings. common: it also has a shared ring for threads that have none. */
void stub_process_start(uint32_t rings, bool common);
void stub_process_stop(void);

/* Encodes the contents of the rings. */
void stub_process_drain(void);

/* Opens the trace so far. The caller closes it. */
struct trace_reader *stub_process_open_trace(void);

/* Returns the names of the trace's calls, each followed by a space. "!" follows those that never returned,
 * "*" follows fake ones. Lent until the next call. */
const char *stub_process_calls(void);

/* Makes a call of the program in the same way as a stub. ret may be NULL. */
void stub_process_call(uint32_t function, const union spec_arg *args, union spec_arg *ret);

#endif
