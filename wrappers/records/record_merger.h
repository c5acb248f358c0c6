/* SPDX-License-Identifier: MIT
 * Merges the records of a segment's rings by their order numbers, and encodes them. Runs in the collector, or
 * in the program if there is no collector. The contents of the rings are not trusted.
 */
#ifndef RECORDS_RECORD_MERGER_H
#define RECORDS_RECORD_MERGER_H

#include "records/large_record.h"
#include "records/record_encoder.h"
#include "records/ring_pool.h"

#include "base/hash_map.h"

#define RECORD_HOLDERS 4096

struct ring_consumer {
    uint8_t *data;               /* mirrored mapping; NULL if the ring was never used */
    uint64_t tail;               /* bytes consumed */
    uint64_t freed;              /* the value of tail that the producer can see */
    uint64_t head_seen;          /* an earlier value of head; reading it too often slows the producer down */
    struct record_thread thread; /* state of the ring's current thread */
    /* If several threads share the ring: their numbers, each mapped to its struct record_thread; owned. */
    struct int_map others;
    struct ring_stacks stacks;
    uint64_t full_time;   /* time of the last record with RECORD_FULL_TIME */
    uint64_t tail_before; /* value of tail at the last record_merger_ask_for_idle() */
    uint64_t emptied;     /* value of tail when the ring's memory was last released */
    uint64_t given;       /* bytes of memory that the ring was given ahead since then */
};

struct record_merger {
    struct segment *segment; /* not owned */
    struct record_encoder *encoder;
    const struct ring_pool *mapped; /* where the rings are mapped; not owned; NULL: the merger maps them */
    struct ring_consumer *rings;    /* one for each ring of the segment */
    bool has_given_memory;          /* to any ring */
    uint32_t current;               /* index of the ring that is read */
    /* For the low bits of an order number, the index of a ring that has such a record at its tail. */
    uint16_t holders[RECORD_HOLDERS];
    uint64_t next_order;
    uint64_t lost;    /* order numbers without a record: the thread died before it published the record, or
                         the record was damaged */
    uint64_t early;   /* encoded records with a wrong order number */
    uint64_t damaged; /* records that did not match their function; encoded as far as possible */
    uint64_t passed_over; /* places in rings that were skipped because they contained no record */
    /* A record of which only a part has come. The others wait for it, because its event is half written. */
    struct large_record large;
    uint32_t large_ring; /* index of its ring */
    bool has_large;      /* there was one */
    uint64_t cut;        /* large records of which a part is missing */
};

/* Errors: TRACE_ERR_MEMORY. */
int record_merger_init(struct record_merger *m, struct segment *segment, struct record_encoder *encoder);
void record_merger_fini(struct record_merger *m);

/* Encodes about max_bytes of the published records, and frees their space in the rings. *taken receives their
 * size in bytes. A malformed record is dropped; the others are not affected. Errors: TRACE_ERR_MEMORY. */
int record_merger_drain(struct record_merger *m, size_t max_bytes, size_t *taken);

/* Call this about once a second. If idle rings use much memory, it asks the program to look for threads that
 * have ended. */
void record_merger_ask_for_idle(struct record_merger *m);

/* Call this when no more records arrive although some are missing. Skips order numbers that no ring contains,
 * and damaged parts of rings. Returns true if there is more to drain. Returns false as long as the rest of a
 * large record is missing: its thread may be slow. */
bool record_merger_skip_gap(struct record_merger *m);

/* Returns true if a thread waits for space until the rest of a large record of another thread has come. */
bool record_merger_is_held_up(const struct record_merger *m);

/* A call that has been entered and has not returned. */
struct record_open_call {
    uint64_t call; /* its number */
    uint16_t function;
};

/* Appends the encoded calls of all threads that have not returned as far as the records have been read:
 * struct record_open_call, in any order. Errors: TRACE_ERR_MEMORY. */
int record_merger_list_open(const struct record_merger *m, struct buf *out);

/* Call this when the rest of a large record will not come: it becomes zeros, with the next drains. Returns
 * true if there is such a record. */
bool record_merger_cut_large(struct record_merger *m);

#endif
