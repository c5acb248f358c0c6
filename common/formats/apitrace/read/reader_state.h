/* SPDX-License-Identifier: MIT
 * Declarations that reader.c and reader_seek.c share.
 */
#ifndef TRACE_READER_STATE_H
#define TRACE_READER_STATE_H

#include "formats/apitrace/scan/event_scan.h"
#include "formats/apitrace/read/cursor.h"
#include "formats/apitrace/read/pending_records.h"
#include "formats/apitrace/read/reader.h"

struct trace_reader {
    struct trace_cursor cursor;

    struct trace_pending_records pending; /* calls whose leave event has not been read */
    struct trace_record_pool records;

    /* Calls with lower numbers, and calls of earlier frames, are not returned. Calls that return before
     * cursor.first_offset are not returned either. */
    uint64_t first_number;
    uint64_t first_frame;
    uint64_t frames;       /* number of frames that have ended */
    uint64_t frame_calls;  /* number of calls since the last frame ended */
    bool is_frame_unknown; /* false if reading began at the start */

    uint64_t call_frame; /* frame of the call that was returned last */
    bool jumped;         /* pending calls were skipped, so it is unknown whether they end a frame */
    bool left_unknown;   /* the current event is the leave event of such a call */
    uint64_t left_number;

    /* for reader_batches.c */
    struct trace_scan cut_scan; /* finds the ends of batches */
    uint64_t cut_from;          /* batches begin at this stream offset or later */
};

/* Jumps over unwanted calls if that is worthwhile. Errors: TRACE_ERR_DAMAGED if names were lost; reading
 * continues after it. */
int trace_reader_jump(struct trace_reader *r);

/* Handles the return of a call that was skipped: counts the frame that it may end, using the index. */
void trace_reader_count_unknown(struct trace_reader *r, uint64_t number, uint64_t offset);

/* After damage: counts the frames that ended in the damaged part, using the index. */
void trace_reader_count_lost(struct trace_reader *r);

/* At the end of the stream: counts the frames that are ended by skipped calls before `number` that never
 * returned, using the index. */
void trace_reader_count_passed_rest(struct trace_reader *r, uint64_t number);

#endif
