/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/text_writer.h"

#include "formats/sp_rtrace/sink_checks.h"
#include "formats/sp_rtrace/sp_rtrace.h"
#include "formats/sp_rtrace/text_header.h"
#include "formats/sp_rtrace/text_heap.h"

#include "base/buf.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

static void blank_out(struct text_writer *w, char *text, size_t length, char c)
{
    for (char *p = text; (p = memchr(p, c, length - (size_t)(p - text))) != NULL; ++p) {
        *p = ' ';
        trace_sink_leave_out(w->sink, "line break in a text", 1);
    }
}

char *text_put(struct text_writer *w, char *out, const char *text, size_t length)
{
    size_t used = (size_t)(out - w->output.bytes) - w->output.len; /* by what the line has */
    size_t room = used < TEXT_LINE_MAX ? TEXT_LINE_MAX - used : 0;
    if (length > room) {
        trace_sink_leave_out(w->sink, "end of a line of more than a mebibyte", 1);
        length = room;
    }
    memcpy(out, text, length);
    blank_out(w, out, length, '\n');
    blank_out(w, out, length, '\r'); /* at the end of a line it would become a part of the line break */
    return out + length;
}

/* Writes a line without its line break, from a buffer that is then emptied. */
static int put_line(struct text_writer *w, struct buf *line, int rc)
{
    char *p = rc == 0 ? log_output_reserve(&w->output, line->len + 1) : NULL;
    if (p != NULL) {
        p = text_put(w, p, (const char *)line->data, line->len);
        *p++ = '\n';
        log_output_take(&w->output, p);
    }
    buf_fini(line);
    return rc != 0 ? rc : p != NULL ? 0 : TRACE_ERR_IO;
}

/* --- header ---------------------------------------------------------------------------------------- */

/* The keys of a header, in order. Other keys are properties with the prefix HEADER_PREFIX. */
static const struct {
    const char *key;
    const char *property;
} header_keys[] = {
    {"arch", "arch"},      {"timestamp", "process.start"}, {"process", "process.name"},
    {"pid", "process.id"}, {"filter", SP_RTRACE_FILTER},   {"backtrace depth", "backtrace.depth"},
    {"origin", "tracer"},
};

#define KEY_COUNT (sizeof header_keys / sizeof *header_keys)

/* Local time, as the programs print it. */
static int put_start(struct buf *line, const char *nanoseconds)
{
    time_t seconds = (time_t)(strtoll(nanoseconds, NULL, 10) / 1000000000);
    struct tm t;
    if (localtime_r(&seconds, &t) == NULL)
        return 0;
    return buf_printf(line, "timestamp=%d.%d.%d %02d:%02d:%02d, ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
                      t.tm_hour, t.tm_min, t.tm_sec);
}

/* Returns true if the property has its own key. */
static bool has_place(const char *property)
{
    for (size_t i = 0; i < KEY_COUNT; ++i)
        if (strcmp(header_keys[i].property, property) == 0)
            return true;
    return false;
}

/* Replaces a comma by a blank if it would seem to begin another key. */
static int put_value(struct text_writer *w, struct buf *line, const char *key, const char *value)
{
    int rc = buf_printf(line, "%s=", key);
    size_t start = line->len;
    if (rc == 0)
        rc = buf_append_string(line, value);
    while (rc == 0) {
        const struct text_slice rest = {(const char *)line->data + start, line->len - start};
        size_t end = text_header_value_end(&rest);
        if (end == rest.length)
            break;
        start += end;
        line->data[start] = ' ';
        trace_sink_leave_out(w->sink, "comma in a value of the header", 1);
    }
    return rc == 0 ? buf_append_string(line, ", ") : rc;
}

/* Writes keys that the programs do not write after the others. A text does not contain the size of pointers.
 */
static int put_other_keys(struct text_writer *w, struct buf *line, const struct trace_sink_options *options)
{
    size_t prefix = strlen(TEXT_HEADER_PREFIX);
    int rc = 0;
    for (size_t i = 0; i < options->property_count && rc == 0; ++i) {
        const struct trace_property *p = &options->properties[i];
        if (has_place(p->name) || strcmp(p->name, "pointer.size") == 0)
            continue;
        if (strncmp(p->name, TEXT_HEADER_PREFIX, prefix) == 0)
            rc = put_value(w, line, p->name + prefix, p->value);
        else
            trace_sink_leave_out(w->sink, "property", 1);
    }
    return rc;
}

int text_write_header(struct text_writer *w, const struct trace_sink_options *options)
{
    struct buf line = BUF_INIT;
    int rc = buf_append_string(&line, "version=2.0, ");
    for (size_t i = 0; i < KEY_COUNT && rc == 0; ++i) {
        const char *value = sink_property(options, header_keys[i].property);
        if (value == NULL)
            continue;
        rc = strcmp(header_keys[i].key, "timestamp") == 0 ? put_start(&line, value)
                                                          : put_value(w, &line, header_keys[i].key, value);
    }
    if (rc == 0)
        rc = put_other_keys(w, &line, options);
    return put_line(w, &line, rc);
}

/* --- declarations ---------------------------------------------------------------------------------- */

static int write_heap(struct text_writer *w, const struct trace_heap *heap)
{
    struct buf line = BUF_INIT;
    int rc = buf_append_string(&line, TEXT_HEAP_TITLE);
    rc = put_line(w, &line, rc);
    for (size_t i = 0; i < TEXT_HEAP_LINES && rc == 0; ++i) {
        uint64_t value = *text_heap_value((struct trace_heap *)(uintptr_t)heap, i);
        rc = buf_printf(&line, text_heap_lines[i].is_address ? "##   %s 0x%" PRIx64 : "##   %s %" PRIu64,
                        text_heap_lines[i].name, value);
        rc = put_line(w, &line, rc);
    }
    return rc;
}

/* In texts, the id of a type is a bit. */
static uint64_t type_bit(struct text_writer *w, const struct trace_resource_type *type)
{
    if (type->id >= 1 && type->id <= 64)
        return UINT64_C(1) << (type->id - 1);
    trace_sink_leave_out(w->sink, "id of a resource type", 1);
    return 0;
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static int write_type(struct text_writer *w, const struct trace_resource_type *type)
{
    struct buf line = BUF_INIT;
    int rc = buf_printf(&line, "<%" PRIx64 "> : %s (%s)", type_bit(w, type), or_empty(type->name),
                        or_empty(type->description));
    bool has_both = type->refcounted && type->flags != NULL;
    if (rc == 0 && (type->refcounted || type->flags != NULL))
        rc = buf_printf(&line, " [%s%s%s]", type->refcounted ? TEXT_REFCOUNT : "", has_both ? "|" : "",
                        or_empty(type->flags));
    return put_line(w, &line, rc);
}

static int write_mapping(struct text_writer *w, const struct trace_mapping *m)
{
    struct buf line = BUF_INIT;
    if (m->offset != TRACE_NO_OFFSET)
        trace_sink_leave_out(w->sink, "offset of a memory mapping", 1);
    int rc = buf_printf(&line, ": %s => 0x%" PRIx64 "-0x%" PRIx64, or_empty(m->path), m->from, m->to);
    return put_line(w, &line, rc);
}

int text_write_declaration(struct text_writer *w, const struct trace_event *event)
{
    struct buf line = BUF_INIT;
    const struct trace_tracer *tracer = &event->u.tracer;
    int rc;
    switch (event->kind) {
    case TRACE_EVENT_ATTACHMENT:
        rc = buf_printf(&line, "& %s : %s", or_empty(event->u.attachment.name),
                        or_empty(event->u.attachment.path));
        return put_line(w, &line, rc);
    case TRACE_EVENT_HEAP:
        return write_heap(w, event->u.heap);
    case TRACE_EVENT_TRACER:
        rc = buf_printf(&line, "## tracing module: [%" PRIx32 "] %s (%" PRIu32 ".%" PRIu32 ")", tracer->id,
                        or_empty(tracer->name), tracer->major, tracer->minor);
        return put_line(w, &line, rc);
    case TRACE_EVENT_CONTEXT:
        rc = buf_printf(&line, "@ %" PRIx32 " : %s", event->u.context.id, or_empty(event->u.context.name));
        return put_line(w, &line, rc);
    case TRACE_EVENT_RESOURCE_TYPE:
        return write_type(w, event->u.resource_type);
    case TRACE_EVENT_MAPPING:
        return write_mapping(w, &event->u.mapping);
    case TRACE_EVENT_COMMENT:
        return put_line(w, &line, buf_append_string(&line, or_empty(event->u.text)));
    default:
        return sink_leave_out_event(w->sink, event);
    }
}
