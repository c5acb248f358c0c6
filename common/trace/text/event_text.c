/* SPDX-License-Identifier: MIT */
#include "trace/text/event_text.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const char *or_unknown(const char *text)
{
    return text != NULL ? text : "?";
}

static __attribute__((format(printf, 2, 3))) int add(struct trace_call_text *f, const char *format, ...)
{
    char short_text[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(short_text, sizeof short_text, format, args);
    va_end(args);
    if (length < 0)
        return trace_error_set(TRACE_ERR_FORMAT, "cannot print an event");
    if ((size_t)length < sizeof short_text)
        return buf_append(&f->out, short_text, (size_t)length);
    int rc = buf_reserve(&f->out, (size_t)length + 1);
    if (rc != 0)
        return rc;
    va_start(args, format);
    vsnprintf((char *)f->out.data + f->out.len, (size_t)length + 1, format, args);
    va_end(args);
    f->out.len += (size_t)length;
    return 0;
}

/* Prints a moment like a call, with a word between the times and the rest of the line. The number and the
 * time are those of the event. */
static int add_moment(struct trace_call_text *f, const char *word, const struct trace_event *event)
{
    const bool has_times = f->style.times;
    struct trace_call call = *event->call;
    call.number = event->number;
    call.enter_time = event->time;
    call.leave_time = TRACE_NO_TIME;
    if (has_times)
        trace_call_text_add_times(f, &call);
    int rc = add(f, "%s", word);
    f->style.times = false;
    if (rc == 0)
        rc = trace_call_text_add(f, &call);
    f->style.times = has_times;
    return rc;
}

static int add_resource(struct trace_call_text *f, const struct trace_event *event)
{
    const struct trace_resource *r = &event->u.resource;
    const char *type = or_unknown(r->type != NULL ? r->type->name : NULL);
    int rc = add_moment(f, "", event);
    if (rc != 0)
        return rc;
    return event->kind == TRACE_EVENT_ALLOC
               ? add(f, "# allocated: %s 0x%" PRIx64 ", size %" PRIu64 "\n", type, r->id, r->size)
               : add(f, "# released: %s 0x%" PRIx64 "\n", type, r->id);
}

static int add_heap(struct trace_call_text *f, const struct trace_heap *heap)
{
    return add(f,
               "# heap: 0x%" PRIx64 "-0x%" PRIx64 ", arena %" PRIu64 ", ordblks %" PRIu64 ", smblks %" PRIu64
               ", hblks %" PRIu64 ", hblkhd %" PRIu64 ", usmblks %" PRIu64 ", fsmblks %" PRIu64
               ", uordblks %" PRIu64 ", fordblks %" PRIu64 ", keepcost %" PRIu64 "\n",
               heap->bottom, heap->top, heap->arena, heap->ordblks, heap->smblks, heap->hblks, heap->hblkhd,
               heap->usmblks, heap->fsmblks, heap->uordblks, heap->fordblks, heap->keepcost);
}

static int add_loss(struct trace_call_text *f, const struct trace_loss *loss)
{
    return loss->count == 0
               ? add(f, "# lost: events: %s\n", or_unknown(loss->reason))
               : add(f, "# lost: %" PRIu64 " events: %s\n", loss->count, or_unknown(loss->reason));
}

static int add_clock_reading(struct trace_call_text *f, const struct trace_event *event)
{
    const struct trace_clock_reading *reading = &event->u.clock_reading;
    const char *sign = reading->time < 0 ? "-" : "";
    uint64_t time = reading->time < 0 ? 0 - (uint64_t)reading->time : (uint64_t)reading->time;
    return add(f, "# %s clock: %s%" PRIu64 ".%09" PRIu64 " s\n", or_unknown(reading->name), sign,
               time / 1000000000, time % 1000000000);
}

/* The outermost function comes first. */
static int add_sum(struct trace_call_text *f, const struct trace_event *event)
{
    const struct trace_sum *sum = &event->u.sum;
    const struct trace_origin *origin = event->origin;
    int rc = origin != NULL && origin->thread >= 0 ? add(f, "# thread %" PRId64 ": ", origin->thread)
                                                   : add(f, "# ");
    for (uint32_t i = sum->depth; rc == 0 && i-- > 0;)
        rc = add(f, "%s%s", sum->path[i]->name, i > 0 ? "; " : ": ");
    return rc == 0 ? add(f, "%" PRIu64 " calls, %" PRIu64 " ticks\n", sum->count, sum->ticks) : rc;
}

static int add_fact(struct trace_call_text *f, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_RESOURCE_TYPE:
        return add(f, "# resource type %" PRIu32 ": %s\n", event->u.resource_type->id,
                   or_unknown(event->u.resource_type->name));
    case TRACE_EVENT_CONTEXT:
        return add(f, "# context %" PRIx32 ": %s\n", event->u.context.id, or_unknown(event->u.context.name));
    case TRACE_EVENT_TRACER:
        return add(f, "# tracing module %" PRIx32 ": %s %" PRIu32 ".%" PRIu32 "\n", event->u.tracer.id,
                   or_unknown(event->u.tracer.name), event->u.tracer.major, event->u.tracer.minor);
    case TRACE_EVENT_MAPPING:
        return add(f, "# mapped: 0x%" PRIx64 "-0x%" PRIx64 " %s\n", event->u.mapping.from,
                   event->u.mapping.to, or_unknown(event->u.mapping.path));
    case TRACE_EVENT_HEAP:
        return add_heap(f, event->u.heap);
    case TRACE_EVENT_ATTACHMENT:
        return add(f, "# attached: %s %s\n", or_unknown(event->u.attachment.name),
                   or_unknown(event->u.attachment.path));
    case TRACE_EVENT_LOSS:
        return add_loss(f, &event->u.loss);
    case TRACE_EVENT_CLOCK:
        return add_clock_reading(f, event);
    case TRACE_EVENT_SUM:
        return add_sum(f, event);
    case TRACE_EVENT_MARK:
        return add(f, "# mark: %s\n", or_unknown(event->u.text));
    default:
        return add(f, "# %s\n", or_unknown(event->u.text));
    }
}

int trace_event_text_add(struct trace_call_text *f, const struct trace_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return trace_call_text_add(f, event->call);
    case TRACE_EVENT_ENTER:
        return add_moment(f, "enter ", event);
    case TRACE_EVENT_EXIT:
        return add_moment(f, "exit ", event);
    case TRACE_EVENT_TAIL_EXIT:
        return add_moment(f, "tail exit ", event);
    case TRACE_EVENT_INSTANT:
        return add_moment(f, "instant ", event);
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
        return add_resource(f, event);
    case TRACE_EVENT_END:
        return 0;
    default:
        return add_fact(f, event);
    }
}
