/* SPDX-License-Identifier: MIT
 * What the index of a trace says, and numbers of its layout (docs/trace-format.md, "The index").
 * Offsets are bytes: "stream" ones of the decompressed event stream, "file" ones of the file.
 */
#ifndef TRACE_INDEX_FORMAT_H
#define TRACE_INDEX_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_INDEX_VERSION 2

/* A section is cut into blocks of so many bytes (the last is shorter), compressed each by itself. Whole
 * records of every kind of table fit in. */
#define TRACE_BLOCK_SIZE       65520u
#define TRACE_BLOCK_ENTRY_SIZE 16u /* file offset from the section's start, checksum of what is stored */

enum trace_section_kind {
    TRACE_SECTION_SUMMARY = 1,
    TRACE_SECTION_CHUNKS = 2,
    TRACE_SECTION_SEGMENTS = 3,
    TRACE_SECTION_SIGNATURES = 4,
    TRACE_SECTION_FRAMES = 5,
    TRACE_SECTION_TIMES = 6,
    TRACE_SECTION_LIMIT,
};

#define TRACE_INDEX_HEAD_SIZE    8u  /* the magic number */
#define TRACE_SECTION_ENTRY_SIZE 32u /* of the directory */
#define TRACE_INDEX_FOOTER_SIZE  40u

extern const uint8_t trace_index_head[TRACE_INDEX_HEAD_SIZE];
extern const uint8_t trace_index_magic[8];

/* A signature of more bytes (id and body) is only referred to: the flag is added to its kind. One table of
 * GL's names would be a tenth of a small trace, which has it already. */
#define TRACE_SIG_INLINE_LIMIT 1024u
#define TRACE_SIG_REFERENCE    8u

/* Records of sections, each a row of 64-bit numbers. */
#define TRACE_SUMMARY_NUMBERS 8u
#define TRACE_CHUNK_NUMBERS   5u
#define TRACE_SEGMENT_NUMBERS 3u
#define TRACE_FRAME_NUMBERS   6u
#define TRACE_MAX_NUMBERS     8u

#define TRACE_SUMMARY_HAS_WALL_CLOCK 1u /* bit of the summary's first number, its flags */

/* Nanoseconds that we count times in. One costs more than that to take: what is finer is noise, and was a
 * third of a trace of short calls. Readers take any up to the limit. */
#define TRACE_TIME_UNIT       10
#define TRACE_TIME_UNIT_LIMIT 1000000000u

struct trace_summary {
    uint64_t stream_bytes;
    uint64_t events;
    uint64_t calls;      /* that were entered */
    uint64_t incomplete; /* of them, not left */
    uint64_t frames;     /* that were ended */
    bool has_wall_clock;
    uint64_t time_unit; /* nanoseconds that the section of times counts in */
    int64_t wall_clock; /* nanoseconds since 1970-01-01 UTC when the trace's clock was 0 */
};

/* A place where reading may begin: an event, and what has to be known before it. */
struct trace_segment {
    uint64_t stream_offset;
    uint64_t next_call;    /* number of the next call to be entered */
    uint64_t times_offset; /* in the section of times */
};

/* Frames consist of the calls in the order in which they are left; those never left come last. */
struct trace_frame_entry {
    uint64_t first_call; /* as they are left */
    uint64_t last_call;
    uint64_t calls;
    uint64_t stream_bytes;
    uint64_t stream_offset; /* of the first frame, 0: it has the header */
    uint64_t lowest_call;   /* that is pending where the frame begins, or the next to be entered */
};

#endif
