/* SPDX-License-Identifier: MIT
 * The options of the replayer.
 */
#ifndef RETRACE_REPLAY_OPTIONS_H
#define RETRACE_REPLAY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile_options.h"
#include "trace/call_set.h"
#include "windows/window_system.h"

/* What happens to the results of queries (glGetQueryObject*) that do not go to a buffer. */
enum query_handling {
    QUERY_SKIP,
    QUERY_RUN,   /* waits for them */
    QUERY_CHECK, /* waits for them, and compares them */
};

enum snapshot_format {
    SNAPSHOT_PNM,
    SNAPSHOT_RGB,
    SNAPSHOT_MD5,
};

struct replay_options {
    char *const *traces; /* paths; lent from argv, like snapshot_prefix */
    int trace_count;     /* 0 only with profile.list_metrics or profile.count_passes */
    bool benchmark, verbose, headless, single_buffered, double_buffered, core, single_thread, wait;

    bool fullscreen;
    int samples;        /* of every window; 0: as in the trace, 1: no multisampling */
    const char *driver; /* see driver_choice.h; NULL: any */
    enum context_creation creation;

    const char *snapshot_prefix; /* NULL: no snapshots; "-": to stdout */
    enum snapshot_format snapshot_format;
    struct trace_call_set snapshot_calls; /* empty: no snapshots */
    bool snapshot_call_numbers;
    bool snapshot_all;         /* every colour that is drawn to, depth, stencil */
    bool snapshot_alpha;       /* of windows, too, and in files */
    bool snapshot_back_buffer; /* of the window, even if a framebuffer object is bound */
    bool snapshot_threaded;
    uint64_t snapshot_interval; /* only every Nth is written; 0: all are */

    struct trace_call_set dump_calls; /* empty: no state dumps */
    const char *dump_prefix;          /* NULL: to stdout */
    bool dump_binary;                 /* UBJSON */
    bool keep_samples;                /* of multisampled textures, instead of resolving them */

    bool check;       /* compare answers of the driver with the trace's */
    double tolerance; /* of pixels and floats, see replay_check.c */
    bool ignore_results, no_context_check;
    bool strict; /* end at the first call that cannot be replayed, and where the trace is damaged */
    bool has_query_handling;
    enum query_handling query_handling;
    uint64_t query_tolerance;

    struct profile_options profile;

    int64_t min_frame_duration, frame_delay; /* in microseconds */
    struct trace_call_set frames; /* empty: all; otherwise, the replay ends after the last one of these */
    bool loop;
    long loop_count;      /* negative: endless */
    bool has_loop_frames; /* these are replayed again, not the last one */
    uint64_t loop_first, loop_last;

    struct trace_call_set ignored_calls; /* not replayed */
    bool markers;                        /* tell debuggers of GPUs the numbers of calls */
    bool debug;                          /* print what the driver says */
    unsigned watchdog;                   /* in seconds; 0: calls may take any time */
};

/* Sets an option of REPLAY_OPTION_LIST. value: NULL if there is none; options may keep the pointer. Errors:
 * TRACE_ERR_USAGE, TRACE_ERR_MEMORY. */
int replay_options_set(struct replay_options *o, const char *name, const char *value);

/* Sets what follows from all options together. Errors: TRACE_ERR_USAGE if they contradict each other. */
int replay_options_complete(struct replay_options *o);

void replay_options_fini(struct replay_options *o);

/* Returns the stream for text: stdout, or stderr if pictures or state dumps go to stdout. */
FILE *replay_options_text_stream(const struct replay_options *o);

#endif
