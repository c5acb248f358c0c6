/* SPDX-License-Identifier: MIT */
#include "collector/selection.h"

#include "base/clock.h"
#include "base/error.h"
#include "formats/apitrace/call_flags.h"
#include "process/function_names.h"
#include "records/shared_ring.h"

#include <stdlib.h>
#include <string.h>

#define DUMP    "trace-cli:dump"
#define WAIT_MS 1000 /* for records that were not published although their numbers are taken */

/* Calls with one of these flags do not change what later calls do. */
#define NO_STATE (TRACE_CALL_RENDER | TRACE_CALL_NO_SIDE_EFFECTS | TRACE_CALL_END_FRAME | TRACE_CALL_VERBOSE)

struct selected_function {
    uint32_t flags; /* TRACE_CALL_* */
    bool is_known;
    bool is_wanted; /* by its name, or its kind */
};

/* The program is told, which has recorded all calls of the function so far. */
static enum call_filter_class class_of(const struct selection *s, const struct spec_function *f,
                                       const struct selected_function *known)
{
    if ((known->flags & TRACE_CALL_MARKER) != 0 || (f->flags & SPEC_FUNCTION_END_FRAME) != 0 ||
        (s->options->state && (known->flags & NO_STATE) == 0))
        return CALL_FILTER_ALWAYS;
    return known->is_wanted ? CALL_FILTER_WANTED : CALL_FILTER_UNWANTED;
}

/* Does the set only name kinds of calls, whatever their numbers are? */
static bool has_kinds_only(const struct trace_call_set *calls)
{
    bool only = calls->count > 0;
    for (size_t i = 0; i < calls->count; ++i) {
        const struct trace_call_range *r = &calls->ranges[i];
        only = only && r->first == 0 && r->last == UINT64_MAX && r->step == 1;
    }
    return only;
}

static bool has_wanted_name(const struct selection_options *o, const struct spec_function *f)
{
    return o->functions == NULL || function_names_have(o->functions, spec_string(f->name));
}

static const struct selected_function *look_up(struct selection *s, const struct spec_function *f)
{
    struct selected_function *known = &s->functions[f->id];
    if (!known->is_known) {
        known->flags = trace_call_flags(spec_string(f->name));
        known->is_wanted = has_wanted_name(s->options, f) &&
                           (!s->has_kinds || trace_call_set_contains(s->options->calls, 0, known->flags));
        known->is_known = true;
        s->markers[f->id] = (known->flags & TRACE_CALL_MARKER) != 0;
        atomic_store_explicit(&s->segment->filter.classes[f->id], class_of(s, f, known),
                              memory_order_relaxed);
    }
    return known;
}

/* Reads calls with or without recording from now on. */
static void switch_to(struct selection *s, bool records)
{
    const struct selection_options *o = s->options;
    bool all = o->frames == NULL && o->calls == NULL && o->functions == NULL;
    s->records = records;
    s->encoder->takes_all = all && records;
}

static bool contains(const uint8_t *body, const uint8_t *end, const char *text)
{
    return memmem(body, (size_t)(end - body), text, strlen(text)) != NULL;
}

/* With a set of numbers, all calls are counted, so the program records them all. */
static bool program_leaves_out(const struct selection *s)
{
    return s->options->calls == NULL || s->has_kinds;
}

/* Is the call a marker that starts or stops the recording? It is in the trace itself. The program has obeyed
 * it before it recorded it. What the user has said meanwhile comes later. */
static bool obeys_marker(struct selection *s, const struct spec_function *f, const uint8_t *body,
                         const uint8_t *end)
{
    if (!call_filter_is_marker(f->id))
        return false;
    enum call_filter_word word = call_filter_read_marker(body, (size_t)(end - body));
    s->wants_dump |= contains(body, end, DUMP);
    if (word == CALL_FILTER_NOTHING)
        return false;
    s->markers_read++;
    switch_to(s, word == CALL_FILTER_START);
    bool last = s->told;
    if (!s->pending && atomic_compare_exchange_strong(s->recording, &last, s->records)) {
        s->told = s->records;
        atomic_store(&s->settled, s->records);
        if (program_leaves_out(s))
            call_filter_agree(&s->segment->filter, s->markers_read, !s->records);
    }
    return true;
}

static bool wants(void *context, const struct spec_function *f, uint64_t number, const uint8_t *body,
                  const uint8_t *end)
{
    struct selection *s = context;
    const struct selection_options *o = s->options;
    const struct selected_function *known = look_up(s, f);
    if ((known->flags & TRACE_CALL_MARKER) != 0 && obeys_marker(s, f, body, end))
        return true;
    if (o->calls != NULL && number == o->calls->last)
        call_filter_change(&s->segment->filter, CALL_FILTER_OVER, 0); /* and is counted no more */
    bool wanted = s->records && known->is_wanted &&
                  (o->frames == NULL ||
                   trace_call_set_contains(o->frames, s->encoder->ended_frames, TRACE_CALL_END_FRAME)) &&
                  (o->calls == NULL || trace_call_set_contains(o->calls, number, known->flags));
    return wanted || (o->state && (known->flags & NO_STATE) == 0);
}

/* Leaves it to the consumer if there are too many ranges. */
static void tell_frames(struct call_filter *filter, const struct trace_call_set *frames)
{
    struct call_filter_range ranges[CALL_FILTER_RANGES];
    uint32_t count = 0;
    for (size_t i = 0; i < frames->count; ++i) {
        const struct trace_call_range *r = &frames->ranges[i];
        if (r->flags != 0 && (r->flags & TRACE_CALL_END_FRAME) == 0)
            continue;
        if (count == CALL_FILTER_RANGES)
            return;
        ranges[count++] = (struct call_filter_range){r->first, r->last, r->step};
    }
    if (count > 0)
        call_filter_set_frames(filter, ranges, count);
    else
        call_filter_change(filter, CALL_FILTER_OVER, 0);
}

/* The process has not recorded anything so far. */
static void tell_program(const struct selection *s)
{
    const struct selection_options *o = s->options;
    struct call_filter *filter = &s->segment->filter;
    if (!program_leaves_out(s))
        return;
    if (o->frames != NULL)
        tell_frames(filter, o->frames);
    call_filter_change(filter,
                       (o->functions != NULL || s->has_kinds ? CALL_FILTER_FUNCTIONS : 0) |
                           (s->records ? 0 : CALL_FILTER_STOPPED),
                       0);
    atomic_store(&filter->obeys_markers, 1);
}

int selection_init(struct selection *s, const struct selection_options *options, _Atomic bool *recording,
                   struct record_encoder *encoder, struct segment_control *segment)
{
    *s = (struct selection){
        .options = options, .recording = recording, .encoder = encoder, .segment = segment};
    s->has_kinds = options->calls != NULL && has_kinds_only(options->calls);
    s->functions = calloc(spec_function_count, sizeof *s->functions);
    s->markers = calloc(spec_function_count, sizeof *s->markers);
    if (s->functions == NULL || s->markers == NULL) {
        selection_fini(s);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    /* Each function is looked up when its first call comes: all of them would take milliseconds, for which
     * the program waits. */
    for (unsigned i = 0; i < spec_function_count; ++i)
        s->markers[i] = true;
    encoder->selection = options->text;
    record_encoder_set_selector(encoder, wants, s->markers, s);
    s->told = atomic_load(recording);
    atomic_store(&s->settled, s->told);
    switch_to(s, s->told);
    tell_program(s);
    return 0;
}

void selection_fini(struct selection *s)
{
    free(s->functions);
    free(s->markers);
    s->functions = NULL;
    s->markers = NULL;
}

static void tell_recording(const struct selection *s)
{
    if (program_leaves_out(s))
        call_filter_change(&s->segment->filter, s->told ? 0 : CALL_FILTER_STOPPED,
                           s->told ? CALL_FILTER_STOPPED : 0);
}

/* Before a stop is settled, the program is told already, so that nothing more comes. Before a start is
 * settled, nothing is taken that was called before. */
void selection_update(struct selection *s, uint64_t read)
{
    bool recording = atomic_load(s->recording);
    if (recording != s->told) {
        s->told = recording;
        s->pending = true;
        atomic_store(&s->settled, -1);
        if (!recording)
            tell_recording(s);
        s->until = atomic_load(&s->segment->next_order);
        s->deadline = clock_milliseconds() + WAIT_MS;
    }
    if (!s->pending || (read < s->until && clock_milliseconds() < s->deadline))
        return;
    s->pending = false;
    switch_to(s, recording);
    tell_recording(s);
    atomic_store(&s->settled, recording);
}

bool selection_is_settled(const struct selection *s)
{
    return atomic_load(&s->settled) == (int)atomic_load(s->recording);
}
