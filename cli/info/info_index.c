/* SPDX-License-Identifier: MIT */
#include "info/info_index.h"

#include "base/error.h"
#include "shell/messages.h"
#include "formats/apitrace/index/indexed_sigs.h"

#include <stdio.h>

#define PREFIX 16 /* bytes of a function's name that determine its API */

static const char *api_of(const struct trace_indexed_sig *sig)
{
    char prefix[PREFIX];
    size_t length;
    const char *name = trace_indexed_sig_name(sig, &length);
    if (name == NULL)
        return NULL;
    snprintf(prefix, sizeof prefix, "%.*s", (int)(length < PREFIX ? length : PREFIX), name);
    return trace_info_find_api(prefix);
}

static int find_api(struct trace_info *info, struct trace_index *t)
{
    struct trace_sig_place place = {0};
    struct trace_indexed_sig sig;
    struct buf bytes = BUF_INIT;
    bool found = true;
    int rc = 0;
    while (rc == 0 && found && info->api == NULL) {
        rc = trace_indexed_sig_next(t, &place, UINT64_MAX, &bytes, &sig, &found);
        if (rc == 0 && found && sig.kind == TRACE_SIG_FUNCTION)
            info->api = api_of(&sig);
    }
    buf_fini(&bytes);
    return rc;
}

static int read_frames(struct trace_info *info, struct trace_index *t, uint64_t count)
{
    struct trace_frame_entry f;
    int rc = 0;
    for (; info->frame_count < count && rc == 0; ++info->frame_count) {
        rc = trace_index_frame(t, info->frame_count, &f);
        if (rc == 0)
            rc = trace_info_add_frame(
                info, &(struct info_frame){f.first_call, f.last_call, f.calls, f.stream_bytes});
        if (rc != 0)
            return rc;
    }
    return rc;
}

bool info_read_index(struct trace_info *info, struct trace_raw_events *events)
{
    struct trace_index *t = trace_raw_events_index(events);
    struct trace_summary summary;
    if (t == NULL || info->wants_stats)
        return false;
    int rc = trace_index_summary(t, &summary);
    if (rc == 0)
        rc = find_api(info, t);
    if (rc == 0 && info->wants_frames)
        rc = read_frames(info, t, summary.frames);
    if (rc != 0) {
        snprintf(info->index_problem, sizeof info->index_problem, "%s", trace_error_message());
        info->api = NULL;
        info->frame_count = 0;
        return false;
    }
    info->frame_count = summary.frames;
    info->stream_bytes = summary.stream_bytes;
    return true;
}

void info_warn_of_index(const struct trace_info *info, struct trace_raw_events *events)
{
    const char *problem = trace_raw_events_index_problem(events);
    if (problem == NULL)
        problem = info->index_problem;
    if (problem[0] == '\0')
        return;
    trace_error_set(TRACE_ERR_FORMAT, "%s: %s; \"trace-cli index\" makes a new one", info->path, problem);
    cli_print_warning();
}
