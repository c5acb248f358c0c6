/* SPDX-License-Identifier: MIT */
#include "run/recording_report.h"

#include "base/clock.h"
#include "shell/amounts.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void recording_report_init(struct recording_report *r)
{
    *r = (struct recording_report){.is_terminal = isatty(STDERR_FILENO), .clock = clock_milliseconds};
    r->time = r->clock();
}

void recording_report_clear(struct recording_report *r)
{
    if (r->is_drawn)
        fputs("\r\33[K", stderr);
    r->is_drawn = false;
}

void recording_report_live(void *report, const struct collector_state *state)
{
    struct recording_report *r = report;
    char calls[AMOUNT_SIZE], rate[AMOUNT_SIZE];
    int64_t now = r->clock();
    double seconds = now > r->time ? (double)(now - r->time) / 1000 : 1;
    amount_of_calls(calls, sizeof calls, (double)state->calls);
    amount_of_calls(rate, sizeof rate, (double)(state->calls - r->calls) / seconds);
    recording_report_clear(r);
    fprintf(stderr, "trace-cli: %s, %" PRIu64 " frames; %s/s, %.1f frames/s; rings %.0f %% full%s", calls,
            state->frames, rate, (double)(state->frames - r->frames) / seconds, 100 * state->load,
            r->is_terminal ? "" : "\n");
    fflush(stderr);
    r->is_drawn = r->is_terminal;
    r->time = now;
    r->calls = state->calls;
    r->frames = state->frames;
}

void recording_report_trace(void *report, const struct collector_trace *trace)
{
    char bytes[AMOUNT_SIZE];
    recording_report_clear(report);
    amount_of_bytes(bytes, sizeof bytes, (double)trace->bytes);
    fprintf(stderr, "trace-cli: %s: %" PRIu64 " calls, %" PRIu64 " frames%s%s\n", trace->path, trace->calls,
            trace->frames, trace->bytes > 0 ? ", " : "", trace->bytes > 0 ? bytes : "");
}
