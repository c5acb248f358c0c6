/* SPDX-License-Identifier: MIT
 * glreplay: the replayer, a separate program that `trace-cli retrace` executes.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "objects/replay_context.h"
#include "check/replay_check.h"
#include "replay_loop.h"
#include "replay_command_line.h"
#include "replay_profile.h"
#include "replay_signals.h"
#include "replayer.h"
#include "snapshot/snapshot.h"
#include "formats/apitrace/read/reader_probed.h"
#include "formats/format_registry.h"
#include "windows/window_system.h"

enum { SECONDS_TO_NOTICE = 10 }; /* a signal */

static int print_error(void)
{
    fprintf(stderr, "error: %s\n", trace_error_message());
    return 1;
}

static int output_error; /* errno of the first flush that failed, since a stream does not keep it */

static void flush_stdout(void)
{
    if (fflush(stdout) != 0 && output_error == 0)
        output_error = errno;
}

static void print_rate(const struct replayer *r, double seconds)
{
    flush_stdout();
    uint64_t frames = r->frames - r->first_frame;
    fprintf(replay_options_text_stream(r->options), "Rendered %llu frames in %g secs, average of %g fps\n",
            (unsigned long long)frames, seconds, seconds > 0 ? (double)frames / seconds : 0.0);
    flush_stdout(); /* with --wait, the program may run for a long time after this */
}

/* Frames before those of --frames do not count. */
static void check_frames(struct replayer *r)
{
    uint64_t first;
    if (!trace_call_set_next(&r->options->frames, 0, &first) || first < r->frames || r->frames == 0 ||
        r->closed || replay_is_interrupted())
        return;
    r->first_frame = r->frames;
    fprintf(stderr, "warning: --frames: there are only %llu frames\n", (unsigned long long)r->frames);
}

/* Waits until a window is closed, or for a signal, which is what ends a wait without visible windows. */
static void wait_for_user(struct replayer *r)
{
    if (r->ws->headless && !r->closed && !replay_is_interrupted())
        fputs("headless: no window can be closed; Ctrl-C ends --wait\n", stderr);
    while (!r->closed && !replay_is_interrupted())
        r->closed = !r->ws->ops->poll_events(r->ws, true);
}

static int replay(const struct replay_options *options, struct trace_reader *reader,
                  struct window_system **ws, uint64_t *snapshots)
{
    struct replayer r;
    int rc = replayer_init(&r, options, *ws, reader);
    r.snapshots = *snapshots;
    r.start = clock_nanoseconds();
    if (rc == 0)
        rc = replay_profile_begin(&r);
    if (rc == 0)
        rc = replay_trace(&r);
    int status = 0;
    if (rc != 0)
        status = print_error();
    if (snapshot_finish(&r) != 0)
        status = print_error();
    if (status == 0 && options->snapshot_prefix != NULL && r.snapshots == *snapshots &&
        !replay_is_interrupted())
        fputs("warning: no picture was taken: there is no such call, or no context is current at it\n",
              stderr);
    if (status == 0)
        check_frames(&r);
    double seconds = 1e-9 * (double)(clock_nanoseconds() - r.start);
    if (replay_profile_finish(&r) != 0)
        status = print_error();
    if (!options->profile.list_metrics)
        print_rate(&r, seconds);
    replayer_report_failures(&r);
    if (options->check)
        replay_check_summary(&r, replay_options_text_stream(options));
    if (r.check.differing_calls > 0)
        status = 1;
    if (rc == 0 && options->wait)
        wait_for_user(&r);
    *snapshots = r.snapshots;
    *ws = r.ws;
    replay_contexts_fini(&r);
    replayer_fini(&r);
    return status;
}

static int open_trace(struct trace_reader **out, const char *path)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    probe.saves_memory = true; /* what takes time and memory is the driver */
    if (rc == 0)
        rc = trace_format_require(&probe, "apitrace");
    if (rc == 0)
        rc = trace_reader_open_probed(out, &probe);
    trace_probe_close(&probe);
    return rc;
}

static int open_windows(struct window_system **out, const struct replay_options *options)
{
    struct window_settings settings = {
        .headless = options->headless, .fullscreen = options->fullscreen, .creation = options->creation};
    int rc = options->driver != NULL ? driver_choose(options->driver, &settings.driver) : 0;
    if (rc != 0)
        return rc;
    return window_system_open(out, &settings);
}

/* Makes a context current that a trace might have. */
static int make_any_context(struct replayer *r)
{
    enum { ANY = 1 }; /* handle */
    const struct context_config config = {.buffers = default_buffers};
    int rc = replay_switch_thread(r, 0);
    if (rc == 0)
        rc = replay_context_create(r, ANY, &config, 0);
    return rc == 0 ? replay_make_current(r, ANY, ANY, ANY) : rc;
}

/* Without a trace, metrics are those of such a context. */
static int list_metrics(const struct replay_options *options)
{
    struct window_system *ws;
    struct replayer r;
    if (open_windows(&ws, options) != 0)
        return print_error();
    int rc = replayer_init(&r, options, ws, NULL);
    if (rc == 0)
        rc = replay_profile_begin(&r);
    if (rc == 0)
        rc = make_any_context(&r);
    if (rc == 0)
        replay_profile_enter(&r);
    if (rc == 0)
        rc = replay_profile_finish(&r);
    int status = rc != 0 ? print_error() : 0;
    replay_contexts_fini(&r);
    replayer_fini(&r);
    ws->ops->close(ws);
    return status;
}

/* Opens *ws for the first trace that can be read. Adds the pictures that were taken to *snapshots, so that
 * the next trace's do not replace them. */
static int replay_file(const struct replay_options *options, const char *path, struct window_system **ws,
                       uint64_t *snapshots)
{
    struct trace_reader *reader = NULL;
    if (open_trace(&reader, path) != 0)
        return print_error();
    int status = 1;
    if (*ws == NULL && open_windows(ws, options) != 0)
        print_error();
    else
        status = replay(options, reader, ws, snapshots);
    trace_reader_close(reader);
    return status;
}

/* Replays one trace after the other, as far as possible. */
static int replay_files(const struct replay_options *options)
{
    struct window_system *ws = NULL;
    uint64_t snapshots = 0;
    int status = 0;
    if (snapshot_check_prefix(options) != 0)
        return print_error();
    for (int i = 0; i < options->trace_count && !replay_is_interrupted(); ++i)
        status |= replay_file(options, options->traces[i], &ws, &snapshots);
    if (ws != NULL)
        ws->ops->close(ws);
    return status;
}

/* Drivers allocate and free the same memory for each frame or draw call. As glibc is set up, the end of the
 * heap goes back to the system each time, and comes back page by page. Large blocks still come from the
 * system, so that a window that has not been cleared is black in all replays. */
static void keep_freed_memory(void)
{
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

/* Returns the exit status. A stream forgets bytes that it could not write earlier, but not that it could not.
 */
static int flush_output(int status)
{
    flush_stdout();
    bool is_written = output_error == 0 && ferror(stdout) == 0;
    if (is_written || status != 0)
        return status;
    fprintf(stderr, "error: cannot write to the standard output%s%s\n", output_error != 0 ? ": " : "",
            output_error != 0 ? strerror(output_error) : "");
    return 1;
}

int main(int argc, char **argv)
{
    struct replay_options options;
    int status = 1;
    keep_freed_memory();
    replay_signals_catch(SECONDS_TO_NOTICE);
    switch (replay_command_line_parse(&options, argc, argv)) {
    case REPLAY_COMMAND_LINE_DONE:
        return flush_output(0);
    case REPLAY_COMMAND_LINE_ERROR:
        break;
    case REPLAY_COMMAND_LINE_RUN:
        if (options.profile.count_passes)
            status = puts("1") < 0; /* the pixels of a frame are those of its draws */
        else if (options.trace_count == 0)
            status = list_metrics(&options);
        else
            status = replay_files(&options);
        break;
    }
    replay_options_fini(&options);
    status = flush_output(status);
    replay_signals_end();
    return status;
}
