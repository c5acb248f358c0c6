/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/section_reader.h"

#include "base/error.h"
#include "base/little_endian.h"
#include "formats/apitrace/index/index_format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

static uint64_t count_blocks(uint64_t raw_size)
{
    return raw_size / TRACE_BLOCK_SIZE + (raw_size % TRACE_BLOCK_SIZE != 0);
}

int trace_section_reader_init(struct trace_section_reader *s, uint64_t offset, uint64_t stored_size,
                              uint64_t raw_size, size_t columns)
{
    *s = (struct trace_section_reader){
        .offset = offset, .stored_size = stored_size, .raw_size = raw_size, .columns = columns};
    if (count_blocks(raw_size) > stored_size / TRACE_BLOCK_ENTRY_SIZE)
        return trace_error_set(TRACE_ERR_FORMAT, "a section is shorter than its own table of blocks");
    return 0;
}

void trace_section_reader_fini(struct trace_section_reader *s)
{
    free(s->block);
    *s = (struct trace_section_reader){0};
}

static int damaged(void)
{
    return trace_error_set(TRACE_ERR_FORMAT, "the index is damaged");
}

/* The stored bytes of a block. */
struct block_place {
    uint64_t offset; /* offset in the index */
    uint64_t size;
    uint64_t checksum;
};

static int find_block(struct trace_section_reader *s, const struct trace_index_bytes *t, uint64_t block,
                      struct block_place *out)
{
    uint8_t entries[2 * TRACE_BLOCK_ENTRY_SIZE];
    uint64_t blocks = count_blocks(s->raw_size);
    uint64_t table = s->stored_size - blocks * TRACE_BLOCK_ENTRY_SIZE;
    bool last = block + 1 == blocks;
    int rc = trace_index_bytes_read(t, s->offset + table + block * TRACE_BLOCK_ENTRY_SIZE, entries,
                                    last ? TRACE_BLOCK_ENTRY_SIZE : sizeof entries);
    if (rc != 0)
        return rc;
    uint64_t begin = get_u64(entries);
    uint64_t end = last ? table : get_u64(entries + TRACE_BLOCK_ENTRY_SIZE);
    if (begin > end || end > table || end - begin > TRACE_BLOCK_SIZE)
        return damaged();
    *out = (struct block_place){s->offset + begin, end - begin, get_u64(entries + 8)};
    return 0;
}

/* Fuzzers cannot guess checksums, so builds for fuzzing accept any. */
static bool is_checksum(uint64_t expected, const uint8_t *bytes, size_t count)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)expected, (void)bytes, (void)count;
    return true;
#else
    return XXH64(bytes, count, 0) == expected;
#endif
}

/* In a table, each row except the first of a block is stored as the difference from the previous row. */
static void add_rows(struct trace_section_reader *s, size_t size)
{
    for (size_t i = s->columns; s->columns > 0 && i < size / 8; ++i) {
        uint8_t *p = s->block + 8 * i;
        put_u64(p, get_u64(p) + get_u64(p - 8 * s->columns));
    }
}

static int load_block(struct trace_section_reader *s, const struct trace_index_bytes *t, uint64_t block,
                      size_t size)
{
    struct block_place place = {0};
    if (s->cached == block + 1)
        return 0;
    s->cached = 0;
    /* The stored bytes, then the decompressed ones. */
    if (s->block == NULL && (s->block = malloc((size_t)2 * TRACE_BLOCK_SIZE)) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    uint8_t *compressed = s->block + TRACE_BLOCK_SIZE;
    int rc = find_block(s, t, block, &place);
    if (rc == 0)
        rc = trace_index_bytes_read(t, place.offset, compressed, (size_t)place.size);
    if (rc != 0)
        return rc;
    if (place.size > size || !is_checksum(place.checksum, compressed, (size_t)place.size))
        return damaged();
    if (place.size == size)
        memcpy(s->block, compressed, size);
    else if (ZSTD_decompress(s->block, size, compressed, (size_t)place.size) != size)
        return damaged();
    add_rows(s, size);
    s->cached = block + 1;
    return 0;
}

int trace_section_read(struct trace_section_reader *s, const struct trace_index_bytes *t, uint64_t at,
                       void *bytes, size_t count)
{
    uint8_t *out = bytes;
    if (at > s->raw_size || count > s->raw_size - at)
        return damaged();
    while (count > 0) {
        uint64_t begin = at - at % TRACE_BLOCK_SIZE;
        uint64_t left = s->raw_size - begin;
        size_t size = left < TRACE_BLOCK_SIZE ? (size_t)left : TRACE_BLOCK_SIZE;
        int rc = load_block(s, t, at / TRACE_BLOCK_SIZE, size);
        if (rc != 0)
            return rc;
        size_t n = size - (size_t)(at - begin);
        n = n < count ? n : count;
        memcpy(out, s->block + (at - begin), n);
        out += n;
        at += n;
        count -= n;
    }
    return 0;
}

int trace_section_read_numbers(struct trace_section_reader *s, const struct trace_index_bytes *t,
                               uint64_t index, uint64_t *numbers, size_t count)
{
    uint8_t bytes[8 * TRACE_MAX_NUMBERS];
    if (index >= s->raw_size / (8 * count))
        return damaged();
    int rc = trace_section_read(s, t, index * 8 * count, bytes, 8 * count);
    for (size_t i = 0; i < count && rc == 0; ++i)
        numbers[i] = get_u64(bytes + 8 * i);
    return rc;
}
