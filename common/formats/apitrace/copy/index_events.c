/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/copy/index_events.h"

#include "base/error.h"
#include "formats/apitrace/index/index_modules.h"

#include "formats/apitrace/read/raw_events_state.h"

/* In a segment of the index, only the first event matters. */
static int add_known_calls(struct trace_raw_events *e, struct trace_index_builder *b)
{
    uint64_t first;
    uint64_t count = trace_raw_events_pass_known_before(e, trace_index_builder_segment_end(b), &first);
    return count == 0 ? 0 : trace_index_builder_add_calls(b, first, count, trace_raw_events_offset(e));
}

static int add_with_time(struct trace_index_builder *b, const struct trace_raw_event *event,
                         struct trace_copied_times *times)
{
    struct trace_raw_event timed = *event;
    timed.time = trace_copied_times_next(times);
    return trace_index_builder_add(b, &timed);
}

int trace_index_events(struct trace_raw_events *e, struct trace_index_builder *b,
                       struct trace_copied_times *times)
{
    const struct trace_raw_event *event;
    int rc;
    while ((rc = trace_raw_events_next(e, &event)) == 0 && event != NULL) {
        rc = times != NULL ? add_with_time(b, event, times) : trace_index_builder_add(b, event);
        if (rc == 0 && times == NULL)
            rc = add_known_calls(e, b);
        if (rc != 0)
            return trace_error_prefix(rc, "%s", trace_input_path(e->cursor.stream.in));
    }
    return rc;
}

int trace_index_keep(struct trace_index_builder *b, struct trace_index *old)
{
    struct trace_summary summary;
    struct trace_modules modules;
    if (old == NULL)
        return 0;
    if (trace_index_summary(old, &summary) == 0 && summary.has_wall_clock)
        trace_index_builder_set_wall_clock(b, summary.wall_clock);
    int rc = trace_modules_read(&modules, old);
    for (size_t i = 0; i < modules.count && rc == 0; ++i)
        rc = trace_index_builder_add_module(b, &modules.list[i]);
    trace_modules_fini(&modules);
    return rc == TRACE_ERR_MEMORY ? rc : 0;
}
