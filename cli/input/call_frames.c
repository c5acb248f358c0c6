/* SPDX-License-Identifier: MIT */
#include "input/call_frames.h"

#include "base/error.h"

/* The current position. */
struct place {
    uint64_t frame;
    uint64_t first; /* number of the first call that begins in the current frame */
    uint64_t next;  /* number of the next call */
};

/* Notes that a call has returned, or never will. */
static int note_return(struct call_frames *f, struct place *p, const struct trace_raw_event *event)
{
    int rc = 0;
    if (event->sig == NULL)
        return 0;
    if (event->call < p->first)
        rc = int_map_set(&f->late, event->call, p->frame);
    if ((event->sig->flags & TRACE_CALL_END_FRAME) != 0) {
        p->frame++;
        p->first = p->next;
    }
    return rc;
}

static int read_events(struct call_frames *f, struct event_input *in, struct place *p, uint64_t last)
{
    const struct trace_raw_event *event;
    while (p->frame <= last) {
        int rc = event_input_next(in, &event);
        if (rc != 0 || event == NULL)
            return rc == TRACE_ERR_MEMORY ? rc : 0;
        if (event->tag == TRACE_RAW_EVENT_ENTER)
            p->next = event->call + 1;
        else if ((rc = note_return(f, p, event)) != 0)
            return rc;
    }
    return 0;
}

int call_frames_read(struct call_frames *f, const struct input_file *file, uint64_t first, uint64_t last)
{
    struct event_input in;
    struct trace_raw_event event;
    struct place place = {0, 0, 0};
    int rc = event_input_open_file(&in, file, 0);
    if (rc != 0)
        return rc;
    in.losses.silent = true;
    rc = input_file_mend_message(file, trace_raw_events_seek_frame(in.events, first, &place.frame));
    if (rc == 0)
        rc = read_events(f, &in, &place, last);
    while (rc == 0 && trace_raw_events_next_incomplete(in.events, &event))
        rc = note_return(f, &place, &event);
    event_input_close(&in);
    return rc;
}

void call_frames_fini(struct call_frames *f)
{
    int_map_fini(&f->late);
}

uint64_t call_frames_find(const struct call_frames *f, uint64_t call, uint64_t begun)
{
    uint64_t frame = begun;
    int_map_get(&f->late, call, &frame);
    return frame;
}
