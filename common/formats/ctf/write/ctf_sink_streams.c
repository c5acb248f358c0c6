/* SPDX-License-Identifier: MIT
 * The streams of events without classes: one for each thread, and one for what belongs to none.
 */
#include "formats/ctf/write/ctf_sink_streams.h"

#include "base/error.h"
#include "formats/ctf/ctf.h"
#include "formats/ctf/write/ctf_out_types.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What is known of a stream's events. */
enum known {
    KNOWS_PROCESS = 1,
    KNOWS_THREAD = 2,
    KNOWS_CPU = 4,
    IS_WIDE = 8, /* its process and thread do not fit into 32 bits */
};

/* --- the trace ------------------------------------------------------------------------------------- */

/* Names of properties that formats share, as LTTng calls them. */
static const char *environment_name(const struct ctf_sink *s, struct ctf_trace *t, const char *name)
{
    const char *copy = ctf_trace_copy_text(t, name, strlen(name)), *written = NULL;
    static const char *const shared[][2] = {{"process.name", "procname"}, {"process.id", "vpid"}};
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; ++i)
        if (strcmp(name, shared[i][0]) == 0)
            return shared[i][1];
    return copy != NULL && s->out.dialect->write_variable(t, copy, &written) == 0 ? written : NULL;
}

static int set_variable(struct ctf_trace *t, const char *name, const char *text, int64_t number)
{
    return ctf_trace_set_variable(t, &(struct ctf_variable){name, text, number});
}

static int add_property(const struct ctf_sink *s, struct ctf_trace *t, const struct trace_property *p)
{
    const char *name = environment_name(s, t, p->name),
               *text = ctf_trace_copy_text(t, p->value, strlen(p->value));
    char *end;
    if (name == NULL || text == NULL)
        return TRACE_ERR_MEMORY;
    int64_t number = strtoll(p->value, &end, 10);
    bool is_number = strcmp(name, "vpid") == 0 && *end == '\0' && end != p->value;
    return set_variable(t, name, is_number ? NULL : text, is_number ? number : 0);
}

/* Viewers take events for calls if LTTng's tracer of programs has written them. */
static int set_environment(struct ctf_sink *s, struct ctf_trace *t)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < s->options.property_count; ++i)
        rc = add_property(s, t, &s->options.properties[i]);
    if (rc == 0)
        rc = set_variable(t, "domain", "ust", 0);
    if (rc == 0)
        rc = set_variable(t, "tracer_name", "lttng-ust", 0);
    if (rc == 0)
        rc = set_variable(t, "tracer_major", NULL, 2);
    if (rc == 0)
        rc = set_variable(t, "tracer_minor", NULL, 13);
    return rc == 0 ? set_variable(t, CTF_WRITER, CTF_WRITER_NAME, 0) : rc;
}

/* The identity follows from what is known at the beginning, so that a trace is always written alike. */
static void set_uuid(struct ctf_sink *s, struct ctf_trace *t)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < s->options.property_count; ++i)
        for (const char *p = s->options.properties[i].value; *p != '\0'; ++p)
            hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    hash = (hash ^ (uint64_t)s->source_clock.wall_offset) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 16; ++i) {
        t->uuid[i] = (uint8_t)(hash >> 56);
        hash = (hash ^ (uint64_t)i) * UINT64_C(0x100000001b3);
    }
    t->uuid[6] = (uint8_t)(0x80 | (t->uuid[6] & 0x0f)); /* RFC 9562: version 8, which anyone may define */
    t->uuid[8] = (uint8_t)(0x80 | (t->uuid[8] & 0x3f));
    t->has_uuid = true;
}

static int begin_typed(struct ctf_sink *s)
{
    uint8_t order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? CTF_BIG_ENDIAN : CTF_LITTLE_ENDIAN;
    s->typed = ctf_out_add_trace(&s->out, order);
    if (s->typed == NULL)
        return TRACE_ERR_IO;
    set_uuid(s, &s->typed->model);
    struct ctf_clock *clock = s->time.clock = ctf_trace_add_clock(&s->typed->model);
    if (clock == NULL)
        return TRACE_ERR_MEMORY;
    clock->name = s->time.has_times ? "trace_clock" : CTF_EVENT_COUNT;
    clock->description =
        s->time.has_times ? "times of the trace" : "the trace has no times: the number of the event";
    if (s->time.has_times && s->source_clock.name != NULL)
        clock->description =
            ctf_trace_copy_text(&s->typed->model, s->source_clock.name, strlen(s->source_clock.name));
    return clock->description != NULL ? set_environment(s, &s->typed->model) : TRACE_ERR_MEMORY;
}

/* --- stream classes -------------------------------------------------------------------------------- */

static const struct ctf_class *make_extra(struct ctf_sink *s, uint32_t known)
{
    struct ctf_trace *t = &s->typed->model;
    struct ctf_class *c = ctf_trace_new_class(t, CTF_STRUCT, 1);
    const struct ctf_member member = {"cpu_id", "cpu_id", ctf_out_role(t, 32, 10, CTF_CPU, NULL)};
    if ((known & KNOWS_CPU) == 0)
        return NULL;
    return c != NULL && member.type != NULL && ctf_struct_set_members(t, c, &member, 1) == 0 ? c : NULL;
}

/* Viewers of call stacks ask for the thread and the name of the program. */
static const struct ctf_class *make_common(struct ctf_sink *s, uint32_t known)
{
    struct ctf_trace *t = &s->typed->model;
    struct ctf_out_members members = {.items = NULL};
    uint8_t size = (known & IS_WIDE) != 0 ? 64 : 32;
    if ((known & KNOWS_PROCESS) != 0)
        ctf_out_add_member(&members, t, s->out.dialect, "vpid", ctf_out_integer(t, size, true, 10));
    if ((known & KNOWS_THREAD) != 0) {
        ctf_out_add_member(&members, t, s->out.dialect, "vtid", ctf_out_integer(t, size, true, 10));
        ctf_out_add_member(&members, t, s->out.dialect, "procname", ctf_out_string(t));
    }
    return members.count > 0 || members.has_failed ? ctf_out_structure(&members, t) : NULL;
}

static struct ctf_out_class *find_class(struct ctf_sink *s, uint32_t known)
{
    for (size_t i = 0; i < s->typed->class_count; ++i)
        if (s->typed->classes[i]->known == known)
            return s->typed->classes[i];
    struct ctf_out_class *c = ctf_out_add_class(s->typed, s->time.clock, NULL, SIZE_MAX, make_extra(s, known),
                                                make_common(s, known));
    if (c != NULL)
        c->known = known;
    return c;
}

/* Metadata have at least one class of streams. */
int ctf_sink_begin_empty(struct ctf_sink *s)
{
    int rc = begin_typed(s);
    return rc == 0 && find_class(s, 0) == NULL ? TRACE_ERR_MEMORY : rc;
}

/* --- streams --------------------------------------------------------------------------------------- */

static uint32_t known_of(int64_t process, int64_t thread, int32_t cpu)
{
    bool is_wide = process > INT32_MAX || thread > INT32_MAX;
    return (process >= 0 ? KNOWS_PROCESS : 0) | (thread >= 0 ? KNOWS_THREAD : 0) |
           (cpu >= 0 ? KNOWS_CPU : 0) | (is_wide ? IS_WIDE : 0);
}

static int find_by_name(struct ctf_sink *s, int64_t process, int64_t thread, int32_t cpu,
                        struct ctf_out_stream **out)
{
    char name[64];
    uint64_t found;
    snprintf(name, sizeof name, "%" PRId64 " %" PRId64 " %d", process, thread, cpu >= 0);
    if (string_map_get(&s->by_thread, name, &found)) {
        *out = (struct ctf_out_stream *)(uintptr_t)found;
        return 0;
    }
    struct ctf_out_class *class = find_class(s, known_of(process, thread, cpu));
    *out = class != NULL ? ctf_out_add_stream(class, NULL) : NULL;
    return *out != NULL ? string_map_set(&s->by_thread, name, (uintptr_t)*out) : TRACE_ERR_MEMORY;
}

static int find(struct ctf_sink *s, const struct trace_event *event, struct ctf_out_stream **out)
{
    const struct trace_origin *o = event->origin;
    struct int_map *map = o != NULL ? &s->origins : &s->threads;
    uint64_t key = o != NULL ? (uintptr_t)o : event->call != NULL ? event->call->thread : UINT64_MAX, found;
    if (int_map_get(map, key, &found)) {
        *out = (struct ctf_out_stream *)(uintptr_t)found;
        return 0;
    }
    int64_t thread = o != NULL ? o->thread : event->call != NULL ? (int64_t)event->call->thread : -1;
    int rc = find_by_name(s, o != NULL ? o->process : -1, thread, o != NULL ? o->cpu : -1, out);
    return rc == 0 ? int_map_set(map, key, (uintptr_t)*out) : rc;
}

int ctf_sink_find_stream(struct ctf_sink *s, const struct trace_event *event, struct ctf_out_stream **out)
{
    int rc = s->typed == NULL ? begin_typed(s) : 0;
    if (rc == 0)
        rc = find(s, event, out);
    int32_t cpu = event->origin != NULL ? event->origin->cpu : -1;
    if (rc != 0 || (*out)->cpu == cpu)
        return rc;
    (*out)->cpu = cpu; /* packets tell the processor of all their events */
    return ctf_out_end_packet(*out);
}
