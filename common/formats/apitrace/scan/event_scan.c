/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/scan/event_scan.h"

#include "base/array.h"
#include "formats/apitrace/parse/parser_signatures.h"

#include <stdlib.h>

static const uint8_t *scan_value(struct trace_scan *sc, const uint8_t *p, unsigned depth);

/* --- stopping -------------------------------------------------------------------------------------- */

static const uint8_t *stop(struct trace_scan *sc, const uint8_t *p, int rc)
{
    sc->s->p = p;
    sc->rc = rc;
    return NULL;
}

static const uint8_t *stop_for_more(struct trace_scan *sc, const uint8_t *p, uint64_t need)
{
    return stop(sc, p, trace_parse_more(sc->s, (size_t)need));
}

void trace_scan_fini(struct trace_scan *sc)
{
    free(sc->marks);
    free(sc->definitions);
    trace_shapes_fini(&sc->shapes);
}

/* --- numbers and marks ----------------------------------------------------------------------------- */

const uint8_t *trace_scan_long_uint(struct trace_scan *sc, const uint8_t *p, uint64_t *out)
{
    int used = varint_get(p, sc->s->end, out);
    if (used > 0)
        return p + used;
    if (used == 0)
        return stop_for_more(sc, p, 1);
    return stop(sc, p, trace_error_set(TRACE_ERR_FORMAT, "an integer of more than 64 bits"));
}

/* Scans a count of elements that have at least one byte each. All of them must be in the window. */
static inline const uint8_t *scan_count(struct trace_scan *sc, const uint8_t *p, uint64_t *out)
{
    p = trace_scan_uint(sc, p, out);
    if (p != NULL && *out > (size_t)(sc->s->end - p))
        return stop_for_more(sc, p, *out - (size_t)(sc->s->end - p));
    return p;
}

/* Adds a mark at p, which the caller completes. Returns NULL, and stops the scan, if there is no memory. */
static struct trace_mark *note(struct trace_scan *sc, enum trace_mark_kind kind, const uint8_t *p,
                               size_t size)
{
    if (ARRAY_RESERVE(sc->marks, sc->mark_count, sc->mark_cap) != 0) {
        stop(sc, p, TRACE_ERR_MEMORY);
        return NULL;
    }
    struct trace_mark *mark = &sc->marks[sc->mark_count++];
    *mark = (struct trace_mark){.kind = kind, .at = (size_t)(p - sc->event), .size = size};
    return mark;
}

/* --- signatures ------------------------------------------------------------------------------------ */

static const uint8_t *note_definition(struct trace_scan *sc, enum trace_sig_kind kind, const uint8_t *p,
                                      const uint8_t *end)
{
    if (sc->event == NULL)
        return end;
    if (ARRAY_RESERVE(sc->definitions, sc->definition_count, sc->definition_cap) != 0)
        return stop(sc, p, TRACE_ERR_MEMORY);
    sc->definitions[sc->definition_count++] =
        (struct trace_definition){kind, (size_t)(p - sc->event), (size_t)(end - p)};
    return end;
}

/* The id at p is new: the parser reads it with its body. */
static const uint8_t *define(struct trace_scan *sc, const uint8_t *p, enum trace_sig_kind kind)
{
    if (sc->leaves_enums && kind == TRACE_SIG_ENUM)
        return stop(sc, p, TRACE_PARSE_MORE);
    sc->s->p = p;
    int rc = trace_parse_sig(sc->s, kind);
    return rc == 0 ? note_definition(sc, kind, p, sc->s->p) : stop(sc, sc->s->p, rc);
}

/* Scans an id, and its body if it is here. */
static inline const uint8_t *scan_sig(struct trace_scan *sc, const uint8_t *p, enum trace_sig_kind kind,
                                      const void **out)
{
    uint64_t id;
    const uint8_t *after_id = trace_scan_uint(sc, p, &id);
    if (after_id == NULL)
        return NULL;
    *out = id < TRACE_ID_LIMIT ? trace_signatures_find(&sc->s->sigs, kind, (uint32_t)id) : NULL;
    const uint8_t *end = after_id;
    bool known = *out != NULL;
    if (!known) {
        end = define(sc, p, kind);
        if (end == NULL)
            return NULL;
        *out = trace_signatures_find(&sc->s->sigs, kind, (uint32_t)id);
    }
    if (sc->noting) {
        struct trace_mark *mark = note(sc, (enum trace_mark_kind)kind, after_id, (size_t)(end - after_id));
        if (mark == NULL)
            return NULL;
        mark->id = (uint32_t)id;
        mark->lost = !known && end == after_id;
    }
    return end;
}

static const uint8_t *scan_thread(struct trace_scan *sc, const uint8_t *p, uint32_t *out)
{
    uint64_t thread = 0;
    p = trace_scan_uint(sc, p, &thread);
    if (p != NULL && thread > UINT32_MAX)
        return stop(sc, p,
                    trace_error_set(TRACE_ERR_FORMAT, "thread number %llu is out of range",
                                    (unsigned long long)thread));
    *out = (uint32_t)thread;
    return p;
}

const uint8_t *trace_scan_enter_head(struct trace_scan *sc, const uint8_t *p, uint32_t *thread,
                                     const struct trace_function_sig **sig)
{
    const void *found = NULL;
    *thread = 0;
    if (sc->s->version >= 4)
        p = scan_thread(sc, p, thread);
    if (p != NULL)
        p = scan_sig(sc, p, TRACE_SIG_FUNCTION, &found);
    *sig = found;
    return p;
}

/* --- values ---------------------------------------------------------------------------------------- */

static const uint8_t *scan_bytes(struct trace_scan *sc, const uint8_t *p, uint8_t tag)
{
    uint64_t count;
    const uint8_t *bytes = scan_count(sc, p, &count);
    if (bytes == NULL)
        return NULL;
    if (tag == TRACE_BLOB) {
        sc->blob_bytes += count;
    } else if (sc->noting) {
        struct trace_mark *mark = note(sc, TRACE_MARK_STRING, p, (size_t)(bytes - p) + (size_t)count);
        if (mark == NULL)
            return NULL;
        mark->u.string = (const char *)bytes;
        mark->count = (size_t)count;
    }
    return bytes + count;
}

static const uint8_t *scan_number(struct trace_scan *sc, const uint8_t *p, enum trace_mark_kind kind,
                                  const void *sig)
{
    uint64_t value;
    const uint8_t *end = trace_scan_uint(sc, p, &value);
    if (end == NULL || !sc->noting)
        return end;
    struct trace_mark *mark = note(sc, kind, p, (size_t)(end - p));
    if (mark == NULL)
        return NULL;
    mark->value = value;
    if (kind == TRACE_MARK_BITMASK)
        mark->u.bitmask = sig;
    return end;
}

static const uint8_t *scan_enum(struct trace_scan *sc, const uint8_t *p, unsigned depth)
{
    const void *sig = NULL;
    p = scan_sig(sc, p, TRACE_SIG_ENUM, &sig);
    if (p == NULL || sc->s->version < 3)
        return p;
    const uint8_t *end = scan_value(sc, p, depth + 1);
    if (end == NULL || !sc->noting || (*p != TRACE_SINT && *p != TRACE_UINT))
        return end;
    struct trace_mark *mark = note(sc, TRACE_MARK_ENUM, p, (size_t)(end - p));
    if (mark == NULL)
        return NULL;
    varint_get(p + 1, end, &mark->value);
    if (*p == TRACE_SINT)
        mark->value = 0 - mark->value;
    mark->u.enumeration = sig;
    return end;
}

static const uint8_t *scan_wstring(struct trace_scan *sc, const uint8_t *p)
{
    uint64_t count;
    p = scan_count(sc, p, &count);
    for (uint64_t i = 0; i < count && p != NULL; ++i) {
        uint64_t c;
        p = trace_scan_uint(sc, p, &c);
    }
    return p;
}

/* Most values are plain numbers, not close to the end of the window. */
static inline const uint8_t *scan_any(struct trace_scan *sc, const uint8_t *p, unsigned depth)
{
    if (sc->s->end - p > VARINT_MAX_BYTES) {
        switch (*p) {
        case TRACE_FLOAT:
            return p + 1 + sizeof(float);
        case TRACE_SINT:
        case TRACE_UINT:
            if (p[1] < 0x80)
                return p + 2;
            if (p[2] < 0x80)
                return p + 3;
            break;
        case TRACE_NULL:
        case TRACE_FALSE:
        case TRACE_TRUE:
            return p + 1;
        default:
            break;
        }
    }
    return scan_value(sc, p, depth);
}

static const uint8_t *scan_items(struct trace_scan *sc, const uint8_t *p, uint64_t count, unsigned depth)
{
    sc->items += count;
    if (sc->items > TRACE_ITEMS_LIMIT && !sc->checked)
        return stop(sc, p,
                    trace_error_set(TRACE_ERR_FORMAT, "an event has too many values: %llu",
                                    (unsigned long long)sc->items));
    for (uint64_t i = 0; i < count && p != NULL; ++i)
        p = scan_any(sc, p, depth);
    return p;
}

static const uint8_t *scan_nested(struct trace_scan *sc, const uint8_t *p, uint8_t tag, unsigned depth)
{
    uint64_t count = 2;
    const void *sig = NULL;
    if (depth == TRACE_DEPTH_LIMIT)
        return stop(sc, p,
                    trace_error_set(TRACE_ERR_FORMAT, "values nested deeper than %d", TRACE_DEPTH_LIMIT));
    switch (tag) {
    case TRACE_ENUM:
        return scan_enum(sc, p, depth);
    case TRACE_ARRAY:
        p = scan_count(sc, p, &count);
        break;
    case TRACE_STRUCT:
        p = scan_sig(sc, p, TRACE_SIG_STRUCT, &sig);
        if (p != NULL)
            count = ((const struct trace_struct_sig *)sig)->count;
        break;
    default:
        break;
    }
    return p == NULL ? NULL : scan_items(sc, p, count, depth + 1);
}

static const uint8_t *scan_value(struct trace_scan *sc, const uint8_t *p, unsigned depth)
{
    const void *sig = NULL;
    uint64_t value;
    if (p == sc->s->end)
        return stop_for_more(sc, p, 1);
    uint8_t tag = *p++;
    size_t left = (size_t)(sc->s->end - p);
    switch (tag) {
    case TRACE_NULL:
    case TRACE_FALSE:
    case TRACE_TRUE:
        return p;
    case TRACE_SINT:
    case TRACE_UINT:
        return trace_scan_uint(sc, p, &value);
    case TRACE_FLOAT:
        return left >= sizeof(float) ? p + sizeof(float) : stop_for_more(sc, p, sizeof(float) - left);
    case TRACE_DOUBLE:
        return left >= sizeof(double) ? p + sizeof(double) : stop_for_more(sc, p, sizeof(double) - left);
    case TRACE_STRING:
    case TRACE_BLOB:
        return scan_bytes(sc, p, tag);
    case TRACE_WSTRING:
        return scan_wstring(sc, p);
    case TRACE_OPAQUE:
        return scan_number(sc, p, TRACE_MARK_OPAQUE, NULL);
    case TRACE_BITMASK:
        p = scan_sig(sc, p, TRACE_SIG_BITMASK, &sig);
        return p == NULL ? NULL : scan_number(sc, p, TRACE_MARK_BITMASK, sig);
    case TRACE_ENUM:
    case TRACE_ARRAY:
    case TRACE_STRUCT:
    case TRACE_REPR:
        return scan_nested(sc, p, tag, depth);
    default:
        return stop(sc, p - 1, trace_error_set(TRACE_ERR_FORMAT, "unknown value type 0x%02x", tag));
    }
}

/* --- details --------------------------------------------------------------------------------------- */

static const uint8_t *scan_backtrace(struct trace_scan *sc, const uint8_t *p)
{
    uint64_t count;
    const void *frame;
    p = scan_count(sc, p, &count);
    if (p != NULL && count > UINT32_MAX / sizeof(struct trace_frame))
        return stop(sc, p,
                    trace_error_set(TRACE_ERR_FORMAT, "a backtrace has too many frames: %llu",
                                    (unsigned long long)count));
    for (uint64_t i = 0; i < count && p != NULL; ++i)
        p = scan_sig(sc, p, TRACE_SIG_FRAME, &frame);
    return p;
}

static const uint8_t *scan_rare_detail(struct trace_scan *sc, const uint8_t *p, uint8_t tag)
{
    uint64_t value;
    uint32_t thread;
    if (tag == TRACE_DETAIL_BACKTRACE)
        return scan_backtrace(sc, p);
    if (tag == TRACE_DETAIL_FLAGS)
        return trace_scan_uint(sc, p, &value);
    if (tag == TRACE_DETAIL_THREAD && sc->s->version < 4)
        return scan_thread(sc, p, &thread);
    return stop(sc, p - 1, trace_error_set(TRACE_ERR_FORMAT, "unknown call detail 0x%02x", tag));
}

const uint8_t *trace_scan_details(struct trace_scan *sc, const uint8_t *p, uint32_t arg_count)
{
    sc->items = 0;
    while (p != NULL) {
        uint64_t index;
        if (p == sc->s->end)
            return stop_for_more(sc, p, 1);
        uint8_t tag = *p++;
        switch (tag) {
        case TRACE_DETAIL_END:
            return p;
        case TRACE_DETAIL_ARG:
            p = trace_scan_uint(sc, p, &index);
            if (p == NULL)
                return NULL;
            if (index >= arg_count)
                return stop(sc, p,
                            trace_error_set(TRACE_ERR_FORMAT,
                                            "argument %llu is out of range: the function has %u",
                                            (unsigned long long)index, arg_count));
            p = scan_any(sc, p, 0);
            break;
        case TRACE_DETAIL_RET:
            p = scan_any(sc, p, 0);
            break;
        default:
            p = scan_rare_detail(sc, p, tag);
        }
    }
    return NULL;
}

const uint8_t *trace_scan_details_of(struct trace_scan *sc, const uint8_t *p,
                                     const struct trace_function_sig *sig, bool leave)
{
    if (!trace_scan_has_shapes(sc))
        return trace_scan_details(sc, p, sig->arg_count);
    const struct trace_shape_set *set = trace_shapes_find(&sc->shapes, &sc->s->sigs, sig->id);
    const uint8_t *end = NULL;
    if (set != NULL && sc->s->end - p >= TRACE_SHAPE_BYTES)
        end = leave ? trace_shapes_leave_end(set, p) : trace_shapes_enter_end(set, p);
    if (end != NULL && !sc->noting)
        return end;
    bool is_known = end != NULL;
    end = trace_scan_details(sc, p, sig->arg_count);
    if (end != NULL && !is_known && sc->s->sigs.defined_count == sc->s->sigs.committed)
        trace_shapes_learn(&sc->shapes, &sc->s->sigs, sig, leave, p, end);
    return end;
}
