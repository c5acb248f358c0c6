/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_traces.h"

#include "formats/ctf/ctf_directory.h"
#include "formats/ctf/ctf_metadata.h"
#include "formats/ctf/rfc_packets.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY_FOR_ALL ((size_t)8 << 20) /* bytes, of the windows of all streams */
#define STEP_MIN       ((size_t)16 << 10)
#define STEP_MAX       ((size_t)256 << 10)

void ctf_traces_close(struct ctf_traces *t)
{
    ctf_merge_fini(&t->merge);
    for (size_t i = 0; i < t->count; ++i) {
        ctf_layout_fini(&t->items[i].layout);
        ctf_trace_fini(&t->items[i].trace);
    }
    free(t->items);
    *t = (struct ctf_traces){.items = NULL};
}

/* --- metadata -------------------------------------------------------------------------------------- */

/* Metadata of version 1.1 do not say the byte order, unless they are in packets themselves. */
static int find_order(struct ctf_trace *trace, const char *directory)
{
    struct ctf_paths streams = {.items = NULL};
    int rc = trace->order == CTF_ORDER_DEFAULT ? ctf_directory_find_streams(directory, &streams) : 0;
    for (size_t i = 0; i < streams.count && trace->order == CTF_ORDER_DEFAULT; ++i)
        trace->order = rfc_packet_find_order(streams.items[i]);
    if (trace->order == CTF_ORDER_DEFAULT)
        trace->order = CTF_LITTLE_ENDIAN; /* there is no packet to be read */
    ctf_paths_fini(&streams);
    return rc;
}

static int read_metadata(struct ctf_opened_trace *o, const char *directory)
{
    size_t size = strlen(directory) + sizeof CTF_METADATA_FILE + 1;
    char *path = malloc(size);
    if (path == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    snprintf(path, size, "%s/%s", directory, CTF_METADATA_FILE);
    int rc = ctf_metadata_read(&o->trace, path);
    if (rc == 0)
        rc = find_order(&o->trace, directory);
    if (rc == 0 && (rc = ctf_layout_init(&o->layout, &o->trace)) != 0)
        trace_error_prefix(rc, "%s", path);
    free(path);
    return rc;
}

static int read_all_metadata(struct ctf_traces *t, const struct ctf_paths *traces)
{
    int rc = 0;
    t->items = calloc(traces->count + 1, sizeof *t->items);
    if (t->items == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; rc == 0 && i < traces->count; ++i) {
        ctf_trace_init(&t->items[t->count].trace);
        rc = read_metadata(&t->items[t->count++], traces->items[i]);
    }
    return rc;
}

/* --- the clock ------------------------------------------------------------------------------------- */

static void set_clock(struct ctf_traces *t, const struct ctf_stream_layout *s)
{
    t->has_clock = true;
    t->clock = (struct trace_clock){
        .name = s->clock->name,
        .resolution = s->time.frequency < 1000000000 ? (int64_t)(1000000000 / s->time.frequency) : 1,
        .wall_offset = s->clock->has_unix_origin ? s->time.offset : TRACE_NO_TIME,
        .has_ticks = true,
        .frequency = s->time.frequency};
}

/* The first clock is that of the source. Other clocks are shown as if they counted from its 0. */
static void align_clocks(struct ctf_traces *t)
{
    int64_t base = 0;
    for (size_t i = 0; i < t->count; ++i)
        for (size_t n = 0; n < t->items[i].trace.stream_count; ++n) {
            struct ctf_stream_layout *s = &t->items[i].layout.streams[n];
            if (s->clock == NULL)
                continue;
            if (!t->has_clock) {
                base = s->time.offset;
                set_clock(t, s);
            }
            if (__builtin_sub_overflow(s->time.offset, base, &s->time.offset))
                s->time.offset = 0;
        }
}

/* --- streams --------------------------------------------------------------------------------------- */

static size_t step_of(size_t streams)
{
    size_t step = MEMORY_FOR_ALL / (streams + 1);
    return step < STEP_MIN ? STEP_MIN : step > STEP_MAX ? STEP_MAX : step;
}

static int open_streams(struct ctf_traces *t, struct ctf_layout *layout, const struct ctf_paths *streams,
                        size_t step)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < streams->count; ++i) {
        struct ctf_stream *s;
        rc = ctf_stream_open(&s, layout, streams->items[i], step);
        if (rc != 0)
            break;
        t->bytes += s->file.size;
        s->rank = t->stream_count++;
        rc = ctf_merge_add(&t->merge, s);
    }
    return rc;
}

static int open_all_streams(struct ctf_traces *t, const struct ctf_paths *traces)
{
    struct ctf_paths *streams = calloc(traces->count + 1, sizeof *streams);
    size_t count = 0;
    int rc = streams != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; rc == 0 && i < traces->count; ++i) {
        rc = ctf_directory_find_streams(traces->items[i], &streams[i]);
        count += streams[i].count;
    }
    for (size_t i = 0; rc == 0 && i < traces->count; ++i)
        rc = open_streams(t, &t->items[i].layout, &streams[i], step_of(count));
    for (size_t i = 0; streams != NULL && i < traces->count; ++i)
        ctf_paths_fini(&streams[i]);
    free(streams);
    return rc;
}

int ctf_traces_open(struct ctf_traces *t, const char *path)
{
    struct ctf_paths traces = {.items = NULL};
    *t = (struct ctf_traces){.items = NULL};
    int rc = ctf_directory_find_traces(path, &traces);
    if (rc == 0 && traces.count == 0)
        rc = trace_error_set(TRACE_ERR_FORMAT, "%s: there is no file \"" CTF_METADATA_FILE "\" in it", path);
    if (rc == 0)
        rc = read_all_metadata(t, &traces);
    if (rc == 0)
        align_clocks(t);
    if (rc == 0)
        rc = open_all_streams(t, &traces);
    ctf_paths_fini(&traces);
    return rc;
}
