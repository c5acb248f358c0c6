/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/index_reader.h"

#include "base/error.h"
#include "base/little_endian.h"
#include "formats/apitrace/index/section_reader.h"
#include "trace/model.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MAX_SECTIONS 64 /* above the number that will ever exist */

struct trace_index {
    struct trace_index_bytes bytes;
    uint64_t start; /* end of the file without the index */
    struct trace_section_reader sections[TRACE_SECTION_LIMIT];
};

/* --- opening --------------------------------------------------------------------------------------- */

static int bad(const char *why)
{
    return trace_error_set(TRACE_ERR_FORMAT, "the index at the file's end cannot be used: %s", why);
}

static int add_section(struct trace_index *t, const uint8_t *entry, uint64_t limit)
{
    static const size_t columns[TRACE_SECTION_LIMIT] = {[TRACE_SECTION_SUMMARY] = TRACE_SUMMARY_NUMBERS,
                                                        [TRACE_SECTION_CHUNKS] = TRACE_CHUNK_NUMBERS,
                                                        [TRACE_SECTION_SEGMENTS] = TRACE_SEGMENT_NUMBERS,
                                                        [TRACE_SECTION_FRAMES] = TRACE_FRAME_NUMBERS};
    uint32_t kind = get_u32(entry);
    uint64_t offset = get_u64(entry + 8);
    uint64_t size = get_u64(entry + 16);
    if (offset > limit || size > limit - offset)
        return bad("a section is not in it");
    if (kind == 0 || kind >= TRACE_SECTION_LIMIT || get_u32(entry + 4) != 0)
        return 0; /* from a later version */
    if (t->sections[kind].raw_size != 0)
        return bad("a section is there twice");
    return trace_section_reader_init(&t->sections[kind], offset, size, get_u64(entry + 24), columns[kind]);
}

static int read_directory(struct trace_index *t, const uint8_t *footer)
{
    uint8_t bytes[MAX_SECTIONS * TRACE_SECTION_ENTRY_SIZE + TRACE_INDEX_FOOTER_SIZE];
    uint32_t count = get_u32(footer + 16);
    size_t size = (size_t)count * TRACE_SECTION_ENTRY_SIZE;
    if (count > MAX_SECTIONS || size > t->bytes.size - TRACE_INDEX_FOOTER_SIZE)
        return bad("it has too many sections");
    uint64_t at = t->bytes.size - TRACE_INDEX_FOOTER_SIZE - size;
    int rc = trace_index_bytes_read(&t->bytes, at, bytes, size + TRACE_INDEX_FOOTER_SIZE);
    if (rc != 0)
        return rc;
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    if (XXH64(bytes, size + 24, 0) != get_u64(footer + 24))
        return bad("wrong checksum");
#endif
    for (uint32_t i = 0; i < count && rc == 0; ++i)
        rc = add_section(t, bytes + (size_t)i * TRACE_SECTION_ENTRY_SIZE, at);
    return rc;
}

/* Sections must be complete, because readers rely on it. */
static int check_sections(struct trace_index *t)
{
    static const struct {
        unsigned kind;
        unsigned numbers;
    } tables[] = {{TRACE_SECTION_CHUNKS, TRACE_CHUNK_NUMBERS},
                  {TRACE_SECTION_SEGMENTS, TRACE_SEGMENT_NUMBERS},
                  {TRACE_SECTION_FRAMES, TRACE_FRAME_NUMBERS}};
    if (t->sections[TRACE_SECTION_SUMMARY].raw_size < 8 * TRACE_SUMMARY_NUMBERS)
        return bad("it has no summary");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
        if (t->sections[tables[i].kind].raw_size % (8 * tables[i].numbers) != 0)
            return bad("a table has part of an entry");
    if (t->sections[TRACE_SECTION_FRAMES].raw_size == 0)
        return bad("it has no frames");
    return 0;
}

/* Reads the footer of an index that ends at file offset `end`. */
static int read_footer(struct trace_index *t, uint64_t end, const uint8_t *footer)
{
    t->start = get_u64(footer);
    t->bytes.size = get_u64(footer + 8);
    if (get_u32(footer + 20) != TRACE_INDEX_VERSION)
        return bad("it is of another version");
    if (t->bytes.size < TRACE_INDEX_FOOTER_SIZE || t->bytes.size > end || t->start > end)
        return bad("it does not fit the file");
    uint64_t size = trace_index_wrapped_size(t->bytes.wrap, t->bytes.size);
    if (size > end - t->start)
        return bad("it does not fit the file");
    t->bytes.start = end - size;
    int rc = read_directory(t, footer);
    return rc != 0 ? rc : check_sections(t);
}

int trace_index_open(struct trace_index **out, struct trace_file *f, const struct trace_index_wrap *wrap,
                     uint64_t end)
{
    uint8_t footer[TRACE_INDEX_FOOTER_SIZE];
    /* Distance from the start of the footer to `end`. */
    uint64_t behind = sizeof footer + (wrap != NULL ? wrap->after : 0);
    size_t got = 0;
    *out = NULL;
    if (f->is_pipe || end > f->size || end < behind)
        return 0;
    int rc = trace_file_read_at(f, end - behind, footer, sizeof footer, &got);
    if (rc != 0 || got < sizeof footer ||
        memcmp(footer + 32, trace_index_magic, sizeof trace_index_magic) != 0)
        return rc;
    struct trace_index *t = calloc(1, sizeof *t);
    if (t == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    t->bytes.file = f;
    t->bytes.wrap = wrap;
    rc = read_footer(t, end, footer);
    if (rc != 0) {
        trace_index_close(t);
        return rc;
    }
    *out = t;
    return 0;
}

void trace_index_close(struct trace_index *t)
{
    if (t == NULL)
        return;
    for (unsigned i = 0; i < TRACE_SECTION_LIMIT; ++i)
        trace_section_reader_fini(&t->sections[i]);
    free(t);
}

uint64_t trace_index_start(const struct trace_index *t)
{
    return t->start;
}

bool trace_index_has_times(const struct trace_index *t)
{
    return t->sections[TRACE_SECTION_TIMES].raw_size > 0;
}

/* --- sections -------------------------------------------------------------------------------------- */

static int read_numbers(struct trace_index *t, enum trace_section_kind kind, uint64_t index,
                        uint64_t *numbers, size_t count)
{
    return trace_section_read_numbers(&t->sections[kind], &t->bytes, index, numbers, count);
}

int trace_index_check(struct trace_index *t)
{
    uint8_t byte;
    int rc = 0;
    for (unsigned kind = 1; kind < TRACE_SECTION_LIMIT; ++kind)
        for (uint64_t at = 0; at < t->sections[kind].raw_size && rc == 0; at += TRACE_BLOCK_SIZE)
            /* All of its block is in memory now. */
            rc = trace_section_read(&t->sections[kind], &t->bytes, at, &byte, 1);
    return rc;
}

int trace_index_summary(struct trace_index *t, struct trace_summary *out)
{
    uint64_t n[TRACE_SUMMARY_NUMBERS];
    int rc = read_numbers(t, TRACE_SECTION_SUMMARY, 0, n, TRACE_SUMMARY_NUMBERS);
    if (rc == 0)
        *out = (struct trace_summary){.stream_bytes = n[1],
                                      .events = n[2],
                                      .calls = n[3],
                                      .incomplete = n[4],
                                      .frames = n[5],
                                      .has_wall_clock = (n[0] & TRACE_SUMMARY_HAS_WALL_CLOCK) != 0,
                                      .wall_clock = (int64_t)n[6],
                                      .time_unit = n[7]};
    return rc;
}

int64_t trace_index_wall_clock(struct trace_index *t)
{
    struct trace_summary summary;
    bool is_known = t != NULL && trace_index_summary(t, &summary) == 0 && summary.has_wall_clock;
    return is_known ? summary.wall_clock : TRACE_NO_TIME;
}

uint64_t trace_index_chunk_count(const struct trace_index *t)
{
    return t->sections[TRACE_SECTION_CHUNKS].raw_size / (8 * TRACE_CHUNK_NUMBERS);
}

int trace_index_chunk(struct trace_index *t, uint64_t index, struct trace_chunk_entry *out)
{
    uint64_t n[TRACE_CHUNK_NUMBERS];
    int rc = read_numbers(t, TRACE_SECTION_CHUNKS, index, n, TRACE_CHUNK_NUMBERS);
    if (rc == 0)
        *out = (struct trace_chunk_entry){
            .file_offset = n[0], .length = n[1], .stream_offset = n[2], .size = n[3], .checksum = n[4]};
    return rc;
}

/* Finds the last record of a table whose number in `column` is at most limit. *index is 0 even if the first
 * record is above. */
static int find_last(struct trace_index *t, enum trace_section_kind kind, size_t numbers, unsigned column,
                     uint64_t limit, uint64_t *index)
{
    uint64_t n[TRACE_MAX_NUMBERS];
    uint64_t low = 0;
    uint64_t high = t->sections[kind].raw_size / (8 * numbers);
    while (high > low + 1) {
        uint64_t middle = low + (high - low) / 2;
        int rc = read_numbers(t, kind, middle, n, numbers);
        if (rc != 0)
            return rc;
        if (n[column] <= limit)
            low = middle;
        else
            high = middle;
    }
    *index = low;
    return 0;
}

int trace_index_find_chunk(struct trace_index *t, uint64_t stream_offset, uint64_t *index,
                           struct trace_chunk_entry *out)
{
    int rc = find_last(t, TRACE_SECTION_CHUNKS, TRACE_CHUNK_NUMBERS, 2, stream_offset, index);
    if (rc == 0)
        rc = trace_index_chunk(t, *index, out);
    if (rc == 0 && (stream_offset < out->stream_offset || stream_offset - out->stream_offset >= out->size))
        rc = trace_error_set(TRACE_ERR_FORMAT, "the index has no chunk with byte %llu of the stream",
                             (unsigned long long)stream_offset);
    return rc;
}

int trace_index_find_segment(struct trace_index *t, uint64_t call, uint64_t *index, struct trace_segment *out)
{
    int rc = find_last(t, TRACE_SECTION_SEGMENTS, TRACE_SEGMENT_NUMBERS, 1, call, index);
    if (rc == 0)
        rc = trace_index_segment(t, *index, out);
    if (rc == 0 && out->next_call > call)
        rc = trace_error_set(TRACE_ERR_FORMAT, "the index has no segment before call %llu",
                             (unsigned long long)call);
    return rc;
}

uint64_t trace_index_segment_count(const struct trace_index *t)
{
    return t->sections[TRACE_SECTION_SEGMENTS].raw_size / (8 * TRACE_SEGMENT_NUMBERS);
}

int trace_index_segment(struct trace_index *t, uint64_t index, struct trace_segment *out)
{
    uint64_t n[TRACE_SEGMENT_NUMBERS];
    int rc = read_numbers(t, TRACE_SECTION_SEGMENTS, index, n, TRACE_SEGMENT_NUMBERS);
    if (rc == 0)
        *out = (struct trace_segment){n[0], n[1], n[2]};
    return rc;
}

uint64_t trace_index_frame_count(const struct trace_index *t)
{
    return t->sections[TRACE_SECTION_FRAMES].raw_size / (8 * TRACE_FRAME_NUMBERS);
}

int trace_index_frame(struct trace_index *t, uint64_t index, struct trace_frame_entry *out)
{
    uint64_t n[TRACE_FRAME_NUMBERS];
    int rc = read_numbers(t, TRACE_SECTION_FRAMES, index, n, TRACE_FRAME_NUMBERS);
    if (rc == 0)
        *out = (struct trace_frame_entry){n[0], n[1], n[2], n[3], n[4], n[5]};
    return rc;
}

int trace_index_find_frame(struct trace_index *t, uint64_t stream_offset, uint64_t *frame)
{
    return find_last(t, TRACE_SECTION_FRAMES, TRACE_FRAME_NUMBERS, 4, stream_offset, frame);
}

uint64_t trace_index_section_size(const struct trace_index *t, enum trace_section_kind kind)
{
    return t->sections[kind].raw_size;
}

uint64_t trace_index_section_stored_size(const struct trace_index *t, enum trace_section_kind kind)
{
    return t->sections[kind].stored_size;
}

int trace_index_read_section(struct trace_index *t, enum trace_section_kind kind, uint64_t at, void *bytes,
                             size_t count)
{
    return trace_section_read(&t->sections[kind], &t->bytes, at, bytes, count);
}
