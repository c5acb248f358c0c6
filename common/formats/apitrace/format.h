/* SPDX-License-Identifier: MIT
 * Numbers of the apitrace format that are not values: events, details, frame details (docs/trace-format.md).
 * Shared by the encoder and the parser.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#define TRACE_FORMAT_VERSION 6 /* the version written, and the newest that is read */

enum trace_raw_event_tag {
    TRACE_RAW_EVENT_ENTER = 0,
    TRACE_RAW_EVENT_LEAVE = 1,
};

enum trace_detail_tag {
    TRACE_DETAIL_END = 0,
    TRACE_DETAIL_ARG = 1,
    TRACE_DETAIL_RET = 2,
    TRACE_DETAIL_THREAD = 3, /* before version 4 */
    TRACE_DETAIL_BACKTRACE = 4,
    TRACE_DETAIL_FLAGS = 5,
};

enum trace_frame_tag {
    TRACE_FRAME_END = 0,
    TRACE_FRAME_MODULE = 1,
    TRACE_FRAME_FUNCTION = 2,
    TRACE_FRAME_FILE = 3,
    TRACE_FRAME_LINE = 4,
    TRACE_FRAME_OFFSET = 5,
};

/* Signature and frame ids are below this. apitrace's own stay below 2^17; the limit keeps a damaged id from
 * costing memory. */
#define TRACE_ID_LIMIT (UINT32_C(1) << 24)

/* What no sound trace has more of, so that a damaged one does not cost memory either. */
#define TRACE_NAMES_LIMIT (UINT64_C(1) << 20) /* of one signature; GLenum has 3,522 */
#define TRACE_ITEMS_LIMIT                                                                                    \
    (UINT64_C(1) << 24) /* in one event: they take 32 times the memory of their bytes                        \
                         */
#define TRACE_DEPTH_LIMIT                                                                                    \
    64 /* nested arrays, structures and representations; real traces have fewer than ten */

#endif
