/* SPDX-License-Identifier: MIT
 * The contents of the index of a trace, and the constants of its layout (docs/trace-format.md, "The index").
 * All offsets are in bytes: stream offsets in the decompressed event stream, file offsets in the file.
 */
#ifndef TRACE_INDEX_FORMAT_H
#define TRACE_INDEX_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_INDEX_VERSION 2

/* A section is cut into blocks of this many bytes (the last is shorter), which are compressed independently.
 * The size is a multiple of the record size of every kind of table. */
#define TRACE_BLOCK_SIZE       65520u
#define TRACE_BLOCK_ENTRY_SIZE 16u /* file offset in the section, checksum of the stored bytes */

enum trace_section_kind {
    TRACE_SECTION_SUMMARY = 1,
    TRACE_SECTION_CHUNKS = 2,
    TRACE_SECTION_SEGMENTS = 3,
    TRACE_SECTION_SIGNATURES = 4,
    TRACE_SECTION_FRAMES = 5,
    TRACE_SECTION_TIMES = 6,
    TRACE_SECTION_MODULES = 7,
    TRACE_SECTION_LIMIT,
};

#define TRACE_INDEX_HEAD_SIZE    8u  /* the magic number */
#define TRACE_SECTION_ENTRY_SIZE 32u /* an entry of the directory */
#define TRACE_INDEX_FOOTER_SIZE  40u

extern const uint8_t trace_index_head[TRACE_INDEX_HEAD_SIZE];
extern const uint8_t trace_index_magic[8];

/* A signature with more bytes than this (id and body) is not stored in the index: the index refers to the
 * stream, and a flag is added to its kind. The largest table of GL enum names alone would otherwise take a
 * tenth of a small trace. */
#define TRACE_SIG_INLINE_LIMIT 1024u
#define TRACE_SIG_REFERENCE    8u

/* Number of 64-bit numbers in a record of each section. */
#define TRACE_SUMMARY_NUMBERS 8u
#define TRACE_CHUNK_NUMBERS   5u
#define TRACE_SEGMENT_NUMBERS 3u
#define TRACE_FRAME_NUMBERS   6u
#define TRACE_MAX_NUMBERS     8u

#define TRACE_SUMMARY_HAS_WALL_CLOCK 1u /* bit of the summary's first number, the flags */

/* The unit in which times are written, in nanoseconds. Taking a timestamp takes longer than that, so a finer
 * unit would only store noise; it took a third of the size of a trace of short calls. Readers accept every
 * unit up to the limit. */
#define TRACE_TIME_UNIT       10
#define TRACE_TIME_UNIT_LIMIT 1000000000u

struct trace_summary {
    uint64_t stream_bytes;
    uint64_t events;
    uint64_t calls;      /* number of calls that were entered */
    uint64_t incomplete; /* number of calls that never returned */
    uint64_t frames;     /* number of frames that were ended */
    bool has_wall_clock;
    uint64_t time_unit; /* unit of the section of times, in nanoseconds */
    int64_t wall_clock; /* nanoseconds from 1970-01-01 UTC to time 0 of the trace's clock */
};

/* A place where reading can start: an event, and the state that a reader needs there. */
struct trace_segment {
    uint64_t stream_offset;
    uint64_t next_call;    /* number of the next call to be entered */
    uint64_t times_offset; /* offset in the section of times */
};

/* A program or library in backtraces. */
struct trace_module {
    const char *path; /* as in frames; there may be several builds of one path */
    uint64_t address; /* of its first byte, in its file's own addresses: 0 unless linked to fixed ones */
    const uint8_t *build_id;
    size_t build_id_size; /* in bytes; 0: it has none */
};

/* A frame consists of calls in the order in which they return. Calls that never return come last. */
struct trace_frame_entry {
    uint64_t first_call; /* first call to return */
    uint64_t last_call;
    uint64_t calls;
    uint64_t stream_bytes;
    uint64_t stream_offset; /* of the first frame, 0: that frame includes the header */
    uint64_t lowest_call; /* lowest number of a call that is pending at the start of the frame, or the number
                             of the next call */
};

#endif
