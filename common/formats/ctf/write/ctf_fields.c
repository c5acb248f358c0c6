/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_fields.h"

#include "base/error.h"
#include "formats/ctf/write/ctf_out_types.h"

#include <inttypes.h>
#include <stdio.h>

#define EVENTS_MAX 65535 /* event classes of a stream: their ids have 16 bits */

int ctf_fields_init(struct ctf_fields *f, struct ctf_sink *s, uint32_t room)
{
    *f = (struct ctf_fields){.room = room};
    f->names = arena_alloc(&s->scratch, room * sizeof *f->names + 1);
    f->values = arena_alloc(&s->scratch, room * sizeof *f->values + 1);
    return f->names != NULL && f->values != NULL ? 0 : TRACE_ERR_MEMORY;
}

void ctf_fields_add(struct ctf_fields *f, const char *name, struct trace_value value)
{
    if (value.type != TRACE_NONE)
        ctf_fields_add_any(f, name, value);
}

void ctf_fields_add_any(struct ctf_fields *f, const char *name, struct trace_value value)
{
    if (f->count == f->room)
        return;
    f->names[f->count] = name;
    f->values[f->count++] = value;
}

int ctf_fields_append_structure(struct ctf_sink *s, struct ctf_fields *f, const struct ctf_fields *inner)
{
    struct trace_value *values = arena_alloc(&s->scratch, (f->count + 1) * sizeof *values);
    if (values == NULL)
        return TRACE_ERR_MEMORY;
    memcpy(values, f->values, f->count * sizeof *values);
    values[f->count++] = ctf_fields_value(inner);
    f->values = values;
    return 0;
}

struct trace_value ctf_text_value(const char *text)
{
    if (text == NULL)
        return (struct trace_value){.type = TRACE_NONE};
    return (struct trace_value){.type = TRACE_STRING, .count = strlen(text), .u.string = text};
}

/* The class stands for the enumeration: its address is that of the labels. */
int ctf_label_value(struct ctf_sink *s, struct ctf_labels *l, uint64_t key, const char *name,
                    struct trace_value *out)
{
    bool is_new = l->class == NULL;
    *out = (struct trace_value){.type = TRACE_RANGED, .element = 10, .count = 32};
    out->sig.ranges = (const struct trace_range_sig *)(const void *)l;
    int rc = ctf_labels_find(l, &s->typed->model, key, name, NULL, &out->u.uint);
    return rc == 0 && is_new ? int_map_set(&s->shapes.labelled, (uintptr_t)l, (uintptr_t)l->class) : rc;
}

/* --- event classes --------------------------------------------------------------------------------- */

static int append_address(struct buf *out, const void *address)
{
    uint64_t number = (uintptr_t)address;
    int rc = 0;
    for (; rc == 0 && number > 0; number >>= 6)
        rc = buf_append_byte(out, (uint8_t)(0x40 | (number & 0x3f)));
    return rc == 0 ? buf_append_byte(out, '.') : rc;
}

static int append_fields(struct ctf_sink *s, const struct ctf_fields *f)
{
    int rc = buf_append_byte(&s->shape, '(');
    for (uint32_t i = 0; rc == 0 && f != NULL && i < f->count; ++i) {
        rc = append_address(&s->shape, f->names[i]);
        if (rc == 0)
            rc = ctf_shape_append(&s->shapes, &f->values[i], &s->shape);
    }
    return rc;
}

static const struct ctf_class *make_class(struct ctf_sink *s, const struct ctf_fields *f,
                                          const struct ctf_fields *args)
{
    struct ctf_out_members members = {.items = NULL};
    for (uint32_t i = 0; i < f->count; ++i)
        ctf_out_add_member(&members, s->shapes.trace, s->out.dialect, f->names[i],
                           ctf_shape_class(&s->shapes, &f->values[i]));
    if (args != NULL && args->count > 0)
        ctf_out_add_member(&members, s->shapes.trace, s->out.dialect, "args", make_class(s, args, NULL));
    return ctf_out_structure(&members, s->shapes.trace);
}

static int add_event(struct ctf_sink *s, struct ctf_out_class *class, const char *name,
                     const struct ctf_fields *specific, const struct ctf_fields *payload,
                     const struct ctf_fields *args, struct ctf_out_event **out)
{
    const struct ctf_class *context = NULL, *fields;
    if (class->event_count == EVENTS_MAX)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "there are more than %d kinds of events, which CTF's ids do not distinguish",
                               EVENTS_MAX);
    if (specific != NULL && specific->count > 0 && (context = make_class(s, specific, NULL)) == NULL)
        return TRACE_ERR_MEMORY;
    fields = make_class(s, payload, args);
    return fields != NULL ? ctf_out_add_event(class, name, context, fields, out) : TRACE_ERR_MEMORY;
}

int ctf_sink_find_event(struct ctf_sink *s, struct ctf_out_class *class, const char *name,
                        const struct ctf_fields *specific, const struct ctf_fields *payload,
                        const struct ctf_fields *args, struct ctf_out_event **out)
{
    uint64_t found;
    s->shapes.trace = &class->trace->model;
    buf_clear(&s->shape);
    int rc = append_address(&s->shape, class);
    if (rc == 0)
        rc = append_address(&s->shape, name);
    if (rc == 0)
        rc = append_fields(s, specific);
    if (rc == 0)
        rc = append_fields(s, payload);
    if (rc == 0)
        rc = append_fields(s, args);
    if (rc == 0)
        rc = buf_append_byte(&s->shape, '\0');
    if (rc != 0)
        return TRACE_ERR_MEMORY;
    const char *key = (const char *)s->shape.data;
    if (string_map_get(&s->by_shape, key, &found)) {
        *out = (struct ctf_out_event *)(uintptr_t)found;
        return 0;
    }
    /* The shapes of its values are appended again while it is made, but not there. */
    rc = add_event(s, class, name, specific, payload, args, out);
    return rc == 0 ? string_map_set(&s->by_shape, key, (uintptr_t)*out) : rc;
}
