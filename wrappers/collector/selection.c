/* SPDX-License-Identifier: MIT */
#include "collector/selection.h"

#include "base/error.h"
#include "formats/apitrace/call_flags.h"
#include "process/function_names.h"

#include <stdlib.h>
#include <string.h>

#define START "trace-cli:start"
#define STOP  "trace-cli:stop"
#define DUMP  "trace-cli:dump"

/* Calls with one of these flags do not change what later calls do. */
#define NO_STATE (TRACE_CALL_RENDER | TRACE_CALL_NO_SIDE_EFFECTS | TRACE_CALL_END_FRAME | TRACE_CALL_VERBOSE)

struct selected_function {
    uint32_t flags; /* TRACE_CALL_* */
    bool is_known;
    bool is_wanted; /* by its name */
};

static const struct selected_function *look_up(struct selection *s, const struct spec_function *f)
{
    struct selected_function *known = &s->functions[f->id];
    const char *patterns = s->options->functions;
    if (!known->is_known) {
        known->flags = trace_call_flags(spec_string(f->name));
        known->is_wanted = patterns == NULL || function_names_have(patterns, spec_string(f->name));
        known->is_known = true;
        s->markers[f->id] = (known->flags & TRACE_CALL_MARKER) != 0;
    }
    return known;
}

static bool contains(const uint8_t *body, const uint8_t *end, const char *text)
{
    return memmem(body, (size_t)(end - body), text, strlen(text)) != NULL;
}

/* Is the call a marker that starts or stops the recording? It is in the trace itself. */
static bool obeys_marker(struct selection *s, const uint8_t *body, const uint8_t *end)
{
    bool starts = contains(body, end, START), stops = contains(body, end, STOP);
    s->wants_dump |= contains(body, end, DUMP);
    if (starts || stops) {
        atomic_store(s->recording, starts);
        selection_update(s);
    }
    return starts || stops;
}

static bool wants(void *context, const struct spec_function *f, uint64_t number, const uint8_t *body,
                  const uint8_t *end)
{
    struct selection *s = context;
    const struct selection_options *o = s->options;
    const struct selected_function *known = look_up(s, f);
    if ((known->flags & TRACE_CALL_MARKER) != 0 && obeys_marker(s, body, end))
        return true;
    bool wanted = atomic_load_explicit(s->recording, memory_order_relaxed) && known->is_wanted &&
                  (o->frames == NULL ||
                   trace_call_set_contains(o->frames, s->encoder->ended_frames, TRACE_CALL_END_FRAME)) &&
                  (o->calls == NULL || trace_call_set_contains(o->calls, number, known->flags));
    return wanted || (o->state && (known->flags & NO_STATE) == 0);
}

int selection_init(struct selection *s, const struct selection_options *options, _Atomic bool *recording,
                   struct record_encoder *encoder)
{
    *s = (struct selection){.options = options, .recording = recording, .encoder = encoder};
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
    selection_update(s);
    return 0;
}

void selection_fini(struct selection *s)
{
    free(s->functions);
    free(s->markers);
    s->functions = NULL;
    s->markers = NULL;
}

void selection_update(struct selection *s)
{
    const struct selection_options *o = s->options;
    bool all = o->frames == NULL && o->calls == NULL && o->functions == NULL;
    s->encoder->takes_all = all && atomic_load_explicit(s->recording, memory_order_relaxed);
}
