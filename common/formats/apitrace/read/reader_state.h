/* SPDX-License-Identifier: MIT
 * What reader.c and reader_seek.c share.
 */
#ifndef TRACE_READER_STATE_H
#define TRACE_READER_STATE_H

#include "formats/apitrace/scan/event_scan.h"
#include "formats/apitrace/read/cursor.h"
#include "formats/apitrace/read/pending_records.h"
#include "formats/apitrace/read/reader.h"

struct trace_reader {
    struct trace_cursor cursor;

    struct trace_pending_records pending; /* calls whose leave is still to come */
    struct trace_record_pool records;

    /* Calls that are not returned, besides those that are left before cursor.first_offset: those with lower
     * numbers, and those of earlier frames. */
    uint64_t first_number;
    uint64_t first_frame;
    uint64_t frames;       /* ended so far, */
    uint64_t frame_calls;  /* and calls since then, */
    bool is_frame_unknown; /* unless reading did not begin at the start */

    uint64_t call_frame; /* of the call that was returned last */
    bool jumped;         /* pending calls were passed over, and whether they end a frame */
    bool left_unknown;   /* the present event is the leave of such a call: */
    uint64_t left_number;

    /* reader_batches.c */
    struct trace_scan cut_scan; /* finds the ends of batches */
    uint64_t cut_from;          /* no batch begins before this place of the stream */
};

/* Passes over what is not wanted, if that is worth while. TRACE_ERR_DAMAGED: names were lost, and it goes on.
 */
int trace_reader_jump(struct trace_reader *r);

/* A call that was passed over is left: counts the frame that it may end, by the index. */
void trace_reader_count_unknown(struct trace_reader *r, uint64_t number, uint64_t offset);

/* Behind damage: counts the frames that ended in it, by the index. */
void trace_reader_count_lost(struct trace_reader *r);

/* At the end of the stream: counts the frames that are ended by calls before `number` that never left and
 * were passed over, by the index. */
void trace_reader_count_passed_rest(struct trace_reader *r, uint64_t number);

#endif
