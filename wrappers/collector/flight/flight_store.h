/* SPDX-License-Identifier: MIT
 * The memory of a flight recorder: the newest events of a stream, in compressed chunks. The oldest chunks
 * leave when there are too many bytes, or when they are too old. A chunk holds whole events, and ends with a
 * frame where possible.
 */
#ifndef COLLECTOR_FLIGHT_STORE_H
#define COLLECTOR_FLIGHT_STORE_H

#include "base/buf.h"
#include "trace/container_kind.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define FLIGHT_MIN_BYTES ((uint64_t)64 << 10)

struct flight_limits {
    uint64_t bytes;       /* of compressed memory; at least FLIGHT_MIN_BYTES */
    int64_t milliseconds; /* from the begin of the oldest chunk to the newest event; 0: any */
};

/* Times of events are in these steps, as in an index. */
#define FLIGHT_TIME_UNIT 10 /* nanoseconds */

struct flight_chunk {
    struct flight_chunk *next;
    atomic_uint refs;
    bool starts_frame;    /* its first event is the first of a frame */
    bool is_compressed;   /* guarded by the store */
    bool is_too_large;    /* it alone: its events were dropped, and it leaves */
    uint64_t first_call;  /* number of the first call that is entered in it or later */
    uint64_t first_frame; /* number of frames that ended before it */
    uint64_t end;         /* stream offset behind its events; UINT64_MAX: not known yet */
    int64_t begun;        /* when its first event was recorded: milliseconds of the monotonic clock */
    int64_t first_time, last_time; /* of its events; nanoseconds, or TRACE_NO_TIME */
    struct buf events;             /* the bytes of its events, until they are compressed */
    struct buf blocks;             /* the same as blocks of the container */
    /* For each event a varint: 0 for an unknown time, or 1 + the zigzag code of the difference to the last
     * known one, which is 0 at first. */
    struct buf times;
    int64_t last_units;
    struct buf definitions; /* of signatures in its events; struct flight_definition, one after the other */
    struct buf
        calls; /* calls that may belong to the state behind it; struct flight_call, one after the other */
};

/* In chunk->definitions. `size` bytes follow: the signature's id and body, as in the stream. */
struct flight_definition {
    uint32_t kind; /* enum trace_sig_kind */
    uint32_t size;
};

/* In chunk->calls. The bytes of its two events follow, without definitions of signatures. */
struct flight_call {
    uint64_t number;
    uint32_t thread;
    uint32_t function; /* index into spec_functions */
    uint32_t enter_size, leave_size;
};

/* Bytes of a definition or a call with what follows; a multiple of 8, as the buffers are. */
static inline size_t flight_definition_size(const struct flight_definition *d)
{
    return (sizeof *d + d->size + 7) & ~(size_t)7;
}

static inline size_t flight_call_size(const struct flight_call *c)
{
    return (sizeof *c + c->enter_size + c->leave_size + 7) & ~(size_t)7;
}

struct flight_store;

/* Takes note of a chunk that leaves. */
typedef void (*flight_store_leaving)(void *context, const struct flight_chunk *chunk);

/* The caller owns *out. container: one that consists of blocks. Errors: TRACE_ERR_MEMORY, TRACE_ERR_USAGE. */
int flight_store_new(struct flight_store **out, const struct flight_limits *limits,
                     enum trace_container container, int level, flight_store_leaving leaving, void *context);
void flight_store_free(struct flight_store *s); /* s may be NULL */

/* Returns the chunk of the next event. Its times, definitions and calls may be added to. Lent until the next
 * call of flight_store_cut(). */
struct flight_chunk *flight_store_current(struct flight_store *s);

/* Adds the time of the next event in nanoseconds, or TRACE_NO_TIME. Errors: TRACE_ERR_MEMORY. */
int flight_store_add_time(struct flight_store *s, int64_t time);

/* To be called behind an event that ends there in the stream. Ends the chunk if it is long or old enough. The
 * next call is number `call`, in this frame. Errors: TRACE_ERR_MEMORY. */
int flight_store_cut(struct flight_store *s, uint64_t end, bool ends_frame, uint64_t call, uint64_t frame);

/* The next bytes of the stream. May wait for the thread that compresses. Errors: TRACE_ERR_MEMORY. */
int flight_store_append(struct flight_store *s, const uint8_t *bytes, size_t count);

/* Ends the current chunk in any case, and waits until all are compressed. All bytes of the stream must have
 * been appended. The other arguments are those of flight_store_cut(). Returns a list of references, oldest
 * first, that flight_chunks_unref() releases. Errors: TRACE_ERR_MEMORY. */
int flight_store_snapshot(struct flight_store *s, bool ends_frame, uint64_t call, uint64_t frame,
                          struct flight_chunk ***out, size_t *count);
void flight_chunks_unref(struct flight_chunk **chunks, size_t count);

/* Returns the number of the first call of the oldest chunk. */
uint64_t flight_store_first_call(const struct flight_store *s);

/* The bytes of the compressed chunks, other than those that only a snapshot holds. */
uint64_t flight_store_bytes(struct flight_store *s);

#endif
