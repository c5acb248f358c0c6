/* SPDX-License-Identifier: MIT */
#include "input/selected_calls.h"

#include "base/error.h"
#include "shell/command.h"
#include "formats/apitrace/read/reader_batches.h"

int call_set_add_option(struct trace_call_set *set, const char *text)
{
    set->turned = false;
    int rc = trace_call_set_parse(set, text);
    if (rc != 0 || !set->turned)
        return rc;
    trace_error_set(TRACE_ERR_USAGE, "a range in \"%s\" ends before it begins, so it selects no calls", text);
    cli_print_warning();
    return 0;
}

void call_selection_fini(struct call_selection *s)
{
    trace_call_set_fini(&s->calls);
    trace_call_set_fini(&s->frames);
}

bool call_selection_contains(const struct call_selection *s, uint64_t number, uint64_t frame, uint32_t flags)
{
    return (!s->calls_given || trace_call_set_contains(&s->calls, number, flags)) &&
           (!s->frames_given || trace_call_set_contains(&s->frames, frame, flags));
}

int call_selection_add_calls(void *selection, const char *text)
{
    struct call_selection *s = selection;
    s->calls_given = true;
    return call_set_add_option(&s->calls, text);
}

int call_selection_add_frames(void *selection, const char *text)
{
    struct call_selection *s = selection;
    s->frames_given = true;
    return call_set_add_option(&s->frames, text);
}

/* Moves to the next frame that may contain a selected call. */
static int go_to_frame(struct selected_calls *s)
{
    uint64_t frame;
    if (!s->selection->frames_given)
        return 0;
    s->past_frames = !trace_call_set_next(&s->selection->frames, s->next_frame, &frame);
    if (s->past_frames || frame == s->next_frame)
        return 0;
    s->next_frame = frame;
    return trace_reader_seek_frame(s->reader, frame);
}

void selected_calls_init(struct selected_calls *s, struct trace_reader *reader,
                         const struct call_selection *selection)
{
    *s = (struct selected_calls){.reader = reader, .selection = selection};
    s->seeks = true;
    if (selection->calls_given)
        trace_reader_want_calls(reader, &selection->calls);
}

/* --- the end --------------------------------------------------------------------------------------- */

/* Returns true if no call that has not been entered yet is in --calls. */
static bool is_past_calls(struct selected_calls *s)
{
    uint64_t entered = trace_reader_next_number(s->reader);
    if (!s->none_to_enter && s->next_wanted < entered)
        s->none_to_enter = !trace_call_set_next(&s->selection->calls, entered, &s->next_wanted);
    return s->none_to_enter;
}

/* Returns true if a call in --calls has been entered and has not returned yet. */
static bool has_straggler(struct selected_calls *s)
{
    if (s->waiting)
        return true;
    uint64_t pending;
    uint64_t from = 0;
    while (trace_reader_next_pending(s->reader, from, &pending) &&
           trace_call_set_next(&s->selection->calls, pending, &from))
        if (from == pending) {
            s->straggler = pending;
            s->waiting = true;
            return true;
        }
    return false;
}

static bool is_over(struct selected_calls *s)
{
    return s->past_frames || (s->selection->calls_given && is_past_calls(s) && !has_straggler(s));
}

/* --- calls ----------------------------------------------------------------------------------------- */

static bool is_selected(const struct selected_calls *s, const struct trace_call *call)
{
    return call_selection_contains(s->selection, call->number, trace_reader_frame(s->reader), call->flags);
}

/* With --calls, the reader may skip frames. After damage it may count too few frames, so the frame number
 * never decreases. */
static void note_frame(struct selected_calls *s, const struct trace_call *call)
{
    uint64_t next = trace_reader_frame(s->reader) + ((call->flags & TRACE_CALL_END_FRAME) != 0);
    s->seeks = next > s->next_frame;
    if (s->seeks)
        s->next_frame = next;
}

int selected_calls_next(struct selected_calls *s, const struct trace_call **out)
{
    if (!s->selection->calls_given && !s->selection->frames_given)
        return trace_reader_next_call(s->reader, out);
    *out = NULL;
    while (!is_over(s)) {
        int rc = s->seeks ? go_to_frame(s) : 0;
        s->seeks = false;
        if (rc != 0 || s->past_frames)
            return rc;
        rc = trace_reader_next_call(s->reader, out);
        if (rc != 0 || *out == NULL)
            return rc;
        if (s->waiting && (*out)->number == s->straggler)
            s->waiting = false;
        note_frame(s, *out);
        if (is_selected(s, *out)) {
            s->found++;
            return 0;
        }
        trace_call_release(s->reader, *out);
        *out = NULL;
    }
    return 0;
}

uint64_t selected_calls_pass(struct selected_calls *s, uint64_t max)
{
    bool all = !s->selection->calls_given && !s->selection->frames_given;
    return all ? trace_reader_pass_calls(s->reader, max) : 0;
}

void selected_calls_warn_of_none(const struct selected_calls *s, const char *path)
{
    const struct call_selection *sel = s->selection;
    if (s->found > 0 || (!sel->calls_given && !sel->frames_given))
        return;
    trace_error_set(TRACE_ERR_USAGE, "%s: no call is in %s", path,
                    !sel->frames_given  ? "--calls"
                    : !sel->calls_given ? "--frames"
                                        : "both --calls and --frames");
    cli_print_warning();
}
