/* SPDX-License-Identifier: MIT
 * Prints what `trace-cli trace` reports on stderr about the recording: on request a line every second while
 * it runs, and a line for each trace at the end.
 */
#ifndef CLI_RECORDING_REPORT_H
#define CLI_RECORDING_REPORT_H

#include "collector/collector.h"

struct recording_report {
    bool is_terminal; /* stderr is a terminal: the live line is redrawn in place */
    bool is_drawn;
    int64_t (*clock)(void); /* in milliseconds; clock_milliseconds(), but in tests */
    int64_t time;           /* of the last line */
    uint64_t calls, frames;
};

void recording_report_init(struct recording_report *r);

/* For struct collector_options; the context is the report. */
void recording_report_live(void *report, const struct collector_state *state);
void recording_report_trace(void *report, const struct collector_trace *trace);

/* Removes the live line. Call it before other messages are printed. */
void recording_report_clear(struct recording_report *r);

#endif
