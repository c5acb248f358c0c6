/* SPDX-License-Identifier: MIT */
#include "trace/adaptors/adaptors.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "trace/source_ops.h"

#include <stdlib.h>
#include <string.h>

/* A source and its next event. */
struct input {
    struct trace_source *source;
    struct trace_event event; /* valid if has_event is set */
    bool has_event;
    bool ended;
    int64_t time;          /* time of the next event, or the last time before it that is known */
    struct int_map number; /* maps the source's numbers of calls that have not returned to the new ones */
};

/* An event that was handed out, in the form in which its source knows it. */
struct handed {
    struct trace_event event;
    struct input *from;
    struct handed *next; /* links free entries */
};

/* A merged resource type. */
struct own_type {
    struct trace_resource_type type;
    struct own_type *next; /* another type with the same digest */
};

struct merge {
    struct trace_source base;
    struct input *inputs;
    size_t count;
    struct handed *unused;
    uint64_t next_number;
    bool is_numbered;     /* next_number has been set from the number of the first event */
    struct int_map types; /* maps the addresses of the sources' resource types to the merged types */
    struct arena arena;   /* memory of the merged types */
    struct int_map own;   /* maps a digest of a type's members to the first merged type with it */
    uint32_t highest_id;  /* of the merged types */
    struct trace_clock clock;
};

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- choosing -------------------------------------------------------------------------------------- */

static int fill(struct input *in)
{
    if (in->has_event || in->ended)
        return 0;
    int rc = trace_source_next(in->source, &in->event);
    if (rc != 0)
        return rc;
    in->ended = in->event.kind == TRACE_EVENT_END;
    in->has_event = !in->ended;
    if (in->has_event && in->event.time != TRACE_NO_TIME)
        in->time = in->event.time;
    return 0;
}

/* Declarations have no call. They come before all events that have one. */
static bool is_before(const struct input *a, const struct input *b)
{
    bool a_declares = a->event.call == NULL, b_declares = b->event.call == NULL;
    return a_declares != b_declares ? a_declares : a->time < b->time;
}

/* *out is NULL if all sources have ended. */
static int choose(struct merge *m, struct input **out)
{
    *out = NULL;
    for (size_t i = 0; i < m->count; ++i) {
        struct input *in = &m->inputs[i];
        int rc = fill(in);
        if (rc != 0)
            return rc;
        if (in->has_event && (*out == NULL || is_before(in, *out)))
            *out = in;
    }
    return 0;
}

/* --- numbers --------------------------------------------------------------------------------------- */

/* Both ends of a call get the same number. */
static int find_number(struct merge *m, struct input *in, const struct trace_event *event, uint64_t *out)
{
    bool is_exit = event->kind == TRACE_EVENT_EXIT || event->kind == TRACE_EVENT_TAIL_EXIT;
    if (event->call == NULL) {
        *out = event->number;
        return 0;
    }
    if (is_exit && int_map_get(&in->number, event->number, out)) {
        int_map_remove(&in->number, event->number);
        return 0;
    }
    if (!m->is_numbered)
        m->next_number = event->number;
    m->is_numbered = true;
    *out = m->next_number++;
    return event->kind == TRACE_EVENT_ENTER ? int_map_set(&in->number, event->number, *out) : 0;
}

/* --- resource types -------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same_type(const struct trace_resource_type *a, const struct trace_resource_type *b)
{
    return is_same_text(a->name, b->name) && is_same_text(a->description, b->description) &&
           a->refcounted == b->refcounted && is_same_text(a->flags, b->flags);
}

static uint64_t add_to_digest(uint64_t digest, const char *text)
{
    digest = (digest ^ (text != NULL)) * UINT64_C(1099511628211);
    for (; text != NULL && *text != '\0'; ++text)
        digest = (digest ^ (uint8_t)*text) * UINT64_C(1099511628211);
    return digest;
}

static uint64_t digest_of(const struct trace_resource_type *type)
{
    uint64_t digest = add_to_digest(type->refcounted, type->name);
    return add_to_digest(add_to_digest(digest, type->description), type->flags);
}

static struct own_type *add_type(struct merge *m, const struct trace_resource_type *type, uint64_t digest,
                                 struct own_type *next)
{
    struct own_type *own = arena_alloc(&m->arena, sizeof *own);
    if (own == NULL)
        return NULL;
    *own = (struct own_type){.type = *type, .next = next};
    if (own->type.id <= m->highest_id)
        own->type.id = m->highest_id + 1;
    if (int_map_set(&m->own, digest, (uint64_t)(uintptr_t)own) != 0)
        return NULL;
    m->highest_id = own->type.id;
    return own;
}

/* Types of several sources with equal members become one type. The ids of others are made different. */
static int find_type(struct merge *m, const struct trace_resource_type **type)
{
    uint64_t key = (uint64_t)(uintptr_t)*type, address;
    if (*type == NULL)
        return 0;
    if (int_map_get(&m->types, key, &address)) {
        *type = (const struct trace_resource_type *)(uintptr_t)address;
        return 0;
    }
    uint64_t digest = digest_of(*type);
    struct own_type *first = NULL;
    if (int_map_get(&m->own, digest, &address))
        first = (struct own_type *)(uintptr_t)address;
    struct own_type *own = first;
    while (own != NULL && !is_same_type(&own->type, *type))
        own = own->next;
    if (own == NULL)
        own = add_type(m, *type, digest, first);
    if (own == NULL)
        return no_memory();
    *type = &own->type;
    return int_map_set(&m->types, key, (uint64_t)(uintptr_t)&own->type);
}

static int adapt_type(struct merge *m, struct trace_event *event)
{
    if (event->kind == TRACE_EVENT_RESOURCE_TYPE)
        return find_type(m, &event->u.resource_type);
    if (event->kind == TRACE_EVENT_ALLOC || event->kind == TRACE_EVENT_FREE)
        return find_type(m, &event->u.resource.type);
    return 0;
}

/* --- the source ------------------------------------------------------------------------------------ */

static int merge_next(struct trace_source *s, struct trace_event *out)
{
    struct merge *m = (struct merge *)s;
    struct input *in;
    int rc = choose(m, &in);
    *out = (struct trace_event){.kind = TRACE_EVENT_END};
    if (rc != 0 || in == NULL)
        return rc;
    struct handed *handed = m->unused != NULL ? m->unused : malloc(sizeof *handed);
    if (handed == NULL)
        return no_memory();
    if (handed == m->unused)
        m->unused = handed->next;
    handed->event = in->event;
    handed->from = in;
    in->has_event = false;
    *out = in->event;
    out->owner = handed;
    rc = find_number(m, in, &in->event, &out->number);
    if (rc == 0)
        rc = adapt_type(m, out);
    if (rc != 0)
        trace_source_release(s, out);
    return rc;
}

static void merge_release(struct trace_source *s, const struct trace_event *event)
{
    struct merge *m = (struct merge *)s;
    struct handed *handed = event->owner;
    trace_source_release(handed->from->source, &handed->event);
    handed->next = m->unused;
    m->unused = handed;
}

static void merge_close(struct trace_source *s)
{
    struct merge *m = (struct merge *)s;
    for (size_t i = 0; i < m->count; ++i) {
        struct input *in = &m->inputs[i];
        if (in->has_event)
            trace_source_release(in->source, &in->event);
        trace_source_close(in->source);
        int_map_fini(&in->number);
    }
    while (m->unused != NULL) {
        struct handed *handed = m->unused;
        m->unused = handed->next;
        free(handed);
    }
    int_map_fini(&m->types);
    arena_fini(&m->arena);
    int_map_fini(&m->own);
    free(m->inputs);
    free(m);
}

static void merge_resume_after_damage(struct trace_source *s)
{
    struct merge *m = (struct merge *)s;
    for (size_t i = 0; i < m->count; ++i)
        trace_source_resume_after_damage(m->inputs[i].source);
}

/* Counters of sources can only be compared if they have the same frequency. */
static const struct trace_clock *merge_clock(struct trace_source *s)
{
    struct merge *m = (struct merge *)s;
    const struct trace_clock *first = trace_source_clock(m->inputs[0].source);
    bool has_ticks = first != NULL && first->has_ticks;
    for (size_t i = 1; has_ticks && i < m->count; ++i) {
        const struct trace_clock *other = trace_source_clock(m->inputs[i].source);
        has_ticks = other != NULL && other->has_ticks && other->frequency == first->frequency;
    }
    if (first == NULL || has_ticks == first->has_ticks)
        return first;
    m->clock = *first;
    m->clock.has_ticks = false;
    return &m->clock;
}

static const struct trace_source_ops ops = {
    .next = merge_next,
    .release = merge_release,
    .close = merge_close,
    .resume_after_damage = merge_resume_after_damage,
    .clock = merge_clock,
};

static int give_up(struct trace_source **of, size_t count, struct merge *m, int rc)
{
    for (size_t i = 0; i < count; ++i)
        trace_source_close(of[i]);
    if (m != NULL)
        free(m->inputs);
    free(m);
    return rc;
}

int trace_merge_open(struct trace_source **out, struct trace_source **of, size_t count)
{
    struct merge *m = calloc(1, sizeof *m);
    if (m != NULL)
        m->inputs = calloc(count, sizeof *m->inputs);
    if (m == NULL || m->inputs == NULL)
        return give_up(of, count, m, no_memory());
    for (size_t i = 0; i < count; ++i) {
        int rc = trace_source_order(of[i]) == TRACE_ORDER_CALLS ? trace_source_split(of[i]) : 0;
        if (rc != 0)
            return give_up(of, count, m, rc);
        m->inputs[i].source = of[i];
        m->inputs[i].time = TRACE_NO_TIME; /* lower than any time */
    }
    arena_init(&m->arena);
    m->base = *of[0];
    m->base.ops = &ops;
    m->base.order = TRACE_ORDER_TIME;
    m->count = count;
    *out = &m->base;
    return 0;
}
