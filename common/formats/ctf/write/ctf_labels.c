/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_labels.h"

#include "base/array.h"
#include "base/error.h"
#include "formats/ctf/write/ctf_out_types.h"

#include <stdlib.h>

void ctf_labels_fini(struct ctf_labels *l)
{
    free(l->items);
    int_map_fini(&l->known);
}

void ctf_shapes_fini(struct ctf_shapes *s)
{
    int_map_fini(&s->labelled);
    ctf_labels_fini(&s->single);
}

/* --- enumerations that grow ------------------------------------------------------------------------ */

static int add(struct ctf_labels *l, struct ctf_trace *t, const char *name, bool is_fixed, uint64_t value)
{
    if (l->class == NULL) {
        l->class = ctf_out_integer(t, is_fixed ? 64 : 32, is_fixed, 10);
        if (l->class == NULL)
            return TRACE_ERR_MEMORY;
        l->class->u.integer.is_enum = true;
    }
    const char *copy = ctf_trace_copy_text(t, name, strlen(name));
    if (copy == NULL || ARRAY_RESERVE(l->items, l->count, l->room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    l->items[l->count++] = (struct ctf_label){copy, {value, value}};
    l->class->u.integer.labels = l->items;
    l->class->u.integer.label_count = (uint32_t)l->count;
    return 0;
}

int ctf_labels_find(struct ctf_labels *l, struct ctf_trace *t, uint64_t key, const char *name,
                    const int64_t *fixed, uint64_t *value)
{
    if (int_map_get(&l->known, key, value))
        return 0;
    *value = fixed != NULL ? (uint64_t)*fixed : l->count + 1;
    int rc = add(l, t, name, fixed != NULL, *value);
    return rc == 0 ? int_map_set(&l->known, key, *value) : rc;
}

int ctf_shape_add_single(struct ctf_shapes *s, const struct trace_value *v)
{
    const struct trace_enum_name *name = &v->sig.enumeration->names[0];
    uint64_t value;
    return ctf_labels_find(&s->single, s->trace, (uintptr_t)v->sig.enumeration, name->name, &name->value,
                           &value);
}

/* --- labels ---------------------------------------------------------------------------------------- */

static void set_labels(struct ctf_class *c, struct ctf_label *labels, uint32_t count)
{
    c->u.integer.is_enum = count > 0;
    c->u.integer.label_count = count;
    c->u.integer.labels = labels;
}

/* The first name of a value is its name. */
static struct ctf_class *make_enumeration(struct ctf_shapes *s, const struct trace_enum_sig *sig)
{
    struct ctf_class *c = ctf_out_integer(s->trace, 64, true, 10);
    struct ctf_label *labels = arena_alloc(&s->trace->arena, sig->count * sizeof *labels);
    if (c == NULL || labels == NULL)
        return NULL;
    struct int_map seen = {.slots = NULL};
    uint32_t count = 0;
    for (uint32_t i = 0; i < sig->count; ++i) {
        uint64_t value = (uint64_t)sig->names[i].value;
        if (!int_map_get(&seen, value, NULL))
            labels[count++] = (struct ctf_label){sig->names[i].name, {value, value}};
        int_map_set(&seen, value, 1);
    }
    int_map_fini(&seen);
    set_labels(c, labels, count);
    return c;
}

static struct ctf_class *make_bitmask(struct ctf_shapes *s, const struct trace_bitmask_sig *sig)
{
    struct ctf_class *c = ctf_out_integer(s->trace, 64, false, 16);
    struct ctf_label *labels = arena_alloc(&s->trace->arena, sig->count * sizeof *labels);
    if (c == NULL || labels == NULL)
        return NULL;
    for (uint32_t i = 0; i < sig->count; ++i)
        labels[i] = (struct ctf_label){sig->flags[i].name, {sig->flags[i].value, sig->flags[i].value}};
    set_labels(c, labels, sig->count);
    return c;
}

struct ctf_class *ctf_shape_based(struct ctf_shapes *s, const struct trace_value *v)
{
    uint8_t size = v->count >= 1 && v->count <= 64 ? (uint8_t)v->count : 64;
    bool is_signed = v->type == TRACE_RANGED ? v->sig.ranges->is_signed : v->negative;
    struct ctf_class *c = ctf_out_integer(s->trace, size, is_signed, v->element != 0 ? v->element : 10);
    if (c == NULL || v->type == TRACE_BASED)
        return c;
    const struct trace_range_sig *sig = v->sig.ranges;
    struct ctf_label *labels = arena_alloc(&s->trace->arena, sig->count * sizeof *labels);
    if (labels == NULL)
        return NULL;
    for (uint32_t i = 0; i < sig->count; ++i)
        labels[i] = (struct ctf_label){sig->labels[i].name, {sig->labels[i].from, sig->labels[i].to}};
    set_labels(c, labels, sig->count);
    return c;
}

const struct ctf_class *ctf_shape_labelled(struct ctf_shapes *s, const struct trace_value *v)
{
    uint64_t known;
    if (v->type == TRACE_ENUM && v->sig.enumeration->count == 1)
        return s->single.class;
    if (int_map_get(&s->labelled, (uintptr_t)v->sig.enumeration, &known))
        return (const struct ctf_class *)(uintptr_t)known;
    const struct ctf_class *c = v->type == TRACE_ENUM      ? make_enumeration(s, v->sig.enumeration)
                                : v->type == TRACE_BITMASK ? make_bitmask(s, v->sig.bitmask)
                                                           : ctf_shape_based(s, v);
    if (c != NULL && int_map_set(&s->labelled, (uintptr_t)v->sig.enumeration, (uintptr_t)c) != 0)
        return NULL;
    return c;
}
