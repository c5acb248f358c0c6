/* SPDX-License-Identifier: MIT
 * Events of a trace of CTF keep their classes, streams and packets; each trace that is read becomes one. If
 * the dialect lacks a type, the event's class is made of its values.
 */
#include "formats/ctf/write/ctf_copy.h"
#include "formats/ctf/write/ctf_fields.h"

#include "base/error.h"
#include "formats/ctf/decode/ctf_layout.h"
#include "formats/ctf/write/ctf_out_types.h"

#include <stdlib.h>

/* --- traces ---------------------------------------------------------------------------------------- */

static int copy_head(const struct ctf_sink *s, struct ctf_trace *to, const struct ctf_trace *from)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < from->variable_count; ++i) {
        struct ctf_variable v = from->variables[i];
        rc = s->out.dialect->write_variable(to, v.name, &v.name);
        if (rc == 0)
            rc = ctf_trace_set_variable(to, &v);
    }
    for (size_t i = 0; rc == 0 && i < from->clock_count; ++i) {
        struct ctf_clock *clock = ctf_trace_add_clock(to);
        if (clock == NULL)
            return TRACE_ERR_MEMORY;
        *clock = *from->clocks[i];
    }
    to->has_session = from->has_session;
    to->session = from->session;
    to->has_uuid = from->has_uuid;
    memcpy(to->uuid, from->uuid, sizeof to->uuid);
    to->name = from->name;
    to->name_space = from->name_space;
    to->uid = from->uid;
    return rc;
}

static struct ctf_out_trace *find_trace(struct ctf_sink *s, const struct ctf_trace *from)
{
    for (size_t i = 0; i < s->out.trace_count; ++i)
        if (s->out.traces[i]->source == from)
            return s->out.traces[i];
    struct ctf_out_trace *t = ctf_out_add_trace(&s->out, from->order);
    if (t == NULL || copy_head(s, &t->model, from) != 0)
        return NULL;
    t->source = from;
    return t;
}

/* --- stream classes -------------------------------------------------------------------------------- */

static const struct ctf_clock *clock_of(const struct ctf_out_trace *t, const struct ctf_stream_layout *from)
{
    const struct ctf_trace *source = t->source;
    for (size_t i = 0; i < source->clock_count; ++i)
        if (source->clocks[i] == from->clock)
            return t->model.clocks[i];
    return NULL;
}

/* The fields of a context that its reader has no use for. */
static const struct ctf_class *visible_fields(struct ctf_trace *t, const struct ctf_class *context)
{
    uint32_t count = 0, all = context != NULL ? context->u.structure.count : 0;
    struct ctf_member *members = arena_alloc(&t->arena, (all + 1) * sizeof *members);
    struct ctf_class *c = ctf_trace_new_class(t, CTF_STRUCT, 1);
    if (members == NULL || c == NULL)
        return NULL;
    for (uint32_t i = 0; i < all; ++i) {
        const struct ctf_member *m = &context->u.structure.members[i];
        uint8_t role = m->type->kind <= CTF_BITS    ? m->type->u.integer.role
                       : m->type->kind == CTF_ARRAY ? m->type->u.array.role
                                                    : CTF_NO_ROLE;
        if (role == CTF_NO_ROLE || role == CTF_CPU)
            members[count++] = *m;
    }
    return ctf_struct_set_members(t, c, members, count) == 0 ? c : NULL;
}

static struct ctf_out_class *find_class(struct ctf_sink *s, struct ctf_out_trace *t,
                                        const struct ctf_stream_layout *from)
{
    const struct ctf_class *extra, *common, *context = from->class->common_context;
    for (size_t i = 0; i < t->class_count; ++i)
        if (t->classes[i]->source == from)
            return t->classes[i];
    extra = visible_fields(&t->model, from->class->packet_context);
    common = visible_fields(&t->model, context);
    if (extra == NULL || s->out.dialect->adapt(&t->model, t->source, extra, &extra) != 0)
        return NULL;
    if (common == NULL || s->out.dialect->adapt(&t->model, t->source, common, &common) != 0)
        return NULL;
    if (common != NULL && common->u.structure.count == 0)
        common = NULL;
    struct ctf_out_class *c =
        ctf_out_add_class(t, clock_of(t, from), from->class->name, from->class->event_count, extra, common);
    if (c == NULL)
        return NULL;
    c->source = from;
    c->lacks_packet_fields = extra == NULL;
    return c;
}

/* --- streams --------------------------------------------------------------------------------------- */

static int add_stream(struct ctf_sink *s, const struct trace_event *event, struct ctf_out_stream **out)
{
    const struct ctf_event_layout *layout = event->record->type->layout;
    uint64_t number = (uint32_t)event->origin->stream, lost;
    struct ctf_out_trace *t = find_trace(s, layout->trace);
    struct ctf_out_class *class = t != NULL ? find_class(s, t, layout->stream) : NULL;
    *out = class != NULL ? ctf_out_add_stream(class, event->record->file) : NULL;
    if (*out == NULL)
        return TRACE_ERR_MEMORY;
    (*out)->source = event->record->packet;
    int rc = int_map_set(&s->sources, number, (uintptr_t)*out);
    if (rc == 0 && int_map_get(&s->losses, number, &lost)) {
        (*out)->discarded = lost;
        int_map_remove(&s->losses, number);
    }
    return rc;
}

static int look_up_stream(struct ctf_sink *s, const struct trace_event *event, struct ctf_out_stream **out)
{
    uint64_t number = (uint32_t)event->origin->stream, found;
    struct ctf_recent_stream *recent = &s->recent_streams[number % CTF_RECENT_STREAMS];
    int rc = 0;
    *out = recent->stream;
    if (recent->number == number && recent->stream != NULL)
        return 0;
    if (int_map_get(&s->sources, number, &found))
        *out = (struct ctf_out_stream *)(uintptr_t)found;
    else
        rc = add_stream(s, event, out);
    if (rc == 0)
        *recent = (struct ctf_recent_stream){number, *out};
    return rc;
}

/* Packets begin where they do in the source. */
static int find_stream(struct ctf_sink *s, const struct trace_event *event, struct ctf_out_stream **out)
{
    int rc = look_up_stream(s, event, out);
    if (rc != 0)
        return rc;
    if ((*out)->source == event->record->packet)
        return 0;
    (*out)->source = event->record->packet;
    return ctf_out_end_packet(*out);
}

/* --- event classes --------------------------------------------------------------------------------- */

static void describe(struct ctf_out_event *e, const struct ctf_event_layout *layout)
{
    e->class->log_level = layout->class->log_level;
    e->class->emf_uri = layout->class->emf_uri;
}

/* Returns the alignment that the source's bits need to be written as they are; 0: the fields are written in
 * another way. */
static uint64_t find_align(const struct ctf_out_class *c, const struct ctf_out_event *e,
                           const struct ctf_event_layout *layout)
{
    uint64_t align = 8;
    return ctf_program_writes_same(&layout->stream->common_context, &c->common_context, &align) &&
                   ctf_program_writes_same(&layout->specific_context, &e->specific, &align) &&
                   ctf_program_writes_same(&layout->payload, &e->payload, &align)
               ? align
               : 0;
}

/* *out is NULL if the dialect has no such class. */
static int adapt_event(struct ctf_sink *s, struct ctf_out_class *c, const struct ctf_event_layout *layout,
                       struct ctf_out_event **out)
{
    const struct ctf_class *specific = layout->class->context, *payload = layout->class->payload;
    const struct ctf_class *contexts[] = {specific, payload}, *made[] = {NULL, NULL};
    bool can = !c->lacks_packet_fields &&
               (c->class->common_context != NULL || layout->stream->class->common_context == NULL);
    *out = NULL;
    for (int i = 0; i < 2; ++i) {
        if (contexts[i] == NULL)
            continue;
        if (s->out.dialect->adapt(&c->trace->model, c->trace->source, contexts[i], &made[i]) != 0)
            return TRACE_ERR_MEMORY;
        can = can && made[i] != NULL;
    }
    int rc = can ? ctf_out_add_event(c, layout->class->name, made[0], made[1], out) : 0;
    if (rc == 0 && can) {
        describe(*out, layout);
        (*out)->copied_align = find_align(c, *out, layout);
    }
    return rc == TRACE_ERR_FORMAT || rc == TRACE_ERR_UNSUPPORTED ? 0 : rc;
}

static int add_members(struct ctf_sink *s, struct ctf_fields *f, const struct trace_value *scope)
{
    if (scope->type != TRACE_STRUCT)
        return 0;
    (void)s;
    for (uint64_t i = 0; i < scope->count; ++i)
        ctf_fields_add(f, scope->sig.structure->members[i], scope->u.items[i]);
    return 0;
}

static uint32_t members_of(const struct trace_value *scope)
{
    return scope->type == TRACE_STRUCT ? (uint32_t)scope->count : 0;
}

/* A class of the values: contexts become one, and what the dialect lacks of a packet's a part of it. */
static int make_event(struct ctf_sink *s, struct ctf_out_class *c, const struct ctf_event_layout *layout,
                      struct ctf_out_values *values, struct ctf_out_event **out)
{
    struct trace_value *scopes = values->scopes;
    bool has_common = c->class->common_context != NULL;
    struct ctf_fields contexts, payload, none = {.names = NULL};
    arena_reset(&s->scratch);
    int rc = ctf_out_values_read(values);
    if (rc == 0)
        rc = ctf_fields_init(&contexts, s,
                             members_of(&scopes[TRACE_SCOPE_PACKET]) +
                                 members_of(&scopes[TRACE_SCOPE_COMMON]) +
                                 members_of(&scopes[TRACE_SCOPE_SPECIFIC]));
    if (rc == 0)
        rc = ctf_fields_init(&payload, s, members_of(&scopes[TRACE_SCOPE_PAYLOAD]));
    if (rc != 0)
        return rc;
    if (c->lacks_packet_fields)
        add_members(s, &contexts, &scopes[TRACE_SCOPE_PACKET]);
    if (!has_common)
        add_members(s, &contexts, &scopes[TRACE_SCOPE_COMMON]);
    add_members(s, &contexts, &scopes[TRACE_SCOPE_SPECIFIC]);
    add_members(s, &payload, &scopes[TRACE_SCOPE_PAYLOAD]);
    rc = ctf_sink_find_event(s, c, layout->class->name, &contexts, &payload, &none, out);
    if (rc == 0)
        describe(*out, layout);
    scopes[TRACE_SCOPE_SPECIFIC] = ctf_fields_value(&contexts);
    scopes[TRACE_SCOPE_PAYLOAD] = ctf_fields_value(&payload);
    return rc;
}

static int find_event(struct ctf_sink *s, struct ctf_out_class *c, const struct ctf_event_layout *layout,
                      struct ctf_out_values *values, struct ctf_out_event **out)
{
    struct ctf_recent_event *recent = &s->recent_events[layout->number % CTF_RECENT_EVENTS];
    uint64_t known;
    *out = recent->event;
    if (recent->layout == layout)
        return 0;
    if (!int_map_get(&s->copied, (uintptr_t)layout, &known)) {
        int rc = adapt_event(s, c, layout, out);
        if (rc == 0)
            rc = int_map_set(&s->copied, (uintptr_t)layout, (uintptr_t)*out);
        if (rc != 0)
            return rc;
        known = (uintptr_t)*out;
    }
    *out = (struct ctf_out_event *)(uintptr_t)known;
    if (*out == NULL)
        return make_event(s, c, layout, values, out);
    *recent = (struct ctf_recent_event){layout, *out};
    return 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

int ctf_sink_copy(struct ctf_sink *s, const struct trace_event *event)
{
    const struct ctf_event_layout *layout = event->record->type->layout;
    struct ctf_out_values values;
    struct ctf_out_stream *stream;
    struct ctf_out_event *class;
    int rc = find_stream(s, event, &stream);
    if (rc != 0)
        return rc;
    memcpy(values.scopes, event->record->scopes, sizeof values.scopes);
    values.bits = event->record->bits;
    values.is_deferred = event->record->is_deferred;
    rc = find_event(s, stream->class, layout, &values, &class);
    if (rc != 0)
        return rc;
    values.align = class->copied_align;
    if (values.align == 0) {
        if ((rc = ctf_out_values_read(&values)) != 0)
            return rc;
        values.bits = NULL;
    }
    bool has_ticks = s->out.dialect->has_clocks || event->time == TRACE_NO_TIME || event->time < 0;
    uint64_t time = has_ticks ? event->ticks : (uint64_t)event->time;
    if (time < stream->end) {
        s->time.backward++;
        time = stream->end;
    }
    return ctf_out_put(stream, class, time, &values);
}

int ctf_sink_copy_loss(struct ctf_sink *s, const struct trace_event *event)
{
    uint64_t number = (uint32_t)event->origin->stream, found = 0;
    const struct trace_loss *loss = &event->u.loss;
    if (int_map_get(&s->sources, number, &found))
        return ctf_out_lose((struct ctf_out_stream *)(uintptr_t)found, loss->count, loss->packets);
    int_map_get(&s->losses, number, &found);
    return int_map_set(&s->losses, number, found + loss->count);
}

void ctf_sink_end_copy(struct ctf_sink *s)
{
    for (size_t i = 0; i < s->losses.cap; ++i)
        if (s->losses.slots[i].state == INT_MAP_USED)
            trace_sink_leave_out(&s->base, "loss", 1);
}
