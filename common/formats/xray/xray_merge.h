/* SPDX-License-Identifier: MIT
 * Merges the segments of a log by time. Only those that overlap are being read at the same time; those of one
 * thread follow each other.
 */
#ifndef XRAY_MERGE_H
#define XRAY_MERGE_H

#include "formats/xray/xray_cursor.h"
#include "formats/xray/xray_log.h"

#include "trace/event.h"

/* A segment that is being read, and its next item. */
struct xray_active {
    struct xray_cursor cursor;
    struct xray_item item;
    uint64_t key;
    const struct xray_segment *segment;
    uint64_t rank;   /* of the thread among those with the same time, wherever they are in the file */
    uint32_t thread; /* index */
    uint32_t last;   /* segment after which the next one of the thread is inserted */
    const struct trace_origin
        *origin; /* for the user, like the processor that it belongs to; NULL at the beginning */
    int32_t origin_cpu;
    struct xray_active *next; /* links free ones */
};

struct xray_merge {
    struct xray_log *log;      /* lent; its segments are sorted */
    size_t pending;            /* the first segment that has not been begun */
    uint64_t pending_key;      /* when it begins, if there is one */
    struct xray_active **heap; /* those that are read; the first has the next item */
    size_t heap_count;
    size_t heap_room;
    struct xray_active **of_thread; /* NULL: none of the thread's segments is being read */
    uint64_t
        *last_ticks; /* of each thread: the counter at the end of its last segment; 0: none has been read */
    struct xray_active *free;
    bool is_taken;             /* the first one's item was handed out */
    struct xray_active *alone; /* the first one, if it was, nothing else is being read, and ticks are the
                                  keys; or NULL */
};

/* Errors: TRACE_ERR_MEMORY. After an error there is nothing to free. */
int xray_merge_init(struct xray_merge *m, struct xray_log *log);
void xray_merge_fini(struct xray_merge *m);

/* Gets the segment with the next item, both lent until the next call. *out is NULL at the end. No item is an
 * END. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int xray_merge_next(struct xray_merge *m, struct xray_active **out);

#endif
