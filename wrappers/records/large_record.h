/* SPDX-License-Identifier: MIT
 * Encodes a record that is too large for a ring, piece by piece as it comes. Its event grows in the encoder's
 * buffer, which the owner may empty at any time, so a payload of any size needs no memory.
 */
#ifndef RECORDS_LARGE_RECORD_H
#define RECORDS_LARGE_RECORD_H

#include "records/record_encoder.h"

/* Bodies that are said to be larger are damaged. */
#define LARGE_RECORD_LIMIT ((uint64_t)64 << 30)

#define LARGE_RECORD_STRUCT 256 /* bytes of the largest struct */

enum large_record_step {
    LARGE_PARAMETER, /* look for the next one that has a payload */
    LARGE_COUNT,     /* of the payload's elements */
    LARGE_ITEM,      /* the count of one of several strings or blobs */
    LARGE_ADDRESS,   /* instead of memory */
    LARGE_ELEMENTS,
    LARGE_STRUCT,
    LARGE_COMPLETE, /* all values are encoded; or there is no event */
};

struct large_record {
    const struct spec_function *function; /* NULL: no record is open */
    struct record head;                   /* of its first piece */
    bool is_selected;                     /* there is an event */
    bool is_over;                         /* there will be no more pieces */
    bool is_cut;                          /* some of them are missing */
    bool is_bad;                          /* the body does not fit the function */
    uint64_t left;                        /* bytes of the body that have not come */
    uint64_t limit;                       /* LARGE_RECORD_LIMIT; tests set less */
    uint64_t ticks;                       /* time of the event */
    uint64_t call;
    uint64_t offset; /* of the event in the stream */
    size_t size;     /* of the event so far */
    uint32_t thread;

    enum large_record_step step;
    unsigned next;                       /* parameter that comes next */
    union spec_arg words[UINT8_MAX];     /* arguments, or the returned word */
    const struct spec_param *param;      /* of the payload */
    uint64_t bytes;                      /* of its elements that have not come */
    unsigned padding;                    /* bytes behind them */
    uint64_t items;                      /* strings or blobs of the payload that come next */
    struct record_list_place place;      /* in an array */
    uint8_t memory[LARGE_RECORD_STRUCT]; /* of a struct */
    size_t memory_size;
};

void large_record_init(struct large_record *l);

static inline bool large_record_is_open(const struct large_record *l)
{
    return l->function != NULL;
}

/* True if the rest of the record, if any, will not come. */
static inline bool large_record_is_over(const struct large_record *l)
{
    return l->is_over;
}

/* Begins with the RECORD_OPEN record r, whose body is [body, end). Errors: TRACE_ERR_FORMAT if the record
 * makes no sense; its pieces are to be skipped. TRACE_ERR_MEMORY. */
int large_record_begin(struct large_record *l, struct record_encoder *e, struct record_thread *t,
                       const struct record *r, const uint8_t *body, const uint8_t *end);

/* Encodes the next piece. */
void large_record_add(struct large_record *l, struct record_encoder *e, const uint8_t *piece,
                      const uint8_t *end);

/* All pieces have come. ticks: time of the event. */
void large_record_complete(struct large_record *l, uint64_t ticks);

/* The rest will not come. */
void large_record_cut(struct large_record *l);

/* The program has left the call with longjmp(), so the rest will not come, and is not missing. */
void large_record_abandon(struct large_record *l);

/* Once the record is over: encodes zeros for bytes that have not come, about `most` of them, and returns
 * their number. */
uint64_t large_record_pad(struct large_record *l, struct record_encoder *e, uint64_t most);

/* Once the record is over: ends the event, unless there are still bytes to be padded. Errors:
 * TRACE_ERR_FORMAT if the body did not fit the function: values are missing. TRACE_ERR_MEMORY. */
int large_record_end(struct large_record *l, struct record_encoder *e, struct record_thread *t);

#endif
