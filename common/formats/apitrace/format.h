/* SPDX-License-Identifier: MIT
 * Constants of the apitrace format (docs/trace-format.md): events, details and frame details. The tags of
 * values are in trace/model.h. Shared by the encoder and the parser.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#define TRACE_FORMAT_VERSION 6 /* the version that is written, and the newest one that can be read */

enum trace_raw_event_tag {
    TRACE_RAW_EVENT_ENTER = 0,
    TRACE_RAW_EVENT_LEAVE = 1,
};

enum trace_detail_tag {
    TRACE_DETAIL_END = 0,
    TRACE_DETAIL_ARG = 1,
    TRACE_DETAIL_RET = 2,
    TRACE_DETAIL_THREAD = 3, /* only before version 4 */
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

/* Ids of signatures and frames must be below this. apitrace's own are below 2^17. The limit prevents a
 * damaged id from allocating much memory. */
#define TRACE_ID_LIMIT (UINT32_C(1) << 24)

/* Limits that valid traces do not exceed, so that damaged traces do not allocate much memory. */
#define TRACE_NAMES_LIMIT (UINT64_C(1) << 20) /* per signature; GLenum has 3,522 */
#define TRACE_ITEMS_LIMIT (UINT64_C(1) << 24) /* per event; each takes 32 times its encoded size */
#define TRACE_DEPTH_LIMIT 64                  /* of nested values; real traces have fewer than ten */

#endif
