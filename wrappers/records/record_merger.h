/* SPDX-License-Identifier: MIT
 * Merges the records of a segment's rings into one sequence, by their order numbers, and has them encoded.
 * Runs in the collector, or inside the program when there is none. What the rings hold is not trusted.
 */
#ifndef RECORDS_RECORD_MERGER_H
#define RECORDS_RECORD_MERGER_H

#include "records/record_encoder.h"
#include "records/ring_pool.h"

#include "base/hash_map.h"

#define RECORD_HOLDERS 4096

struct ring_consumer {
    uint8_t *data; /* mirrored mapping; NULL while the ring was never used */
    uint64_t tail;
    uint64_t freed;              /* the tail that the producer knows */
    uint64_t head_seen;          /* a head that was true once: reading it anew slows the producer down */
    struct record_thread thread; /* what the encoder keeps of the ring's thread */
    struct int_map others; /* of a ring that several threads share: number -> struct record_thread, owned */
    struct buf pieces;     /* bodies of RECORD_DATA that wait for their record */
    struct ring_stacks stacks;
    uint64_t full_time;   /* of its last record with RECORD_FULL_TIME */
    uint64_t tail_before; /* when record_merger_ask_for_idle() was here last */
    uint64_t emptied;     /* its tail when its memory was given back */
    bool pieces_damaged;  /* some are missing: the record that they belong to has no body */
};

struct record_merger {
    struct segment *segment; /* not owned */
    struct record_encoder *encoder;
    const struct ring_pool
        *mapped;                 /* where rings are mapped already, not owned; NULL: the merger maps them */
    struct ring_consumer *rings; /* one for each ring of the segment */
    uint32_t current;            /* ring that gave the last record */
    uint16_t holders[RECORD_HOLDERS]; /* by low bits of an order number: a ring that was seen to hold it */
    uint64_t next_order;
    uint64_t lost;    /* order numbers that never came: their threads died before they published them, or what
                         came    was no record */
    uint64_t early;   /* of records that are encoded but whose number was wrong: theirs will never come */
    uint64_t damaged; /* records that were encoded, as far as that was possible */
    uint64_t passed_over; /* places where there was no record */
};

int record_merger_init(struct record_merger *m, struct segment *segment, struct record_encoder *encoder);
void record_merger_fini(struct record_merger *m);

/* Encodes the records that are there, up to about max_bytes, and frees their space. *taken: how many bytes
 * they had in the rings. A malformed record is lost, but no other. Errors: TRACE_ERR_MEMORY. */
int record_merger_drain(struct record_merger *m, size_t max_bytes, size_t *taken);

/* To be called about once a second: if rings that nobody writes to hold much memory, asks the program to look
 * for threads that have ended. */
void record_merger_ask_for_idle(struct record_merger *m);

/* To be called when nothing changes any more: skips order numbers that no ring has, and what lies in front of
 * a ring's head that cannot be right. True when there is more to drain. */
bool record_merger_skip_gap(struct record_merger *m);

#endif
