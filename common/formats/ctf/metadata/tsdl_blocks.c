/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl_blocks.h"

#include "base/error.h"
#include "formats/ctf/ctf_uuid.h"
#include "formats/ctf/metadata/tsdl_attributes.h"
#include "formats/ctf/metadata/tsdl_types.h"

#include <inttypes.h>

/* Sets what the path names; the next token is the value's. */
typedef int (*tsdl_set_value)(struct tsdl_parser *p, const char *path, void *block);

/* Parses the braces of a block: declarations of types, PATH = VALUE; and PATH := TYPE; */
static int parse_body(struct tsdl_parser *p, tsdl_set_value set_value, tsdl_set_value set_type, void *block)
{
    struct tsdl_scope scope;
    const char *path;
    bool had;
    int rc = tsdl_expect_sign(p, '{');
    tsdl_scope_enter(p, &scope);
    while (rc == 0 && !tsdl_at_sign(p, '}')) {
        rc = tsdl_parse_declaration(p, &had);
        if (rc != 0 || had)
            continue;
        rc = tsdl_take_path(p, &path);
        if (rc == 0 && p->token.kind == TSDL_ASSIGN_TYPE && set_type != NULL)
            rc = (rc = tsdl_advance(p)) == 0 ? set_type(p, path, block) : rc;
        else if (rc == 0 && (rc = tsdl_expect_sign(p, '=')) == 0)
            rc = set_value(p, path, block);
        if (rc == 0)
            rc = tsdl_expect_sign(p, ';');
    }
    tsdl_scope_leave(p);
    return rc == 0 ? tsdl_expect_sign(p, '}') : rc;
}

static int parse_struct_type(struct tsdl_parser *p, const struct ctf_class **out)
{
    uint32_t line = p->token.line;
    int rc = tsdl_parse_type(p, out);
    return rc == 0 && (*out)->kind != CTF_STRUCT ? tsdl_fail(p, line, "a structure is needed here") : rc;
}

/* Attributes that are not known are ignored. */
static int skip_type(struct tsdl_parser *p)
{
    const struct ctf_class *ignored;
    return tsdl_parse_type(p, &ignored);
}

static int take_text_or_path(struct tsdl_parser *p, const char **out)
{
    return p->token.kind == TSDL_STRING ? tsdl_take_string(p, out) : tsdl_take_path(p, out);
}

/* --- trace ----------------------------------------------------------------------------------------- */

static int set_uuid(struct tsdl_parser *p, struct ctf_trace *t)
{
    uint32_t line = p->token.line;
    const char *text;
    int rc = tsdl_take_string(p, &text);
    if (rc == 0 && !ctf_uuid_parse(text, t->uuid))
        rc = tsdl_fail(p, line, "\"%s\" is not a UUID", text);
    t->has_uuid = rc == 0;
    return rc;
}

static int set_trace_value(struct tsdl_parser *p, const char *path, void *block)
{
    struct ctf_trace *t = block;
    if (strcmp(path, "major") == 0)
        return tsdl_parse_unsigned(p, &t->major);
    if (strcmp(path, "minor") == 0)
        return tsdl_parse_unsigned(p, &t->minor);
    if (strcmp(path, "uuid") == 0)
        return set_uuid(p, t);
    if (strcmp(path, "byte_order") == 0) {
        int rc = tsdl_parse_byte_order(p, &t->order);
        return rc == 0 && t->order == CTF_ORDER_DEFAULT
                   ? tsdl_fail(p, 0, "the byte order of a trace must be le, be or network")
                   : rc;
    }
    return tsdl_skip_value(p);
}

static int set_trace_type(struct tsdl_parser *p, const char *path, void *block)
{
    struct ctf_trace *t = block;
    if (strcmp(path, "packet.header") == 0)
        return parse_struct_type(p, &t->packet_header);
    return skip_type(p);
}

static int parse_trace(struct tsdl_parser *p)
{
    uint32_t line = p->token.line;
    struct ctf_trace *t = p->trace;
    int rc = parse_body(p, set_trace_value, set_trace_type, t);
    if (rc == 0 && (t->major != 1 || t->minor != 8))
        rc = tsdl_fail(p, line, "version %" PRIu64 ".%" PRIu64 " of the format is not known, only 1.8",
                       t->major, t->minor);
    if (rc == 0 && t->order == CTF_ORDER_DEFAULT)
        rc = tsdl_fail(p, line, "the trace has no byte order");
    return rc;
}

/* --- environment and clocks ------------------------------------------------------------------------ */

static int set_variable(struct tsdl_parser *p, const char *path, void *block)
{
    struct ctf_variable v = {.name = path};
    uint64_t number = 0;
    bool is_negative;
    int rc = p->token.kind == TSDL_NUMBER || p->token.kind == TSDL_SIGN
                 ? tsdl_take_number(p, &number, &is_negative)
                 : take_text_or_path(p, &v.text);
    v.number = (int64_t)number;
    return rc == 0 ? ctf_trace_set_variable(block, &v) : rc;
}

struct clock_block {
    struct ctf_clock clock;
    bool is_negative; /* the offset in cycles */
};

static int set_clock_value(struct tsdl_parser *p, const char *path, void *block)
{
    struct clock_block *b = block;
    struct ctf_clock *c = &b->clock;
    uint64_t number;
    bool is_negative;
    if (strcmp(path, "name") == 0)
        return take_text_or_path(p, &c->name);
    if (strcmp(path, "description") == 0)
        return tsdl_take_string(p, &c->description);
    if (strcmp(path, "uuid") == 0)
        return tsdl_take_string(p, &c->uuid);
    if (strcmp(path, "freq") == 0)
        return tsdl_parse_unsigned(p, &c->frequency);
    if (strcmp(path, "precision") == 0)
        return tsdl_parse_unsigned(p, &c->precision);
    if (strcmp(path, "offset") == 0)
        return tsdl_take_number(p, &c->offset, &b->is_negative);
    if (strcmp(path, "offset_s") == 0) {
        int rc = tsdl_take_number(p, &number, &is_negative);
        c->offset_s = rc == 0 ? (int64_t)number : 0;
        return rc;
    }
    if (strcmp(path, "absolute") == 0) {
        c->is_absolute = tsdl_at_word(p, "true") || tsdl_at_word(p, "TRUE") ||
                         (p->token.kind == TSDL_NUMBER && p->token.number != 0);
        return tsdl_skip_value(p);
    }
    return tsdl_skip_value(p);
}

/* Moves whole seconds of a negative number of cycles to the seconds, so that the rest is positive. */
static int make_offset_positive(struct tsdl_parser *p, struct ctf_clock *c)
{
    uint64_t cycles = 0 - c->offset, rest = cycles % c->frequency;
    int64_t seconds = (int64_t)(cycles / c->frequency) + (rest != 0);
    c->offset = rest != 0 ? c->frequency - rest : 0;
    return __builtin_sub_overflow(c->offset_s, seconds, &c->offset_s)
               ? tsdl_fail(p, c->line, "the offset of the clock does not fit in 64 bits")
               : 0;
}

/* A type may have been mapped to the clock before it was declared. */
static int declare_clock(struct tsdl_parser *p, const struct ctf_clock *clock)
{
    struct ctf_clock *known = ctf_trace_find_clock(p->trace, clock->name);
    if (known != NULL && known->is_declared)
        return tsdl_fail(p, clock->line, "the clock \"%s\" is declared twice", clock->name);
    if (known == NULL && (known = ctf_trace_add_clock(p->trace)) == NULL)
        return trace_error_prefix(TRACE_ERR_FORMAT, "%s:%u", p->lexer.file, (unsigned)clock->line);
    *known = *clock;
    return 0;
}

static int parse_clock(struct tsdl_parser *p)
{
    struct clock_block b = {.is_negative = false};
    ctf_clock_init(&b.clock);
    b.clock.line = p->token.line;
    b.clock.is_declared = true;
    int rc = parse_body(p, set_clock_value, NULL, &b);
    if (rc == 0 && b.clock.frequency == 0)
        rc = tsdl_fail(p, b.clock.line, "the frequency of a clock must not be 0");
    if (rc == 0 && b.clock.name == NULL)
        rc = tsdl_fail(p, b.clock.line, "a clock has no name");
    if (rc == 0 && b.is_negative)
        rc = make_offset_positive(p, &b.clock);
    return rc == 0 ? declare_clock(p, &b.clock) : rc;
}

/* --- streams --------------------------------------------------------------------------------------- */

struct stream_block {
    struct ctf_stream_class stream;
    bool has_id;
};

static int set_stream_value(struct tsdl_parser *p, const char *path, void *block)
{
    struct stream_block *b = block;
    if (strcmp(path, "id") != 0)
        return tsdl_skip_value(p);
    b->has_id = true;
    return tsdl_parse_unsigned(p, &b->stream.id);
}

static int set_stream_type(struct tsdl_parser *p, const char *path, void *block)
{
    struct ctf_stream_class *s = &((struct stream_block *)block)->stream;
    if (strcmp(path, "packet.context") == 0)
        return parse_struct_type(p, &s->packet_context);
    if (strcmp(path, "event.header") == 0)
        return parse_struct_type(p, &s->event_header);
    if (strcmp(path, "event.context") == 0)
        return parse_struct_type(p, &s->common_context);
    return skip_type(p);
}

/* Events may have been declared before their stream, which then has no line yet. */
static int parse_stream(struct tsdl_parser *p)
{
    uint32_t line = p->token.line;
    struct stream_block b = {.has_id = false};
    int rc = parse_body(p, set_stream_value, set_stream_type, &b);
    if (rc != 0)
        return rc;
    struct ctf_stream_class *s = ctf_trace_find_stream(p->trace, b.stream.id);
    if (s != NULL && s->line != 0)
        return tsdl_fail(p, line, "the stream %" PRIu64 " is declared twice", b.stream.id);
    if (s == NULL && (s = ctf_trace_add_stream(p->trace, b.stream.id)) == NULL)
        return TRACE_ERR_MEMORY;
    s->packet_context = b.stream.packet_context;
    s->event_header = b.stream.event_header;
    s->common_context = b.stream.common_context;
    s->line = line;
    return 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

struct event_class_block {
    struct ctf_event_class event;
    uint64_t stream_id;
};

static int set_event_value(struct tsdl_parser *p, const char *path, void *block)
{
    struct event_class_block *b = block;
    uint64_t number;
    bool is_negative;
    if (strcmp(path, "name") == 0)
        return take_text_or_path(p, &b->event.name);
    if (strcmp(path, "id") == 0)
        return tsdl_parse_unsigned(p, &b->event.id);
    if (strcmp(path, "stream_id") == 0)
        return tsdl_parse_unsigned(p, &b->stream_id);
    if (strcmp(path, "model.emf.uri") == 0)
        return take_text_or_path(p, &b->event.emf_uri);
    if (strcmp(path, "loglevel") == 0 && p->token.kind != TSDL_WORD && p->token.kind != TSDL_STRING) {
        int rc = tsdl_take_number(p, &number, &is_negative);
        b->event.log_level = rc == 0 ? (int64_t)number : INT64_MIN;
        return rc;
    }
    return tsdl_skip_value(p);
}

static int set_event_type(struct tsdl_parser *p, const char *path, void *block)
{
    struct ctf_event_class *e = &((struct event_class_block *)block)->event;
    if (strcmp(path, "context") == 0)
        return parse_struct_type(p, &e->context);
    if (strcmp(path, "fields") == 0)
        return parse_struct_type(p, &e->payload);
    return skip_type(p);
}

static int parse_event(struct tsdl_parser *p)
{
    uint32_t line = p->token.line;
    struct event_class_block b = {.event = {.name = "", .log_level = INT64_MIN}};
    int rc = parse_body(p, set_event_value, set_event_type, &b);
    if (rc != 0)
        return rc;
    struct ctf_stream_class *s = ctf_trace_find_stream(p->trace, b.stream_id);
    if (s == NULL && (s = ctf_trace_add_stream(p->trace, b.stream_id)) == NULL)
        return TRACE_ERR_MEMORY;
    if (ctf_stream_find_event(s, b.event.id) != NULL)
        return tsdl_fail(p, line, "the event %" PRIu64 " of stream %" PRIu64 " is declared twice", b.event.id,
                         b.stream_id);
    struct ctf_event_class *e = ctf_stream_add_event(p->trace, s, b.event.id);
    if (e == NULL)
        return TRACE_ERR_MEMORY;
    *e = b.event;
    e->line = line;
    return 0;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int parse_environment(struct tsdl_parser *p)
{
    return parse_body(p, set_variable, NULL, p->trace);
}

static int ignore_value(struct tsdl_parser *p, const char *path, void *block)
{
    (void)path;
    (void)block;
    return tsdl_skip_value(p);
}

static int parse_callsite(struct tsdl_parser *p)
{
    return parse_body(p, ignore_value, NULL, NULL);
}

int tsdl_parse_block(struct tsdl_parser *p, bool *had)
{
    static const struct {
        const char *word;
        int (*parse)(struct tsdl_parser *);
    } blocks[] = {{"event", parse_event}, {"stream", parse_stream},   {"trace", parse_trace},
                  {"clock", parse_clock}, {"env", parse_environment}, {"callsite", parse_callsite}};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        int rc = tsdl_skip_word(p, blocks[i].word, had);
        if (rc == 0 && *had && (rc = blocks[i].parse(p)) == 0)
            rc = tsdl_expect_sign(p, ';');
        if (rc != 0 || *had)
            return rc;
    }
    return 0;
}
