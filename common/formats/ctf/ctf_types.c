/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_types.h"

#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>

#define CLOCKS_MAX 1024 /* they are looked for one after the other */

void ctf_trace_init(struct ctf_trace *t)
{
    memset(t, 0, sizeof *t);
    arena_init(&t->arena);
}

void ctf_trace_fini(struct ctf_trace *t)
{
    for (size_t i = 0; i < t->stream_count; ++i) {
        free((void *)t->streams[i]->events);
        int_map_fini(&t->streams[i]->by_id);
    }
    free((void *)t->streams);
    free((void *)t->clocks);
    free((void *)t->variables);
    string_map_fini(&t->variable_names);
    int_map_fini(&t->stream_ids);
    arena_fini(&t->arena);
    memset(t, 0, sizeof *t);
}

/* --- building -------------------------------------------------------------------------------------- */

static void *new_zeroed(struct ctf_trace *t, size_t size)
{
    void *p = arena_alloc(&t->arena, size);
    if (p != NULL)
        memset(p, 0, size);
    return p;
}

/* Adds a pointer to a list, whose type of items differs. */
static int add_pointer(void *list, size_t *count, size_t *room, const void *item)
{
    const void **items;
    memcpy(&items, list, sizeof items);
    if (ARRAY_RESERVE(items, *count, *room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    items[(*count)++] = item;
    memcpy(list, &items, sizeof items);
    return 0;
}

struct ctf_class *ctf_trace_new_class(struct ctf_trace *t, enum ctf_kind kind, uint32_t align)
{
    struct ctf_class *c = new_zeroed(t, sizeof *c);
    if (c == NULL)
        return NULL;
    c->kind = (uint8_t)kind;
    c->align = align;
    return c;
}

char *ctf_trace_copy_text(struct ctf_trace *t, const char *text, size_t length)
{
    char *copy = arena_alloc(&t->arena, length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void ctf_clock_init(struct ctf_clock *clock)
{
    *clock = (struct ctf_clock){.frequency = 1000000000, .has_unix_origin = true};
}

struct ctf_clock *ctf_trace_add_clock(struct ctf_trace *t)
{
    struct ctf_clock *clock = NULL;
    if (t->clock_count == CLOCKS_MAX)
        trace_error_set(TRACE_ERR_FORMAT, "the metadata declare more than %d clocks", CLOCKS_MAX);
    else
        clock = new_zeroed(t, sizeof *clock);
    if (clock == NULL || add_pointer(&t->clocks, &t->clock_count, &t->clock_room, clock) != 0)
        return NULL;
    ctf_clock_init(clock);
    return clock;
}

struct ctf_stream_class *ctf_trace_add_stream(struct ctf_trace *t, uint64_t id)
{
    struct ctf_stream_class *stream = new_zeroed(t, sizeof *stream);
    if (stream == NULL || add_pointer(&t->streams, &t->stream_count, &t->stream_room, stream) != 0 ||
        int_map_set(&t->stream_ids, id, t->stream_count - 1) != 0)
        return NULL;
    stream->id = id;
    return stream;
}

struct ctf_event_class *ctf_stream_add_event(struct ctf_trace *t, struct ctf_stream_class *stream,
                                             uint64_t id)
{
    if (ctf_stream_find_event(stream, id) != NULL) {
        trace_error_set(TRACE_ERR_FORMAT, "event id %" PRIu64 " is declared twice in a stream", id);
        return NULL;
    }
    struct ctf_event_class *event = new_zeroed(t, sizeof *event);
    if (event == NULL ||
        add_pointer(&stream->events, &stream->event_count, &stream->event_room, event) != 0 ||
        int_map_set(&stream->by_id, id, stream->event_count - 1) != 0)
        return NULL;
    event->id = id;
    event->name = "";
    event->log_level = INT64_MIN;
    return event;
}

int ctf_trace_set_variable(struct ctf_trace *t, const struct ctf_variable *variable)
{
    struct ctf_variable *known = (struct ctf_variable *)ctf_trace_find_variable(t, variable->name);
    if (known == NULL) {
        if (ARRAY_RESERVE(t->variables, t->variable_count, t->variable_room) != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        if (string_map_set(&t->variable_names, variable->name, t->variable_count) != 0)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        known = (struct ctf_variable *)&t->variables[t->variable_count++];
    }
    *known = *variable;
    return 0;
}

int ctf_struct_set_members(struct ctf_trace *t, struct ctf_class *structure, const struct ctf_member *members,
                           size_t count)
{
    const struct ctf_member *copy = arena_copy(&t->arena, members, count * sizeof *members);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    structure->u.structure.members = copy;
    structure->u.structure.count = (uint32_t)count;
    for (size_t i = 0; i < count; ++i)
        if (members[i].type->align > structure->align)
            structure->align = members[i].type->align;
    return 0;
}

/* --- looking up ------------------------------------------------------------------------------------ */

struct ctf_clock *ctf_trace_find_clock(const struct ctf_trace *t, const char *name)
{
    for (size_t i = 0; i < t->clock_count; ++i)
        if (t->clocks[i]->name != NULL && strcmp(t->clocks[i]->name, name) == 0)
            return t->clocks[i];
    return NULL;
}

struct ctf_stream_class *ctf_trace_find_stream(const struct ctf_trace *t, uint64_t id)
{
    uint64_t index;
    return int_map_get(&t->stream_ids, id, &index) ? t->streams[index] : NULL;
}

struct ctf_event_class *ctf_stream_find_event(const struct ctf_stream_class *stream, uint64_t id)
{
    uint64_t index;
    return int_map_get(&stream->by_id, id, &index) ? stream->events[index] : NULL;
}

const struct ctf_variable *ctf_trace_find_variable(const struct ctf_trace *t, const char *name)
{
    uint64_t index;
    return string_map_get(&t->variable_names, name, &index) ? &t->variables[index] : NULL;
}

const struct ctf_member *ctf_struct_find_member(const struct ctf_class *structure, const char *name)
{
    const struct ctf_member *members = structure->u.structure.members, *found = NULL;
    for (uint32_t i = 0; i < structure->u.structure.count; ++i) {
        if (strcmp(members[i].written, name) == 0)
            return &members[i];
        if (found == NULL && strcmp(members[i].name, name) == 0)
            found = &members[i];
    }
    return found;
}

enum ctf_naming ctf_option_naming(const struct ctf_integer *selector, const struct ctf_option *option)
{
    for (uint32_t i = 0; i < selector->label_count; ++i)
        if (strcmp(selector->labels[i].name, option->written) == 0)
            return CTF_AS_WRITTEN;
    return CTF_AS_SEEN;
}

bool ctf_label_selects(const char *label, const struct ctf_option *option, enum ctf_naming naming)
{
    if (naming == CTF_AS_WRITTEN)
        return strcmp(label, option->written) == 0;
    return strcmp(label, option->name) == 0 || (label[0] == '_' && strcmp(label + 1, option->name) == 0);
}

uint8_t ctf_float_size(uint64_t exponent_digits, uint64_t mantissa_digits)
{
    static const struct {
        uint8_t exponent, mantissa, size;
    } formats[] = {{5, 11, 16}, {8, 24, 32}, {11, 53, 64}, {15, 113, 128}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (exponent_digits == formats[i].exponent && mantissa_digits == formats[i].mantissa)
            return formats[i].size;
    return 0;
}
