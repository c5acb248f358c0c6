/* SPDX-License-Identifier: MIT
 * Parses signatures: an id, followed at its first occurrence by the body that defines it.
 */
#include "formats/apitrace/parse/parser_signatures.h"

#include "formats/apitrace/call_flags.h"
#include "formats/apitrace/parse/parser_lost.h"

#include <string.h>

static int parse_name_count(struct trace_parser *s, uint64_t *count)
{
    *count = 0;
    /* The signature may be known even if the window does not contain all its names. */
    int rc = trace_parse_count(s, count);
    if (rc >= 0 && *count > TRACE_NAMES_LIMIT)
        rc = trace_error_set(TRACE_ERR_FORMAT, "a signature has too many names: %llu",
                             (unsigned long long)*count);
    return rc;
}

static int parse_id(struct trace_parser *s, const char *what, uint32_t *id)
{
    return trace_parse_bounded(s, TRACE_ID_LIMIT - 1, what, id);
}

static void *alloc_sig(struct trace_parser *s, size_t size)
{
    return arena_alloc(&s->sigs.arena, size);
}

/* Parses a count and that many names. */
static int parse_names(struct trace_parser *s, uint32_t *count, const char *const **out)
{
    uint64_t n;
    int rc = parse_name_count(s, &n);
    if (rc != 0)
        return rc;
    const char **names = alloc_sig(s, (size_t)n * sizeof *names);
    if (names == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < n; ++i)
        if ((rc = trace_parse_string(s, &s->sigs.arena, &names[i], NULL)) != 0)
            return rc;
    *count = (uint32_t)n;
    *out = names;
    return 0;
}

static int define_function(struct trace_parser *s, uint32_t id, const struct trace_function_sig **out)
{
    struct trace_function_sig *sig = alloc_sig(s, sizeof *sig);
    if (sig == NULL)
        return TRACE_ERR_MEMORY;
    *sig = (struct trace_function_sig){.id = id};
    int rc = trace_parse_string(s, &s->sigs.arena, &sig->name, NULL);
    if (rc == 0)
        rc = parse_names(s, &sig->arg_count, &sig->arg_names);
    if (rc != 0)
        return rc;
    sig->flags = trace_call_flags(sig->name);
    *out = sig;
    return trace_signatures_define(&s->sigs, TRACE_SIG_FUNCTION, id, sig);
}

int trace_parse_function_sig(struct trace_parser *s, const struct trace_function_sig **out)
{
    uint32_t id;
    int rc = parse_id(s, "function id", &id);
    if (rc != 0)
        return rc;
    *out = trace_signatures_find(&s->sigs, TRACE_SIG_FUNCTION, id);
    if (*out != NULL)
        return 0;
    bool defined;
    rc = trace_parse_is_defined(s, TRACE_SIG_FUNCTION, &defined);
    if (rc != 0)
        return rc;
    void *known = trace_signatures_begin(&s->sigs, TRACE_SIG_FUNCTION, id);
    rc = defined ? define_function(s, id, out) : trace_parse_lost_function(s, id, out);
    trace_signatures_end(&s->sigs, known);
    *out = known != NULL ? known : *out;
    return rc;
}

/* Parses an integer that follows its type tag. */
static int parse_tagged_int(struct trace_parser *s, int64_t *out)
{
    uint8_t tag;
    uint64_t value;
    int rc = trace_parse_byte(s, &tag);
    if (rc == 0 && tag != TRACE_SINT && tag != TRACE_UINT)
        rc = trace_error_set(TRACE_ERR_FORMAT,
                             "an enum's definition has a value of type 0x%02x, not an integer", tag);
    if (rc == 0)
        rc = trace_parse_uint(s, &value);
    if (rc == 0)
        *out = (int64_t)(tag == TRACE_SINT ? 0 - value : value);
    return rc;
}

static int define_enum(struct trace_parser *s, uint32_t id, const struct trace_enum_sig **out)
{
    uint64_t count = 1; /* before version 3, an id was a single name with its value */
    int rc = s->version >= 3 ? parse_name_count(s, &count) : 0;
    if (rc != 0)
        return rc;
    struct trace_enum_sig *sig = alloc_sig(s, sizeof *sig);
    struct trace_enum_name *names = alloc_sig(s, (size_t)count * sizeof *names);
    if (sig == NULL || names == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < count && rc == 0; ++i) {
        rc = trace_parse_string(s, &s->sigs.arena, &names[i].name, NULL);
        if (rc == 0)
            rc = parse_tagged_int(s, &names[i].value);
    }
    if (rc != 0)
        return rc;
    *sig = (struct trace_enum_sig){id, (uint32_t)count, names};
    *out = sig;
    return trace_signatures_define(&s->sigs, TRACE_SIG_ENUM, id, sig);
}

int trace_parse_enum_sig(struct trace_parser *s, const struct trace_enum_sig **out)
{
    uint32_t id;
    int rc = parse_id(s, "enum id", &id);
    if (rc != 0)
        return rc;
    *out = trace_signatures_find(&s->sigs, TRACE_SIG_ENUM, id);
    if (*out != NULL)
        return 0;
    bool defined;
    rc = trace_parse_is_defined(s, TRACE_SIG_ENUM, &defined);
    if (rc != 0)
        return rc;
    void *known = trace_signatures_begin(&s->sigs, TRACE_SIG_ENUM, id);
    rc = defined ? define_enum(s, id, out) : trace_parse_lost_enum(s, id, out);
    trace_signatures_end(&s->sigs, known);
    *out = known != NULL ? known : *out;
    return rc;
}

static int define_bitmask(struct trace_parser *s, uint32_t id, const struct trace_bitmask_sig **out)
{
    uint64_t count;
    int rc = parse_name_count(s, &count);
    if (rc != 0)
        return rc;
    struct trace_bitmask_sig *sig = alloc_sig(s, sizeof *sig);
    struct trace_flag_name *flags = alloc_sig(s, (size_t)count * sizeof *flags);
    if (sig == NULL || flags == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < count && rc == 0; ++i) {
        rc = trace_parse_string(s, &s->sigs.arena, &flags[i].name, NULL);
        if (rc == 0)
            rc = trace_parse_uint(s, &flags[i].value);
    }
    if (rc != 0)
        return rc;
    *sig = (struct trace_bitmask_sig){id, (uint32_t)count, flags};
    *out = sig;
    return trace_signatures_define(&s->sigs, TRACE_SIG_BITMASK, id, sig);
}

int trace_parse_bitmask_sig(struct trace_parser *s, const struct trace_bitmask_sig **out)
{
    uint32_t id;
    int rc = parse_id(s, "bitmask id", &id);
    if (rc != 0)
        return rc;
    *out = trace_signatures_find(&s->sigs, TRACE_SIG_BITMASK, id);
    if (*out != NULL)
        return 0;
    bool defined;
    rc = trace_parse_is_defined(s, TRACE_SIG_BITMASK, &defined);
    if (rc != 0)
        return rc;
    void *known = trace_signatures_begin(&s->sigs, TRACE_SIG_BITMASK, id);
    rc = defined ? define_bitmask(s, id, out) : trace_parse_lost_bitmask(s, id, out);
    trace_signatures_end(&s->sigs, known);
    *out = known != NULL ? known : *out;
    return rc;
}

static int define_struct(struct trace_parser *s, uint32_t id, const struct trace_struct_sig **out)
{
    struct trace_struct_sig *sig = alloc_sig(s, sizeof *sig);
    if (sig == NULL)
        return TRACE_ERR_MEMORY;
    sig->id = id;
    int rc = trace_parse_string(s, &s->sigs.arena, &sig->name, NULL);
    if (rc == 0)
        rc = parse_names(s, &sig->count, &sig->members);
    if (rc != 0)
        return rc;
    *out = sig;
    return trace_signatures_define(&s->sigs, TRACE_SIG_STRUCT, id, sig);
}

int trace_parse_struct_sig(struct trace_parser *s, const struct trace_struct_sig **out)
{
    uint32_t id;
    int rc = parse_id(s, "struct id", &id);
    if (rc != 0)
        return rc;
    *out = trace_signatures_find(&s->sigs, TRACE_SIG_STRUCT, id);
    if (*out != NULL)
        return 0;
    bool defined;
    rc = trace_parse_is_defined(s, TRACE_SIG_STRUCT, &defined);
    if (rc == 0 && !defined)
        rc = trace_error_set(TRACE_ERR_FORMAT, "the definition of structure %u was in a damaged part", id);
    if (rc != 0)
        return rc;
    void *known = trace_signatures_begin(&s->sigs, TRACE_SIG_STRUCT, id);
    rc = define_struct(s, id, out);
    trace_signatures_end(&s->sigs, known);
    *out = known != NULL ? known : *out;
    return rc;
}

/* --- frames of a backtrace ------------------------------------------------------------------------- */

static int parse_frame_number(struct trace_parser *s, int64_t *out)
{
    uint64_t value;
    int rc = trace_parse_uint(s, &value);
    if (rc == 0 && value > INT64_MAX)
        rc = trace_error_set(TRACE_ERR_FORMAT, "a line or offset of more than 63 bits");
    if (rc == 0)
        *out = (int64_t)value;
    return rc;
}

static int parse_frame_detail(struct trace_parser *s, uint8_t tag, struct trace_frame *f)
{
    struct arena *arena = &s->sigs.arena;
    switch (tag) {
    case TRACE_FRAME_MODULE:
        return trace_parse_string(s, arena, &f->module, NULL);
    case TRACE_FRAME_FUNCTION:
        return trace_parse_string(s, arena, &f->function, NULL);
    case TRACE_FRAME_FILE:
        return trace_parse_string(s, arena, &f->file, NULL);
    case TRACE_FRAME_LINE:
        return parse_frame_number(s, &f->line);
    case TRACE_FRAME_OFFSET:
        return parse_frame_number(s, &f->offset);
    default:
        return trace_error_set(TRACE_ERR_FORMAT, "unknown frame detail 0x%02x", tag);
    }
}

static int define_frame(struct trace_parser *s, uint32_t id, struct trace_frame *out)
{
    struct trace_frame *f = alloc_sig(s, sizeof *f);
    if (f == NULL)
        return TRACE_ERR_MEMORY;
    *f = (struct trace_frame){.id = id, .line = -1, .offset = -1};
    for (;;) {
        uint8_t tag;
        int rc = trace_parse_byte(s, &tag);
        if (rc == 0 && tag == TRACE_FRAME_END)
            break;
        if (rc == 0)
            rc = parse_frame_detail(s, tag, f);
        if (rc != 0)
            return rc;
    }
    *out = *f;
    return trace_signatures_define(&s->sigs, TRACE_SIG_FRAME, id, f);
}

int trace_parse_frame(struct trace_parser *s, struct trace_frame *out)
{
    uint32_t id;
    int rc = parse_id(s, "frame id", &id);
    if (rc != 0)
        return rc;
    const struct trace_frame *known = trace_signatures_find(&s->sigs, TRACE_SIG_FRAME, id);
    if (known != NULL) {
        *out = *known;
        return 0;
    }
    bool defined;
    rc = trace_parse_is_defined(s, TRACE_SIG_FRAME, &defined);
    if (rc != 0)
        return rc;
    const struct trace_frame *hidden = trace_signatures_begin(&s->sigs, TRACE_SIG_FRAME, id);
    rc = defined ? define_frame(s, id, out) : trace_parse_lost_frame(s, id, out);
    trace_signatures_end(&s->sigs, hidden);
    if (hidden != NULL)
        *out = *hidden;
    return rc;
}

int trace_parse_sig(struct trace_parser *s, enum trace_sig_kind kind)
{
    struct trace_frame frame;
    union {
        const struct trace_function_sig *function;
        const struct trace_enum_sig *enumeration;
        const struct trace_bitmask_sig *bitmask;
        const struct trace_struct_sig *structure;
    } sig;
    switch (kind) {
    case TRACE_SIG_FUNCTION:
        return trace_parse_function_sig(s, &sig.function);
    case TRACE_SIG_ENUM:
        return trace_parse_enum_sig(s, &sig.enumeration);
    case TRACE_SIG_BITMASK:
        return trace_parse_bitmask_sig(s, &sig.bitmask);
    case TRACE_SIG_STRUCT:
        return trace_parse_struct_sig(s, &sig.structure);
    default:
        return trace_parse_frame(s, &frame);
    }
}
