/* SPDX-License-Identifier: MIT */
#include "sample_ring.h"

#include "cmocka_all.h"
#include "sample_records.h"

#include <stdlib.h>
#include <string.h>

static bool never_full(struct ring_producer *p)
{
    (void)p;
    abort();
}

int sample_ring_open(struct sample_ring *s)
{
    if (segment_create(&s->segment, 2) != 0 || record_encoder_init(&s->encoder) != 0 ||
        record_merger_init(&s->merger, &s->segment, &s->encoder) != 0 ||
        ring_pool_init(&s->pool, &s->segment, NULL) != 0 || ring_pool_take(&s->pool, &s->ring) != 0)
        return -1;
    record_encode_header(&s->encoder, "/usr/bin/app", "");
    sample_ring_append(s, 0, RECORD_THREAD, &(uint64_t){0}, 1);
    return 0;
}

void sample_ring_close(struct sample_ring *s)
{
    ring_producer_fini(&s->ring);
    record_merger_fini(&s->merger);
    record_encoder_fini(&s->encoder);
    ring_pool_fini(&s->pool);
    segment_fini(&s->segment);
}

uint8_t *sample_ring_append(struct sample_ring *s, uint16_t function, uint8_t kind, const uint64_t *words,
                            unsigned count)
{
    return append_record(&s->ring, function, kind, words, count, never_full);
}

void sample_ring_append_body(struct sample_ring *s, const struct record *header, const void *body,
                             size_t size)
{
    struct record r = *header;
    r.size = (uint32_t)(sizeof r + size);
    uint8_t *at = ring_reserve(&s->ring, r.size, never_full);
    memcpy(at, &r, sizeof r);
    if (size > 0)
        memcpy(at + sizeof r, body, size);
    ring_publish(&s->ring, r.size);
}

void sample_ring_drain(struct sample_ring *s)
{
    size_t taken;
    do {
        do
            assert_int_equal(record_merger_drain(&s->merger, 1 << 20, &taken), 0);
        while (taken > 0);
    } while (record_merger_skip_gap(&s->merger) || record_merger_cut_large(&s->merger));
}
