/* SPDX-License-Identifier: MIT
 * Writes a record whose body consists of a few words, or of those and a short array. This is all that most
 * calls cost the program, so everything is inline.
 */
#ifndef CAPTURE_SCALAR_RECORD_H
#define CAPTURE_SCALAR_RECORD_H

#include "capture/capture_thread.h"
#include "context/gl_context.h"
#include "memory/program_memory.h"
#include "process/capture_process.h"
#include "records/shared_ring.h"

#include "runtime/length.h"
#include "runtime/spec.h"

/* Reserves space for a record of size bytes, and for what ring_put_time() may append. */
static inline uint8_t *record_reserve(struct ring_producer *ring, uint32_t size)
{
    return ring_reserve(ring, size + RECORD_TIME_SIZE, capture_process_wait);
}

/* Writes the header of the record at `at`, whose body has been written, and publishes it. left: for a LEAVE,
 * the time when the call returned. */
static inline void record_publish(struct ring_producer *ring, uint8_t *at, const struct spec_function *f,
                                  uint32_t size, uint8_t kind, uint8_t flags, uint64_t left)
{
    struct record *r = (struct record *)(void *)at;
    r->size = size;
    r->function = f->id;
    r->kind = kind;
    r->flags = flags;
    ring_put_time(ring, r, kind == RECORD_LEAVE ? left : capture_clock_read(ring->clock));
    /* Taken last, so that as little as possible happens between here and the publication. */
    r->order = (uint32_t)ring_take_order(ring);
    ring_publish(ring, r->size);
}

/* Writes a record with count words. After a failure, the thread no longer records. */
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

/* The size of a record with count words. */
static inline uint32_t record_words_size(unsigned count)
{
    return (uint32_t)(sizeof(struct record) + count * sizeof(union spec_arg));
}

/* Writes a record of size bytes with words, for which ring_is_easy(). Its time must not be far from the
 * ring's full time. Stores as few and as wide words as possible, since they are most of what the record
 * costs. */
static inline void record_put_easily(struct ring_producer *ring, const struct spec_function *f,
                                     const union spec_arg *words, uint32_t size, uint8_t kind, uint64_t time)
{
    uint8_t *at = ring->data + (ring->head & (RING_SIZE - 1)), *to = at + sizeof(struct record);
    uint8_t *end = at + size;
    for (; end - to >= (ptrdiff_t)(2 * sizeof *words); to += 2 * sizeof *words, words += 2)
        memcpy(to, words, 2 * sizeof *words);
    if (to < end)
        memcpy(to, words, sizeof *words);
    /* As struct record has them: size, function and kind; order and time. */
    const uint64_t what = size | (uint64_t)f->id << 32 | (uint64_t)kind << 48;
    memcpy(at, &what, sizeof what);
    const uint64_t place = (uint32_t)ring_take_order(ring) | time << 32;
    memcpy(at + sizeof what, &place, sizeof place);
    ring_publish_easily(ring, size);
}

/* Returns how many elements the function's only array has, or a number that is too large or too small. */
static inline int64_t record_array_count(const struct capture_thread *t, const struct spec_function *f,
                                         const union spec_arg *args)
{
    if (__builtin_expect(f->array_unit == 0, 0))
        return spec_length(f, args, f->array, &t->context->sizes);
    if (f->array_count == SPEC_NO_PARAM)
        return f->array_unit;
    uint64_t count = args[f->array_count].u;
    return count <= RECORD_SHORT_ARRAY ? (int64_t)count * f->array_unit : INT64_MAX;
}

/* Writes the ENTER record of a function with SPEC_FUNCTION_ONE_ARRAY. Returns false if the array is not short
 * or may not be readable; nothing is written then. After a failure, the thread no longer records. */
static inline bool record_put_array(struct capture_thread *t, const struct spec_function *f,
                                    const union spec_arg *args)
{
    const void *memory = args[f->array].p;
    int64_t count = memory != NULL ? record_array_count(t, f, args) : 0;
    if (count <= 0 || count > (int64_t)RECORD_SHORT_ARRAY)
        return false;
    uint32_t bytes = (uint32_t)count * f->array_size, words = f->param_count * (uint32_t)sizeof *args;
    uint32_t size = (uint32_t)(sizeof(struct record) + words + sizeof count + RECORD_PAD(bytes));
    if (bytes > RECORD_SHORT_ARRAY || !program_memory_readable(memory, bytes))
        return false;
    uint8_t *at = record_reserve(&t->ring, size);
    if (__builtin_expect(at == NULL, 0)) {
        ring_producer_fini(&t->ring);
        return true;
    }
    uint8_t *body = at + sizeof(struct record);
    for (uint32_t i = 0; i < words; i += sizeof *args)
        memcpy(body + i, (const uint8_t *)args + i, sizeof *args);
    memcpy(body + words, &count, sizeof count);
    memcpy(body + words + sizeof count, memory, bytes);
    record_publish(&t->ring, at, f, size, RECORD_ENTER, 0, 0);
    return true;
}

/* Returns the number of words in a LEAVE record before its payloads. */
static inline unsigned record_result_words(const struct spec_function *f)
{
    return f->ret.type != SPEC_VOID || (f->ret.form != SPEC_FORM_VALUE && f->ret.form != SPEC_FORM_OPAQUE);
}

#endif
