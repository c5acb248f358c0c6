/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/index_writer.h"
#include "formats/apitrace/write/writer.h"

#include "base/error.h"
#include "base/new_file.h"
#include "formats/apitrace/call_flags.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/encoder.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/write/value_check.h"
#include "formats/apitrace/write/writer_ids.h"

#include <stdio.h>
#include <stdlib.h>

#define ENOUGH ((size_t)256 << 10) /* bytes of the stream that are passed on at a time */

struct trace_writer {
    struct new_file file;
    struct trace_output *output;
    struct trace_index_builder *index;
    struct trace_encoder encoder;
    struct writer_ids ids;
    struct buf stream;      /* events that have not been passed on */
    uint64_t stream_offset; /* stream offset of the first byte in `stream` */
    uint64_t next_number;
    struct int_map flags; /* maps the address of a function's signature to its flags */
    struct int_map open;  /* maps the numbers of calls that have not returned to their threads */
    bool times;
    struct trace_kept_error error; /* the first permanent error */
};

static uint32_t id_of(void *context, enum trace_sig_kind kind, const void *sig, uint32_t wanted)
{
    struct trace_writer *w = context;
    uint32_t id;
    int rc = kind == TRACE_SIG_FRAME ? writer_ids_find_frame(&w->ids, sig, &id)
                                     : writer_ids_find(&w->ids, kind, sig, wanted, &id);
    return rc == 0 ? id : TRACE_ID_LIMIT;
}

static int keep_error(struct trace_writer *w, int rc)
{
    if (rc != 0 && w->error.code == 0)
        trace_error_keep(&w->error, rc);
    return rc;
}

/* --- opening and closing --------------------------------------------------------------------------- */

static void free_writer(struct trace_writer *w)
{
    trace_index_builder_free(w->index);
    trace_encoder_fini(&w->encoder);
    writer_ids_fini(&w->ids);
    int_map_fini(&w->flags);
    int_map_fini(&w->open);
    buf_fini(&w->stream);
    free(w);
}

static int open_output(struct trace_writer *w, const struct trace_writer_options *o)
{
    int level = o->level == TRACE_LEVEL_ZERO ? 0 : o->level != 0 ? o->level : TRACE_LEVEL_DEFAULT;
    int rc = trace_output_open_fd(&w->output, w->file.fd, o->container, level, o->jobs);
    if (rc == 0)
        trace_output_attach_index(w->output, w->index);
    return rc;
}

static int open_index(struct trace_writer *w, const struct trace_writer_options *o)
{
    int rc = trace_index_builder_new(&w->index);
    if (rc == 0 && o->times && o->wall_clock != 0)
        trace_index_builder_set_wall_clock(w->index, o->wall_clock);
    return rc;
}

int trace_writer_open(struct trace_writer **out, const char *path, const struct trace_writer_options *options)
{
    static const struct trace_writer_options defaults = {.level = TRACE_LEVEL_DEFAULT};
    const struct trace_writer_options *o = options != NULL ? options : &defaults;
    struct trace_writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    w->times = o->times;
    trace_encoder_init(&w->encoder, &w->stream);
    w->encoder.wants_definitions = true;
    w->encoder.id_of = id_of;
    w->encoder.id_context = w;
    int rc = open_index(w, o);
    if (rc == 0 && (rc = new_file_open(&w->file, path)) == 0 && (rc = open_output(w, o)) != 0) {
        trace_error_prefix(rc, "%s", path);
        new_file_abandon(&w->file);
    }
    if (rc != 0) {
        free_writer(w);
        return rc;
    }
    trace_encode_header(&w->encoder, o->semantic_version != 0 ? o->semantic_version : TRACE_FORMAT_VERSION,
                        o->properties, o->property_count);
    *out = w;
    return 0;
}

static int hand_on(struct trace_writer *w)
{
    int rc = trace_output_write(w->output, w->stream.data, w->stream.len);
    w->stream_offset += w->stream.len;
    buf_clear(&w->stream);
    return rc;
}

int trace_writer_close(struct trace_writer *w)
{
    if (w->error.code == 0)
        keep_error(w, w->encoder.failed ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : hand_on(w));
    keep_error(w, trace_output_close(w->output));
    if (w->error.code != 0)
        new_file_abandon(&w->file);
    else
        keep_error(w, new_file_commit(&w->file));
    int rc = w->error.code == 0 ? 0 : trace_error_restore(&w->error);
    free_writer(w);
    return rc;
}

void trace_writer_abandon(struct trace_writer *w)
{
    if (w == NULL)
        return;
    trace_output_close(w->output);
    new_file_abandon(&w->file);
    free_writer(w);
}

/* --- events ---------------------------------------------------------------------------------------- */

static int begin_event(struct trace_writer *w, const struct trace_call *call)
{
    if (w->error.code != 0)
        return trace_error_restore(&w->error);
    return trace_check_call(call);
}

/* Returns the flags that follow from the function's name, whatever the program has put into its signature. */
static int find_flags(struct trace_writer *w, const struct trace_function_sig *sig, uint32_t *out)
{
    uint64_t key = (uint64_t)(uintptr_t)sig, flags;
    if (int_map_get(&w->flags, key, &flags)) {
        *out = (uint32_t)flags;
        return 0;
    }
    *out = trace_call_flags(sig->name);
    return int_map_set(&w->flags, key, *out);
}

/* Passes the event on, which was encoded at the end of the stream, to the index and the container. */
static int end_event(struct trace_writer *w, struct trace_raw_event *event, const struct trace_call *call)
{
    const struct trace_encoder *e = &w->encoder;
    struct trace_function_sig sig = *call->sig;
    if (e->failed)
        return trace_error_prefix(TRACE_ERR_MEMORY, "call %llu", (unsigned long long)event->call);
    int rc = find_flags(w, call->sig, &sig.flags);
    if (rc != 0)
        return rc;
    event->sig = &sig;
    event->thread = call->thread;
    event->bytes = w->stream.data + e->event_start;
    event->size = w->stream.len - e->event_start;
    event->offset = w->stream_offset + e->event_start;
    event->definitions = e->definitions;
    event->definition_count = e->definition_count;
    rc = trace_index_builder_add(w->index, event);
    return rc == 0 && w->stream.len >= ENOUGH ? hand_on(w) : rc;
}

static int encode_enter(struct trace_writer *w, const struct trace_call *call)
{
    struct trace_raw_event event = {.tag = TRACE_RAW_EVENT_ENTER,
                                    .call = w->next_number,
                                    .time = w->times ? call->enter_time : TRACE_NO_TIME};
    trace_encode_call_enter(&w->encoder, call);
    return end_event(w, &event, call);
}

static int encode_leave(struct trace_writer *w, uint64_t number, const struct trace_call *call, bool args)
{
    struct trace_raw_event event = {
        .tag = TRACE_RAW_EVENT_LEAVE, .call = number, .time = w->times ? call->leave_time : TRACE_NO_TIME};
    trace_encode_call_leave(&w->encoder, number, call, args);
    return end_event(w, &event, call);
}

int trace_writer_write_call(struct trace_writer *w, const struct trace_call *call, uint64_t *number)
{
    int rc = begin_event(w, call);
    if (rc != 0)
        return rc;
    if (number != NULL)
        *number = w->next_number;
    rc = encode_enter(w, call);
    if (rc == 0 && (call->flags & TRACE_CALL_INCOMPLETE) == 0)
        rc = encode_leave(w, w->next_number, call, false);
    ++w->next_number;
    return keep_error(w, rc);
}

int trace_writer_enter_call(struct trace_writer *w, const struct trace_call *call, uint64_t *number)
{
    int rc = begin_event(w, call);
    if (rc != 0)
        return rc;
    if (number != NULL)
        *number = w->next_number;
    rc = int_map_set(&w->open, w->next_number, call->thread);
    if (rc == 0)
        rc = encode_enter(w, call);
    ++w->next_number;
    return keep_error(w, rc);
}

int trace_writer_leave_call(struct trace_writer *w, uint64_t number, const struct trace_call *call)
{
    int rc = begin_event(w, call);
    if (rc != 0)
        return rc;
    if (!int_map_get(&w->open, number, NULL))
        return trace_error_set(TRACE_ERR_USAGE, "call %llu was not entered, or has already returned",
                               (unsigned long long)number);
    int_map_remove(&w->open, number);
    return keep_error(w, encode_leave(w, number, call, true));
}
