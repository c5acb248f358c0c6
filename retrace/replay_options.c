/* SPDX-License-Identifier: MIT */
#include "replay_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

enum { MAX_SAMPLES = 64 };

static bool parse_bool(const char *text, bool *out)
{
    static const char *const words[] = {"0", "1", "no", "yes", "false", "true"};
    for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; ++i) {
        if (strcmp(text, words[i]) == 0) {
            *out = i % 2 != 0;
            return true;
        }
    }
    *out = true;
    return text == NULL;
}

static int set_format(struct replay_options *o, const char *value)
{
    static const char *const names[] = {
        [SNAPSHOT_PNM] = "PNM", [SNAPSHOT_RGB] = "RGB", [SNAPSHOT_MD5] = "MD5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcasecmp(value, names[i]) == 0) {
            o->snapshot_format = (enum snapshot_format)i;
            return 0;
        }
    }
    return trace_error_set(TRACE_ERR_USAGE, "unknown snapshot format '%s' (PNM, RGB or MD5)", value);
}

static int set_dump_format(struct replay_options *o, const char *value)
{
    o->dump_binary = strcasecmp(value, "ubjson") == 0;
    if (o->dump_binary || strcasecmp(value, "json") == 0)
        return 0;
    return trace_error_set(TRACE_ERR_USAGE, "unknown format of state dumps '%s' (json or ubjson)", value);
}

static int set_loop(struct replay_options *o, const char *value)
{
    char *end = NULL;
    o->loop = true;
    o->loop_count = -1;
    if (value == NULL)
        return 0;
    errno = 0;
    o->loop_count = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0)
        return trace_error_set(TRACE_ERR_USAGE, "--loop: '%s' is not a number", value);
    return 0;
}

/* A set without calls would be taken for none, which means all or the default. */
static int set_calls(struct trace_call_set *set, const char *name, const char *value)
{
    int rc = trace_call_set_parse(set, value);
    if (rc == 0 && set->turned)
        rc = trace_error_set(TRACE_ERR_USAGE, "--%s: a range in '%s' ends before it begins", name, value);
    return rc;
}

/* "A" or "A-B", numbers of frames. */
static int set_loop_frames(struct replay_options *o, const char *value)
{
    struct trace_call_set set = {0};
    int rc = trace_call_set_parse(&set, value);
    if (rc == 0 && (set.count != 1 || set.turned || set.ranges[0].step != 1 || set.ranges[0].flags != 0 ||
                    set.ranges[0].last == UINT64_MAX))
        rc = trace_error_set(TRACE_ERR_USAGE, "--loop-frames: '%s' is not of the form FIRST-LAST", value);
    if (rc == 0) {
        o->has_loop_frames = true;
        o->loop_first = set.ranges[0].first;
        o->loop_last = set.ranges[0].last;
    }
    trace_call_set_fini(&set);
    return rc;
}

/* A day at most. */
static int set_watchdog(struct replay_options *o, const char *value)
{
    char *end = NULL;
    o->watchdog = 300;
    if (value == NULL)
        return 0;
    errno = 0;
    long seconds = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || seconds < 1 || seconds > 86400)
        return trace_error_set(TRACE_ERR_USAGE, "--watchdog: '%s' is not a number of seconds", value);
    o->watchdog = (unsigned)seconds;
    return 0;
}

/* A day at most, so that nothing overflows. */
static int set_microseconds(int64_t *out, const char *name, const char *value)
{
    char *end = NULL;
    errno = 0;
    long long microseconds = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || microseconds < 0 || microseconds > 86400000000)
        return trace_error_set(TRACE_ERR_USAGE, "--%s: '%s' is not a number of microseconds", name, value);
    *out = microseconds;
    return 0;
}

static int set_samples(struct replay_options *o, const char *value)
{
    char *end = NULL;
    errno = 0;
    long samples = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || samples < 0 || samples > MAX_SAMPLES)
        return trace_error_set(TRACE_ERR_USAGE, "--samples: '%s' is not a number of samples", value);
    o->samples = samples > 0 ? (int)samples : 1;
    return 0;
}

static int set_tolerance(struct replay_options *o, const char *value)
{
    char *end = NULL;
    o->tolerance = strtod(value, &end);
    if (end == value || *end != '\0' || !(o->tolerance >= 0 && o->tolerance <= 1))
        return trace_error_set(TRACE_ERR_USAGE, "--tolerance: '%s' is not a number from 0 to 1", value);
    return 0;
}

static int set_number(uint64_t *out, const char *name, const char *value)
{
    char *end = NULL;
    errno = 0;
    *out = strtoull(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || *value == '-')
        return trace_error_set(TRACE_ERR_USAGE, "--%s: '%s' is not a number", name, value);
    return 0;
}

static int set_query_handling(struct replay_options *o, const char *value)
{
    static const char *const names[] = {[QUERY_SKIP] = "skip", [QUERY_RUN] = "run", [QUERY_CHECK] = "check"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strcmp(value, names[i]) == 0) {
            o->query_handling = (enum query_handling)i;
            o->has_query_handling = true;
            return 0;
        }
    }
    return trace_error_set(TRACE_ERR_USAGE, "unknown query handling '%s' (skip, run or check)", value);
}

static int set_creation(struct replay_options *o, const char *value)
{
    if (strcasecmp(value, "GLX") == 0)
        o->creation = CREATE_BY_GLX;
    else if (strcasecmp(value, "EGL") == 0)
        o->creation = CREATE_BY_EGL;
    else
        return trace_error_set(TRACE_ERR_USAGE, "--contexts: '%s' is neither GLX nor EGL", value);
    return 0;
}

/* Sets options that affect a single member. */
static bool set_flag(struct replay_options *o, const char *name)
{
    const struct {
        const char *name;
        bool *member;
        bool value;
    } flags[] = {
        {"benchmark", &o->benchmark, true},
        {"verbose", &o->verbose, true},
        {"headless", &o->headless, true},
        {"sb", &o->single_buffered, true},
        {"db", &o->double_buffered, true},
        {"core", &o->core, true},
        {"singlethread", &o->single_thread, true},
        {"wait", &o->wait, true},
        {"fullscreen", &o->fullscreen, true},
        {"check", &o->check, true},
        {"ignore-retvals", &o->ignore_results, true},
        {"no-context-check", &o->no_context_check, true},
        {"strict", &o->strict, true},
        {"mrt", &o->snapshot_all, true},
        {"snapshot-alpha", &o->snapshot_alpha, true},
        {"snapshot-force-backbuffer", &o->snapshot_back_buffer, true},
        {"snapshot-threaded", &o->snapshot_threaded, true},
        {"msaa-no-resolve", &o->keep_samples, true},
        {"markers", &o->markers, true},
        {"debug", &o->debug, true},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
        if (strcmp(name, flags[i].name) == 0) {
            if (strcmp(name, "sb") == 0 || strcmp(name, "db") == 0)
                o->single_buffered = o->double_buffered = false; /* the last one counts */
            *flags[i].member = flags[i].value;
            return true;
        }
    }
    return false;
}

int replay_options_set(struct replay_options *o, const char *name, const char *value)
{
    int rc = 0;
    if (set_flag(o, name) || profile_options_set(&o->profile, name, value, &rc))
        return rc;
    if (strcmp(name, "snapshot-prefix") == 0) {
        o->snapshot_prefix = value;
        return 0;
    }
    if (strcmp(name, "snapshot") == 0)
        return set_calls(&o->snapshot_calls, name, value);
    if (strcmp(name, "snapshot-format") == 0)
        return set_format(o, value);
    if (strcmp(name, "dump-state") == 0)
        return set_calls(&o->dump_calls, name, value);
    if (strcmp(name, "dump-format") == 0)
        return set_dump_format(o, value);
    if (strcmp(name, "dump-prefix") == 0) {
        o->dump_prefix = value;
        return 0;
    }
    if (strcmp(name, "driver") == 0) {
        o->driver = value;
        return 0;
    }
    if (strcmp(name, "contexts") == 0)
        return set_creation(o, value);
    if (strcmp(name, "samples") == 0)
        return set_samples(o, value);
    if (strcmp(name, "tolerance") == 0)
        return set_tolerance(o, value);
    if (strcmp(name, "query-handling") == 0)
        return set_query_handling(o, value);
    if (strcmp(name, "query-tolerance") == 0)
        return set_number(&o->query_tolerance, name, value);
    if (strcmp(name, "snapshot-interval") == 0)
        return set_number(&o->snapshot_interval, name, value);
    if (strcmp(name, "min-frame-duration") == 0)
        return set_microseconds(&o->min_frame_duration, name, value);
    if (strcmp(name, "per-frame-delay") == 0)
        return set_microseconds(&o->frame_delay, name, value);
    if (strcmp(name, "loop") == 0)
        return set_loop(o, value);
    if (strcmp(name, "loop-frames") == 0)
        return set_loop_frames(o, value);
    if (strcmp(name, "frames") == 0)
        return set_calls(&o->frames, name, value);
    if (strcmp(name, "ignore-calls") == 0)
        return set_calls(&o->ignored_calls, name, value);
    if (strcmp(name, "watchdog") == 0)
        return set_watchdog(o, value);
    if (strcmp(name, "call-nos") == 0 && !parse_bool(value, &o->snapshot_call_numbers))
        return trace_error_set(TRACE_ERR_USAGE, "--call-nos: '%s' is neither yes nor no", value);
    return 0;
}

static bool prints_snapshots(const struct replay_options *o)
{
    return o->snapshot_prefix != NULL && strcmp(o->snapshot_prefix, "-") == 0;
}

/* Either option enables snapshots, and each has a default for the other. */
int replay_options_complete(struct replay_options *o)
{
    if (o->has_loop_frames && !o->loop) {
        o->loop = true;
        o->loop_count = -1;
    }
    if (o->profile.file != NULL && o->trace_count > 1)
        return trace_error_set(TRACE_ERR_USAGE, "--profile: one trace at a time");
    if (profile_options_measure(&o->profile) && !o->check)
        o->benchmark = true; /* asking for errors would be measured, too */
    if (o->check && !o->has_query_handling)
        o->query_handling = QUERY_CHECK;
    if (o->dump_calls.count > 0 && o->dump_prefix == NULL && prints_snapshots(o))
        return trace_error_set(TRACE_ERR_USAGE, "pictures and states cannot both go to the standard output; "
                                                "--dump-prefix or --snapshot-prefix writes files");
    if (o->snapshot_calls.count > 0 && o->snapshot_prefix == NULL)
        o->snapshot_prefix = "";
    if (o->snapshot_calls.count == 0 && o->snapshot_prefix != NULL)
        return trace_call_set_parse(&o->snapshot_calls, "*/frame");
    return 0;
}

void replay_options_fini(struct replay_options *o)
{
    trace_call_set_fini(&o->snapshot_calls);
    trace_call_set_fini(&o->dump_calls);
    trace_call_set_fini(&o->frames);
    trace_call_set_fini(&o->ignored_calls);
}

FILE *replay_options_text_stream(const struct replay_options *o)
{
    bool dumps = o->dump_calls.count > 0 && o->dump_prefix == NULL;
    return dumps || prints_snapshots(o) ? stderr : stdout;
}
