/* SPDX-License-Identifier: MIT */
#include "trace/call_copy.h"

#include <stdint.h>

static bool copy_value(struct arena *arena, struct trace_value *v);

/* Replaces *items by copies. Their count is that of values that exist, so the size cannot overflow. */
static bool copy_items(struct arena *arena, uint64_t count, const struct trace_value **items)
{
    struct trace_value *copies = arena_copy(arena, *items, count * sizeof *copies);
    if (copies == NULL)
        return false;
    *items = copies;
    for (uint64_t i = 0; i < count; ++i)
        if (!copy_value(arena, &copies[i]))
            return false;
    return true;
}

static bool copy_array(struct arena *arena, struct trace_value *v)
{
    switch (v->element) {
    case TRACE_FLOAT:
        return (v->u.floats = arena_copy(arena, v->u.floats, v->count * sizeof *v->u.floats)) != NULL;
    case TRACE_DOUBLE:
        return (v->u.doubles = arena_copy(arena, v->u.doubles, v->count * sizeof *v->u.doubles)) != NULL;
    case TRACE_UINT:
    case TRACE_SINT:
        return (v->u.uints = arena_copy(arena, v->u.uints, v->count * sizeof *v->u.uints)) != NULL;
    default:
        return copy_items(arena, v->count, &v->u.items);
    }
}

/* Replaces what the value points to by a copy. Strings end with a NUL that is not counted. */
static bool copy_value(struct arena *arena, struct trace_value *v)
{
    switch (v->type) {
    case TRACE_STRING:
        return (v->u.string = arena_copy(arena, v->u.string, v->count + 1)) != NULL;
    case TRACE_WSTRING:
        return (v->u.wstring = arena_copy(arena, v->u.wstring, v->count * sizeof *v->u.wstring)) != NULL;
    case TRACE_BLOB:
        return (v->u.blob = arena_copy(arena, v->u.blob, v->count)) != NULL;
    case TRACE_ARRAY:
        return copy_array(arena, v);
    case TRACE_STRUCT:
        return copy_items(arena, v->count, &v->u.items);
    case TRACE_REPR:
        return copy_items(arena, 2, &v->u.items);
    case TRACE_CHOICE:
        return copy_items(arena, 1, &v->u.items);
    default:
        return true;
    }
}

struct trace_call *trace_call_copy(struct arena *arena, const struct trace_call *call)
{
    struct trace_call *copy = arena_copy(arena, call, sizeof *call);
    if (copy == NULL || !copy_items(arena, copy->arg_count, &copy->args) || !copy_value(arena, &copy->ret))
        return NULL;
    if (copy->frames != NULL)
        copy->frames = arena_copy(arena, copy->frames, copy->frame_count * sizeof *copy->frames);
    return copy->frames != NULL || call->frames == NULL ? copy : NULL;
}
