/* SPDX-License-Identifier: MIT
 * A trace with many small chunks and segments in which calls overlap, with and without an index. For tests of
 * seeking.
 */
#ifndef SEEK_SAMPLE_H
#define SEEK_SAMPLE_H

#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/read/reader.h"
#include "trace_samples.h"

#define SEEK_CALLS     1200
#define SEEK_FUNCTIONS 40 /* another function is used after this many calls */

/* A call as a reader returns it that reads from the start. */
struct seek_known_call {
    uint64_t number;
    uint64_t frame;
    uint32_t thread;
    bool incomplete;
    int64_t enter_time, leave_time; /* the times that are passed to the index */
    char name[24];
};

struct seek_sample {
    struct buf stream;
    bool has_tables;                          /* some enumerations are large */
    struct seek_known_call calls[SEEK_CALLS]; /* in the order in which they return */
    unsigned count;
    unsigned frames;
    struct sample_file plain;
    struct sample_file indexed;
};

/* An error in the index's entries for large definitions. */
struct seek_change {
    size_t at, size;  /* added to the position and the size */
    bool is_the_next; /* the entry refers to the next definition of the same size */
};

/* Creates a sample as a stream of this container. has_tables: some enumerations are large. change may be
 * NULL. */
struct seek_sample *seek_sample_new_changed(enum trace_container container, bool has_tables,
                                            const struct seek_change *change);
struct seek_sample *seek_sample_new(enum trace_container container);
void seek_sample_free(struct seek_sample *s);

/* Writes the stream in many chunks, which can end anywhere in an event. b, unless NULL, receives the events
 * for an index. */
void seek_sample_write(struct sample_file *f, const struct buf *stream, enum trace_container container,
                       struct trace_index_builder *b);

struct trace_reader *seek_sample_read(const struct sample_file *f, bool times);

void seek_sample_expect_call(const struct seek_sample *s, const struct seek_known_call *known,
                             const struct trace_call *call, bool times);

/* Expects at most `most` calls from r: those of calls[i] and later whose number and frame are not lower than
 * these. */
void seek_sample_expect(const struct seek_sample *s, struct trace_reader *r, uint64_t number, uint64_t frame,
                        unsigned most, bool times);

#endif
