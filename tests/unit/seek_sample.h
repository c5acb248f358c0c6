/* SPDX-License-Identifier: MIT
 * A trace of many small chunks and segments in which calls overlap, with an index and without: for tests that
 * go to places of it.
 */
#ifndef SEEK_SAMPLE_H
#define SEEK_SAMPLE_H

#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#define SEEK_CALLS     1200
#define SEEK_FUNCTIONS 40 /* each is new after so many calls */

/* A call as reading from the start returns it. */
struct seek_known_call {
    uint64_t number;
    uint64_t frame;
    uint32_t thread;
    bool incomplete;
    int64_t enter_time, leave_time; /* as the index is told */
    char name[24];
};

struct seek_sample {
    struct buf stream;
    bool has_tables;                          /* some enumerations are large */
    struct seek_known_call calls[SEEK_CALLS]; /* in leave order */
    unsigned count;
    unsigned frames;
    struct sample_file plain;
    struct sample_file indexed;
};

/* What is wrong in what the index tells of large definitions. */
struct seek_change {
    size_t at, size;  /* added */
    bool is_the_next; /* it is said to be where the next one of the same size is */
};

/* As a stream of that container. has_tables: some enumerations are large. change: NULL for none. */
struct seek_sample *seek_sample_new_changed(enum trace_container container, bool has_tables,
                                            const struct seek_change *change);
struct seek_sample *seek_sample_new(enum trace_container container);
void seek_sample_free(struct seek_sample *s);

/* In many chunks, which end anywhere. b, or NULL: the index. */
void seek_sample_write(struct sample_file *f, const struct buf *stream, enum trace_container container,
                       struct trace_index_builder *b);

struct trace_reader *seek_sample_read(const struct sample_file *f, bool times);

void seek_sample_expect_call(const struct seek_sample *s, const struct seek_known_call *known,
                             const struct trace_call *call, bool times);

/* The calls that come are those from calls[i] on with at least that number and frame: `most` of them. */
void seek_sample_expect(const struct seek_sample *s, struct trace_reader *r, uint64_t number, uint64_t frame,
                        unsigned most, bool times);

#endif
