/* SPDX-License-Identifier: MIT
 * Writes a record whose body is a few words: what most calls cost the program. Everything is inline.
 */
#ifndef CAPTURE_SCALAR_RECORD_H
#define CAPTURE_SCALAR_RECORD_H

#include "process/capture_process.h"
#include "records/shared_ring.h"

#include "runtime/spec.h"

/* Room for a record of size bytes, and for what ring_put_time() may add. */
static inline uint8_t *record_reserve(struct ring_producer *ring, uint32_t size)
{
    return ring_reserve(ring, size + RECORD_TIME_SIZE, capture_process_wait);
}

/* Publishes the record whose body is written behind its header, which is at `at`. left: of a LEAVE, when the
 * call was over. */
static inline void record_publish(struct ring_producer *ring, uint8_t *at, const struct spec_function *f,
                                  uint32_t size, uint8_t kind, uint8_t flags, uint64_t left)
{
    struct record *r = (struct record *)(void *)at;
    r->size = size;
    r->function = f->id;
    r->kind = kind;
    r->flags = flags;
    ring_put_time(ring, r, kind == RECORD_LEAVE ? left : capture_clock_read(ring->clock));
    /* Taken last, so that nothing but the publishing itself can come between. */
    r->order = (uint32_t)ring_take_order(ring);
    ring_publish(ring, r->size);
}

/* Writes a whole record with count words. On failure the ring takes nothing more. */
static inline void record_put_words(struct ring_producer *ring, const struct spec_function *f,
                                    const union spec_arg *words, unsigned count, uint8_t kind, uint8_t flags,
                                    uint64_t left)
{
    uint32_t size = (uint32_t)(sizeof(struct record) + count * sizeof *words);
    uint8_t *at = record_reserve(ring, size);
    if (__builtin_expect(at == NULL, 0)) {
        ring_producer_fini(ring);
        return;
    }
    for (unsigned i = 0; i < count; ++i)
        memcpy(at + sizeof(struct record) + i * sizeof *words, &words[i], sizeof *words);
    record_publish(ring, at, f, size, kind, flags, left);
}

/* Words in a LEAVE record before its payloads. */
static inline unsigned record_result_words(const struct spec_function *f)
{
    return f->ret.type != SPEC_VOID || (f->ret.form != SPEC_FORM_VALUE && f->ret.form != SPEC_FORM_OPAQUE);
}

#endif
