/* SPDX-License-Identifier: MIT */
#include "call/replay_args.h"

#include <string.h>

#include "base/error.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "call/replay_values.h"
#include "spec_ids.h"

enum {
    PADDING = 64, /* zero bytes after every copied array, for terminators that are missing in the trace */
    OUT_SLACK = 16384, /* size in bytes of output arrays whose length cannot be computed */
};

/* In bytes. No call transfers more, so a larger length is an error in the trace. */
#define MAX_BYTES ((uint64_t)1 << 31)

/* Inputs are recorded in full, except in damaged traces. So this is enough for the rest of one. */
#define MAX_REST ((uint64_t)1 << 26)

static int wrong_type(const struct replay_call *c, const struct spec_param *p, const struct trace_value *v)
{
    if (v->type == TRACE_NONE)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: argument '%s' is missing",
                               spec_string(c->function->spec->name), spec_string(p->name));
    return trace_error_set(TRACE_ERR_FORMAT, "%s: argument '%s' has the wrong type",
                           spec_string(c->function->spec->name), spec_string(p->name));
}

/* Decodes a number, as an argument or array element. Returns false if v is not a number. */
static bool decode_scalar(struct replayer *r, const struct replay_call *c, const struct spec_param *p,
                          const struct trace_value *v, union spec_arg *out)
{
    if (!replay_number((enum spec_type)p->type, v, out))
        return false;
    if (p->object == 0)
        return true;
    /* locations are signed: maps the value that the program saw, including -1 */
    out->u = replay_map_name(r, p->object, out->u, replay_scoping_program(r, c, p));
    if (p->type != SPEC_F32 && p->type != SPEC_F64)
        out->u = replay_fit_integer(p->type, out->u);
    return true;
}

/* Decodes a scalar argument. Pointers must be handles of this replay; other pointers only have a meaning in
 * the traced program. */
static int decode_value(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    const struct trace_value *v = replay_arg(c, i);
    if (!decode_scalar(r, c, p, v, &c->args[i]))
        return wrong_type(c, p, v);
    if (p->type != SPEC_PTR || c->args[i].p == NULL)
        return 0;
    if (p->object == SPEC_OBJECT_sync && !replay_knows_name(r, p->object, trace_value_to_uint(v, 0))) {
        c->args[i].p = NULL; /* some programs try wrong ones; drivers refuse this one, too */
        return 0;
    }
    if (p->object == 0 || !replay_knows_name(r, p->object, trace_value_to_uint(v, 0)))
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: '%s' is an address in the traced program",
                               spec_string(c->function->spec->name), spec_string(p->name));
    return 0;
}

static void *scratch(struct replayer *r, const void *bytes, uint64_t count, uint64_t total)
{
    if (total > MAX_BYTES) {
        trace_error_set(TRACE_ERR_FORMAT, "an array of %llu bytes is too large", (unsigned long long)total);
        return NULL;
    }
    uint8_t *copy = arena_alloc(&r->scratch, total + PADDING);
    if (copy == NULL)
        return NULL;
    if (count > 0)
        memcpy(copy, bytes, count);
    memset(copy + count, 0, total + PADDING - count);
    return copy;
}

/* Returns true for pointers to pointers, which the trace does not contain. */
static bool has_items(const struct spec_param *p)
{
    return p->form == SPEC_FORM_STRINGS || p->form == SPEC_FORM_BLOBS;
}

/* Decodes an address of the traced program: memory that also exists in the replay, an offset into a bound
 * buffer, or something that cannot be replayed. */
static int decode_address(struct replayer *r, struct replay_call *c, unsigned i, uint64_t address)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    uint64_t available;
    c->args[i].p = memory_regions_find(&r->regions, address, &available);
    if (c->args[i].p != NULL) {
        c->given[i] = available / (p->form == SPEC_FORM_ARRAY ? spec_type_size(p->type) : 1);
        return has_items(p) || p->form == SPEC_FORM_STRING ? wrong_type(c, p, replay_arg(c, i)) : 0;
    }
    c->args[i].u = address;
    /* Whether it is an offset is only known when all arguments are decoded; see check_lengths(). */
    c->given[i] = UINT64_MAX;
    return 0;
}

static int decode_array(struct replayer *r, struct replay_call *c, unsigned i, const struct trace_value *v)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    size_t size = spec_type_size(p->type);
    c->given[i] = v->count;
    if (p->type == SPEC_F32 && v->element == TRACE_FLOAT && v->count > 0) {
        memcpy(&c->args[i].p, &v->u.floats, sizeof(void *)); /* the driver does not write to inputs */
        return 0;
    }
    if (size == 0 || v->count > MAX_BYTES / size)
        return wrong_type(c, p, v);
    c->args[i].p = scratch(r, NULL, 0, v->count * size);
    if (c->args[i].p == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t n = 0; n < v->count; ++n) {
        struct trace_value element;
        union spec_arg decoded;
        trace_array_get(v, n, &element);
        if (!decode_scalar(r, c, p, &element, &decoded))
            return wrong_type(c, p, v);
        if (p->type == SPEC_PTR && p->object == 0 && decoded.p != NULL)
            return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: '%s' holds addresses of the traced program",
                                   spec_string(c->function->spec->name), spec_string(p->name));
        spec_store(p->type, c->args[i].p, n, decoded);
    }
    return 0;
}

static int decode_strings(struct replayer *r, struct replay_call *c, unsigned i, const struct trace_value *v)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    c->given[i] = v->count;
    if (v->type != TRACE_ARRAY || v->element != TRACE_NONE || v->count > MAX_BYTES / sizeof(void *))
        return wrong_type(c, p, v);
    const char **strings = scratch(r, NULL, 0, v->count * sizeof *strings);
    if (strings == NULL)
        return TRACE_ERR_MEMORY;
    c->args[i].p = strings;
    for (uint64_t n = 0; n < v->count; ++n) {
        const struct trace_value *s = &v->u.items[n];
        if (s->type == TRACE_STRING)
            strings[n] = s->u.string;
        else if (s->type == TRACE_BLOB) /* without a NUL */
            strings[n] = scratch(r, s->u.blob, s->count, s->count);
        else if (s->type != TRACE_NULL)
            return wrong_type(c, p, v);
    }
    return 0;
}

/* Decodes pointers to memory in the trace, or addresses. check_items() finds out whether they are offsets. */
static int decode_blobs(struct replayer *r, struct replay_call *c, unsigned i, const struct trace_value *v)
{
    c->given[i] = v->count;
    if (v->count > MAX_BYTES / sizeof(void *))
        return wrong_type(c, spec_param(c->function->spec, i), v);
    const void **items = scratch(r, NULL, 0, v->count * sizeof *items);
    if (items == NULL)
        return TRACE_ERR_MEMORY;
    c->args[i].p = items;
    for (uint64_t n = 0; n < v->count; ++n) {
        struct trace_value item;
        trace_array_get(v, n, &item);
        if (item.type == TRACE_BLOB)
            items[n] = item.u.blob;
        else if (item.type == TRACE_OPAQUE || item.type == TRACE_UINT)
            items[n] = (const void *)(uintptr_t)item.u.uint;
        else if (item.type != TRACE_NULL)
            return wrong_type(c, spec_param(c->function->spec, i), v);
    }
    return 0;
}

static int decode_input(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    const struct trace_value *v = replay_arg(c, i);
    switch (v->type) {
    case TRACE_NULL:
        c->args[i].p = NULL;
        c->given[i] = UINT64_MAX; /* nothing is read, or it is offset 0 */
        return 0;
    case TRACE_BLOB:
        if (has_items(p))
            return wrong_type(c, p, v);
        c->given[i] = p->form == SPEC_FORM_ARRAY ? v->count / spec_type_size(p->type) : v->count;
        memcpy(&c->args[i].p, &v->u.blob, sizeof(void *));
        if (p->form == SPEC_FORM_STRING || v->count < PADDING)
            c->args[i].p = scratch(r, v->u.blob, v->count, v->count);
        return c->args[i].p != NULL ? 0 : TRACE_ERR_MEMORY;
    case TRACE_STRING:
        c->given[i] = v->count;
        memcpy(&c->args[i].p, &v->u.string, sizeof(void *));
        return p->form == SPEC_FORM_STRING || p->form == SPEC_FORM_BLOB ? 0 : wrong_type(c, p, v);
    case TRACE_ARRAY:
        if (p->form == SPEC_FORM_STRINGS)
            return decode_strings(r, c, i, v);
        if (p->form == SPEC_FORM_BLOBS)
            return decode_blobs(r, c, i, v);
        return p->form == SPEC_FORM_ARRAY || p->form == SPEC_FORM_BLOB ? decode_array(r, c, i, v)
                                                                       : wrong_type(c, p, v);
    case TRACE_OPAQUE:
    case TRACE_UINT:
        return decode_address(r, c, i, v->u.uint);
    default:
        return wrong_type(c, p, v);
    }
}

/* Returns memory for an output. Rows that are stored from the last to the first may begin GL_PACK_SKIP_ROWS
 * below the address, and its size contains as many rows. */
static void *output_memory(struct replayer *r, uint64_t size)
{
    bool inverted = r->current != NULL && r->current->has_inverted_rows;
    uint64_t below = inverted ? (size + PADDING - 1) / PADDING * PADDING : 0;
    uint8_t *memory = scratch(r, NULL, 0, below + size);
    return memory != NULL ? memory + below : NULL;
}

/* Decodes an output. It gets memory of at least the recorded size; with a pack buffer, it is an offset. */
static int decode_output(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    const struct trace_value *v = replay_arg(c, i);
    c->args[i].p = NULL;
    c->given[i] = UINT64_MAX;
    if (v->type == TRACE_NULL)
        return 0;
    if (v->type == TRACE_OPAQUE || v->type == TRACE_UINT) {
        c->args[i].u = v->u.uint;
        return 0;
    }
    bool sized = v->type == TRACE_ARRAY || v->type == TRACE_BLOB || v->type == TRACE_STRING;
    size_t size = p->form == SPEC_FORM_ARRAY ? spec_type_size(p->type) : 1;
    if (sized && v->count > MAX_BYTES / (size > 0 ? size : 1))
        return wrong_type(c, p, v);
    uint64_t bytes = (sized ? v->count : 1) * size + OUT_SLACK;
    c->args[i].p = output_memory(r, bytes);
    c->given[i] = size > 0 ? bytes / size : bytes;
    return c->args[i].p != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* Decodes a plain address. Offsets are kept, memory that exists in the replay is translated, and blobs are
 * recorded client memory. */
static int decode_opaque(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    const struct trace_value *v = replay_arg(c, i);
    uint64_t available;
    if (v->type == TRACE_BLOB) {
        memcpy(&c->args[i].p, &v->u.blob, sizeof(void *));
        return 0;
    }
    if (v->type != TRACE_NULL && v->type != TRACE_OPAQUE && v->type != TRACE_UINT)
        return wrong_type(c, p, v);
    c->args[i].u = trace_value_to_uint(v, 0);
    void *memory = memory_regions_find(&r->regions, c->args[i].u, &available);
    if (memory != NULL)
        c->args[i].p = memory;
    else if (c->args[i].u > UINT32_MAX) /* above the size of any buffer that can be captured */
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: '%s' is an address in the traced program",
                               spec_string(c->function->spec->name), spec_string(p->name));
    return 0;
}

/* Returns true if no intact trace has such a call: its memory of `length` elements is far larger than the
 * `given` ones of the trace. */
static bool is_too_long(uint64_t length, uint64_t given, size_t size, bool is_output)
{
    return length > MAX_BYTES / size || (!is_output && length > given && length - given > MAX_REST / size);
}

static int fail_as_too_long(const struct spec_function *f, unsigned i)
{
    return trace_error_set(TRACE_ERR_FORMAT, "%s: '%s' is too long", spec_string(f->name),
                           spec_string(spec_param(f, i)->name));
}

/* Checks item n of argument i: its memory must have at least the length that the call will read, or it must
 * be an offset. */
static int check_item(struct replayer *r, struct replay_call *c, unsigned i, uint64_t n)
{
    const struct spec_function *f = c->function->spec;
    struct trace_value item = {.type = TRACE_NULL};
    const void **items = c->args[i].p;
    if (n < replay_arg(c, i)->count)
        trace_array_get(replay_arg(c, i), n, &item);
    int64_t length = spec_item_length(f, c->args, i, n, replay_state_get(r));
    bool memory = item.type == TRACE_BLOB;
    if (length == SPEC_LENGTH_OFFSET && memory)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: '%s' is client memory, but a buffer is bound",
                               spec_string(f->name), spec_string(spec_param(f, i)->name));
    if (length == SPEC_LENGTH_OFFSET || length == 0)
        return 0;
    if (length < 0 || !memory)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: '%s' holds addresses of the traced program",
                               spec_string(f->name), spec_string(spec_param(f, i)->name));
    if (is_too_long((uint64_t)length, item.count, 1, false))
        return fail_as_too_long(f, i);
    if (item.count < (uint64_t)length || item.count < PADDING)
        items[n] = scratch(r, item.u.blob, item.count,
                           item.count < (uint64_t)length ? (uint64_t)length : item.count);
    return items[n] != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* Returns true if NULL means something to the call, or if it is an error that drivers report. They do not
 * check all pointers: a call without its memory gets zeros. */
static bool takes_null(const struct spec_function *f, unsigned i)
{
    const struct spec_param *p = spec_param(f, i);
    const char *name = spec_string(f->name);
    if ((p->flags & SPEC_PARAM_OUT) != 0)
        return false;
    for (unsigned k = 0; k < f->param_count; ++k)
        if (spec_param(f, k)->form == SPEC_FORM_STRINGS && spec_param(f, k)->key == i)
            return true; /* the strings end with NULs */
    if (strcmp(spec_string(p->name), "indices") == 0)
        return false;
    return p->form != SPEC_FORM_ARRAY || strncmp(name, "glBind", 6) == 0 ||
           strncmp(name, "glSignal", 8) == 0 || strncmp(name, "glWait", 6) == 0;
}

/* Makes the memory of argument i large enough for what the call will read or write, and rejects addresses
 * that are not offsets. */
static int check_length(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    bool address = c->given[i] == UINT64_MAX, is_null = address && c->args[i].p == NULL;
    if (is_null && takes_null(c->function->spec, i))
        return 0;
    static uint64_t nothing[32]; /* what the length program sees in place of an address without a meaning */
    union spec_arg saved = c->args[i];
    if (address)
        c->args[i].p = nothing;
    int64_t length = SPEC_LENGTH_UNKNOWN;
    if (p->length != SPEC_NO_INDEX)
        length = spec_length(c->function->spec, c->args, i, replay_state_get(r));
    c->args[i] = saved;
    if ((address && length == SPEC_LENGTH_OFFSET) || (is_null && length <= 0))
        return 0;
    if (address && !is_null && (length < 0 || (p->flags & SPEC_PARAM_OUT) == 0))
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: '%s' is an address in the traced program",
                               spec_string(c->function->spec->name), spec_string(p->name));
    if (address) { /* an output that was not recorded goes to our own memory */
        c->given[i] = 0;
        c->args[i].p = NULL;
    }
    if (length == SPEC_LENGTH_OFFSET)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: '%s' is client memory, but a buffer is bound",
                               spec_string(c->function->spec->name), spec_string(p->name));
    if (length < 0 || ((uint64_t)length <= c->given[i] && c->args[i].p != NULL))
        return 0;
    size_t size = p->form == SPEC_FORM_ARRAY ? spec_type_size(p->type) : has_items(p) ? sizeof(void *) : 1;
    bool is_output = (p->flags & SPEC_PARAM_OUT) != 0;
    if (size == 0 || is_too_long((uint64_t)length, c->given[i], size, is_output))
        return fail_as_too_long(c->function->spec, i);
    uint64_t bytes = (uint64_t)length * size;
    c->args[i].p = is_output ? output_memory(r, bytes) : scratch(r, c->args[i].p, c->given[i] * size, bytes);
    return c->args[i].p != NULL ? 0 : TRACE_ERR_MEMORY;
}

static int check_items(struct replayer *r, struct replay_call *c, unsigned i)
{
    int64_t count =
        c->args[i].p != NULL ? spec_length(c->function->spec, c->args, i, replay_state_get(r)) : 0;
    int rc = 0;
    for (int64_t n = 0; n < count && rc == 0; ++n)
        rc = check_item(r, c, i, (uint64_t)n);
    return rc;
}

/* No string is longer than what the trace has of it. */
static int check_strings(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_function *f = c->function->spec;
    const struct spec_param *p = spec_param(f, i);
    const struct trace_value *strings = replay_arg(c, i);
    int64_t count = c->args[i].p != NULL ? spec_length(f, c->args, i, replay_state_get(r)) : 0;
    if (count <= 0)
        return 0;
    if (strings->type != TRACE_ARRAY || (uint64_t)count > strings->count)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: there are fewer strings than its count",
                               spec_string(f->name));
    if (p->key == SPEC_NO_INDEX || c->args[p->key].p == NULL)
        return 0;
    int32_t *lengths =
        scratch(r, c->args[p->key].p, (uint64_t)count * sizeof *lengths, (uint64_t)count * sizeof *lengths);
    if (lengths == NULL)
        return TRACE_ERR_MEMORY;
    for (int64_t n = 0; n < count; ++n) {
        const struct trace_value *s = &strings->u.items[n];
        uint64_t size = s->type == TRACE_STRING || s->type == TRACE_BLOB ? s->count : 0;
        if (lengths[n] > 0 && (uint64_t)lengths[n] > size)
            lengths[n] = (int32_t)size;
    }
    c->args[p->key].p = lengths;
    return 0;
}

static int check_pointers_to_pointers(struct replayer *r, struct replay_call *c, unsigned i)
{
    switch (spec_param(c->function->spec, i)->form) {
    case SPEC_FORM_BLOBS:
        return check_items(r, c, i);
    case SPEC_FORM_STRINGS:
        return check_strings(r, c, i);
    default:
        return 0;
    }
}

int replay_decode_scalars(struct replayer *r, struct replay_call *c, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        int rc = decode_value(r, c, i);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int replay_decode_args(struct replayer *r, struct replay_call *c)
{
    const struct spec_function *f = c->function->spec;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *p = spec_param(f, i);
        int rc;
        if (p->form == SPEC_FORM_VALUE)
            rc = decode_value(r, c, i);
        else if (p->form == SPEC_FORM_OPAQUE)
            rc = decode_opaque(r, c, i);
        else if (p->form == SPEC_FORM_STRUCT)
            rc = trace_error_set(TRACE_ERR_UNSUPPORTED, "%s is not supported", spec_string(f->name));
        else if ((p->flags & SPEC_PARAM_OUT) != 0)
            rc = decode_output(r, c, i);
        else
            rc = decode_input(r, c, i);
        if (rc != 0)
            return rc;
    }
    for (unsigned i = 0; c->function->has_pointers && i < f->param_count; ++i) {
        if (spec_param(f, i)->form == SPEC_FORM_VALUE || spec_param(f, i)->form == SPEC_FORM_OPAQUE)
            continue;
        int rc = check_length(r, c, i);
        if (rc != 0)
            return rc;
    }
    /* Their lengths are in other arrays, which have been checked before. */
    for (unsigned i = 0; c->function->has_pointers && i < f->param_count; ++i) {
        int rc = check_pointers_to_pointers(r, c, i);
        if (rc != 0)
            return rc;
    }
    return 0;
}
