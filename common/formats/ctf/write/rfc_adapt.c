/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/rfc_adapt.h"

#include "base/error.h"

#define LABELS_MAX 1024 /* of an enumeration, after its ranges have become single values */

/* --- integers ---------------------------------------------------------------------------------------- */

static uint64_t width_of(const struct ctf_range *range)
{
    return range->to - range->from;
}

/* A range becomes all its values; one that is too long is left out. */
static int adapt_labels(struct ctf_trace *t, const struct ctf_integer *in, struct ctf_integer *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < in->label_count; ++i)
        if (width_of(&in->labels[i].range) < LABELS_MAX - 1)
            count += width_of(&in->labels[i].range) + 1;
    struct ctf_label *labels =
        arena_alloc(&t->arena, (count < LABELS_MAX ? count : LABELS_MAX + in->label_count) * sizeof *labels);
    if (labels == NULL)
        return TRACE_ERR_MEMORY;
    out->label_count = 0;
    for (uint32_t i = 0; i < in->label_count; ++i) {
        const struct ctf_range *range = &in->labels[i].range;
        uint64_t width = width_of(range);
        if (width > 0 && (width >= LABELS_MAX || out->label_count + width >= LABELS_MAX))
            continue;
        for (uint64_t n = 0; n <= width; ++n)
            labels[out->label_count++] =
                (struct ctf_label){in->labels[i].name, {range->from + n, range->from + n}};
    }
    out->labels = labels;
    return 0;
}

static int adapt_integer(struct ctf_trace *t, const struct ctf_class *in, struct ctf_class *out)
{
    const struct ctf_integer *i = &in->u.integer;
    bool is_enum = in->kind == CTF_INTEGER && i->is_enum;
    out->kind = CTF_INTEGER;
    out->align = 8;
    out->u.integer = (struct ctf_integer){.size = i->is_variable ? 64 : i->size,
                                          .base = i->base,
                                          .order = i->order,
                                          .is_signed = i->is_signed,
                                          .is_enum = is_enum};
    return is_enum ? adapt_labels(t, i, &out->u.integer) : 0;
}

/* --- compounds ---------------------------------------------------------------------------------------- */

static bool is_for_readers(const struct ctf_class *type)
{
    return type->kind == CTF_INTEGER && type->u.integer.role != CTF_NO_ROLE &&
           type->u.integer.role != CTF_CPU;
}

static int adapt_structure(struct ctf_trace *t, const struct ctf_class *in, struct ctf_class *out, bool *can)
{
    uint32_t count = 0;
    struct ctf_member *members = arena_alloc(&t->arena, in->u.structure.count * sizeof *members);
    int rc = members != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint32_t i = 0; rc == 0 && *can && i < in->u.structure.count; ++i) {
        const struct ctf_member *m = &in->u.structure.members[i];
        if (is_for_readers(m->type))
            continue;
        members[count] = (struct ctf_member){m->name, m->name, NULL};
        rc = rfc_adapt(t, m->type, &members[count].type);
        *can = members[count++].type != NULL;
    }
    out->align = 1;
    return rc == 0 && *can ? ctf_struct_set_members(t, out, members, count) : rc;
}

static struct ctf_class *new_integer(struct ctf_trace *t, uint8_t size)
{
    struct ctf_class *made = ctf_trace_new_class(t, CTF_INTEGER, 8);
    if (made != NULL)
        made->u.integer = (struct ctf_integer){.size = size, .base = 10};
    return made;
}

static int adapt_array(struct ctf_trace *t, const struct ctf_class *in, struct ctf_class *out, bool *can)
{
    bool is_fixed = in->kind == CTF_ARRAY || in->kind == CTF_BLOB;
    const struct ctf_class *element = NULL;
    int rc = 0;
    if (in->u.array.element == NULL)
        element = new_integer(t, 8);
    else
        rc = rfc_adapt(t, in->u.array.element, &element);
    *can = element != NULL;
    out->kind = is_fixed ? CTF_ARRAY : CTF_SEQUENCE;
    out->align = 8;
    memset(&out->u, 0, sizeof out->u);
    out->u.array.length = in->u.array.length;
    out->u.array.element = element;
    out->u.array.count_type = is_fixed ? NULL : new_integer(t, 32);
    return rc == 0 && !is_fixed && out->u.array.count_type == NULL ? TRACE_ERR_MEMORY : rc;
}

/* --- all ---------------------------------------------------------------------------------------------- */

static int adapt(struct ctf_trace *t, const struct ctf_class *in, struct ctf_class *out, bool *can)
{
    switch (in->kind) {
    case CTF_INTEGER:
    case CTF_BITS:
        return adapt_integer(t, in, out);
    case CTF_FLOAT:
        out->align = 8;
        out->u.real = (struct ctf_float){.size = in->u.real.size <= 32 ? 32 : 64, .order = in->u.real.order};
        return 0;
    case CTF_STRING:
    case CTF_TEXT:
    case CTF_TEXT_SEQUENCE:
        out->kind = CTF_STRING;
        out->align = 8;
        out->u.encoding = CTF_UTF8;
        return 0;
    case CTF_STRUCT:
        return adapt_structure(t, in, out, can);
    case CTF_ARRAY:
    case CTF_SEQUENCE:
    case CTF_BLOB:
    case CTF_BLOB_SEQUENCE:
        return adapt_array(t, in, out, can);
    default: /* by the shapes of their values: booleans, variants, optional fields */
        *can = false;
        return 0;
    }
}

int rfc_adapt(struct ctf_trace *t, const struct ctf_class *in, const struct ctf_class **out)
{
    struct ctf_class *made = arena_copy(&t->arena, in, sizeof *in);
    bool can = true;
    *out = NULL;
    if (made == NULL)
        return TRACE_ERR_MEMORY;
    int rc = adapt(t, in, made, &can);
    if (rc == 0 && can)
        *out = made;
    return rc;
}
