/* SPDX-License-Identifier: MIT */
#include "formats/lines/lines.h"

#include "base/error.h"
#include "formats/shared/file_sink.h"
#include "trace/text/trace_json_events.h"

#include <stdlib.h>

#define FLUSH_BYTES ((size_t)1 << 16)

struct jsonl_sink {
    struct file_sink file;
    struct trace_json json;
    uint64_t frame;
};

static struct jsonl_sink *cast(struct trace_sink *s)
{
    return (struct jsonl_sink *)s;
}

static int write_out(struct jsonl_sink *s)
{
    int rc = log_output_put(&s->file.output, s->json.out.data, s->json.out.len);
    buf_clear(&s->json.out);
    return rc;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct jsonl_sink *s = cast(sink);
    int rc = trace_json_event(&s->json, event, s->frame);
    if (event->kind == TRACE_EVENT_CALL && (event->call->flags & TRACE_CALL_END_FRAME) != 0)
        s->frame++;
    return rc == 0 && s->json.out.len >= FLUSH_BYTES ? write_out(s) : rc;
}

static int sink_flush(struct trace_sink *sink)
{
    int rc = write_out(cast(sink));
    return rc == 0 ? log_output_flush(&cast(sink)->file.output) : rc;
}

static int sink_finish(struct trace_sink *sink)
{
    struct jsonl_sink *s = cast(sink);
    if (s->json.blobs_left_out > 0)
        trace_sink_leave_out(sink, "contents of a blob", s->json.blobs_left_out);
    return sink_flush(sink);
}

static void release(struct file_sink *file)
{
    struct jsonl_sink *s = (struct jsonl_sink *)file;
    trace_json_fini(&s->json);
    free(s);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = sink_flush,
    .finish = sink_finish,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

int jsonl_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    const struct trace_json_head head = {.version = -1,
                                         .semantic_version = -1,
                                         .properties = options->properties,
                                         .property_count = options->property_count};
    struct jsonl_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    trace_json_init(&s->json, TRACE_JSON_BLOBS_SUMMARY);
    int rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    rc = trace_json_trace(&s->json, &head);
    if (rc != 0) {
        file_sink_abandon(&s->file.base);
        return rc;
    }
    *out = &s->file.base;
    return 0;
}
