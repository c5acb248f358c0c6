/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_call_values.h"

#include "base/error.h"

void ctf_values_fini(struct ctf_values *v)
{
    int_map_fini(&v->by_ranges);
    arena_fini(&v->arena);
}

/* --- labels ---------------------------------------------------------------------------------------- */

static void *make_enumeration(struct ctf_values *v, const struct trace_range_sig *ranges)
{
    struct trace_enum_sig *sig = arena_alloc(&v->arena, sizeof *sig);
    struct trace_enum_name *names = arena_alloc(&v->arena, ranges->count * sizeof *names);
    if (sig == NULL || names == NULL)
        return NULL;
    for (uint32_t i = 0; i < ranges->count; ++i)
        names[i] = (struct trace_enum_name){ranges->labels[i].name, (int64_t)ranges->labels[i].from};
    *sig = (struct trace_enum_sig){.id = v->count++, .count = ranges->count, .names = names};
    return sig;
}

static void *make_bitmask(struct ctf_values *v, const struct trace_range_sig *ranges)
{
    struct trace_bitmask_sig *sig = arena_alloc(&v->arena, sizeof *sig);
    struct trace_flag_name *flags = arena_alloc(&v->arena, ranges->count * sizeof *flags);
    if (sig == NULL || flags == NULL)
        return NULL;
    for (uint32_t i = 0; i < ranges->count; ++i)
        flags[i] = (struct trace_flag_name){ranges->labels[i].name, ranges->labels[i].from};
    *sig = (struct trace_bitmask_sig){.id = v->count++, .count = ranges->count, .flags = flags};
    return sig;
}

static int take_labelled(struct ctf_values *v, const struct trace_value *from, struct trace_value *to)
{
    const struct trace_range_sig *ranges = from->sig.ranges;
    bool is_mask = from->element == 16;
    uint64_t found;
    if (!int_map_get(&v->by_ranges, (uintptr_t)ranges, &found)) {
        found = (uintptr_t)(is_mask ? make_bitmask(v, ranges) : make_enumeration(v, ranges));
        if (found == 0 || int_map_set(&v->by_ranges, (uintptr_t)ranges, found) != 0)
            return TRACE_ERR_MEMORY;
    }
    *to = (struct trace_value){
        .type = is_mask ? TRACE_BITMASK : TRACE_ENUM, .negative = from->negative, .u.uint = from->u.uint};
    if (is_mask)
        to->sig.bitmask = (const struct trace_bitmask_sig *)(uintptr_t)found;
    else
        to->sig.enumeration = (const struct trace_enum_sig *)(uintptr_t)found;
    return 0;
}

/* CTF 1.8 has no type for them. */
static bool is_boolean(const struct trace_value *v)
{
    return v->count == 8 && v->sig.ranges->count == 2 &&
           strcmp(v->sig.ranges->labels[0].name, "false") == 0 &&
           strcmp(v->sig.ranges->labels[1].name, "true") == 0;
}

/* --- blobs ----------------------------------------------------------------------------------------- */

/* Whether the type is that of bytes: integers of 8 bits without a sign. */
static bool is_bytes(const struct ctf_class *type)
{
    if (type == NULL || type->kind != CTF_SEQUENCE || type->u.array.element->kind != CTF_INTEGER)
        return false;
    const struct ctf_integer *i = &type->u.array.element->u.integer;
    return i->size == 8 && !i->is_signed && !i->is_enum;
}

static int take_blob(struct arena *arena, const struct trace_value *from, struct trace_value *to)
{
    uint8_t *bytes = arena_alloc(arena, from->count + 1);
    if (bytes == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < from->count; ++i)
        bytes[i] = (uint8_t)from->u.uints[i];
    *to = (struct trace_value){.type = TRACE_BLOB, .count = from->count, .u.blob = bytes};
    return 0;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int take_items(struct ctf_values *v, const struct ctf_class *type, struct arena *arena,
                      const struct trace_value *from, struct trace_value *to)
{
    const struct ctf_class *element = type != NULL ? type->u.array.element : NULL;
    struct trace_value *items = arena_alloc(arena, from->count * sizeof *items);
    int rc = items != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint64_t i = 0; rc == 0 && i < from->count; ++i)
        rc = ctf_value_take(v, element, arena, &from->u.items[i], &items[i]);
    to->u.items = items;
    return rc;
}

int ctf_value_take(struct ctf_values *v, const struct ctf_class *type, struct arena *arena,
                   const struct trace_value *from, struct trace_value *to)
{
    *to = *from;
    switch (from->type) {
    case TRACE_STRUCT:
        if (from->count == 0)
            *to = (struct trace_value){.type = TRACE_NONE};
        return 0;
    case TRACE_BASED:
        *to = (struct trace_value){.type = TRACE_OPAQUE, .u.uint = from->u.uint};
        return 0;
    case TRACE_RANGED:
        if (!is_boolean(from))
            return take_labelled(v, from, to);
        *to = (struct trace_value){.type = from->u.uint != 0 ? TRACE_TRUE : TRACE_FALSE};
        return 0;
    case TRACE_ARRAY:
        if (from->element == TRACE_NONE)
            return take_items(v, type, arena, from, to);
        return from->element == TRACE_UINT && is_bytes(type) ? take_blob(arena, from, to) : 0;
    default:
        return 0;
    }
}

/* --- backtraces ------------------------------------------------------------------------------------ */

static const struct trace_value *member(const struct trace_value *structure, const char *name)
{
    const struct trace_struct_sig *sig = structure->sig.structure;
    for (uint32_t i = 0; i < sig->count; ++i)
        if (strcmp(sig->members[i], name) == 0)
            return &structure->u.items[i];
    return NULL;
}

static const char *text_member(const struct trace_value *structure, const char *name)
{
    const struct trace_value *v = member(structure, name);
    return v != NULL && v->type == TRACE_STRING && v->count > 0 ? v->u.string : NULL;
}

static int64_t number_member(const struct trace_value *structure, const char *name, int64_t fallback)
{
    const struct trace_value *v = member(structure, name);
    int64_t number = v != NULL ? trace_value_to_sint(v, fallback) : fallback;
    return number >= -1 ? number : fallback;
}

static void take_frame(const struct trace_value *v, uint32_t id, struct trace_frame *out)
{
    *out = (struct trace_frame){.id = id, .line = -1, .offset = -1};
    if (v->type != TRACE_STRUCT) {
        out->address = trace_value_to_uint(v, v->type == TRACE_BASED ? v->u.uint : 0);
        return;
    }
    const struct trace_value *address = member(v, "address");
    out->module = text_member(v, "module");
    out->function = text_member(v, "function");
    out->file = text_member(v, "file");
    out->line = number_member(v, "line", -1);
    out->offset = number_member(v, "offset", -1);
    out->address = address != NULL ? trace_value_to_uint(address, address->u.uint) : 0;
}

int ctf_frames_take(struct arena *arena, const struct trace_value *from, struct trace_call *call)
{
    if (from->type != TRACE_ARRAY || from->count > UINT32_MAX)
        return 0;
    struct trace_frame *frames = arena_alloc(arena, from->count * sizeof *frames + 1);
    if (frames == NULL)
        return TRACE_ERR_MEMORY;
    for (uint64_t i = 0; i < from->count; ++i) {
        struct trace_value item;
        trace_array_get(from, i, &item);
        take_frame(&item, (uint32_t)i, &frames[i]);
    }
    call->frames = frames;
    call->frame_count = (uint32_t)from->count;
    return 0;
}
