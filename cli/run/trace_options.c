/* SPDX-License-Identifier: MIT */
#include "run/trace_options.h"
#include "shell/debug_directory.h"
#include "shell/number_option.h"

#include "base/array.h"
#include "base/error.h"
#include "process/function_names.h"
#include "records/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void trace_options_init(struct trace_options *o)
{
    *o = (struct trace_options){.timestamps = true,
                                .offer_extensions = true,
                                .container = TRACE_CONTAINER_SNAPPY,
                                .level = TRACE_LEVEL_DEFAULT};
}

void trace_options_fini(struct trace_options *o)
{
    trace_call_set_fini(&o->calls);
    trace_call_set_fini(&o->frames);
    buf_fini(&o->selection_text);
    free(o->debug_directories);
}

static int set_xray_mode(void *options, const char *value)
{
    struct trace_options *o = options;
    bool is_basic = strcmp(value, "basic") == 0;
    o->xray_mode = is_basic ? XRAY_CAPTURE_BASIC : XRAY_CAPTURE_FDR;
    return is_basic || strcmp(value, "fdr") == 0
               ? 0
               : trace_error_set(TRACE_ERR_USAGE, "unknown mode '%s' (fdr or basic)", value);
}

static int set_xray_threshold(void *options, const char *value)
{
    struct trace_options *o = options;
    return parse_number_option(value, "--xray-threshold", 0, 1000000000, &o->xray_threshold);
}

static int set_api(void *options, const char *value)
{
    static const char *const names[] = {"gl", "glx", "egl", "all", "xray"};
    struct trace_options *o = options;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(value, names[i]) == 0) {
            o->api = names[i];
            return 0;
        }
    }
    return trace_error_set(TRACE_ERR_USAGE, "unknown API '%s' (gl, egl, all or xray)", value);
}

/* Fails if no function has a name in the list. */
static int check_functions(const char *list)
{
    for (unsigned i = 0; i < spec_function_count; ++i)
        if (function_names_have(list, spec_string(spec_functions[i].name)))
            return 0;
    return trace_error_set(TRACE_ERR_USAGE, "no function is called '%s'", list);
}

static int set_injection(void *options, const char *value)
{
    struct trace_options *o = options;
    o->library_path = strcmp(value, "library-path") == 0;
    return o->library_path || strcmp(value, "preload") == 0
               ? 0
               : trace_error_set(TRACE_ERR_USAGE, "unknown way '%s' (preload or library-path)", value);
}

static int set_backtrace(void *options, const char *value)
{
    struct trace_options *o = options;
    o->backtrace = value != NULL ? value : "*";
    return check_functions(o->backtrace);
}

static int add_debug_directory(void *options, const char *value)
{
    struct trace_options *o = options;
    if (*value == '\0')
        return trace_error_set(TRACE_ERR_USAGE, "the name of a directory is needed");
    cli_check_debug_directory(value);
    /* One more, for the NULL. */
    if (ARRAY_RESERVE(o->debug_directories, o->debug_directory_count + 1, o->debug_directory_room) != 0)
        return TRACE_ERR_MEMORY;
    o->debug_directories[o->debug_directory_count++] = value;
    o->debug_directories[o->debug_directory_count] = NULL;
    return 0;
}

static int set_backtrace_depth(void *options, const char *value)
{
    struct trace_options *o = options;
    char *end;
    unsigned long depth = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || depth < 1 || depth > RECORD_STACK_PLACES)
        return trace_error_set(TRACE_ERR_USAGE, "the depth of backtraces is a number from 1 to %u, not '%s'",
                               (unsigned)RECORD_STACK_PLACES, value);
    o->backtrace_depth = (unsigned)depth;
    return 0;
}

/* Notes the option for the trace's header. Errors: TRACE_ERR_MEMORY. */
static int note_selection(struct trace_options *o, const char *what, const char *value)
{
    struct buf *text = &o->selection_text;
    if (text->len > 0)
        text->data[text->len - 1] = ' '; /* in place of the NUL */
    if (buf_printf(text, "--%s%s%s", what, value != NULL ? "=" : "", value != NULL ? value : "") != 0 ||
        buf_append_byte(text, '\0') != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    o->selection.text = (const char *)text->data;
    return 0;
}

/* Other commands read what a trace has, and say at once that they found nothing. Here, a run would be lost.
 */
static int parse_set(struct trace_call_set *set, const char *value)
{
    size_t length = strlen(value);
    int rc = trace_call_set_parse(set, value);
    if (rc != 0)
        return rc;
    if (length > 0 && (value[0] == ',' || value[length - 1] == ',' || strstr(value, ",,") != NULL))
        return trace_error_set(TRACE_ERR_USAGE, "there is nothing on one side of a comma in '%s'", value);
    if (set->turned)
        return trace_error_set(TRACE_ERR_USAGE, "a range in '%s' ends before it begins", value);
    if (set->count == 0)
        return trace_error_set(TRACE_ERR_USAGE, "'%s' is an empty set; sets are 5, 100-200 or */10", value);
    return 0;
}

static int set_frames(void *options, const char *value)
{
    struct trace_options *o = options;
    o->selection.frames = &o->frames;
    int rc = note_selection(o, "frames", value);
    return rc != 0 ? rc : parse_set(&o->frames, value);
}

static int set_calls(void *options, const char *value)
{
    struct trace_options *o = options;
    o->selection.calls = &o->calls;
    int rc = note_selection(o, "calls", value);
    return rc != 0 ? rc : parse_set(&o->calls, value);
}

static int set_functions(void *options, const char *value)
{
    struct trace_options *o = options;
    o->selection.functions = value;
    int rc = note_selection(o, "functions", value);
    return rc != 0 ? rc : check_functions(value);
}

static int set_state(void *options, const char *value)
{
    struct trace_options *o = options;
    o->selection.state = true;
    return note_selection(o, "state", value);
}

static int set_stamp(void *options, const char *value)
{
    struct trace_options *o = options;
    time_t now = time(NULL);
    struct tm local;
    (void)value;
    strftime(o->stamp_text, sizeof o->stamp_text, "%Y%m%dT%H%M%S", localtime_r(&now, &local));
    o->stamp = o->stamp_text;
    return 0;
}

static int set_paused(void *options, const char *value)
{
    struct trace_options *o = options;
    o->selection.paused = true;
    return note_selection(o, "paused", value);
}

static int set_flight_recorder(void *options, const char *value)
{
    struct trace_options *o = options;
    snprintf(o->flight_text, sizeof o->flight_text, "%s", value);
    o->flight.text = o->flight_text;
    return flight_option_parse(&o->flight.limits, value);
}

static int set_frame_time(void *options, const char *value)
{
    struct trace_options *o = options;
    char *end;
    double ms = strtod(value, &end);
    if (*value < '0' || *value > '9' || *end != '\0' || !(ms > 0 && ms < 1e9))
        return trace_error_set(TRACE_ERR_USAGE,
                               "the time of a frame is a number of milliseconds above 0, not '%s'", value);
    o->flight.frame_time = (int64_t)(ms * 1e6);
    return 0;
}

static int set_compression(void *options, const char *value)
{
    static const struct {
        const char *name;
        enum trace_container container;
        int level;
    } kinds[] = {
        {"snappy", TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT},
        {"zstd", TRACE_CONTAINER_ZSTD, 1}, /* there is no time for more */
        {"none", TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_ZERO},
    };
    struct trace_options *o = options;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (strcmp(value, kinds[i].name) == 0) {
            o->container = kinds[i].container;
            o->level = kinds[i].level;
            return 0;
        }
    }
    return trace_error_set(TRACE_ERR_USAGE, "unknown compression '%s' (snappy, zstd or none)", value);
}

const struct cli_option trace_option_list[] = {
    {.kind = CLI_OPTION_CALLBACK,
     .letter = 'a',
     .name = "api",
     .value = "gl|egl|all|xray",
     .set = set_api,
     .help = "record only gl (OpenGL and GLX), or only egl (OpenGL, OpenGL ES\n"
             "and EGL); default: all, whichever the program uses; or xray:\n"
             "the functions of a program built with clang -fxray-instrument"},
    {.kind = CLI_OPTION_STRING,
     .letter = 'o',
     .name = "output",
     .value = "FILE",
     .member = offsetof(struct trace_options, output),
     .help = "write the trace to FILE, or with - to the standard output;\n"
             "default: PROGRAM.trace, or PROGRAM.1.trace and so on when that\n"
             "exists; for XRay PROGRAM.xray"},
    {.kind = CLI_OPTION_STRING,
     .name = "tcp",
     .value = "HOST:PORT",
     .member = offsetof(struct trace_options, tcp),
     .help = "send the traces to trace-cli receive, which listens there"},
    {.kind = CLI_OPTION_STRING,
     .name = "token-file",
     .value = "FILE",
     .member = offsetof(struct trace_options, token_file),
     .help = "with --tcp: the first line of FILE is the receiver's token\n"
             "(default: TRACE_CLI_TOKEN in the environment)"},
    {.kind = CLI_OPTION_FLAG,
     .letter = 'v',
     .name = "verbose",
     .member = offsetof(struct trace_options, verbose),
     .help = "print what is traced, and to which file"},
    {.kind = CLI_OPTION_OPTIONAL,
     .letter = 'b',
     .name = "backtrace",
     .value = "FUNCTIONS",
     .set = set_backtrace,
     .help = "record who makes each call of these functions: names, or\n"
             "beginnings with a *, as in 'glDraw* glClear'; default: all\n"
             "(without the option: those in APITRACE_BACKTRACE)"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "backtrace-depth",
     .value = "N",
     .set = set_backtrace_depth,
     .help = "record up to N callers of a call (default: 10)"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "debug-directory",
     .value = "DIRECTORY",
     .set = add_debug_directory,
     .help = "where to look for debug information for the names in\n"
             "backtraces, before /usr/lib/debug; may be repeated"},
    {.kind = CLI_OPTION_ACTION,
     .letter = 't',
     .name = "timestamp",
     .set = set_stamp,
     .help = "put the date and time into the default name of the trace:\n"
             "PROGRAM.20261231T235959.trace"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "inject",
     .value = "preload|library-path",
     .set = set_injection,
     .help = "how the program gets the library that records: by LD_PRELOAD\n"
             "(the default), or in place of the GL libraries, by\n"
             "LD_LIBRARY_PATH, where that does not work"},
    {.kind = CLI_OPTION_FLAG,
     .letter = 'd',
     .name = "debug",
     .member = offsetof(struct trace_options, debug),
     .help = "run the program in gdb"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "frames",
     .value = "SET",
     .set = set_frames,
     .help = "record only these frames; the first one is 0"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "calls",
     .value = "SET",
     .set = set_calls,
     .help = "record only these of the calls that each process makes, by\n"
             "number or kind"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "functions",
     .value = "FUNCTIONS",
     .set = set_functions,
     .help = "record only calls of these functions: names, or beginnings\n"
             "with a *, as in 'glDraw* glClear'"},
    {.kind = CLI_OPTION_ACTION,
     .name = "state",
     .set = set_state,
     .help = "with --frames, --calls, --functions or --paused: of the other\n"
             "calls, record those that change state"},
    {.kind = CLI_OPTION_ACTION,
     .name = "paused",
     .set = set_paused,
     .help = "record nothing before a start: see trace-cli help trigger"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "flight-recorder",
     .value = "SIZE|TIME",
     .set = set_flight_recorder,
     .help = "keep only the newest calls, in memory: as many as take 64M, or\n"
             "those of the last 30s; write them into a file at the end, at a\n"
             "crash, and when triggered: see trace-cli help trigger"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "trigger-frame-time",
     .value = "MS",
     .set = set_frame_time,
     .help = "with --flight-recorder: write a file when a frame took more\n"
             "than MS milliseconds"},
    {.kind = CLI_OPTION_FLAG,
     .name = "live",
     .member = offsetof(struct trace_options, live),
     .help = "print each second how many calls and frames are recorded, and\n"
             "how full the rings between program and collector are"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "compression",
     .value = "snappy|zstd|none",
     .set = set_compression,
     .help = "compress the trace with Snappy (the default), with seekable\n"
             "Zstandard (a third of the size), or not at all"},
    {.kind = CLI_OPTION_BOOL,
     .name = "timestamps",
     .member = offsetof(struct trace_options, timestamps),
     .help = "record when each call begins and ends (default: yes)"},
    {.kind = CLI_OPTION_BOOL,
     .name = "offer-extensions",
     .member = offsetof(struct trace_options, offer_extensions),
     .help = "offer the program the extensions that put markers and labels\n"
             "into a trace, even if the driver lacks them (default: yes)"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "xray-mode",
     .value = "fdr|basic",
     .set = set_xray_mode,
     .help = "with --api=xray: write a flight data recorder's log (fdr, the\n"
             "default), or have XRay's runtime write a basic one, as it does in\n"
             "programs that are stripped"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "xray-threshold",
     .value = "US",
     .set = set_xray_threshold,
     .help = "with --api=xray: leave out calls that took less than US\n"
             "microseconds (default: 0)"},
    {.kind = CLI_OPTION_END},
};
