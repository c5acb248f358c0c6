/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC        UINT32_C(0xc1f1dcc1)
#define HEADER_BYTES 16
#define ENTRY_BYTES  40        /* of an entry that are read: all versions begin with them */
#define ENTRY_MAX    (1 << 16) /* bytes */

static uint32_t big_32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint64_t big_64(const uint8_t *p)
{
    return (uint64_t)big_32(p) << 32 | big_32(p + 4);
}

/* The caller frees the result. */
static char *make_path(const char *stream_path)
{
    const char *slash = strrchr(stream_path, '/');
    int directory = slash != NULL ? (int)(slash + 1 - stream_path) : 0;
    size_t size = strlen(stream_path) + sizeof "index/.idx";
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%.*sindex/%s.idx", directory, stream_path, stream_path + directory);
    return path;
}

/* Versions 1.0 and 1.1 have entries of 56 and 72 bytes. */
static bool read_header(struct ctf_index *index)
{
    uint8_t header[HEADER_BYTES];
    size_t got = 0;
    if (index->file.is_pipe || trace_file_read_at(&index->file, 0, header, sizeof header, &got) != 0 ||
        got < sizeof header || big_32(header) != MAGIC || big_32(header + 4) != 1)
        return false;
    index->entry_size = big_32(header + 12);
    if (index->entry_size < ENTRY_BYTES || index->entry_size > ENTRY_MAX)
        return false;
    index->count = (index->file.size - HEADER_BYTES) / index->entry_size;
    return true;
}

bool ctf_index_open(struct ctf_index *index, const char *stream_path)
{
    char *path = make_path(stream_path);
    *index = (struct ctf_index){.file = {.fd = -1}};
    bool is_open = path != NULL && trace_file_open(&index->file, path) == 0;
    free(path);
    if (is_open && read_header(index))
        return true;
    if (is_open)
        trace_file_close(&index->file);
    return false;
}

void ctf_index_close(struct ctf_index *index)
{
    trace_file_close(&index->file);
}

bool ctf_index_get(struct ctf_index *index, uint64_t i, struct ctf_index_entry *out)
{
    uint8_t bytes[ENTRY_BYTES];
    size_t got = 0;
    if (trace_file_read_at(&index->file, HEADER_BYTES + i * index->entry_size, bytes, sizeof bytes, &got) !=
            0 ||
        got < sizeof bytes)
        return false;
    *out = (struct ctf_index_entry){big_64(bytes), big_64(bytes + 8), big_64(bytes + 16), big_64(bytes + 24),
                                    big_64(bytes + 32)};
    return true;
}
