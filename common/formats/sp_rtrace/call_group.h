/* SPDX-License-Identifier: MIT
 * Calls of a text that share a backtrace: calls that follow each other without an empty line, as in
 * compressed reports. They wait for the backtrace, which follows them.
 */
#ifndef SP_RTRACE_CALL_GROUP_H
#define SP_RTRACE_CALL_GROUP_H

#include "formats/shared/event_pool.h"
#include "formats/shared/log_names.h"
#include "formats/sp_rtrace/text_lines.h"

/* Zero-initialise it before use. */
struct call_group {
    struct event_block *first; /* calls and the comments between them, in file order */
    struct event_block *last;
    struct event_block *last_call; /* the call to which arguments belong; NULL: the group has no call yet */
    size_t count;
    struct buf frames; /* struct text_frame_place: the backtrace, with its strings in */
    struct buf places;
    struct buf key; /* scratch memory for a function's key */
};

void call_group_fini(struct call_group *g, struct event_pool *pool);

/* Append a line's record to the group. Errors: TRACE_ERR_MEMORY. */
int call_group_add_call(struct call_group *g, struct event_pool *pool, struct log_names *names,
                        const struct text_call *call);
int call_group_add_arg(struct call_group *g, const struct text_arg *arg);
int call_group_add_frame(struct call_group *g, const struct text_frame *frame);
int call_group_add_comment(struct call_group *g, struct event_pool *pool, struct text_slice line);

static inline bool call_group_has_frames(const struct call_group *g)
{
    return g->frames.len > 0;
}

/* Takes out the first event. If it is a call, it gets the group's backtrace. */
int call_group_take(struct call_group *g, struct log_names *names, struct event_block **out);

/* Ends the group: later calls do not share its backtrace. */
void call_group_end(struct call_group *g);

#endif
