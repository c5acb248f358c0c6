/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_log.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void xray_log_fini(struct xray_log *log)
{
    for (size_t i = 0; i < log->header_count; ++i)
        free(log->headers[i]);
    free(log->headers);
    free(log->segments);
    free(log->threads);
    int_map_fini(&log->thread_indexes);
    trace_file_close(&log->file);
}

int xray_log_add_header(struct xray_log *log, const struct xray_header *header)
{
    struct xray_header *copy = malloc(sizeof *copy);
    if (copy == NULL || ARRAY_RESERVE(log->headers, log->header_count, log->header_room) != 0) {
        free(copy);
        return no_memory();
    }
    *copy = *header;
    log->headers[log->header_count++] = copy;
    log->keys_are_times |= header->frequency != log->headers[0]->frequency;
    return 0;
}

int xray_log_add_segment(struct xray_log *log, const struct xray_segment *segment)
{
    if (log->segment_count >= XRAY_NO_SEGMENT ||
        ARRAY_RESERVE(log->segments, log->segment_count, log->segment_room) != 0)
        return no_memory();
    log->segments[log->segment_count++] = *segment;
    return 0;
}

int xray_log_find_thread(struct xray_log *log, int64_t process, int64_t thread, uint32_t *out)
{
    uint64_t key = (uint64_t)process << 32 | (uint32_t)thread, index;
    if (int_map_get(&log->thread_indexes, key, &index)) {
        *out = (uint32_t)index;
        return 0;
    }
    if (ARRAY_RESERVE(log->threads, log->thread_count, log->thread_room) != 0)
        return no_memory();
    *out = (uint32_t)log->thread_count;
    log->threads[log->thread_count] = (struct xray_thread){process, thread};
    return int_map_set(&log->thread_indexes, key, log->thread_count++);
}

void xray_log_add_gap(struct xray_log *log, uint64_t offset, uint64_t end)
{
    if (log->gap_count == XRAY_GAPS_MAX)
        log->gaps[XRAY_GAPS_MAX - 1].end = end;
    else
        log->gaps[log->gap_count++] = (struct xray_gap){offset, end};
}
