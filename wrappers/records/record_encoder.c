/* SPDX-License-Identifier: MIT */
#include "records/record_encoder.h"

#include "base/error.h"
#include "records/plain_records.h"

#include <stdlib.h>

/* Builds the signature from the tables when the function first occurs. */
static const struct trace_function_sig *function_sig(struct record_encoder *e, const struct spec_function *f)
{
    struct trace_function_sig *sig = &e->functions[f->id];
    if (sig->name == NULL) {
        const char **names = malloc((f->param_count + 1u) * sizeof *names);
        if (names == NULL) {
            e->values.events.failed = true;
            static const struct trace_function_sig none = {.name = ""};
            return &none;
        }
        for (unsigned i = 0; i < f->param_count; ++i)
            names[i] = spec_string(spec_param(f, i)->name);
        *sig = (struct trace_function_sig){
            .id = f->id, .name = spec_string(f->name), .arg_count = f->param_count, .arg_names = names};
        plain_encoder_learn(e, f);
    }
    return sig;
}

/* Returns the value of the argument that decides what other arguments mean. A function has at most one. */
static int64_t selector_of(const struct spec_function *f, const union spec_arg *args)
{
    for (unsigned i = 0; i < f->param_count; ++i)
        if (spec_param(f, i)->selector != SPEC_NO_INDEX)
            return args[spec_param(f, i)->selector].i;
    return 0;
}

void record_encoder_set_selector(struct record_encoder *e, record_selector selector, const bool *watched,
                                 void *context)
{
    e->watched = watched;
    e->selector = selector;
    e->selector_context = context;
}

/* Returns true if the selector rejects the call. It is then only noted on the stack of its thread. */
static bool leave_out(struct record_encoder *e, struct record_thread *t, const struct spec_function *f,
                      const uint8_t *body, const uint8_t *end)
{
    if (e->selector == NULL || (e->takes_all && !e->watched[f->id]) ||
        e->selector(e->selector_context, f, e->entered++, body, end))
        return false;
    record_thread_enter(t, RECORD_LEFT_OUT, f->id, 0);
    return true;
}

int record_begin_enter(struct record_encoder *e, struct record_thread *t, const struct record *r,
                       struct record_cursor *c, const union spec_arg **args)
{
    const struct spec_function *f = &spec_functions[r->function];
    /* Markers in pieces are not obeyed, here as in the program. */
    if (leave_out(e, t, f, c->at, (r->flags & RECORD_OPEN) != 0 ? c->at : c->end))
        return 1;
    if (!record_take_words(c, f->param_count, args))
        return record_bad();
    uint32_t flags = (r->flags & RECORD_FAKE) != 0 ? TRACE_CALL_FAKE : 0;
    trace_encode_enter(&e->values.events, t->number, function_sig(e, f), flags);
    if (t->stacks != NULL && flags == 0)
        ring_stacks_encode(t->stacks, &e->frames, f->id, &e->values.events);
    e->values.selector = selector_of(f, *args);
    return 0;
}

uint64_t record_end_enter(struct record_encoder *e, struct record_thread *t, uint16_t function)
{
    trace_encode_end(&e->values.events);
    record_thread_enter(t, e->next_call, function, e->values.selector);
    return e->next_call++;
}

/* *call receives the number of the call. */
static int encode_enter(struct record_encoder *e, struct record_thread *t, const struct record *r,
                        const struct spec_function *f, struct record_cursor *c, uint64_t *call)
{
    const union spec_arg *args;
    int rc = record_begin_enter(e, t, r, c, &args);
    if (rc != 0)
        return rc > 0 ? 0 : rc;
    bool scalar = (f->flags & SPEC_FUNCTION_SCALAR) != 0;
    if (scalar)
        record_encode_scalar_arguments(&e->values, f, args);
    for (unsigned i = 0; !scalar && i < f->param_count && rc == 0; ++i)
        if ((spec_param(f, i)->flags & SPEC_PARAM_OUT) == 0 || record_is_scalar(spec_param(f, i)))
            rc = record_encode_argument(&e->values, f, i, args[i], c);
    *call = record_end_enter(e, t, f->id);
    return rc;
}

/* Finds the call of f that a leave belongs to. Calls inside it, which were left by longjmp(), are dropped.
 * Returns false if there is no such call. */
static bool close_call(struct record_thread *t, const struct spec_function *f, uint64_t *number,
                       int64_t *selector)
{
    for (uint32_t i = t->depth; i > 0; --i) {
        if (t->open[i - 1].function == f->id) {
            t->depth = i - 1;
            *number = t->open[i - 1].call;
            *selector = t->open[i - 1].selector;
            return true;
        }
    }
    return false;
}

/* Input parameters, if they are included, replace those of the enter. */
static int encode_results(struct record_encoder *e, const struct spec_function *f, struct record_cursor *c,
                          bool with_inputs)
{
    union spec_arg returned = {.u = 0};
    if (!record_returns_nothing(f) && !record_take(c, &returned, sizeof returned))
        return record_bad();
    int rc = 0;
    unsigned count = with_inputs || (f->flags & SPEC_FUNCTION_HAS_OUT) != 0 ? f->param_count : 0;
    for (unsigned i = 0; i < count && rc == 0; ++i) {
        bool is_output = (spec_param(f, i)->flags & SPEC_PARAM_OUT) != 0;
        if (!(is_output || with_inputs) || record_is_scalar(spec_param(f, i)))
            continue;
        trace_encode_arg(&e->values.events, i);
        rc = record_encode_payload(&e->values, spec_param(f, i), c);
    }
    if (rc != 0 || record_returns_nothing(f))
        return rc;
    trace_encode_ret(&e->values.events);
    if (!record_is_scalar(&f->ret))
        return record_encode_payload(&e->values, &f->ret, c);
    record_encode_scalar(&e->values, &f->ret, returned);
    return 0;
}

int record_begin_leave(struct record_encoder *e, struct record_thread *t, const struct spec_function *f,
                       uint64_t *call)
{
    if (!close_call(t, f, call, &e->values.selector))
        return record_bad();
    if ((f->flags & SPEC_FUNCTION_END_FRAME) != 0)
        e->ended_frames++;
    if (*call != RECORD_LEFT_OUT)
        trace_encode_leave(&e->values.events, *call);
    return 0;
}

static int encode_leave(struct record_encoder *e, struct record_thread *t, const struct record *r,
                        const struct spec_function *f, struct record_cursor *c, uint64_t *call)
{
    int rc = record_begin_leave(e, t, f, call);
    if (rc != 0 || *call == RECORD_LEFT_OUT)
        return rc;
    rc = encode_results(e, f, c, (r->flags & RECORD_INPUTS) != 0);
    trace_encode_end(&e->values.events);
    return rc;
}

#define SEMANTIC_VERSION 6

void record_encode_header(struct record_encoder *e, const char *program, const char *arguments)
{
    const struct trace_property properties[] = {
        {"process.commandLine", arguments},
        {"process.name", program},
        {"trace.selection", e->selection},
    };
    trace_encode_header(&e->values.events, SEMANTIC_VERSION, properties, e->selection != NULL ? 3 : 2);
    e->stream_size = e->out.len;
}

void record_encoder_set_hooks(struct record_encoder *e, record_event_hook hook, record_plain_hook plain,
                              void *context)
{
    e->hook = hook;
    e->plain_hook = plain;
    e->plain_limit = hook == NULL || plain != NULL ? UINT64_MAX : 0;
    e->hook_context = context;
    e->values.events.wants_definitions = hook != NULL;
}

void record_tell_event(struct record_encoder *e, const struct record_encoded *encoded, uint64_t ticks)
{
    struct trace_raw_event *event = &e->event;
    if (e->hook == NULL)
        return;
    event->tag = encoded->kind == RECORD_ENTER ? TRACE_RAW_EVENT_ENTER : TRACE_RAW_EVENT_LEAVE;
    event->bytes = e->out.data + encoded->start;
    event->size = e->out.len - encoded->start + encoded->skipped;
    event->skipped = encoded->skipped;
    event->is_part = encoded->is_part;
    event->offset = encoded->offset;
    event->call = encoded->call;
    event->sig = &e->functions[encoded->function];
    event->thread = encoded->thread;
    event->time = TRACE_NO_TIME;
    event->definitions = e->values.events.definitions;
    event->definition_count = e->values.events.definition_count;
    e->hook(e->hook_context, event, ticks);
}

int record_encode(struct record_encoder *e, struct record_thread *t, const struct record *r, uint64_t ticks,
                  const uint8_t *body, const uint8_t *end)
{
    if (r->function >= spec_function_count)
        return record_bad();
    const struct spec_function *f = &spec_functions[r->function];
    struct record_cursor c = {body, end};
    plain_records_tell(e);
    size_t start = e->out.len;
    uint64_t call = 0;
    int rc =
        r->kind == RECORD_ENTER ? encode_enter(e, t, r, f, &c, &call) : encode_leave(e, t, r, f, &c, &call);
    if (e->values.events.failed)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: trace events");
    if (e->out.len > start) /* a record that does not fit may give no event */
        record_tell_event(e,
                          &(struct record_encoded){.kind = r->kind,
                                                   .function = r->function,
                                                   .thread = t->number,
                                                   .call = call,
                                                   .offset = e->stream_size,
                                                   .start = start},
                          ticks);
    e->stream_size += e->out.len - start;
    return rc;
}

int record_encoder_init(struct record_encoder *e)
{
    *e = (struct record_encoder){.plain_limit = UINT64_MAX, .takes_all = true};
    buf_init(&e->out);
    stack_frames_init(&e->frames);
    int rc = plain_encoder_init(&e->plain);
    if (rc == 0)
        rc = record_values_init(&e->values, &e->out);
    if (rc != 0)
        return rc;
    e->functions = calloc(spec_function_count, sizeof *e->functions);
    if (e->functions != NULL)
        return 0;
    record_encoder_fini(e);
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: signature tables");
}

void record_encoder_fini(struct record_encoder *e)
{
    for (unsigned i = 0; e->functions != NULL && i < spec_function_count; ++i)
        free((void *)e->functions[i].arg_names);
    free(e->functions);
    plain_encoder_fini(&e->plain);
    record_values_fini(&e->values);
    stack_frames_fini(&e->frames);
    buf_fini(&e->out);
    *e = (struct record_encoder){.next_call = 0};
}
