/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_traces.h"

#include "formats/ctf/ctf_directory.h"
#include "formats/ctf/metadata/ctf_metadata.h"
#include "formats/ctf/decode/rfc_packets.h"
#include "formats/ctf/decode/rfc_packing.h"

#include <stdio.h>
#include <stdlib.h>

#define MEMORY_FOR_ALL ((size_t)8 << 20) /* bytes, of the windows of all streams */
#define STEP_MIN       ((size_t)16 << 10)
#define STEP_MAX       ((size_t)256 << 10)

void ctf_traces_close(struct ctf_traces *t)
{
    ctf_merge_fini(&t->merge);
    ctf_instances_fini(&t->instances);
    for (size_t i = 0; i < t->count; ++i) {
        ctf_layout_fini(&t->items[i].layout);
        ctf_trace_fini(&t->items[i].trace);
    }
    free(t->items);
    *t = (struct ctf_traces){.items = NULL};
}

/* --- metadata -------------------------------------------------------------------------------------- */

/* Metadata of version 1.1 do not say the byte order and the session, unless they are in packets themselves:
 * then the first packet of events does. */
static void find_identity(struct ctf_trace *trace, const struct ctf_paths *streams)
{
    struct rfc_packet first;
    trace->order = CTF_LITTLE_ENDIAN; /* if there is no packet to be read */
    for (size_t i = 0; i < streams->count && !trace->has_session; ++i) {
        if (!rfc_packet_find_first(streams->items[i], &first))
            continue;
        trace->order = first.is_big_endian ? CTF_BIG_ENDIAN : CTF_LITTLE_ENDIAN;
        trace->has_session = true;
        trace->session = first.session;
    }
}

static int read_layout(struct ctf_opened_trace *o, const char *path, const struct ctf_paths *streams)
{
    int rc = ctf_metadata_read(&o->trace, path);
    if (rc == 0 && o->trace.dialect == CTF_RFC && !o->trace.has_session)
        find_identity(&o->trace, streams);
    if (rc == 0 && (o->trace.folder = ctf_trace_copy_text(&o->trace, o->folder, strlen(o->folder))) == NULL)
        rc = TRACE_ERR_MEMORY;
    if (rc == 0 && (rc = ctf_layout_init(&o->layout, &o->trace)) != 0)
        trace_error_prefix(rc, "%s", path);
    return rc;
}

static int read_again(struct ctf_opened_trace *o, const char *path, const struct ctf_paths *streams,
                      bool is_byte_packed)
{
    ctf_layout_fini(&o->layout);
    ctf_trace_fini(&o->trace);
    ctf_trace_init(&o->trace);
    o->trace.is_byte_packed = is_byte_packed;
    return read_layout(o, path, streams);
}

/* If the first packets do not fit the natural alignment, but fit that of bytes, this is what they have. */
static int find_packing(struct ctf_traces *t, struct ctf_opened_trace *o, const char *path,
                        const struct ctf_paths *streams)
{
    const struct ctf_stream_place place = {&o->layout, &t->files, &t->instances};
    unsigned natural, packed;
    int rc = rfc_packing_count_misfits(&place, streams->items, streams->count, &natural);
    if (rc != 0 || natural == 0)
        return rc;
    rc = read_again(o, path, streams, true);
    if (rc == 0)
        rc = rfc_packing_count_misfits(&place, streams->items, streams->count, &packed);
    return rc == 0 && packed >= natural ? read_again(o, path, streams, false) : rc;
}

static int read_metadata(struct ctf_traces *t, struct ctf_opened_trace *o, const char *directory)
{
    struct ctf_paths streams = {.items = NULL};
    size_t size = strlen(directory) + sizeof CTF_METADATA_FILE + 1;
    char *path = malloc(size);
    if (path == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    snprintf(path, size, "%s/%s", directory, CTF_METADATA_FILE);
    int rc = ctf_directory_find_streams(directory, &streams);
    if (rc == 0)
        rc = read_layout(o, path, &streams);
    if (rc == 0 && o->trace.dialect == CTF_RFC)
        rc = find_packing(t, o, path, &streams);
    ctf_paths_fini(&streams);
    free(path);
    return rc;
}

/* Returns what follows the path of the folder that is opened. */
static const char *folder_below(const char *path, const char *opened)
{
    path += strlen(opened);
    return path + strspn(path, "/");
}

static int read_all_metadata(struct ctf_traces *t, const struct ctf_paths *traces, const char *path)
{
    int rc = 0;
    t->items = calloc(traces->count + 1, sizeof *t->items);
    if (t->items == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; rc == 0 && i < traces->count; ++i) {
        ctf_trace_init(&t->items[t->count].trace);
        t->items[t->count].folder = folder_below(traces->items[i], path);
        rc = read_metadata(t, &t->items[t->count++], traces->items[i]);
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
    const struct ctf_stream_place place = {layout, &t->files, &t->instances};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < streams->count; ++i) {
        struct ctf_stream *s;
        rc = ctf_stream_open(&s, &place, streams->items[i], step);
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
        rc = read_all_metadata(t, &traces, path);
    if (rc == 0)
        align_clocks(t);
    if (rc == 0)
        rc = open_all_streams(t, &traces);
    ctf_paths_fini(&traces);
    return rc;
}
