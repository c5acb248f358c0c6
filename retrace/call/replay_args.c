/* SPDX-License-Identifier: MIT */
#include "call/replay_args.h"

#include <string.h>

#include "base/error.h"
#include "call/replay_lengths.h"
#include "call/replay_memory.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "call/replay_values.h"
#include "spec_ids.h"

enum {
    OUT_SLACK = 16384, /* size in bytes of output arrays whose length cannot be computed */
};

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
    uint64_t program = replay_scoping_program(r, c, p);
    out->u = (p->flags & SPEC_PARAM_BIND) != 0 ? replay_bind_name(r, p->object, out->u, program)
                                               : replay_map_name(r, p->object, out->u, program);
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

/* Decodes an address of the traced program: memory that also exists in the replay, an offset into a bound
 * buffer, or something that cannot be replayed. */
static int decode_address(struct replayer *r, struct replay_call *c, unsigned i, uint64_t address)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    uint64_t available;
    c->args[i].p = memory_regions_find(&r->regions, address, &available);
    if (c->args[i].p != NULL) {
        c->given[i] = available / (p->form == SPEC_FORM_ARRAY ? spec_type_size(p->type) : 1);
        return replay_has_items(p) || p->form == SPEC_FORM_STRING ? wrong_type(c, p, replay_arg(c, i)) : 0;
    }
    c->args[i].u = address;
    /* Whether it is an offset is only known when all arguments are decoded; see replay_lengths.c. */
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
    if (size == 0 || v->count > REPLAY_MAX_BYTES / size)
        return wrong_type(c, p, v);
    c->args[i].p = replay_copy(r, NULL, 0, v->count * size);
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
    if (v->type != TRACE_ARRAY || v->element != TRACE_NONE || v->count > REPLAY_MAX_BYTES / sizeof(void *))
        return wrong_type(c, p, v);
    const char **strings = replay_copy(r, NULL, 0, v->count * sizeof *strings);
    if (strings == NULL)
        return TRACE_ERR_MEMORY;
    c->args[i].p = strings;
    for (uint64_t n = 0; n < v->count; ++n) {
        const struct trace_value *s = &v->u.items[n];
        if (s->type == TRACE_STRING) {
            strings[n] = s->u.string;
        } else if (s->type == TRACE_BLOB) { /* without a NUL */
            if ((strings[n] = replay_copy(r, s->u.blob, s->count, s->count)) == NULL)
                return TRACE_ERR_MEMORY;
        } else if (s->type != TRACE_NULL) {
            return wrong_type(c, p, v);
        }
    }
    return 0;
}

/* Decodes pointers to memory in the trace, or addresses. check_items() finds out whether they are offsets. */
static int decode_blobs(struct replayer *r, struct replay_call *c, unsigned i, const struct trace_value *v)
{
    c->given[i] = v->count;
    if (v->count > REPLAY_MAX_BYTES / sizeof(void *))
        return wrong_type(c, spec_param(c->function->spec, i), v);
    const void **items = replay_copy(r, NULL, 0, v->count * sizeof *items);
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
        if (replay_has_items(p))
            return wrong_type(c, p, v);
        c->given[i] = p->form == SPEC_FORM_ARRAY ? v->count / spec_type_size(p->type) : v->count;
        memcpy(&c->args[i].p, &v->u.blob, sizeof(void *));
        if (p->form == SPEC_FORM_STRING || v->count < REPLAY_PADDING)
            c->args[i].p = replay_copy(r, v->u.blob, v->count, v->count);
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
    if (sized && v->count > REPLAY_MAX_BYTES / (size > 0 ? size : 1))
        return wrong_type(c, p, v);
    uint64_t bytes = (sized ? v->count : 1) * size + OUT_SLACK;
    c->args[i].p = replay_output_memory(r, bytes);
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
        else if ((p->flags & SPEC_PARAM_OUT) != 0)
            rc = decode_output(r, c, i);
        else
            rc = decode_input(r, c, i);
        if (rc != 0)
            return rc;
    }
    return c->function->has_pointers ? replay_check_lengths(r, c) : 0;
}
