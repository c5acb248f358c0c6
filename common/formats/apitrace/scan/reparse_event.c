/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/scan/reparse_event.h"

#include "formats/apitrace/parse/parser.h"

#define MAX_ARGS 256 /* for a leave event without a pending call; as in reader.c */

static int check_leave(struct trace_parser *s, struct trace_call_record *r,
                       const struct trace_function_sig *sig)
{
    static const struct trace_function_sig unknown = {.name = "?"};
    int rc = trace_parse_uint(s, &r->call.number);
    if (rc != 0)
        return rc;
    r->call.sig = sig != NULL ? sig : &unknown;
    r->call.arg_count = sig != NULL ? sig->arg_count : MAX_ARGS;
    r->args = arena_alloc(&r->arena, r->call.arg_count * sizeof *r->args);
    return r->args == NULL ? TRACE_ERR_MEMORY : trace_parse_leave(s, r);
}

static int check_event(struct trace_parser *s, struct trace_call_record *r,
                       const struct trace_function_sig *sig)
{
    uint8_t tag;
    int rc = trace_parse_byte(s, &tag);
    if (rc != 0)
        return rc;
    if (tag == TRACE_RAW_EVENT_ENTER)
        return trace_parse_enter(s, r);
    if (tag == TRACE_RAW_EVENT_LEAVE)
        return check_leave(s, r, sig);
    s->p--;
    return trace_error_set(TRACE_ERR_FORMAT, "unknown event 0x%02x", tag);
}

int trace_reparse_event(struct trace_parser *s, const uint8_t *event, uint64_t number,
                        const struct trace_function_sig *sig)
{
    struct trace_call_record record = {.call.number = number};
    arena_init(&record.arena);
    trace_signatures_rollback(&s->sigs);
    s->p = event;
    int rc = check_event(s, &record, sig);
    trace_chunk_unref(record.chunks[0]);
    trace_chunk_unref(record.chunks[1]);
    arena_fini(&record.arena);
    return rc;
}
