/* SPDX-License-Identifier: MIT
 * For tests: a segment, a thread's ring in it, and the merger and encoder that take its records.
 */
#ifndef TESTS_SAMPLE_RING_H
#define TESTS_SAMPLE_RING_H

#include "records/record_merger.h"
#include "records/ring_pool.h"

struct sample_ring {
    struct segment segment;
    struct ring_pool pool;
    struct ring_producer ring; /* its first record says that it is thread 0's */
    struct record_encoder encoder;
    struct record_merger merger;
};

/* Returns 0, or -1 if there is no memory. */
int sample_ring_open(struct sample_ring *s);
void sample_ring_close(struct sample_ring *s);

/* Appends a record to the ring, which must have room, and returns where it is. */
uint8_t *sample_ring_append(struct sample_ring *s, uint16_t function, uint8_t kind, const uint64_t *words,
                            unsigned count);

/* The same for a record with this header, but for its size, and a body of `size` bytes. */
void sample_ring_append_body(struct sample_ring *s, const struct record *header, const void *body,
                             size_t size);

/* Passes everything in the ring on to the encoder; numbers that are missing are not waited for. */
void sample_ring_drain(struct sample_ring *s);

#endif
