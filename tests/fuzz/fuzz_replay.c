/* SPDX-License-Identifier: MIT
 * Replays an event stream on a driver that draws nothing (null_driver.h). The first four bytes of the input
 * are the options, and a seed by which the values of calls change (mutate_call.h); 0: as they are.
 */
#include "fuzz_target.h"
#include "fuzz_trace_file.h"
#include "mutate_call.h"
#include "null_driver.h"

#include "formats/apitrace/read/reader.h"
#include "call/replay_call.h"
#include "objects/replay_context.h"
#include "replay_loop.h"
#include "replayer.h"
#include "snapshot/snapshot.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 4, INVENTED = 8 };

/* Discards what is printed. Sanitizers write their messages elsewhere. */
static void be_silent(void)
{
    static bool is_silent;
    if (is_silent || getenv("FUZZ_VERBOSE") != NULL)
        return;
    is_silent = true;
    if (freopen("/dev/null", "w", stdout) == NULL)
        abort();
    FILE *null = fopen("/dev/null", "w");
    if (null == NULL)
        abort();
    stderr = null;
}

static void set_options(struct replay_options *o, unsigned seed)
{
    *o = (struct replay_options){.single_thread = true,
                                 .benchmark = seed % 5 == 4,
                                 .verbose = seed % 13 == 12,
                                 .check = seed % 3 == 2,
                                 .query_handling = (enum query_handling)(seed % 3),
                                 .tolerance = seed % 2 != 0 ? 0.01 : 0,
                                 .ignore_results = seed % 7 == 6,
                                 .no_context_check = seed % 11 == 10,
                                 .markers = seed % 17 == 16,
                                 .debug = seed % 19 == 18};
    if (seed % 4 == 3) {
        o->snapshot_prefix = "-";
        o->snapshot_format = SNAPSHOT_RGB;
        if (trace_call_set_parse(&o->snapshot_calls, "*/draw") != 0)
            abort();
    }
}

static int replay_changed(struct replayer *r, struct mutator *m, const struct trace_call *call)
{
    struct trace_call changed;
    mutator_copy(m, call, &changed);
    int rc = replay_call(r, &changed);
    if (rc == 0 && mutator_random(m, 64) == 0) /* repeats the call */
        rc = replay_call(r, &changed);
    for (int i = 0; rc == 0 && i < INVENTED && mutator_random(m, 2) == 0; ++i) {
        mutator_invent(m, call, &changed);
        rc = replay_call(r, &changed);
    }
    return rc;
}

static void replay(struct replayer *r, struct mutator *m)
{
    const struct trace_call *call;
    int rc = 0;
    while (rc == 0 && trace_reader_next_call(r->reader, &call) == 0 && call != NULL) {
        if (mutator_random(m, 50) != 0) /* omits some calls */
            rc = replay_changed(r, m, call);
        trace_call_release(r->reader, call);
    }
}

static void replay_reader(const struct replay_options *options, struct trace_reader *reader, unsigned seed)
{
    struct replayer r;
    struct mutator m;
    if (replayer_init(&r, options, &null_windows, reader) != 0)
        abort();
    mutator_init(&m, seed);
    if (seed == 0)
        replay_trace(&r);
    else
        replay(&r, &m);
    replayer_report_failures(&r);
    replay_contexts_fini(&r);
    replayer_fini(&r);
    mutator_fini(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const char *const versions[] = {"4.6", "OpenGL ES 3.2", "2.1", "OpenGL ES 2.0", "1.1"};
    struct trace_reader *reader;
    struct replay_options options;
    unsigned seed;
    char path[40];
    if (count < HEAD)
        return 0;
    memcpy(&seed, bytes, HEAD);
    be_silent();
    int fd = fuzz_trace_write(bytes + HEAD, count - HEAD);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    set_options(&options, seed);
    null_driver_reset(versions[seed % 16 < 5 ? seed % 16 : 0]);
    if (trace_reader_open(&reader, path) == 0) {
        replay_reader(&options, reader, seed);
        trace_reader_close(reader);
    }
    replay_options_fini(&options);
    null_driver_reset(NULL);
    close(fd);
    return 0;
}
