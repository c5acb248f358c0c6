/* SPDX-License-Identifier: MIT
 * Keeps the newest calls of a process in memory, and writes them into a new trace file when it is triggered.
 */
#ifndef COLLECTOR_FLIGHT_RECORDER_H
#define COLLECTOR_FLIGHT_RECORDER_H

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

/* Asks for a file with what was recorded so far. at: whether that is what was appended, or all that the
 * program had called. reason: for the trace; copied. If one is being written, the next is begun after it. Any
 * thread. Returns the number of this request. */
enum flight_moment { FLIGHT_APPENDED, FLIGHT_CALLED };
uint64_t flight_recorder_trigger(struct flight_recorder *r, enum flight_moment at, const char *reason);

/* Is there a request that can be served? To be asked by the session's thread, which then appends everything
 * up to *at, and calls flight_recorder_dump(). */
bool flight_recorder_is_due(struct flight_recorder *r, enum flight_moment *at);

/* Begins to write the file, in another thread. Errors are told, and counted. */
void flight_recorder_dump(struct flight_recorder *r);

/* Writes the last file, if anything was recorded since the one before, and waits for it. */
void flight_recorder_finish(struct flight_recorder *r, const char *reason);

/* Has this request been served? path (size bytes) receives the file's name, or "" if there was nothing to
 * write or an error. Any thread. */
bool flight_recorder_has_served(struct flight_recorder *r, uint64_t request, char *path, size_t size,
                                bool *failed);

/* Returns how many files could not be written. */
unsigned flight_recorder_failures(const struct flight_recorder *r);

#endif
