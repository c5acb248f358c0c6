/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/ctf_out.h"

#include "base/array.h"
#include "base/error.h"
#include "formats/ctf/decode/ctf_compile.h"

#include <stdio.h>
#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* The programs that those of an event may refer to. */
static struct ctf_compiler compiler_of(struct ctf_out_class *c)
{
    return (struct ctf_compiler){.trace = &c->trace->model,
                                 .is_for_writing = true,
                                 .slot_count = c->slot_count,
                                 .programs = {[CTF_PACKET_HEADER] = &c->packet_header,
                                              [CTF_PACKET_CONTEXT] = &c->packet_context,
                                              [CTF_EVENT_HEADER] = &c->event_header,
                                              [CTF_COMMON_CONTEXT] = &c->common_context}};
}

/* --- stream classes -------------------------------------------------------------------------------- */

static int compile_stream(struct ctf_out_class *c)
{
    struct ctf_compiler compiler = compiler_of(c);
    int rc = ctf_program_compile(&compiler, CTF_PACKET_HEADER, c->trace->model.packet_header);
    if (rc == 0)
        rc = ctf_program_compile(&compiler, CTF_PACKET_CONTEXT, c->class->packet_context);
    if (rc == 0)
        rc = ctf_program_compile(&compiler, CTF_EVENT_HEADER, c->class->event_header);
    if (rc == 0 && c->trace->out->dialect->put_event_header == NULL)
        ctf_short_header_init(&c->short_header, &c->event_header);
    if (rc == 0)
        rc = ctf_program_compile(&compiler, CTF_COMMON_CONTEXT, c->class->common_context);
    c->slot_count = compiler.slot_count;
    return rc;
}

/* Fields of packets, then those of events. */
static int join_contexts(struct ctf_out_class *c, const struct ctf_class **extra,
                         const struct ctf_class **common)
{
    struct ctf_trace *t = &c->trace->model;
    uint32_t first = (*extra)->u.structure.count, second = *common != NULL ? (*common)->u.structure.count : 0;
    struct ctf_class *both = ctf_trace_new_class(t, CTF_STRUCT, 1);
    struct ctf_member *members = arena_alloc(&t->arena, ((size_t)first + second) * sizeof *members);
    c->joined = calloc((size_t)first + second, sizeof *c->joined);
    if (both == NULL || members == NULL || c->joined == NULL)
        return no_memory();
    memcpy(members, (*extra)->u.structure.members, first * sizeof *members);
    if (second > 0)
        memcpy(members + first, (*common)->u.structure.members, second * sizeof *members);
    c->extra_count = first;
    *extra = NULL;
    *common = both;
    return ctf_struct_set_members(t, both, members, (size_t)first + second);
}

struct ctf_out_class *ctf_out_add_class(struct ctf_out_trace *t, const struct ctf_clock *clock,
                                        const char *name, size_t events, const struct ctf_class *extra,
                                        const struct ctf_class *common)
{
    struct ctf_out_class *c = calloc(1, sizeof *c);
    if (c == NULL || ARRAY_RESERVE(t->classes, t->class_count, t->class_room) != 0) {
        free(c);
        no_memory();
        return NULL;
    }
    c->trace = t;
    c->class = ctf_trace_add_stream(&t->model, t->class_count);
    t->classes[t->class_count++] = c;
    if (c->class == NULL ||
        (t->model.packet_header == NULL && t->out->dialect->set_packet_header(&t->model) != 0))
        return NULL;
    if (!t->out->dialect->has_packet_fields && extra != NULL && extra->u.structure.count > 0 &&
        join_contexts(c, &extra, &common) != 0)
        return NULL;
    c->class->name = name;
    c->class->clock = clock;
    c->class->common_context = common;
    if (t->out->dialect->set_stream_headers(&t->model, c->class, events, extra) != 0)
        return NULL;
    return compile_stream(c) == 0 ? c : NULL;
}

/* --- event classes --------------------------------------------------------------------------------- */

static int compile_event(struct ctf_out_class *c, struct ctf_out_event *e, const struct ctf_class *specific,
                         const struct ctf_class *payload)
{
    struct ctf_compiler compiler = compiler_of(c);
    compiler.programs[CTF_SPECIFIC_CONTEXT] = &e->specific;
    compiler.programs[CTF_PAYLOAD] = &e->payload;
    int rc = ctf_program_compile(&compiler, CTF_SPECIFIC_CONTEXT, specific);
    if (rc == 0)
        rc = ctf_program_compile(&compiler, CTF_PAYLOAD, payload);
    if (rc != 0)
        return rc;
    uint64_t *slots = realloc(c->trace->slots, ((size_t)UINT16_MAX + 1) * sizeof *slots);
    if (slots == NULL)
        return no_memory();
    c->trace->slots = slots;
    c->slot_count = compiler.slot_count;
    return 0;
}

static int add_event(struct ctf_out_class *c, const char *name, struct ctf_out_event *e)
{
    struct ctf_trace *model = &c->trace->model;
    if (ARRAY_RESERVE(c->events, c->event_count, c->event_room) != 0)
        return no_memory();
    e->class = ctf_stream_add_event(model, c->class, c->event_count);
    if (e->class == NULL || (e->class->name = ctf_trace_copy_text(model, name, strlen(name))) == NULL)
        return TRACE_ERR_MEMORY;
    c->events[c->event_count++] = e;
    return 0;
}

static void free_event(struct ctf_out_event *e)
{
    ctf_program_fini(&e->specific);
    ctf_program_fini(&e->payload);
    free(e);
}

int ctf_out_add_event(struct ctf_out_class *c, const char *name, const struct ctf_class *specific,
                      const struct ctf_class *payload, struct ctf_out_event **out)
{
    struct ctf_out_event *e = calloc(1, sizeof *e);
    if (e == NULL)
        return no_memory();
    int rc = compile_event(c, e, specific, payload);
    if (rc == 0)
        rc = add_event(c, name, e);
    if (rc != 0) {
        free_event(e);
        return rc;
    }
    e->class->context = specific;
    e->class->payload = payload;
    *out = e;
    return 0;
}

/* --- streams --------------------------------------------------------------------------------------- */

static bool is_taken(const struct ctf_out_trace *t, const char *path)
{
    for (size_t i = 0; i < t->stream_count; ++i)
        if (strcmp(t->streams[i]->path, path) == 0)
            return true;
    return false;
}

/* section: its files have its name and a number; NULL: names are free. */
static char *find_path(const struct ctf_out_trace *t, const char *section, const char *name)
{
    size_t size = strlen(t->path) + strlen(section != NULL ? section : name != NULL ? name : "") + 32;
    char *path = malloc(size);
    if (path == NULL)
        return NULL;
    if (section != NULL) {
        snprintf(path, size, "%s/%s_%zu", t->path, section, t->stream_count);
        return path;
    }
    if (name == NULL) {
        snprintf(path, size, "%s/stream_%05zu", t->path, t->stream_count);
        return path;
    }
    snprintf(path, size, "%s/%s", t->path, name);
    if (is_taken(t, path) || strcmp(name, "metadata") == 0)
        snprintf(path, size, "%s/%s_%05zu", t->path, name, t->stream_count);
    return path;
}

struct ctf_out_stream *ctf_out_add_stream(struct ctf_out_class *c, const char *name)
{
    struct ctf_out_trace *t = c->trace;
    struct ctf_out_stream *s = calloc(1, sizeof *s);
    char *path = find_path(t, c->class->file_name, name);
    if (s == NULL || path == NULL || ARRAY_RESERVE(t->streams, t->stream_count, t->stream_room) != 0) {
        free(s);
        free(path);
        no_memory();
        return NULL;
    }
    s->class = c;
    s->path = path;
    s->instance = t->stream_count;
    s->cpu = -1;
    t->streams[t->stream_count++] = s;
    return s;
}

void ctf_out_class_free(struct ctf_out_class *c)
{
    for (size_t i = 0; i < c->event_count; ++i)
        free_event(c->events[i]);
    free(c->events);
    ctf_program_fini(&c->packet_header);
    ctf_program_fini(&c->packet_context);
    ctf_program_fini(&c->event_header);
    ctf_program_fini(&c->common_context);
    free(c->joined);
    free(c);
}
