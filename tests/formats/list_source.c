/* SPDX-License-Identifier: MIT */
#include "cmocka_all.h"
#include "list_source.h"

#include "base/error.h"

static int list_next(struct trace_source *source, struct trace_event *out)
{
    struct list_source *s = (struct list_source *)source;
    if (s->next == s->count) {
        int rc = s->rc;
        s->rc = 0;
        *out = (struct trace_event){.kind = TRACE_EVENT_END};
        return rc == 0 ? 0 : trace_error_set(rc, "the list says so");
    }
    *out = s->events[s->next++];
    s->held++;
    return 0;
}

static void list_release(struct trace_source *source, const struct trace_event *event)
{
    struct list_source *s = (struct list_source *)source;
    assert_int_not_equal(event->kind, TRACE_EVENT_END);
    assert_true(s->held > 0);
    s->held--;
}

static void list_close(struct trace_source *source)
{
    struct list_source *s = (struct list_source *)source;
    assert_int_equal(s->held, 0);
    if (s->closed != NULL)
        ++*s->closed;
}

static void list_resume_after_damage(struct trace_source *source)
{
    ((struct list_source *)source)->resumes = true;
}

static const struct trace_clock *list_clock(struct trace_source *source)
{
    return ((struct list_source *)source)->clock;
}

static const struct trace_source_ops ops = {.next = list_next,
                                            .release = list_release,
                                            .close = list_close,
                                            .resume_after_damage = list_resume_after_damage,
                                            .clock = list_clock};

struct trace_source *list_source_open(struct list_source *s, const struct trace_event *events, size_t count)
{
    *s = (struct list_source){.events = events, .count = count};
    s->base.ops = &ops;
    s->base.format_name = "list";
    s->base.order = TRACE_ORDER_TIME;
    return &s->base;
}

struct trace_call list_source_call(uint32_t thread)
{
    static const char *const arg_names[] = {"in", "out"};
    static const struct trace_function_sig sig = {.name = "f", .arg_count = 2, .arg_names = arg_names};
    return (struct trace_call){.sig = &sig, .thread = thread};
}

struct trace_event enter_of(const struct trace_call *call, uint64_t number, int64_t time)
{
    return (struct trace_event){.kind = TRACE_EVENT_ENTER, .number = number, .time = time, .call = call};
}

struct trace_event exit_of(const struct trace_call *call, uint64_t number, int64_t time)
{
    return (struct trace_event){.kind = TRACE_EVENT_EXIT, .number = number, .time = time, .call = call};
}

struct trace_event next_event(struct trace_source *s)
{
    struct trace_event event;
    assert_int_equal(trace_source_next(s, &event), 0);
    return event;
}

void expect_end(struct trace_source *s)
{
    assert_int_equal(next_event(s).kind, TRACE_EVENT_END);
    assert_int_equal(next_event(s).kind, TRACE_EVENT_END); /* the end is returned again */
}
