/* SPDX-License-Identifier: MIT
 * Keeps the newest calls of a process in memory, and writes them into a new trace file when it is triggered.
 */
#ifndef COLLECTOR_FLIGHT_RECORDER_H
#define COLLECTOR_FLIGHT_RECORDER_H

#include "collector/flight/flight_requests.h"
#include "collector/flight/flight_store.h"
#include "collector/tick_clock.h"
#include "records/record_encoder.h"

struct flight_recorder;

/* What the user wants. */
struct flight_options {
    struct flight_limits limits;
    int64_t frame_time; /* nanoseconds; a longer frame is a trigger; 0: none is */
    const char *text;   /* the same in words, for the trace */
};

/* A file that was written. */
struct flight_report {
    const char *path;
    uint64_t calls, frames, bytes;
};

/* What a recorder needs of its session; lent. */
struct flight_setting {
    const struct flight_options *options;
    struct record_encoder *encoder;
    const struct tick_clock *clock;
    struct flight_requests *requests; /* which files are asked for, and what became of them */
    enum trace_container container;
    int level;
    const char *program, *arguments; /* for properties and names; copied */
    const char *output;              /* as in struct collector_options; NULL: none is given */
    const char *stamp;               /* likewise */
    /* Called for each file, in a thread of the recorder. NULL: not called. */
    void (*written)(void *context, const struct flight_report *report);
    void *context;
};

/* Makes the encoder pass everything on. The caller owns *out. Errors: TRACE_ERR_MEMORY. */
int flight_recorder_new(struct flight_recorder **out, const struct flight_setting *setting);
void flight_recorder_free(struct flight_recorder *r); /* r may be NULL */

/* The encoder's next bytes; the caller clears them. Errors: TRACE_ERR_MEMORY. */
int flight_recorder_append(struct flight_recorder *r, const uint8_t *bytes, size_t count);

/* Is there a request that can be served? One file is written at a time. To be asked by the session's thread,
 * which then appends everything up to *at, and calls flight_recorder_dump(). */
bool flight_recorder_is_due(struct flight_recorder *r, enum flight_moment *at);

/* Begins to write the file of the oldest request, in another thread. Errors are told, and counted. open:
 * struct record_open_call, those that have not returned. If they have results, the file is without them, as
 * no replay can do without the results. NULL: they stay. */
void flight_recorder_dump(struct flight_recorder *r, const struct buf *open);

/* Writes the files that were asked for, and the last one, if anything was recorded since the one before.
 * Waits for them. No more requests are accepted. */
void flight_recorder_finish(struct flight_recorder *r, const char *reason, const struct buf *open);

#endif
