/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_out_types.h"

#include "base/array.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

struct ctf_class *ctf_out_integer(struct ctf_trace *t, uint8_t size, bool is_signed, uint8_t base)
{
    struct ctf_class *c = ctf_trace_new_class(t, CTF_INTEGER, 8);
    if (c != NULL)
        c->u.integer = (struct ctf_integer){.size = size, .base = base, .is_signed = is_signed};
    return c;
}

struct ctf_class *ctf_out_role(struct ctf_trace *t, uint8_t size, uint8_t base, enum ctf_role role,
                               const struct ctf_clock *clock)
{
    struct ctf_class *c = ctf_out_integer(t, size, false, base);
    if (c != NULL) {
        c->u.integer.role = (uint8_t)role;
        c->u.integer.clock = clock;
    }
    return c;
}

struct ctf_class *ctf_out_float(struct ctf_trace *t, uint8_t size)
{
    struct ctf_class *c = ctf_trace_new_class(t, CTF_FLOAT, 8);
    if (c != NULL)
        c->u.real.size = size;
    return c;
}

struct ctf_class *ctf_out_string(struct ctf_trace *t)
{
    return ctf_trace_new_class(t, CTF_STRING, 8);
}

struct ctf_class *ctf_out_sequence(struct ctf_trace *t, enum ctf_kind kind, const struct ctf_class *element)
{
    struct ctf_class *c = ctf_trace_new_class(t, kind, 8);
    if (c == NULL)
        return NULL;
    c->u.array.element = element;
    c->u.array.count_type = ctf_out_integer(t, 32, false, 10);
    return c->u.array.count_type != NULL ? c : NULL;
}

/* --- structures ------------------------------------------------------------------------------------ */

static bool is_written(const struct ctf_out_members *m, const char *written)
{
    for (size_t i = 0; i < m->count; ++i)
        if (strcmp(m->items[i].written, written) == 0)
            return true;
    return false;
}

/* Names that differ may be written alike. */
static const char *make_unique(const struct ctf_out_members *m, struct ctf_trace *t, const char *written)
{
    char number[24];
    if (written == NULL || !is_written(m, written))
        return written;
    int length = snprintf(number, sizeof number, "_%zu", m->count);
    char *unique = arena_alloc(&t->arena, strlen(written) + (size_t)length + 1);
    if (unique == NULL)
        return NULL;
    strcpy(unique, written);
    strcat(unique, number);
    return make_unique(m, t, unique);
}

void ctf_out_add_member(struct ctf_out_members *m, struct ctf_trace *t, const struct ctf_out_dialect *dialect,
                        const char *name, const struct ctf_class *type)
{
    const char *copy = ctf_trace_copy_text(t, name, strlen(name)), *written = copy;
    if (copy == NULL || type == NULL || ARRAY_RESERVE(m->items, m->count, m->room) != 0 ||
        dialect->write_name(t, copy, &written) != 0 || (written = make_unique(m, t, written)) == NULL) {
        m->has_failed = true;
        return;
    }
    m->items[m->count++] = (struct ctf_member){copy, written, type};
}

struct ctf_class *ctf_out_structure(struct ctf_out_members *m, struct ctf_trace *t)
{
    struct ctf_class *c = m->has_failed ? NULL : ctf_trace_new_class(t, CTF_STRUCT, 1);
    if (c != NULL && ctf_struct_set_members(t, c, m->items, m->count) != 0)
        c = NULL;
    free(m->items);
    *m = (struct ctf_out_members){.items = NULL};
    if (c == NULL)
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return c;
}
