/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/encoder.h"

#include "base/array.h"

#include "formats/apitrace/scalar_values.h"

#include <stdlib.h>

/* --- ids already written --------------------------------------------------------------------------- */

static bool grow_id_set(struct trace_id_set *s, uint32_t id)
{
    uint32_t cap = s->cap == 0 ? 1024 : s->cap;
    while (cap <= id)
        cap *= 2;
    uint8_t *bits = realloc(s->bits, cap / 8);
    if (bits == NULL)
        return false;
    memset(bits + s->cap / 8, 0, (cap - s->cap) / 8);
    s->bits = bits;
    s->cap = cap;
    return true;
}

/* True the first time it is called for id: the signature's body has to follow. */
static bool mark_id(struct trace_encoder *e, struct trace_id_set *s, uint32_t id)
{
    if (id >= s->cap && (id >= TRACE_ID_LIMIT || !grow_id_set(s, id))) {
        e->failed = true;
        return false;
    }
    uint8_t bit = (uint8_t)(1u << (id & 7));
    if ((s->bits[id >> 3] & bit) != 0)
        return false;
    s->bits[id >> 3] |= bit;
    return true;
}

static uint32_t id_of(struct trace_encoder *e, enum trace_sig_kind kind, const void *sig, uint32_t id)
{
    return e->id_of == NULL ? id : e->id_of(e->id_context, kind, sig, id);
}

/* The signature whose id is at `at` in the buffer ends here. */
static void note_definition(struct trace_encoder *e, enum trace_sig_kind kind, size_t at)
{
    if (!e->wants_definitions)
        return;
    if (ARRAY_RESERVE(e->definitions, e->definition_count, e->definition_cap) != 0) {
        e->failed = true;
        return;
    }
    e->definitions[e->definition_count++] =
        (struct trace_definition){kind, at - e->event_start, e->out->len - at};
}

void trace_encoder_init(struct trace_encoder *e, struct buf *out)
{
    *e = (struct trace_encoder){.out = out};
}

void trace_encoder_fini(struct trace_encoder *e)
{
    free(e->functions.bits);
    free(e->enums.bits);
    free(e->bitmasks.bits);
    free(e->structs.bits);
    free(e->frames.bits);
    free(e->definitions);
    trace_encoder_init(e, NULL);
}

/* --- bytes ----------------------------------------------------------------------------------------- */

/* Room for count bytes, or NULL after noting the failure. */
static uint8_t *reserve(struct trace_encoder *e, size_t count)
{
    if (buf_reserve(e->out, count) != 0) {
        e->failed = true;
        return NULL;
    }
    return e->out->data + e->out->len;
}

static void put_byte(struct trace_encoder *e, uint8_t byte)
{
    uint8_t *p = reserve(e, 1);
    if (p != NULL) {
        *p = byte;
        e->out->len++;
    }
}

static void put_uint(struct trace_encoder *e, uint64_t value)
{
    uint8_t *p = reserve(e, VARINT_MAX_BYTES);
    if (p != NULL)
        e->out->len += varint_put(p, value);
}

static void put_tagged_uint(struct trace_encoder *e, uint8_t tag, uint64_t value)
{
    uint8_t *p = reserve(e, TRACE_SCALAR_BYTES);
    if (p != NULL)
        e->out->len += (size_t)(trace_put_tagged(p, tag, value) - p);
}

/* What scalar_values.h writes: trace_put_NAME(place, …). */
#define PUT_SCALAR(e, name, ...)                                                                             \
    do {                                                                                                     \
        uint8_t *place = reserve(e, TRACE_SCALAR_BYTES);                                                     \
        if (place != NULL)                                                                                   \
            (e)->out->len += (size_t)(trace_put_##name(place, __VA_ARGS__) - place);                         \
    } while (0)

static void put_counted(struct trace_encoder *e, const void *bytes, uint64_t count)
{
    if (count > SIZE_MAX - VARINT_MAX_BYTES) {
        e->failed = true;
        return;
    }
    uint8_t *p = reserve(e, VARINT_MAX_BYTES + (size_t)count);
    if (p == NULL)
        return;
    size_t n = varint_put(p, count);
    if (count > 0)
        memcpy(p + n, bytes, (size_t)count);
    e->out->len += n + (size_t)count;
}

static void put_string(struct trace_encoder *e, const char *string)
{
    put_counted(e, string, strlen(string));
}

/* --- header and events ----------------------------------------------------------------------------- */

void trace_encode_header(struct trace_encoder *e, unsigned semantic_version,
                         const struct trace_property *properties, size_t count)
{
    put_uint(e, TRACE_FORMAT_VERSION);
    put_uint(e, semantic_version);
    for (size_t i = 0; i < count; ++i) {
        if (properties[i].name[0] == '\0')
            continue; /* an empty name would end the list */
        put_string(e, properties[i].name);
        put_string(e, properties[i].value);
    }
    put_string(e, "");
}

static void begin_event(struct trace_encoder *e)
{
    e->event_start = e->out->len;
    e->definition_count = 0;
}

void trace_encode_enter(struct trace_encoder *e, uint32_t thread, const struct trace_function_sig *sig,
                        uint32_t flags)
{
    begin_event(e);
    uint32_t id = id_of(e, TRACE_SIG_FUNCTION, sig, sig->id);
    uint8_t *p = reserve(e, 1 + 2 * VARINT_MAX_BYTES);
    if (p == NULL)
        return;
    p[0] = TRACE_RAW_EVENT_ENTER;
    size_t n = 1 + varint_put(p + 1, thread);
    size_t at = e->out->len + n;
    e->out->len = at + varint_put(p + n, id);
    if (mark_id(e, &e->functions, id)) {
        put_string(e, sig->name);
        put_uint(e, sig->arg_count);
        for (uint32_t i = 0; i < sig->arg_count; ++i)
            put_string(e, sig->arg_names[i]);
        note_definition(e, TRACE_SIG_FUNCTION, at);
    }
    if ((flags & TRACE_CALL_FAKE) != 0)
        put_tagged_uint(e, TRACE_DETAIL_FLAGS, TRACE_CALL_FAKE);
}

static void put_frame_text(struct trace_encoder *e, uint8_t tag, const char *text)
{
    if (text != NULL) {
        put_byte(e, tag);
        put_string(e, text);
    }
}

void trace_encode_backtrace(struct trace_encoder *e, const struct trace_frame *frames, uint32_t count)
{
    put_tagged_uint(e, TRACE_DETAIL_BACKTRACE, count);
    for (uint32_t i = 0; i < count; ++i) {
        const struct trace_frame *f = &frames[i];
        size_t at = e->out->len;
        uint32_t id = id_of(e, TRACE_SIG_FRAME, f, f->id);
        put_uint(e, id);
        if (!mark_id(e, &e->frames, id))
            continue;
        put_frame_text(e, TRACE_FRAME_MODULE, f->module);
        put_frame_text(e, TRACE_FRAME_FUNCTION, f->function);
        put_frame_text(e, TRACE_FRAME_FILE, f->file);
        if (f->line >= 0)
            put_tagged_uint(e, TRACE_FRAME_LINE, (uint64_t)f->line);
        if (f->offset >= 0)
            put_tagged_uint(e, TRACE_FRAME_OFFSET, (uint64_t)f->offset);
        put_byte(e, TRACE_FRAME_END);
        note_definition(e, TRACE_SIG_FRAME, at);
    }
}

void trace_encode_leave(struct trace_encoder *e, uint64_t call_number)
{
    begin_event(e);
    put_tagged_uint(e, TRACE_RAW_EVENT_LEAVE, call_number);
}

void trace_encode_end(struct trace_encoder *e)
{
    put_byte(e, TRACE_DETAIL_END);
}

void trace_encode_arg(struct trace_encoder *e, uint32_t index)
{
    PUT_SCALAR(e, argument, index);
}

void trace_encode_ret(struct trace_encoder *e)
{
    put_byte(e, TRACE_DETAIL_RET);
}

/* --- values ---------------------------------------------------------------------------------------- */

void trace_encode_null(struct trace_encoder *e)
{
    put_byte(e, TRACE_NULL);
}

void trace_encode_bool(struct trace_encoder *e, bool value)
{
    put_byte(e, value ? TRACE_TRUE : TRACE_FALSE);
}

void trace_encode_sint(struct trace_encoder *e, int64_t value)
{
    PUT_SCALAR(e, sint, value);
}

void trace_encode_uint(struct trace_encoder *e, uint64_t value)
{
    PUT_SCALAR(e, uint, value);
}

void trace_encode_float(struct trace_encoder *e, float value)
{
    PUT_SCALAR(e, float, &value);
}

void trace_encode_floats(struct trace_encoder *e, const void *values, uint64_t count)
{
    const uint8_t *from = values;
    uint8_t *p = count <= SIZE_MAX / 8 ? reserve(e, (size_t)count * (1 + sizeof(float))) : NULL;
    if (p == NULL) {
        e->failed = true;
        return;
    }
    for (uint64_t i = 0; i < count; ++i, p += 1 + sizeof(float), from += sizeof(float))
        trace_put_float(p, from);
    e->out->len += (size_t)count * (1 + sizeof(float));
}

void trace_encode_double(struct trace_encoder *e, double value)
{
    PUT_SCALAR(e, double, value);
}

void trace_encode_string(struct trace_encoder *e, const char *bytes, uint64_t count)
{
    put_byte(e, TRACE_STRING);
    put_counted(e, bytes, count);
}

void trace_encode_blob(struct trace_encoder *e, const void *bytes, uint64_t count)
{
    put_byte(e, TRACE_BLOB);
    put_counted(e, bytes, count);
}

void trace_encode_string_head(struct trace_encoder *e, uint64_t count)
{
    put_tagged_uint(e, TRACE_STRING, count);
}

void trace_encode_blob_head(struct trace_encoder *e, uint64_t count)
{
    put_tagged_uint(e, TRACE_BLOB, count);
}

void trace_encode_bytes(struct trace_encoder *e, const void *bytes, size_t count)
{
    e->failed |= buf_append(e->out, bytes, count) != 0;
}

void trace_encode_wstring(struct trace_encoder *e, const uint32_t *chars, uint64_t count)
{
    put_tagged_uint(e, TRACE_WSTRING, count);
    for (uint64_t i = 0; i < count && !e->failed; ++i)
        put_uint(e, chars[i]);
}

static void put_enum_sig(struct trace_encoder *e, const struct trace_enum_sig *sig)
{
    size_t at = e->out->len + 1;
    uint32_t id = id_of(e, TRACE_SIG_ENUM, sig, sig->id);
    put_tagged_uint(e, TRACE_ENUM, id);
    if (!mark_id(e, &e->enums, id))
        return;
    put_uint(e, sig->count);
    for (uint32_t i = 0; i < sig->count; ++i) {
        put_string(e, sig->names[i].name);
        trace_encode_sint(e, sig->names[i].value);
    }
    note_definition(e, TRACE_SIG_ENUM, at);
}

void trace_encode_enum(struct trace_encoder *e, const struct trace_enum_sig *sig, int64_t value)
{
    put_enum_sig(e, sig);
    trace_encode_sint(e, value);
}

void trace_encode_bitmask(struct trace_encoder *e, const struct trace_bitmask_sig *sig, uint64_t value)
{
    size_t at = e->out->len + 1;
    uint32_t id = id_of(e, TRACE_SIG_BITMASK, sig, sig->id);
    put_tagged_uint(e, TRACE_BITMASK, id);
    if (mark_id(e, &e->bitmasks, id)) {
        put_uint(e, sig->count);
        for (uint32_t i = 0; i < sig->count; ++i) {
            put_string(e, sig->flags[i].name);
            put_uint(e, sig->flags[i].value);
        }
        note_definition(e, TRACE_SIG_BITMASK, at);
    }
    put_uint(e, value);
}

void trace_encode_opaque(struct trace_encoder *e, uint64_t address)
{
    PUT_SCALAR(e, opaque, address);
}

void trace_encode_array(struct trace_encoder *e, uint64_t count)
{
    put_tagged_uint(e, TRACE_ARRAY, count);
}

void trace_encode_struct(struct trace_encoder *e, const struct trace_struct_sig *sig)
{
    size_t at = e->out->len + 1;
    uint32_t id = id_of(e, TRACE_SIG_STRUCT, sig, sig->id);
    put_tagged_uint(e, TRACE_STRUCT, id);
    if (mark_id(e, &e->structs, id)) {
        put_string(e, sig->name);
        put_uint(e, sig->count);
        for (uint32_t i = 0; i < sig->count; ++i)
            put_string(e, sig->members[i]);
        note_definition(e, TRACE_SIG_STRUCT, at);
    }
}

void trace_encode_repr(struct trace_encoder *e)
{
    put_byte(e, TRACE_REPR);
}

static void encode_array_value(struct trace_encoder *e, const struct trace_value *v)
{
    trace_encode_array(e, v->count);
    for (uint64_t i = 0; i < v->count && !e->failed; ++i) {
        switch (v->element) {
        case TRACE_FLOAT:
            trace_encode_float(e, v->u.floats[i]);
            break;
        case TRACE_DOUBLE:
            trace_encode_double(e, v->u.doubles[i]);
            break;
        case TRACE_UINT:
            trace_encode_uint(e, v->u.uints[i]);
            break;
        case TRACE_SINT:
            trace_encode_sint(e, v->u.sints[i]);
            break;
        default:
            trace_encode_value(e, &v->u.items[i]);
        }
    }
}

static void encode_items(struct trace_encoder *e, const struct trace_value *items, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i)
        trace_encode_value(e, &items[i]);
}

/* An absent value (TRACE_NONE) inside another has no encoding: NULL stands for it. */
void trace_encode_value(struct trace_encoder *e, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_FALSE:
    case TRACE_TRUE:
        put_byte(e, v->type);
        break;
    case TRACE_SINT:
        trace_encode_sint(e, v->u.sint);
        break;
    case TRACE_UINT:
        trace_encode_uint(e, v->u.uint);
        break;
    case TRACE_FLOAT:
        trace_encode_float(e, v->u.f32);
        break;
    case TRACE_DOUBLE:
        trace_encode_double(e, v->u.f64);
        break;
    case TRACE_STRING:
        trace_encode_string(e, v->u.string, v->count);
        break;
    case TRACE_BLOB:
        trace_encode_blob(e, v->u.blob, v->count);
        break;
    case TRACE_WSTRING:
        trace_encode_wstring(e, v->u.wstring, v->count);
        break;
    case TRACE_ENUM:
        put_enum_sig(e, v->sig.enumeration);
        if (v->negative)
            trace_encode_sint(e, v->u.sint);
        else
            trace_encode_uint(e, (uint64_t)v->u.sint);
        break;
    case TRACE_BITMASK:
        trace_encode_bitmask(e, v->sig.bitmask, v->u.uint);
        break;
    case TRACE_ARRAY:
        encode_array_value(e, v);
        break;
    case TRACE_STRUCT:
        trace_encode_struct(e, v->sig.structure);
        encode_items(e, v->u.items, v->sig.structure->count);
        break;
    case TRACE_OPAQUE:
        put_tagged_uint(e, TRACE_OPAQUE, v->u.uint);
        break;
    case TRACE_REPR:
        trace_encode_repr(e);
        encode_items(e, v->u.items, 2);
        break;
    case TRACE_BASED:
    case TRACE_RANGED:
        if (v->negative)
            trace_encode_sint(e, v->u.sint);
        else
            trace_encode_uint(e, v->u.uint);
        break;
    case TRACE_CHOICE:
        trace_encode_value(e, &v->u.items[0]);
        break;
    default:
        trace_encode_null(e);
    }
}

static void encode_args(struct trace_encoder *e, const struct trace_call *call)
{
    for (uint32_t i = 0; i < call->arg_count; ++i) {
        if (call->args[i].type == TRACE_NONE)
            continue;
        trace_encode_arg(e, i);
        trace_encode_value(e, &call->args[i]);
    }
}

void trace_encode_call_enter(struct trace_encoder *e, const struct trace_call *call)
{
    trace_encode_enter(e, call->thread, call->sig, call->flags);
    if (call->frames != NULL) /* which may be none */
        trace_encode_backtrace(e, call->frames, call->frame_count);
    encode_args(e, call);
    trace_encode_end(e);
}

void trace_encode_call_leave(struct trace_encoder *e, uint64_t number, const struct trace_call *call,
                             bool args)
{
    trace_encode_leave(e, number);
    if (args)
        encode_args(e, call);
    if (call->ret.type != TRACE_NONE) {
        trace_encode_ret(e);
        trace_encode_value(e, &call->ret);
    }
    trace_encode_end(e);
}
