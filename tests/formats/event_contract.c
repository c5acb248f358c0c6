/* SPDX-License-Identifier: MIT */
#include "cmocka_all.h"
#include "event_contract.h"

#include "base/error.h"

#include <string.h>

#define HELD         4 /* number of events that are held at a time */
#define MOST_ORIGINS 16

/* A source that is being read. */
struct reading {
    struct trace_source *source;
    struct events_read read;
    bool is_sound;
    struct trace_event held[HELD];
    size_t held_count;
    const struct trace_origin *origins[MOST_ORIGINS];
    size_t origin_count;
};

void event_contract_check_error(int rc, const char *name)
{
    assert_true(rc == TRACE_ERR_FORMAT || rc == TRACE_ERR_TRUNCATED || rc == TRACE_ERR_DAMAGED ||
                rc == TRACE_ERR_UNSUPPORTED);
    const char *message = trace_error_message();
    if (strncmp(message, name, strlen(name)) != 0 || strchr(":/", message[strlen(name)]) == NULL)
        fail_msg("the message does not begin with the file's name: %s", message);
    assert_true(strlen(message) > strlen(name) + 2);
}

/* --- an event -------------------------------------------------------------------------------------- */

static void check_value(const struct trace_value *value)
{
    if (value->type == TRACE_STRING) {
        assert_non_null(value->u.string);
        assert_int_equal(value->u.string[value->count], '\0');
    }
}

static void check_call(const struct trace_call *call)
{
    assert_non_null(call);
    assert_non_null(call->sig);
    assert_true(strlen(call->sig->name) > 0);
    assert_true(call->arg_count >= call->sig->arg_count);
    for (uint32_t i = 0; i < call->sig->arg_count; ++i)
        assert_non_null(call->sig->arg_names[i]);
    for (uint32_t i = 0; i < call->arg_count; ++i)
        check_value(&call->args[i]);
    check_value(&call->ret);
    for (uint32_t i = 0; i < call->frame_count; ++i)
        assert_true(call->frames[i].line >= -1 && call->frames[i].offset >= -1);
}

static bool is_same_origin(const struct trace_origin *a, const struct trace_origin *b)
{
    return a->process == b->process && a->thread == b->thread && a->cpu == b->cpu && a->stream == b->stream &&
           a->contexts == b->contexts;
}

static bool is_known(const struct reading *r, const struct trace_origin *origin)
{
    for (size_t i = 0; i < r->origin_count; ++i)
        if (r->origins[i] == origin)
            return true;
    return false;
}

/* Equal origins have the same address. */
static void check_origin(struct reading *r, const struct trace_origin *origin)
{
    if (origin == NULL)
        return;
    for (size_t i = 0; i < r->origin_count; ++i)
        assert_true(origin == r->origins[i] || !is_same_origin(origin, r->origins[i]));
    if (r->origin_count == MOST_ORIGINS || is_known(r, origin))
        return;
    r->read.threads += origin->thread >= 0;
    r->origins[r->origin_count++] = origin;
}

static void check_declaration(const struct reading *r, const char *name)
{
    assert_non_null(name);
    assert_true(!r->is_sound || r->read.calls == 0);
}

static void check_event(struct reading *r, const struct trace_event *event)
{
    bool has_call = event->kind >= TRACE_EVENT_CALL && event->kind <= TRACE_EVENT_FREE;
    assert_true(event->kind > TRACE_EVENT_END && event->kind < TRACE_EVENT_KINDS);
    check_origin(r, event->origin);
    if (has_call)
        check_call(event->call);
    else
        assert_null(event->call);
    switch (event->kind) {
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        assert_non_null(event->u.resource.type);
        break;
    case TRACE_EVENT_RESOURCE_TYPE:
        check_declaration(r, event->u.resource_type->name);
        break;
    case TRACE_EVENT_CONTEXT:
        check_declaration(r, event->u.context.name);
        break;
    case TRACE_EVENT_MAPPING:
        check_declaration(r, event->u.mapping.path);
        break;
    case TRACE_EVENT_SUM:
        assert_true(event->u.sum.depth > 0);
        for (uint32_t i = 0; i < event->u.sum.depth; ++i)
            assert_true(strlen(event->u.sum.path[i]->name) > 0);
        break;
    case TRACE_EVENT_LOSS:
        assert_non_null(event->u.loss.reason);
        break;
    case TRACE_EVENT_MARK:
    case TRACE_EVENT_COMMENT:
        assert_non_null(event->u.text);
        break;
    default:
        break;
    }
    r->read.calls += has_call;
}

/* --- all of them ----------------------------------------------------------------------------------- */

/* Checks that what the oldest event points to is still valid, and releases it. */
static void release_oldest(struct reading *r)
{
    const struct trace_event *event = &r->held[0];
    if (event->call != NULL)
        check_call(event->call);
    trace_source_release(r->source, event);
    memmove(r->held, r->held + 1, --r->held_count * sizeof *r->held);
}

static void hold(struct reading *r, const struct trace_event *event)
{
    if (r->held_count == HELD)
        release_oldest(r);
    r->held[r->held_count++] = *event;
}

/* Returns whether there may be more events. */
static bool read_next(struct reading *r, const char *name)
{
    struct trace_event event;
    int rc = trace_source_next(r->source, &event);
    if (rc != 0) {
        assert_false(r->is_sound);
        event_contract_check_error(rc, name);
        r->read.has_failed = rc != TRACE_ERR_TRUNCATED && rc != TRACE_ERR_DAMAGED;
        r->read.losses += !r->read.has_failed;
        return !r->read.has_failed;
    }
    if (event.kind == TRACE_EVENT_END)
        return false;
    check_event(r, &event);
    ++r->read.events;
    hold(r, &event);
    return true;
}

struct events_read event_contract_read(struct trace_source *source, const char *name, size_t limit,
                                       bool is_sound)
{
    struct reading r = {.source = source, .is_sound = is_sound};
    struct trace_event event;
    while (read_next(&r, name))
        if (r.read.events + r.read.losses > limit)
            fail_msg("%s: it does not end", name);
    for (int i = 0; i < 2; ++i) { /* the end, or an error, is returned again */
        int rc = trace_source_next(source, &event);
        assert_true(r.read.has_failed ? rc != 0 : rc == 0 && event.kind == TRACE_EVENT_END);
    }
    while (r.held_count > 0)
        release_oldest(&r);
    return r.read;
}
