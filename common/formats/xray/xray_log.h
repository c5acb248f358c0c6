/* SPDX-License-Identifier: MIT
 * What a log consists of: headers, threads, and the segments that have the records of a thread.
 */
#ifndef XRAY_LOG_H
#define XRAY_LOG_H

#include "formats/xray/xray_header.h"

#include "base/hash_map.h"
#include "trace/trace_file.h"

#define XRAY_NO_SEGMENT UINT32_MAX

/* A buffer of a flight data recorder, or records of one thread of a basic log that are in chronological
 * order. */
struct xray_segment {
    uint64_t offset; /* in the file, of its first record after the extents; likewise below */
    uint64_t end;
    uint64_t key;    /* when it begins: the counter; nanoseconds if headers differ */
    uint32_t thread; /* index */
    uint32_t header; /* index */
    uint32_t next;   /* index of another one of the thread; used while they are merged */
    bool is_cut;     /* the file ends before it does */
};

struct xray_thread {
    int64_t process; /* -1: not told; likewise the thread */
    int64_t thread;
};

/* Bytes that are in no segment. */
struct xray_gap {
    uint64_t offset;
    uint64_t end;
};

#define XRAY_GAPS_MAX 1000 /* that are told one by one */

struct xray_log {
    struct trace_file file;
    struct xray_header **headers; /* each allocated, so that its address stays */
    size_t header_count;
    size_t header_room;
    struct xray_segment *segments; /* in the order of the file, until they are sorted */
    size_t segment_count;
    size_t segment_room;
    struct xray_thread *threads;
    size_t thread_count;
    size_t thread_room;
    struct int_map thread_indexes; /* maps process and thread to an index */
    struct xray_gap gaps[XRAY_GAPS_MAX];
    size_t gap_count;
    bool is_cut;         /* the file ends inside something */
    bool keys_are_times; /* headers have different counters */
};

void xray_log_fini(struct xray_log *log);

/* Each adds something. Errors: TRACE_ERR_MEMORY. */
int xray_log_add_header(struct xray_log *log, const struct xray_header *header);
int xray_log_add_segment(struct xray_log *log, const struct xray_segment *segment);

/* Finds the index of a thread, which is added if it is new. */
int xray_log_find_thread(struct xray_log *log, int64_t process, int64_t thread, uint32_t *out);

/* Adds a gap. Further ones than XRAY_GAPS_MAX become part of the last one. */
void xray_log_add_gap(struct xray_log *log, uint64_t offset, uint64_t end);

#endif
