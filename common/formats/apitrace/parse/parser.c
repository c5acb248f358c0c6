/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/parse/parser.h"

#include "formats/apitrace/parse/parser_fast_path.h"
#include "formats/apitrace/parse/parser_signatures.h"
#include "formats/apitrace/parse/parser_values.h"

/* --- details --------------------------------------------------------------------------------------- */

/* Parses a value in place. Copying a value that was just written would have to wait for its narrow stores. An
 * incomplete value is discarded. */
static int parse_into(struct trace_parser *s, struct trace_value *slot)
{
    int rc = trace_parse_value(s, slot);
    if (rc != 0)
        *slot = (struct trace_value){.type = TRACE_NONE, .element = TRACE_NONE};
    return rc;
}

static int parse_arg(struct trace_parser *s, struct trace_call_record *r)
{
    uint64_t index;
    int rc = trace_parse_uint(s, &index);
    if (rc != 0)
        return rc;
    if (index >= r->call.arg_count)
        return trace_error_set(TRACE_ERR_FORMAT, "argument %llu is out of range: the function has %u",
                               (unsigned long long)index, r->call.arg_count);
    rc = parse_into(s, &r->args[index]);
    return rc < 0 ? trace_error_prefix(rc, "argument %llu", (unsigned long long)index) : rc;
}

static int parse_return(struct trace_parser *s, struct trace_call_record *r)
{
    int rc = parse_into(s, &r->call.ret);
    return rc < 0 ? trace_error_prefix(rc, "return value") : rc;
}

static int parse_backtrace(struct trace_parser *s, struct trace_call_record *r)
{
    uint64_t count;
    int rc = trace_parse_count(s, &count);
    if (rc != 0)
        return rc;
    if (count > UINT32_MAX / sizeof(struct trace_frame))
        return trace_error_set(TRACE_ERR_FORMAT, "a backtrace has too many frames: %llu",
                               (unsigned long long)count);
    struct trace_frame *frames = arena_alloc(&r->arena, (size_t)count * sizeof *frames);
    if (frames == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < count; ++i)
        if ((rc = trace_parse_frame(s, &frames[i])) != 0)
            return rc;
    r->call.frames = frames;
    r->call.frame_count = (uint32_t)count;
    return 0;
}

static int parse_flags(struct trace_parser *s, struct trace_call_record *r)
{
    uint64_t flags;
    int rc = trace_parse_uint(s, &flags);
    if (rc == 0)
        r->call.flags |= (uint32_t)flags & TRACE_CALL_FAKE; /* other bits have no meaning */
    return rc;
}

static int parse_detail(struct trace_parser *s, struct trace_call_record *r, uint8_t tag)
{
    switch (tag) {
    case TRACE_DETAIL_ARG:
        return parse_arg(s, r);
    case TRACE_DETAIL_RET:
        return parse_return(s, r);
    case TRACE_DETAIL_BACKTRACE:
        return parse_backtrace(s, r);
    case TRACE_DETAIL_FLAGS:
        return parse_flags(s, r);
    case TRACE_DETAIL_THREAD:
        if (s->version < 4)
            return trace_parse_bounded(s, UINT32_MAX, "thread number", &r->call.thread);
        /* fall through */
    default:
        return trace_error_set(TRACE_ERR_FORMAT, "unknown call detail 0x%02x", tag);
    }
}

static int parse_more_details(struct trace_parser *s, struct trace_call_record *r)
{
    s->record = r;
    s->depth = 0;
    s->items = 0;
    for (;;) {
        uint8_t tag;
        int rc = trace_parse_byte(s, &tag);
        if (rc == 0 && tag == TRACE_DETAIL_END)
            return 0;
        if (rc == 0)
            rc = parse_detail(s, r, tag);
        if (rc < 0)
            return trace_error_prefix(rc, "call %llu (%s)", (unsigned long long)r->call.number,
                                      r->call.sig->name);
        if (rc != 0)
            return rc;
    }
}

/* Parses the rest of the event, which may be short. */
static inline int parse_details(struct trace_parser *s, struct trace_call_record *r)
{
    if (s->p == s->end || *s->p != TRACE_DETAIL_END)
        return parse_more_details(s, r);
    s->p++;
    return 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

static int parse_head(struct trace_parser *s, uint32_t *thread, const struct trace_function_sig **sig)
{
    *thread = 0;
    *sig = parse_fast_head(s, thread);
    int rc = 0;
    if (*sig == NULL && s->version >= 4)
        rc = trace_parse_bounded(s, UINT32_MAX, "thread number", thread);
    if (*sig == NULL && rc == 0)
        rc = trace_parse_function_sig(s, sig);
    return rc;
}

int trace_parse_enter(struct trace_parser *s, struct trace_call_record *r)
{
    static const struct trace_value none = {.type = TRACE_NONE, .element = TRACE_NONE};
    const struct trace_function_sig *sig;
    uint32_t thread;
    int rc = parse_head(s, &thread, &sig);
    if (rc != 0)
        return rc;
    r->args = arena_alloc(&r->arena, sig->arg_count * sizeof *r->args);
    if (r->args == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = parse_fast_args(s, r->args, sig->arg_count); i < sig->arg_count; ++i)
        r->args[i] = none;
    r->call.thread = thread;
    r->call.enter_time = r->call.leave_time = TRACE_NO_TIME;
    r->call.flags = sig->flags & ~(uint32_t)TRACE_CALL_VERBOSE_IF_ZERO;
    r->call.sig = sig;
    r->call.arg_count = sig->arg_count;
    r->call.args = r->args;
    r->call.ret = none;
    r->call.frame_count = 0;
    r->call.frames = NULL;
    s->event = TRACE_RAW_EVENT_ENTER;
    return parse_details(s, r);
}

int trace_parse_leave(struct trace_parser *s, struct trace_call_record *r)
{
    s->event = TRACE_RAW_EVENT_LEAVE;
    int rc = parse_details(s, r);
    if (rc == 0 && (r->call.sig->flags & TRACE_CALL_VERBOSE_IF_ZERO) != 0 &&
        trace_value_to_sint(&r->call.ret, -1) == 0)
        r->call.flags |= TRACE_CALL_VERBOSE;
    return rc;
}
