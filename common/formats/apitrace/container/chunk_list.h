/* SPDX-License-Identifier: MIT
 * A list of the pieces of an event stream in its file.
 */
#ifndef TRACE_CHUNK_LIST_H
#define TRACE_CHUNK_LIST_H

#include <stddef.h>
#include <stdint.h>

/* A piece that can be decompressed independently: a Snappy chunk (without its length field), a gzip member, a
 * Zstandard frame, or an entire Brotli stream. */
struct trace_chunk_entry {
    uint64_t file_offset; /* of the compressed bytes */
    uint64_t length;      /* compressed bytes */
    uint64_t stream_offset;
    uint64_t size;             /* bytes of the event stream */
    uint64_t checksum;         /* XXH64 of the compressed bytes, with seed 0 */
    uint32_t content_checksum; /* Zstandard only, otherwise 0: the low 32 bits of XXH64, with seed 0, of the
                                  decompressed bytes */
};

struct trace_chunk_list {
    struct trace_chunk_entry *entries;
    size_t count;
    size_t room;
};

int trace_chunk_list_add(struct trace_chunk_list *list, const struct trace_chunk_entry *entry);

#endif
