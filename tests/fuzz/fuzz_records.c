/* SPDX-License-Identifier: MIT
 * Takes any bytes as what a program has left in its rings and their control block. The result must always be
 * a trace that contains the calls recorded before and after them. Input: the number of bytes of the first
 * ring (2 bytes), a next order number (4), misplacement of the heads (1 each), then the contents of the
 * rings.
 */
#include "fuzz_target.h"

#include "records/record_merger.h"
#include "records/ring_pool.h"
#include "spec_ids.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEADER  8
#define MARKERS 3 /* number of calls before, and of calls after */

struct run {
    struct segment segment;
    struct ring_pool pool;
    struct ring_producer rings[2];
    struct record_encoder encoder;
    struct record_merger merger;
};

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static bool never_full(struct ring_producer *p)
{
    (void)p;
    abort();
}

static void append(struct ring_producer *p, uint16_t function, uint8_t kind, uint64_t word, unsigned words)
{
    struct record r = {
        .size = (uint32_t)(sizeof r + words * sizeof word), .function = function, .kind = kind};
    uint8_t *at = ring_reserve(p, r.size, never_full);
    if (kind != RECORD_THREAD)
        r.order = (uint32_t)ring_take_order(p);
    memcpy(at, &r, sizeof r);
    memcpy(at + sizeof r, &word, words * sizeof word);
    ring_publish(p, r.size);
}

/* Appends a thread's start, and calls whose argument is their number. */
static void append_markers(struct ring_producer *p, uint64_t thread, uint64_t first)
{
    append(p, 0, RECORD_THREAD, thread, 1);
    for (uint64_t i = 0; i < MARKERS; ++i) {
        append(p, SPEC_FN_glClearStencil, RECORD_ENTER, first + i, 1);
        append(p, SPEC_FN_glClearStencil, RECORD_LEAVE, 0, 0);
    }
}

/* gaps: do not wait for missing numbers. */
static void drain(struct run *r, bool gaps)
{
    size_t taken;
    unsigned turns = 0;
    do
        require(record_merger_drain(&r->merger, 1 << 16, &taken) == 0 && turns++ < 100000, "draining fails");
    while (taken > 0 ||
           (gaps && (record_merger_skip_gap(&r->merger) || record_merger_cut_large(&r->merger))));
}

/* Puts bytes into the ring as if the program had published them. */
static void put_contents(struct ring_producer *p, const uint8_t *bytes, size_t count, uint8_t misplaced)
{
    memcpy(p->data + (p->head & (RING_SIZE - 1)), bytes, count);
    p->head += RECORD_PAD(count);
    int8_t off = (int8_t)misplaced;
    atomic_store(&p->control->head, p->head + (uint64_t)((int64_t)off * off * off * off * off));
}

static void check_trace(struct run *r)
{
    struct trace_output *output;
    struct trace_reader *reader;
    const struct trace_call *call;
    unsigned seen[2 * MARKERS] = {0};
    char path[40];
    int fd = memfd_create("fuzz.trace", MFD_CLOEXEC);
    require(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0) == 0 &&
                (trace_output_write(output, r->encoder.out.data, r->encoder.out.len) |
                 trace_output_close(output)) == 0,
            "writing fails");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    require(trace_reader_open(&reader, path) == 0, "no trace");
    for (;;) {
        require(trace_reader_next_call(reader, &call) == 0, "the trace cannot be read");
        if (call == NULL)
            break;
        uint64_t number = strcmp(call->sig->name, "glClearStencil") == 0
                              ? trace_value_to_uint(&call->args[0], UINT64_MAX) - 1000
                              : UINT64_MAX;
        if (number < 2 * MARKERS && (call->flags & TRACE_CALL_INCOMPLETE) == 0)
            seen[number]++;
        trace_call_release(reader, call);
    }
    for (unsigned i = 0; i < 2 * MARKERS; ++i)
        require(seen[i] >= 1, "a call is missing");
    trace_reader_close(reader);
    close(fd);
}

static void start(struct run *r)
{
    require(segment_create(&r->segment, 2) == 0 && ring_pool_init(&r->pool, &r->segment, NULL) == 0 &&
                ring_pool_take(&r->pool, &r->rings[0]) == 0 && ring_pool_take(&r->pool, &r->rings[1]) == 0 &&
                record_encoder_init(&r->encoder) == 0 &&
                record_merger_init(&r->merger, &r->segment, &r->encoder) == 0,
            "out of memory");
    r->merger.large.limit = 1 << 20; /* missing data becomes zeros, which are all kept in memory here */
    record_encode_header(&r->encoder, "fuzz", "");
}

static void end(struct run *r)
{
    record_merger_fini(&r->merger);
    record_encoder_fini(&r->encoder);
    ring_producer_fini(&r->rings[0]);
    ring_producer_fini(&r->rings[1]);
    ring_pool_fini(&r->pool);
    segment_fini(&r->segment);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct run r;
    uint16_t split;
    uint32_t order;
    if (count < HEADER || count > RING_SIZE / 2)
        return 0;
    memcpy(&split, bytes, sizeof split);
    memcpy(&order, bytes + 2, sizeof order);
    size_t rest = count - HEADER, first = split < rest ? split : rest;
    start(&r);
    append_markers(&r.rings[0], 0, 1000);
    put_contents(&r.rings[0], bytes + HEADER, first, bytes[6]);
    put_contents(&r.rings[1], bytes + HEADER + first, rest - first, bytes[7]);
    if (order != 0)
        atomic_store(&r.segment.control->next_order, order);
    drain(&r, false);
    for (unsigned i = 0; i < 2; ++i) /* the next publication contains the producer's position */
        atomic_store(&r.rings[i].control->head, r.rings[i].head);
    drain(&r, true);
    append_markers(&r.rings[0], 0, 1000 + MARKERS);
    drain(&r, true);
    check_trace(&r);
    end(&r);
    return 0;
}
