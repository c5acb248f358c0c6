/* SPDX-License-Identifier: MIT
 * The options of trace-cli trace.
 */
#ifndef RUN_TRACE_OPTIONS_H
#define RUN_TRACE_OPTIONS_H

#include "run/flight_option.h"
#include "run/xray_capture.h"
#include "shell/command.h"

#include "base/buf.h"
#include "collector/collector.h"
#include "collector/selection.h"

#include <stdbool.h>
#include <stddef.h>

struct trace_options {
    struct selection_options selection;
    struct trace_call_set calls, frames;
    struct buf selection_text;
    const char *api;
    const char *output;
    const char *tcp;        /* NULL: the trace stays on this machine */
    const char *token_file; /* NULL: the token is in the environment */
    bool verbose;
    bool timestamps;
    bool offer_extensions;
    const char *backtrace;          /* NULL: as the environment has it */
    unsigned backtrace_depth;       /* 0: likewise */
    const char **debug_directories; /* the last one is NULL; NULL: none */
    size_t debug_directory_count, debug_directory_room;
    const char *stamp; /* the time, for the file's name; NULL: without it */
    char stamp_text[sizeof "20001231T235959"];
    bool debug;
    bool library_path; /* not by LD_PRELOAD */
    bool live;
    struct flight_options flight;
    char flight_text[64];
    enum trace_container container;
    int level;
    enum xray_capture_mode xray_mode;
    long xray_threshold;
};

/* For cli_parse_options(), into a struct trace_options. */
extern const struct cli_option trace_option_list[];

/* The values without any option. */
void trace_options_init(struct trace_options *o);

void trace_options_fini(struct trace_options *o);

#endif
