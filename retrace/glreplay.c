/* SPDX-License-Identifier: MIT
 * glreplay: the replayer, a separate program that `trace-cli retrace` executes.
 */
#include <stdio.h>
#include <time.h>

#include "base/error.h"
#include "replay_context.h"
#include "replay_loop.h"
#include "replay_options.h"
#include "replayer.h"
#include "formats/apitrace/read/reader_probed.h"
#include "formats/format_registry.h"
#include "window_system.h"

static int print_error(void)
{
    fprintf(stderr, "error: %s\n", trace_error_message());
    return 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_rate(const struct replayer *r, double seconds)
{
    fflush(stdout);
    fprintf(replay_options_text_stream(r->options), "Rendered %llu frames in %g secs, average of %g fps\n",
            (unsigned long long)r->frames, seconds, seconds > 0 ? (double)r->frames / seconds : 0.0);
    fflush(stdout); /* with --wait, the program may run for a long time after this */
}

static int replay(const struct replay_options *options, struct trace_reader *reader, struct window_system *ws)
{
    struct replayer r;
    int rc = replayer_init(&r, options, ws, reader);
    double start = now();
    if (rc == 0)
        rc = replay_trace(&r);
    double seconds = now() - start;
    int status = 0;
    if (rc != 0)
        status = print_error();
    print_rate(&r, seconds);
    replayer_report_failures(&r);
    while (rc == 0 && options->wait && !r.closed)
        r.closed = !ws->ops->poll_events(ws, true);
    replay_contexts_fini(&r);
    replayer_fini(&r);
    return status;
}

static int open_trace(struct trace_reader **out, const char *path)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = trace_format_require(&probe, "apitrace");
    if (rc == 0)
        rc = trace_reader_open_probed(out, &probe);
    trace_probe_close(&probe);
    return rc;
}

int main(int argc, char **argv)
{
    struct replay_options options;
    struct trace_reader *reader = NULL;
    struct window_system *ws = NULL;
    switch (replay_options_parse(&options, argc, argv)) {
    case REPLAY_OPTIONS_DONE:
        return 0;
    case REPLAY_OPTIONS_ERROR:
        replay_options_fini(&options);
        return 1;
    case REPLAY_OPTIONS_RUN:
        break;
    }
    int status;
    if (open_trace(&reader, options.trace) != 0 || window_system_open(&ws, options.headless) != 0) {
        status = print_error();
    } else {
        status = replay(&options, reader, ws);
    }
    if (ws != NULL)
        ws->ops->close(ws);
    trace_reader_close(reader);
    replay_options_fini(&options);
    if (fflush(stdout) != 0 && status == 0) {
        perror("error: stdout");
        status = 1;
    }
    return status;
}
