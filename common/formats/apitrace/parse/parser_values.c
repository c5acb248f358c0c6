/* SPDX-License-Identifier: MIT
 * Parses values (docs/trace-format.md, "Values").
 */
#include "formats/apitrace/parse/parser_values.h"

#include "formats/apitrace/parse/call_record.h"
#include "formats/apitrace/parse/parser_signatures.h"

#include <string.h>

#define FIRST_CAP  256 /* number of items that are allocated before any has been parsed */
#define SMALL_BLOB 512 /* in bytes; smaller blobs are copied, and keep no chunk alive */

/* --- scalars --------------------------------------------------------------------------------------- */

static int parse_sint(struct trace_parser *s, struct trace_value *out)
{
    uint64_t magnitude;
    int rc = trace_parse_uint(s, &magnitude);
    if (rc == 0) {
        out->u.uint = 0 - magnitude;
        if (out->u.sint >= 0)
            out->type = TRACE_UINT;
    }
    return rc;
}

static int parse_raw(struct trace_parser *s, void *out, size_t size)
{
    if (trace_parser_left(s) < size)
        return trace_parse_more(s, size - trace_parser_left(s));
    memcpy(out, s->p, size);
    s->p += size;
    return 0;
}

/* The values of a call refer to at most one chunk for each of its two events. */
static void keep_chunk(struct trace_parser *s)
{
    struct trace_chunk **kept = &s->record->chunks[s->event];
    if (*kept == s->chunk)
        return;
    trace_chunk_unref(*kept);
    *kept = trace_chunk_ref(s->chunk);
}

static int parse_blob(struct trace_parser *s, struct trace_value *out)
{
    int rc = trace_parse_count(s, &out->count);
    if (rc != 0)
        return rc;
    if (out->count >= SMALL_BLOB) {
        keep_chunk(s);
        out->u.blob = s->p;
    } else {
        out->u.blob = arena_copy(&s->record->arena, s->p, (size_t)out->count);
        if (out->u.blob == NULL)
            return TRACE_ERR_MEMORY;
    }
    s->p += out->count;
    return 0;
}

static int parse_wstring(struct trace_parser *s, struct trace_value *out)
{
    int rc = trace_parse_count(s, &out->count);
    if (rc != 0)
        return rc;
    uint32_t *chars = arena_alloc(&s->record->arena, ((size_t)out->count + 1) * sizeof *chars);
    if (chars == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < out->count; ++i) {
        uint64_t c;
        if ((rc = trace_parse_uint(s, &c)) != 0)
            return rc;
        chars[i] = (uint32_t)c;
    }
    chars[out->count] = 0;
    out->u.wstring = chars;
    return 0;
}

static int parse_enum(struct trace_parser *s, struct trace_value *out)
{
    int rc = trace_parse_enum_sig(s, &out->sig.enumeration);
    if (rc != 0)
        return rc;
    if (s->version < 3) {
        out->u.sint = out->sig.enumeration->names[0].value;
        out->negative = out->u.sint < 0;
        return 0;
    }
    struct trace_value payload;
    rc = trace_parse_value(s, &payload);
    if (rc != 0)
        return rc;
    out->u.sint = trace_value_to_sint(&payload, 0);
    out->negative = payload.type == TRACE_SINT;
    return 0;
}

static int parse_bitmask(struct trace_parser *s, struct trace_value *out)
{
    int rc = trace_parse_bitmask_sig(s, &out->sig.bitmask);
    return rc != 0 ? rc : trace_parse_uint(s, &out->u.uint);
}

/* --- packed arrays --------------------------------------------------------------------------------- */

/* Returns true if all of the count elements have this floating-point type. Such elements have a fixed size,
 * so it is sufficient to check the tags. */
static bool all_tagged(const struct trace_parser *s, uint64_t count, uint8_t tag, size_t size)
{
    if (count > trace_parser_left(s) / (1 + size))
        return false;
    for (uint64_t i = 0; i < count; ++i)
        if (s->p[i * (1 + size)] != tag)
            return false;
    return true;
}

static int parse_floats(struct trace_parser *s, struct trace_value *out)
{
    float *floats = arena_alloc(&s->record->arena, (size_t)out->count * sizeof *floats);
    if (floats == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < out->count; ++i)
        memcpy(&floats[i], s->p + i * 5 + 1, sizeof *floats);
    s->p += out->count * 5;
    out->element = TRACE_FLOAT;
    out->u.floats = floats;
    return 0;
}

static int parse_doubles(struct trace_parser *s, struct trace_value *out)
{
    double *doubles = arena_alloc(&s->record->arena, (size_t)out->count * sizeof *doubles);
    if (doubles == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < out->count; ++i)
        memcpy(&doubles[i], s->p + i * 9 + 1, sizeof *doubles);
    s->p += out->count * 9;
    out->element = TRACE_DOUBLE;
    out->u.doubles = doubles;
    return 0;
}

/* Returns how count integers can be packed: TRACE_UINT, TRACE_SINT, or TRACE_NONE if they cannot be, or are
 * not all in the window. */
static uint8_t integer_kind(const struct trace_parser *s, uint64_t count)
{
    bool negative = false;
    bool large = false;
    const uint8_t *p = s->p;
    for (uint64_t i = 0; i < count; ++i) {
        if (p == s->end || (*p != TRACE_SINT && *p != TRACE_UINT))
            return TRACE_NONE;
        bool minus = *p++ == TRACE_SINT;
        uint64_t value;
        int used = 1;
        if (p < s->end && *p < 0x80)
            value = *p;
        else if ((used = varint_get(p, s->end, &value)) <= 0)
            return TRACE_NONE;
        p += used;
        negative |= minus && value != 0;
        large |= !minus && value > INT64_MAX;
    }
    return !negative ? TRACE_UINT : large ? TRACE_NONE : TRACE_SINT;
}

static int parse_integers(struct trace_parser *s, struct trace_value *out, uint8_t kind)
{
    uint64_t *values = arena_alloc(&s->record->arena, (size_t)out->count * sizeof *values);
    if (values == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < out->count; ++i) {
        bool minus = *s->p++ == TRACE_SINT;
        uint64_t value;
        int rc = trace_parse_uint(s, &value);
        if (rc != 0)
            return rc;
        values[i] = minus ? 0 - value : value;
    }
    out->element = kind;
    out->u.uints = values; /* the same representation as u.sints */
    return 0;
}

/* --- items ----------------------------------------------------------------------------------------- */

/* Parses exactly count values. The memory grows with the values that have actually been parsed. */
static int parse_items(struct trace_parser *s, uint64_t count, const struct trace_value **out)
{
    s->items += count;
    if (s->items > TRACE_ITEMS_LIMIT)
        return trace_error_set(TRACE_ERR_FORMAT, "an event has too many values: %llu",
                               (unsigned long long)s->items);
    size_t cap = count < FIRST_CAP ? (size_t)count : FIRST_CAP;
    struct trace_value *items = arena_alloc(&s->record->arena, cap * sizeof *items);
    for (uint64_t i = 0; i < count && items != NULL; ++i) {
        if (i == cap) {
            struct trace_value *more = arena_alloc(&s->record->arena, cap * 2 * sizeof *items);
            if (more != NULL)
                memcpy(more, items, cap * sizeof *items);
            items = more;
            cap *= 2;
            if (items == NULL)
                break;
        }
        int rc = trace_parse_value(s, &items[i]);
        if (rc != 0)
            return rc;
    }
    *out = items;
    return items != NULL ? 0 : TRACE_ERR_MEMORY;
}

static int parse_array(struct trace_parser *s, struct trace_value *out)
{
    int rc = trace_parse_count(s, &out->count);
    if (rc != 0)
        return rc;
    uint8_t first = out->count > 0 ? *s->p : TRACE_NONE;
    if (first == TRACE_FLOAT && all_tagged(s, out->count, TRACE_FLOAT, sizeof(float)))
        return parse_floats(s, out);
    if (first == TRACE_DOUBLE && all_tagged(s, out->count, TRACE_DOUBLE, sizeof(double)))
        return parse_doubles(s, out);
    if (first == TRACE_SINT || first == TRACE_UINT) {
        uint8_t kind = integer_kind(s, out->count);
        if (kind != TRACE_NONE)
            return parse_integers(s, out, kind);
    }
    return parse_items(s, out->count, &out->u.items);
}

static int parse_struct(struct trace_parser *s, struct trace_value *out)
{
    int rc = trace_parse_struct_sig(s, &out->sig.structure);
    if (rc != 0)
        return rc;
    out->count = out->sig.structure->count;
    return parse_items(s, out->count, &out->u.items);
}

static int parse_nested(struct trace_parser *s, struct trace_value *out)
{
    if (s->depth == TRACE_DEPTH_LIMIT)
        return trace_error_set(TRACE_ERR_FORMAT, "values nested deeper than %d", TRACE_DEPTH_LIMIT);
    s->depth++;
    int rc = 0;
    switch (out->type) {
    case TRACE_ENUM:
        rc = parse_enum(s, out);
        break;
    case TRACE_ARRAY:
        rc = parse_array(s, out);
        break;
    case TRACE_STRUCT:
        rc = parse_struct(s, out);
        break;
    default:
        out->count = 2;
        rc = parse_items(s, 2, &out->u.items);
    }
    s->depth--;
    return rc;
}

int trace_parse_value(struct trace_parser *s, struct trace_value *out)
{
    uint8_t tag;
    int rc = trace_parse_byte(s, &tag);
    if (rc != 0)
        return rc;
    *out = (struct trace_value){.type = tag, .element = TRACE_NONE};
    switch (tag) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        return 0;
    case TRACE_SINT:
        return parse_sint(s, out);
    case TRACE_UINT:
    case TRACE_OPAQUE:
        return trace_parse_uint(s, &out->u.uint);
    case TRACE_FLOAT:
        return parse_raw(s, &out->u.f32, sizeof out->u.f32);
    case TRACE_DOUBLE:
        return parse_raw(s, &out->u.f64, sizeof out->u.f64);
    case TRACE_STRING:
        return trace_parse_string(s, &s->record->arena, &out->u.string, &out->count);
    case TRACE_BLOB:
        return parse_blob(s, out);
    case TRACE_WSTRING:
        return parse_wstring(s, out);
    case TRACE_BITMASK:
        return parse_bitmask(s, out);
    case TRACE_ENUM:
    case TRACE_ARRAY:
    case TRACE_STRUCT:
    case TRACE_REPR:
        return parse_nested(s, out);
    default:
        return trace_error_set(TRACE_ERR_FORMAT, "unknown value type 0x%02x", tag);
    }
}
