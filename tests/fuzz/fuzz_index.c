/* SPDX-License-Identifier: MIT
 * Seeks in a trace with any index. The index reader is built so that it accepts every checksum, since a
 * fuzzer cannot produce correct ones.
 */
#include "fuzz_target.h"
#include "fuzz_trace_file.h"

#include "base/error.h"
#include "trace/call_set.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/index/index_modules.h"
#include "formats/apitrace/index/index_reader.h"

#include <stdio.h>
#include <unistd.h>

#define SOME 100 /* number of calls or events that are read at a place */

static void read_calls(struct trace_reader *r)
{
    const struct trace_call *call;
    for (int i = 0; i < SOME && trace_reader_next_call(r, &call) == 0 && call != NULL; ++i)
        trace_call_release(r, call);
}

static void seek_calls(const char *path, uint64_t seed)
{
    struct trace_reader *r;
    struct trace_call_set set = {0};
    bool known;
    if (trace_reader_open(&r, path) != 0)
        return;
    trace_reader_want_times(r, &known);
    for (uint64_t i = 0; i < 6; ++i) {
        if (trace_reader_seek_call(r, (seed >> (8 * i) & 0xff) * (i + 1)) == 0)
            read_calls(r);
        if (trace_reader_seek_frame(r, seed >> (8 * i) & 0xf) == 0)
            read_calls(r);
    }
    if (trace_call_set_parse(&set, "2-3,*/600") == 0 && trace_reader_seek_call(r, 0) == 0) {
        trace_reader_want_calls(r, &set);
        read_calls(r);
    }
    trace_reader_close(r);
    trace_call_set_fini(&set);
}

static void read_events(struct trace_raw_events *e)
{
    const struct trace_raw_event *event;
    for (int i = 0; i < SOME && trace_raw_events_next(e, &event) == 0 && event != NULL; ++i)
        continue;
}

/* Reads what info reads. */
static void read_tables(struct trace_index *t)
{
    struct trace_summary summary;
    struct trace_frame_entry frame;
    struct trace_modules modules;
    trace_index_summary(t, &summary);
    trace_modules_read(&modules, t);
    trace_modules_fini(&modules);
    for (uint64_t i = 0; i < SOME && trace_index_frame(t, i, &frame) == 0; ++i)
        continue;
}

static void seek_events(const char *path, uint64_t seed)
{
    struct trace_raw_events *e;
    uint64_t before;
    bool known;
    if (trace_raw_events_open(&e, path, true) != 0)
        return;
    if (trace_raw_events_index(e) != NULL)
        read_tables(trace_raw_events_index(e));
    trace_raw_events_want_times(e, &known);
    for (uint64_t i = 0; i < 4; ++i) {
        struct trace_call_range range = {(seed >> (8 * i) & 0xff) * (i + 1), UINT64_MAX, 1, 0};
        struct trace_call_set wanted = {&range, 1, 1, UINT64_MAX, false};
        trace_raw_events_want_calls(e, NULL);
        if (trace_raw_events_seek_frame(e, seed >> (8 * i) & 0xf, &before) == 0)
            read_events(e);
        trace_raw_events_want_calls(e, &wanted); /* skips earlier calls */
        if (trace_raw_events_seek_frame(e, 0, &before) == 0)
            read_events(e);
    }
    trace_raw_events_close(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    uint64_t seed = count;
    char path[40];
    for (size_t i = 0; i < count; ++i)
        seed = seed * 31 + bytes[i];
    int fd = fuzz_trace_file(bytes, count);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    seek_calls(path, seed);
    seek_events(path, seed);
    close(fd);
    return 0;
}
