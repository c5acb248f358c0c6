/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_layout.h"

#include "base/error.h"
#include "formats/ctf/decode/ctf_compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BY_ID_MAX 65536 /* ids of events below it are found without a hash */

static const char *const process_names[] = {"vpid", "pid", NULL};
static const char *const thread_names[] = {"vtid", "tid", NULL};
static const char *const cpu_names[] = {"cpu_id", NULL};
static const char *const contexts_names[] = {"contexts", NULL};

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- times ----------------------------------------------------------------------------------------- */

uint64_t ctf_time_scale(uint64_t cycles, uint64_t frequency)
{
    unsigned __int128 scaled = (unsigned __int128)cycles * 1000000000 / frequency;
    return scaled > INT64_MAX ? INT64_MAX : (uint64_t)scaled;
}

int ctf_clock_offset(const struct ctf_clock *clock, int64_t *out)
{
    const __int128 billion = 1000000000;
    __int128 sum = clock->offset_s * billion + clock->offset * billion / clock->frequency;
    if (sum > INT64_MAX || sum <= INT64_MIN)
        return trace_error_set(TRACE_ERR_FORMAT, "the offset of the clock \"%s\" is more than 292 years",
                               clock->name != NULL ? clock->name : "");
    *out = (int64_t)sum;
    return 0;
}

/* Returns the clock that a type's integers are mapped to, or NULL. */
static const struct ctf_clock *find_clock(const struct ctf_program *p)
{
    for (uint32_t i = 0; i < p->count; ++i) {
        const struct ctf_class *type = p->classes[i];
        if (type->kind == CTF_INTEGER && type->u.integer.clock != NULL)
            return type->u.integer.clock;
    }
    return NULL;
}

static int set_time(struct ctf_stream_layout *s)
{
    s->clock = find_clock(&s->event_header);
    if (s->clock == NULL)
        s->clock = find_clock(&s->packet_context);
    if (s->clock == NULL)
        s->clock = s->class->clock;
    s->time.frequency = s->clock != NULL ? s->clock->frequency : 1000000000;
    return s->clock != NULL ? ctf_clock_offset(s->clock, &s->time.offset) : 0;
}

/* --- places of fields ------------------------------------------------------------------------------ */

static uint16_t find_member(const struct ctf_program *p, const char *const *names)
{
    if (p->count == 0)
        return CTF_NO_PLACE;
    const struct trace_struct_sig *sig = p->ops[0].u.structure;
    for (; *names != NULL; ++names)
        for (uint32_t i = 0; i < sig->count && i < CTF_NO_PLACE; ++i)
            if (strcmp(sig->members[i], *names) == 0)
                return (uint16_t)i;
    return CTF_NO_PLACE;
}

static struct ctf_place find_place(const struct ctf_stream_layout *s, const struct ctf_event_layout *e,
                                   const char *const *names)
{
    struct ctf_place place = {TRACE_SCOPE_SPECIFIC, find_member(&e->specific_context, names)};
    if (place.index == CTF_NO_PLACE)
        place = (struct ctf_place){TRACE_SCOPE_COMMON, find_member(&s->common_context, names)};
    return place;
}

/* --- events ---------------------------------------------------------------------------------------- */

static int init_event(struct ctf_layout *l, struct ctf_compiler *c, struct ctf_stream_layout *s,
                      struct ctf_event_layout *e)
{
    c->programs[CTF_SPECIFIC_CONTEXT] = &e->specific_context;
    c->programs[CTF_PAYLOAD] = &e->payload;
    int rc = ctf_program_compile(c, CTF_SPECIFIC_CONTEXT, e->class->context);
    if (rc == 0)
        rc = ctf_program_compile(c, CTF_PAYLOAD, e->class->payload);
    c->programs[CTF_SPECIFIC_CONTEXT] = c->programs[CTF_PAYLOAD] = NULL;
    if (rc != 0)
        return trace_error_prefix(rc, "event \"%s\"", e->class->name);
    e->sig = (struct trace_function_sig){.name = e->class->name[0] != '\0' ? e->class->name : "unnamed"};
    if (e->payload.count > 0) {
        e->sig.arg_count = e->payload.ops[0].visible;
        e->sig.arg_names = e->payload.ops[0].u.structure->members;
    }
    e->record = (struct trace_record_class){.name = e->class->name,
                                            .uri = e->class->emf_uri,
                                            .log_level = e->class->log_level,
                                            .environment = l->environment,
                                            .environment_count = l->trace->variable_count,
                                            .folder = l->trace->folder,
                                            .layout = e};
    e->trace = l->trace;
    e->stream = s;
    e->process = find_place(s, e, process_names);
    e->thread = find_place(s, e, thread_names);
    e->contexts = find_place(s, e, contexts_names);
    e->cpu = l->trace->dialect == CTF_RFC ? find_place(s, e, cpu_names)
                                          : (struct ctf_place){.index = CTF_NO_PLACE};
    return 0;
}

static int index_events(struct ctf_stream_layout *s)
{
    for (size_t i = 0; i < s->class->event_count; ++i)
        if (s->class->events[i]->id < BY_ID_MAX && s->class->events[i]->id >= s->by_id_count)
            s->by_id_count = s->class->events[i]->id + 1;
    s->by_id = calloc(s->by_id_count + 1, sizeof(struct ctf_event_layout *));
    if (s->by_id == NULL)
        return no_memory();
    for (size_t i = 0; i < s->class->event_count; ++i)
        if (s->class->events[i]->id < BY_ID_MAX)
            s->by_id[s->class->events[i]->id] = &s->events[i];
    return 0;
}

static int init_events(struct ctf_layout *l, struct ctf_compiler *c, struct ctf_stream_layout *s)
{
    s->events = calloc(s->class->event_count + 1, sizeof *s->events);
    if (s->events == NULL)
        return no_memory();
    for (size_t i = 0; i < s->class->event_count; ++i)
        s->events[i].class = s->class->events[i];
    int rc = index_events(s);
    for (size_t i = 0; rc == 0 && i < s->class->event_count; ++i)
        rc = init_event(l, c, s, &s->events[i]);
    return rc;
}

/* --- streams --------------------------------------------------------------------------------------- */

static void find_silent(struct ctf_stream_layout *s)
{
    ctf_program_find_silent(&s->common_context);
    for (size_t i = 0; s->events != NULL && i < s->class->event_count; ++i) {
        ctf_program_find_silent(&s->events[i].specific_context);
        ctf_program_find_silent(&s->events[i].payload);
    }
}

static int init_stream(struct ctf_layout *l, struct ctf_compiler *c, struct ctf_stream_layout *s)
{
    struct ctf_compiler own = {.trace = l->trace,
                               .slot_count = c->slot_count,
                               .programs = {[CTF_PACKET_HEADER] = &s->packet_header,
                                            [CTF_PACKET_CONTEXT] = &s->packet_context,
                                            [CTF_EVENT_HEADER] = &s->event_header,
                                            [CTF_COMMON_CONTEXT] = &s->common_context}};
    int rc = ctf_program_compile(&own, CTF_PACKET_HEADER, l->trace->packet_header);
    if (rc == 0)
        rc = ctf_program_compile(&own, CTF_PACKET_CONTEXT, s->class->packet_context);
    if (rc == 0)
        rc = ctf_program_compile(&own, CTF_EVENT_HEADER, s->class->event_header);
    if (rc == 0)
        rc = ctf_program_compile(&own, CTF_COMMON_CONTEXT, s->class->common_context);
    ctf_short_header_init(&s->short_header, &s->event_header);
    if (rc == 0)
        rc = set_time(s);
    if (rc == 0)
        rc = init_events(l, &own, s);
    find_silent(s);
    c->slot_count = own.slot_count;
    return rc == 0 ? 0 : trace_error_prefix(rc, "stream %" PRIu64, s->class->id);
}

static int make_environment(struct ctf_layout *l)
{
    const struct ctf_trace *t = l->trace;
    l->environment = calloc(t->variable_count + 1, sizeof *l->environment);
    if (l->environment == NULL)
        return no_memory();
    for (size_t i = 0; i < t->variable_count; ++i) {
        const struct ctf_variable *v = &t->variables[i];
        char number[24];
        int length = snprintf(number, sizeof number, "%" PRId64, v->number);
        l->environment[i].name = v->name;
        l->environment[i].value =
            v->text != NULL ? v->text : ctf_trace_copy_text(l->trace, number, (size_t)length);
        if (l->environment[i].value == NULL)
            return no_memory();
    }
    return 0;
}

int ctf_layout_init(struct ctf_layout *l, struct ctf_trace *trace)
{
    *l = (struct ctf_layout){.trace = trace};
    struct ctf_compiler c = {.trace = trace, .programs = {[CTF_PACKET_HEADER] = &l->packet_header}};
    l->streams = calloc(trace->stream_count + 1, sizeof *l->streams);
    int rc = l->streams != NULL ? make_environment(l) : no_memory();
    if (rc == 0)
        rc = ctf_program_compile(&c, CTF_PACKET_HEADER, trace->packet_header);
    for (size_t i = 0; l->streams != NULL && i < trace->stream_count; ++i)
        l->streams[i].class = trace->streams[i];
    for (size_t i = 0; rc == 0 && i < trace->stream_count; ++i)
        rc = init_stream(l, &c, &l->streams[i]);
    l->slot_count = c.slot_count;
    return rc;
}

static void fini_stream(struct ctf_stream_layout *s)
{
    for (size_t i = 0; s->events != NULL && i < s->class->event_count; ++i) {
        ctf_program_fini(&s->events[i].specific_context);
        ctf_program_fini(&s->events[i].payload);
    }
    ctf_program_fini(&s->packet_header);
    ctf_program_fini(&s->packet_context);
    ctf_program_fini(&s->event_header);
    ctf_program_fini(&s->common_context);
    free(s->events);
    free((void *)s->by_id);
}

void ctf_layout_fini(struct ctf_layout *l)
{
    if (l->trace == NULL)
        return;
    for (size_t i = 0; l->streams != NULL && i < l->trace->stream_count; ++i)
        fini_stream(&l->streams[i]);
    ctf_program_fini(&l->packet_header);
    free(l->streams);
    free(l->environment);
    memset(l, 0, sizeof *l);
}

struct ctf_stream_layout *ctf_layout_find_stream(const struct ctf_layout *l, uint64_t id)
{
    uint64_t index;
    return int_map_get(&l->trace->stream_ids, id, &index) ? &l->streams[index] : NULL;
}

struct ctf_event_layout *ctf_layout_find_event(const struct ctf_stream_layout *s, uint64_t id)
{
    uint64_t index;
    if (id < s->by_id_count)
        return s->by_id[id];
    return int_map_get(&s->class->by_id, id, &index) ? &s->events[index] : NULL;
}
