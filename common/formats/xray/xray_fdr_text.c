/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_fdr_text.h"

#include "base/error.h"
#include "base/format_number.h"
#include "formats/shared/file_window.h"
#include "formats/xray/xray_functions.h"
#include "formats/xray/xray_log.h"
#include "formats/xray/xray_records.h"
#include "formats/xray/xray_scan.h"

#include <inttypes.h>
#include <stdlib.h>

#define FLUSH_BYTES ((size_t)1 << 16)
#define LINE_ROOM   128

struct printer {
    struct xray_log log;
    struct file_window window;
    struct buf *out;
    int (*flush)(struct buf *out);
    struct xray_functions functions; /* their names, if there is a namer */
    bool damaged;
};

/* --- lines ----------------------------------------------------------------------------------------- */

/* name: what follows the number; "": nothing. */
static int put_function(struct buf *out, const struct xray_record *r, const char *name)
{
    static const char *const heads[XRAY_ACTIONS] = {"<Function Enter: #", "<Function Exit: #",
                                                    "<Function Tail Exit: #", "<Function Enter With Arg: #"};
    size_t length = strlen(heads[r->action]), name_length = strlen(name);
    if (buf_reserve(out, LINE_ROOM + name_length) != 0)
        return TRACE_ERR_MEMORY;
    char *start = (char *)out->data + out->len, *p = start;
    p = (char *)memcpy(p, heads[r->action], length) + length;
    p += format_uint(p, r->function);
    if (name_length > 0) {
        *p++ = ' ';
        p = (char *)memcpy(p, name, name_length) + name_length;
    }
    p = (char *)memcpy(p, " delta = +", 10) + 10;
    p += format_uint(p, (uint64_t)r->delta);
    p = (char *)memcpy(p, ">\n", 2) + 2;
    out->len += (size_t)(p - start);
    return 0;
}

static int put_named_function(struct printer *p, const struct xray_record *r)
{
    if (p->functions.namer == NULL)
        return put_function(p->out, r, "");
    const struct trace_function_sig *sig = xray_functions_find(&p->functions, r->function, 0);
    return sig != NULL ? put_function(p->out, r, sig->name) : p->functions.rc;
}

/* A typed event's line lacks its bracket, as in LLVM's tool. */
static int put_event(struct buf *out, const struct xray_record *r, const uint8_t *data)
{
    bool is_typed = r->kind == XRAY_TYPED_EVENT;
    int rc = buf_append_string(out, is_typed ? "<Typed Event: " : "<Custom Event: ");
    if (r->is_relative)
        rc |= buf_printf(out, "delta = +%" PRId64 ", ", r->delta);
    else
        rc |= buf_printf(out, "tsc = %" PRIu64 ", ", r->value);
    if (r->number >= 0)
        rc |= buf_printf(out, "cpu = %" PRId32 ", ", r->number);
    if (is_typed)
        rc |= buf_printf(out, "type = %u, ", r->type);
    rc |= buf_printf(out, "size = %" PRId32 ", data = '", r->size);
    rc |= buf_append(out, data, (size_t)r->size);
    return rc | buf_append_string(out, is_typed ? "'\n" : "'>\n");
}

static int put_metadata(struct buf *out, const struct xray_record *r)
{
    switch (r->kind) {
    case XRAY_BUFFER_EXTENTS:
        return buf_printf(out, "<Buffer: size = %" PRIu64 " bytes>\n", r->value);
    case XRAY_NEW_BUFFER:
        return buf_printf(out, "<Thread ID: %" PRId32 ">\n", r->number);
    case XRAY_WALL_TIME:
        return buf_printf(out, "<Wall Time: seconds = %" PRIu64 ".%06" PRIu32 ">\n", r->value,
                          r->microseconds);
    case XRAY_PID:
        return buf_printf(out, "<PID: %" PRId32 ">\n", r->number);
    case XRAY_NEW_CPU:
        return buf_printf(out, "<CPU: id = %" PRId32 ", tsc = %" PRIu64 ">\n", r->number, r->value);
    case XRAY_TSC_WRAP:
        return buf_printf(out, "<TSC Wrap: base = %" PRIu64 ">\n", r->value);
    case XRAY_CALL_ARGUMENT:
        return buf_printf(out, "<Call Argument: data = %" PRIu64 " (hex = 0x%" PRIx64 ")>\n", r->value,
                          r->value);
    default:
        return buf_append_string(out, "<End of Buffer>\n");
    }
}

/* --- buffers --------------------------------------------------------------------------------------- */

/* Prints the record at offset. *size: its bytes with its data; 0: nothing more of the buffer can be printed.
 */
static int print_record(struct printer *p, const struct xray_header *h, uint64_t offset, uint64_t end,
                        enum xray_kind *before, enum xray_action *action, size_t *size)
{
    const uint8_t *bytes;
    struct xray_record r;
    size_t got;
    int rc = file_window_get(&p->window, offset, XRAY_METADATA_SIZE, &bytes, &got);
    *size = 0;
    if (rc != 0 || got == 0)
        return rc;
    size_t count = xray_record_size(h, bytes[0]);
    if (got < count || count > end - offset)
        return 0;
    xray_record_decode(h, bytes, &r);
    p->damaged |= *before != XRAY_NOTHING && !xray_may_follow(*before, *action, r.kind);
    if (r.kind == XRAY_NOTHING || p->damaged)
        return 0;
    if (r.kind == XRAY_CUSTOM_EVENT || r.kind == XRAY_TYPED_EVENT) {
        count += (size_t)r.size;
        if (count > end - offset)
            return 0;
        rc = file_window_get(&p->window, offset, count, &bytes, &got);
        if (rc != 0 || got < count)
            return rc;
        rc = put_event(p->out, &r, bytes + XRAY_METADATA_SIZE);
    } else {
        rc = r.kind == XRAY_FUNCTION ? put_named_function(p, &r) : put_metadata(p->out, &r);
    }
    *before = r.kind;
    *action = r.action;
    *size = r.kind == XRAY_END_OF_BUFFER ? 0 : count;
    if (rc != 0)
        return rc == TRACE_ERR_MEMORY ? trace_error_set(rc, "out of memory") : rc;
    return p->out->len >= FLUSH_BYTES ? p->flush(p->out) : 0;
}

static int print_segment(struct printer *p, const struct xray_segment *segment)
{
    const struct xray_header *h = p->log.headers[segment->header];
    uint64_t offset = segment->offset - (h->version > 1 ? XRAY_METADATA_SIZE : 0);
    enum xray_kind before = XRAY_NOTHING;
    enum xray_action action = XRAY_ENTER;
    bool was_damaged = p->damaged;
    size_t size = 1;
    int rc = 0;
    p->damaged = false;
    while (rc == 0 && size > 0 && offset < segment->end) {
        rc = print_record(p, h, offset, segment->end, &before, &action, &size);
        offset += size;
    }
    p->damaged |= was_damaged;
    return rc;
}

static int print_all(struct printer *p)
{
    int rc = file_window_make_seekable(&p->log.file);
    if (rc == 0)
        rc = xray_scan(&p->log);
    for (size_t i = 0; rc == 0 && i < p->log.segment_count; ++i) {
        if (p->log.headers[p->log.segments[i].header]->type != XRAY_FDR)
            return trace_error_set(TRACE_ERR_FORMAT, "not a flight data recorder's log");
        rc = print_segment(p, &p->log.segments[i]);
    }
    p->damaged |= p->log.gap_count > 0;
    return rc;
}

int xray_fdr_text_print(struct trace_probe *probe, struct buf *out, int (*flush)(struct buf *out),
                        trace_function_namer namer, void *context, bool *damaged)
{
    struct printer *p = calloc(1, sizeof *p);
    if (p == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    trace_probe_take_file(probe, &p->log.file);
    p->out = out;
    p->flush = flush;
    p->functions.namer = namer;
    p->functions.context = context;
    file_window_init(&p->window, &p->log.file);
    int rc = print_all(p);
    if (rc == 0)
        rc = flush(out);
    else
        trace_error_prefix(rc, "%s", probe->name);
    *damaged = p->damaged;
    file_window_fini(&p->window);
    xray_log_fini(&p->log);
    xray_functions_fini(&p->functions);
    free(p);
    return rc;
}
