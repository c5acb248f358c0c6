/* SPDX-License-Identifier: MIT
 * A chunk becomes a buffer of the log.
 */
#include "run/store_log.h"

#include "base/error.h"
#include "base/little_endian.h"
#include "base/write_all.h"
#include "formats/xray/xray_buffer_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define NANOSECONDS 1000000000

static const struct xray_header little_endian = {.version = XRAY_FDR_LAST_VERSION, .type = XRAY_FDR};

bool store_log_read_header(int store, struct xray_store *out)
{
    return pread(store, out, sizeof *out, 0) == (ssize_t)sizeof *out && out->magic == XRAY_STORE_MAGIC;
}

static bool read_chunk(const struct store_log *l, uint64_t index, void *out, size_t size)
{
    return pread(l->store, out, size, (off_t)((1 + index) * XRAY_CHUNK_SIZE)) == (ssize_t)size;
}

static uint32_t chunk_used(const struct xray_chunk *c)
{
    uint32_t used = atomic_load_explicit(&c->state, memory_order_relaxed) & XRAY_USED_MASK;
    return used <= XRAY_CHUNK_ROOM ? used : 0;
}

bool store_log_has_records(const struct store_log *l)
{
    struct {
        _Alignas(struct xray_chunk) uint8_t bytes[offsetof(struct xray_chunk, records)];
    } head;
    for (uint64_t i = 0; i < l->chunks && read_chunk(l, i, &head, sizeof head); ++i)
        if (chunk_used((const struct xray_chunk *)&head) > 0)
            return true;
    return false;
}

double store_clock_ticks_per_nanosecond(const struct store_clock *c)
{
    double ticks = (double)(int64_t)(c->last.ticks - c->first.ticks);
    double nanoseconds = (double)(c->last.nanoseconds - c->first.nanoseconds);
    return c->clock == CAPTURE_CLOCK_COUNTER && ticks > 0 && nanoseconds > 0 ? ticks / nanoseconds : 1;
}

static int write_bytes(struct store_log *l, int output, const void *first, size_t first_size,
                       const void *second, size_t second_size)
{
    l->bytes += first_size + second_size;
    return write_all_both(output, first, first_size, second, second_size);
}

static int write_header(struct store_log *l, int output)
{
    uint8_t bytes[XRAY_HEADER_SIZE];
    struct xray_header h = little_endian;
    h.constant_tsc = h.nonstop_tsc = true;
    h.frequency = (uint64_t)(store_clock_ticks_per_nanosecond(l->clock) * NANOSECONDS + 0.5);
    h.buffer_size = XRAY_CHUNK_SIZE;
    xray_put_header(bytes, &h);
    return write_bytes(l, output, bytes, sizeof bytes, NULL, 0);
}

/* A thread that was killed may have taken room for records that it has not written. A function's number is
 * never 0, so zeros are no record. Returns the size of the records before. */
static uint32_t count_records(struct store_log *l, const struct xray_chunk *c)
{
    uint32_t at = 0, used = chunk_used(c);
    while (used - at >= XRAY_FUNCTION_SIZE) {
        struct xray_record r;
        size_t size = xray_record_size(&little_endian, c->records[at]);
        if (size > used - at || get_u32(c->records + at) == 0)
            break;
        xray_record_decode(&little_endian, c->records + at, &r);
        if (r.kind == XRAY_CUSTOM_EVENT || r.kind == XRAY_TYPED_EVENT)
            size += (size_t)(r.size > 0 ? r.size : 0);
        if (r.kind == XRAY_NOTHING || size > used - at)
            break;
        l->records += r.kind == XRAY_FUNCTION || r.kind == XRAY_CUSTOM_EVENT || r.kind == XRAY_TYPED_EVENT;
        at += (uint32_t)size;
    }
    return at;
}

static int64_t chunk_time(const struct store_log *l, const struct xray_chunk *c)
{
    double passed = (double)(int64_t)(c->ticks - l->clock->first.ticks);
    return l->clock->first.nanoseconds + (int64_t)(passed / store_clock_ticks_per_nanosecond(l->clock));
}

static int write_chunk(struct store_log *l, int output, const struct xray_chunk *c)
{
    struct xray_buffer_writer w = {.version = XRAY_FDR_LAST_VERSION,
                                   .process = (uint32_t)l->process,
                                   .thread = (uint32_t)c->thread,
                                   .bytes = BUF_INIT};
    const struct xray_moment begin = {c->ticks, c->processor};
    uint8_t extents[XRAY_METADATA_SIZE];
    uint32_t size = count_records(l, c);
    if (size == 0)
        return 0;
    int rc = xray_buffer_begin(&w, &begin, chunk_time(l, c));
    if (rc == 0) {
        xray_put_extents(extents, w.bytes.len + size);
        rc = write_bytes(l, output, extents, sizeof extents, w.bytes.data, w.bytes.len);
    }
    if (rc == 0)
        rc = write_bytes(l, output, c->records, size, NULL, 0);
    buf_fini(&w.bytes);
    return rc;
}

void store_log_give_back(int file, uint64_t offset, uint64_t size)
{
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size);
}

static void free_chunk(const struct store_log *l, uint64_t index)
{
    store_log_give_back(l->store, index * XRAY_CHUNK_SIZE, XRAY_CHUNK_SIZE);
}

/* The file may be shorter than the number of chunks: there was no room for all. A process that still runs
 * holds the lock; it would be killed if it wrote to memory whose disk space is gone. */
int store_log_write(struct store_log *l, int output)
{
    struct xray_chunk *chunk = malloc(sizeof *chunk);
    if (chunk == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    bool is_over = flock(l->store, LOCK_SH | LOCK_NB) == 0;
    l->records = l->bytes = 0;
    if (is_over)
        free_chunk(l, 0);
    int rc = write_header(l, output);
    for (uint64_t i = 0; i < l->chunks && rc == 0 && read_chunk(l, i, chunk, sizeof *chunk); ++i) {
        if (is_over)
            free_chunk(l, 1 + i);
        rc = write_chunk(l, output, chunk);
    }
    free(chunk);
    return rc;
}
