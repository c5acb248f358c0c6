/* SPDX-License-Identifier: MIT */
#include "call/replay_lengths.h"

#include <string.h>

#include "base/error.h"
#include "call/replay_memory.h"
#include "objects/replay_state.h"
#include "call/replay_values.h"

/* Inputs are recorded in full, except in damaged traces. So this is enough for the rest of one. In bytes. */
#define MAX_REST ((uint64_t)1 << 26)

/* Room for the output of a call with an error, such as a question about a level that a texture does not have:
 * its length is unknown, and nothing is written. In elements. */
#define UNKNOWN_OUTPUT (1 << 20)

/* Returns true if no intact trace has such a call: its memory of `length` elements is far larger than the
 * `given` ones of the trace. */
static bool is_too_long(uint64_t length, uint64_t given, size_t size, bool is_output)
{
    return length > REPLAY_MAX_BYTES / size ||
           (!is_output && length > given && length - given > MAX_REST / size);
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
    if (item.count < (uint64_t)length || item.count < REPLAY_PADDING)
        items[n] = replay_copy(r, item.u.blob, item.count,
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
           strncmp(name, "glSignal", 8) == 0 || strncmp(name, "glWait", 6) == 0 ||
           strcmp(name, "glVertexArrayVertexBuffers") == 0;
}

/* Makes the memory of argument i large enough for what the call will read or write, and rejects addresses
 * that are not offsets. */
static int check_length(struct replayer *r, struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    bool address = c->given[i] == UINT64_MAX, is_null = address && c->args[i].p == NULL;
    if (is_null && takes_null(c->function->spec, i))
        return 0;
    bool is_output = (p->flags & SPEC_PARAM_OUT) != 0;
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
    if (address && is_output && !is_null && length == SPEC_LENGTH_UNKNOWN && p->length != SPEC_NO_INDEX)
        length = UNKNOWN_OUTPUT;
    if (address && !is_null && (length < 0 || !is_output))
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
    size_t size = p->form == SPEC_FORM_ARRAY ? spec_type_size(p->type)
                  : replay_has_items(p)      ? sizeof(void *)
                                             : 1;
    if (size == 0 || is_too_long((uint64_t)length, c->given[i], size, is_output))
        return fail_as_too_long(c->function->spec, i);
    uint64_t bytes = (uint64_t)length * size;
    c->args[i].p =
        is_output ? replay_output_memory(r, bytes) : replay_copy(r, c->args[i].p, c->given[i] * size, bytes);
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
    int32_t *lengths = replay_copy(r, c->args[p->key].p, (uint64_t)count * sizeof *lengths,
                                   (uint64_t)count * sizeof *lengths);
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

int replay_check_lengths(struct replayer *r, struct replay_call *c)
{
    const struct spec_function *f = c->function->spec;
    int rc = 0;
    for (unsigned i = 0; i < f->param_count && rc == 0; ++i)
        if (spec_param(f, i)->form != SPEC_FORM_VALUE && spec_param(f, i)->form != SPEC_FORM_OPAQUE)
            rc = check_length(r, c, i);
    /* Their lengths are in other arrays, which have been checked before. */
    for (unsigned i = 0; i < f->param_count && rc == 0; ++i)
        rc = check_pointers_to_pointers(r, c, i);
    return rc;
}
