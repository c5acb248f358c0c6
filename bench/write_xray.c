/* SPDX-License-Identifier: MIT
 * Writes a flight data recorder's log of XRay for the benchmark: write_xray FILE RECORDS. One thread enters
 * and leaves functions that call each other, to a depth of 30, in a few hundred different stacks. There is a
 * single thread because llvm-xray's account writes gigabytes of errors about a log of several.
 */
#include "formats/xray/xray_buffer_writer.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFER_SIZE (1u << 20)
#define DEPTH       30u
#define FREQUENCY   UINT64_C(2600000000)
#define THREAD      1000u

/* llvm-xray puts buffers in order by their wall time. It only takes one for later if both its seconds and its
 * microseconds are greater. */
#define WALL_STEP INT64_C(1000001000) /* nanoseconds */

/* Returns the same numbers on every machine. */
static uint32_t next_random(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

/* The program that is simulated. */
struct stack {
    uint32_t functions[DEPTH];
    unsigned depth;
};

/* What is called at this depth: one of two functions at some, else always the same. */
static uint32_t choose_function(unsigned depth, uint32_t random)
{
    return 1 + 2 * (depth % 4) + (depth % 8 == 7 ? random % 2 : 0);
}

/* Enters a function or leaves the innermost one: at the end, leaves all. */
static enum xray_action step(struct stack *s, bool is_ending, uint32_t *function)
{
    uint32_t random = next_random();
    if (s->depth == 0 || (!is_ending && s->depth < DEPTH && random % 2 == 0)) {
        *function = s->functions[s->depth] = choose_function(s->depth, random >> 8);
        s->depth++;
        return XRAY_ENTER;
    }
    *function = s->functions[--s->depth];
    return XRAY_EXIT;
}

static bool write_buffer(FILE *f, struct xray_buffer_writer *w)
{
    uint8_t extents[XRAY_METADATA_SIZE];
    xray_put_extents(extents, w->bytes.len);
    bool written =
        fwrite(extents, sizeof extents, 1, f) == 1 && fwrite(w->bytes.data, w->bytes.len, 1, f) == 1;
    buf_clear(&w->bytes);
    return written;
}

static bool write_records(FILE *f, uint64_t records)
{
    struct xray_buffer_writer w = {
        .version = XRAY_FDR_LAST_VERSION, .process = THREAD, .thread = THREAD, .bytes = BUF_INIT};
    struct xray_moment now = {.ticks = UINT64_C(1) << 40};
    struct stack s = {.depth = 0};
    int64_t wall = WALL_STEP;
    bool written = true;
    for (uint64_t i = 0; i < records && written; ++i) {
        uint32_t function;
        if (w.bytes.len == 0 && xray_buffer_begin(&w, &now, wall += WALL_STEP) != 0)
            return false;
        enum xray_action action = step(&s, records - i <= s.depth, &function);
        now.ticks += 20 + next_random() % 400;
        if (xray_buffer_put_function(&w, &now, function, action, NULL, 0) != 0)
            return false;
        if (w.bytes.len + 2 * XRAY_METADATA_SIZE > BUFFER_SIZE)
            written = write_buffer(f, &w);
    }
    written = written && (w.bytes.len == 0 || write_buffer(f, &w));
    buf_fini(&w.bytes);
    return written;
}

int main(int argc, char **argv)
{
    const struct xray_header h = {.version = XRAY_FDR_LAST_VERSION,
                                  .type = XRAY_FDR,
                                  .constant_tsc = true,
                                  .nonstop_tsc = true,
                                  .frequency = FREQUENCY,
                                  .buffer_size = BUFFER_SIZE};
    uint8_t header[XRAY_HEADER_SIZE];
    FILE *f = argc == 3 ? fopen(argv[1], "wb") : NULL;
    if (f == NULL) {
        fprintf(stderr, "usage: write_xray FILE RECORDS\n");
        return 2;
    }
    xray_put_header(header, &h);
    bool written = fwrite(header, sizeof header, 1, f) == 1 && write_records(f, strtoull(argv[2], NULL, 10));
    if (fclose(f) != 0 || !written) {
        fprintf(stderr, "%s: cannot write\n", argv[1]);
        return 1;
    }
    return 0;
}
