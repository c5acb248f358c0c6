/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/index_writer.h"

#include "base/error.h"
#include "base/little_endian.h"
#include "base/write_all.h"
#include "formats/apitrace/index/section_writer.h"

#include <string.h>
#include <xxhash.h>

const uint8_t trace_index_head[TRACE_INDEX_HEAD_SIZE] = {'T', 'R', 'A', 'I', 'L', 'E', 'R', '\n'};
const uint8_t trace_index_magic[8] = {0x89, 't', 'r', 'c', 'i', 'd', 'x', '\n'};

struct index_writer {
    struct trace_section_writer *sections; /* owned by the builder */
    struct trace_section_compressor compressor;
    struct trace_section_writer chunks;
    const struct trace_index_wrap *wrap;
};

static const struct trace_section_writer *get_section(const struct index_writer *w, unsigned kind)
{
    return kind == TRACE_SECTION_CHUNKS ? &w->chunks : &w->sections[kind];
}

static int add_chunks(struct index_writer *w, const struct trace_chunk_list *list)
{
    const struct trace_chunk_entry *chunks = list->entries;
    int rc = 0;
    for (size_t i = 0; i < list->count && rc == 0; ++i) {
        const uint64_t numbers[TRACE_CHUNK_NUMBERS] = {chunks[i].file_offset, chunks[i].length,
                                                       chunks[i].stream_offset, chunks[i].size,
                                                       chunks[i].checksum};
        rc = trace_section_append_numbers(&w->chunks, numbers, TRACE_CHUNK_NUMBERS);
    }
    return rc != 0 ? rc : trace_section_finish(&w->chunks);
}

static int open_writer(struct index_writer *w, struct trace_index_builder *b,
                       const struct trace_chunk_list *chunks)
{
    struct trace_chunk_entry last = {0};
    if (chunks->count > 0)
        last = chunks->entries[chunks->count - 1];
    trace_section_writer_init(&w->chunks, &w->compressor);
    int rc = trace_index_builder_finish(b, last.stream_offset + last.size, &w->sections);
    return rc != 0 ? rc : add_chunks(w, chunks);
}

static void close_writer(struct index_writer *w)
{
    trace_section_writer_fini(&w->chunks);
    trace_section_compressor_fini(&w->compressor);
}

static uint64_t sections_size(const struct index_writer *w)
{
    uint64_t size = 0;
    for (unsigned kind = 1; kind < TRACE_SECTION_LIMIT; ++kind)
        if (get_section(w, kind)->raw_size > 0)
            size += TRACE_SECTION_ENTRY_SIZE + trace_section_size(get_section(w, kind));
    return size;
}

/* Returns the number of unused bytes after the head. They keep the footer in one piece. */
static size_t padding(const struct index_writer *w)
{
    uint64_t size = TRACE_INDEX_HEAD_SIZE + sections_size(w) + TRACE_INDEX_FOOTER_SIZE;
    if (w->wrap == NULL || size % w->wrap->piece == 0 || size % w->wrap->piece >= TRACE_INDEX_FOOTER_SIZE)
        return 0;
    return TRACE_INDEX_FOOTER_SIZE;
}

static uint64_t index_size(const struct index_writer *w)
{
    return TRACE_INDEX_HEAD_SIZE + padding(w) + sections_size(w) + TRACE_INDEX_FOOTER_SIZE;
}

/* Writes the directory and the footer. */
static size_t put_directory(const struct index_writer *w, uint64_t start, uint8_t *out)
{
    uint64_t at = TRACE_INDEX_HEAD_SIZE + padding(w);
    uint8_t *p = out;
    for (unsigned kind = 1; kind < TRACE_SECTION_LIMIT; ++kind) {
        const struct trace_section_writer *s = get_section(w, kind);
        if (s->raw_size == 0)
            continue;
        put_u32(p, kind);
        put_u32(p + 4, 0);
        put_u64(p + 8, at);
        put_u64(p + 16, trace_section_size(s));
        put_u64(p + 24, s->raw_size);
        at += trace_section_size(s);
        p += TRACE_SECTION_ENTRY_SIZE;
    }
    put_u64(p, start);
    put_u64(p + 8, index_size(w));
    put_u32(p + 16, (uint32_t)((size_t)(p - out) / TRACE_SECTION_ENTRY_SIZE));
    put_u32(p + 20, TRACE_INDEX_VERSION);
    put_u64(p + 24, XXH64(out, (size_t)(p + 24 - out), 0));
    memcpy(p + 32, trace_index_magic, sizeof trace_index_magic);
    return (size_t)(p - out) + TRACE_INDEX_FOOTER_SIZE;
}

static int write_sections(const struct index_writer *w, int fd, uint64_t start)
{
    static const uint8_t pad[TRACE_INDEX_FOOTER_SIZE];
    uint8_t directory[TRACE_SECTION_LIMIT * TRACE_SECTION_ENTRY_SIZE + TRACE_INDEX_FOOTER_SIZE];
    struct trace_index_sink sink = {.fd = fd, .wrap = w->wrap, .left = index_size(w)};
    int rc = trace_index_sink_write(&sink, trace_index_head, sizeof trace_index_head);
    if (rc == 0)
        rc = trace_index_sink_write(&sink, pad, padding(w));
    for (unsigned kind = 1; kind < TRACE_SECTION_LIMIT && rc == 0; ++kind)
        if (get_section(w, kind)->raw_size > 0)
            rc = trace_section_write(get_section(w, kind), &sink);
    if (rc != 0)
        return rc;
    return trace_index_sink_write(&sink, directory, put_directory(w, start, directory));
}

int trace_index_write(struct trace_index_builder *b, const struct trace_codec *codec,
                      const struct trace_chunk_list *chunks, int fd, uint64_t start, uint64_t *size)
{
    struct index_writer w = {.wrap = codec->index_wrap};
    struct buf before = BUF_INIT;
    int rc = open_writer(&w, b, chunks);
    uint64_t wrapped = rc == 0 ? trace_index_wrapped_size(w.wrap, index_size(&w)) : 0;
    if (rc == 0 && codec->before_index != NULL)
        rc = codec->before_index(wrapped, &before);
    if (rc == 0)
        rc = write_all(fd, before.data, before.len);
    if (rc == 0)
        rc = write_sections(&w, fd, start);
    *size = before.len + wrapped;
    buf_fini(&before);
    close_writer(&w);
    return rc;
}

/* A trace_output_index_writer. */
static int write_index(void *context, const struct trace_codec *codec, const struct trace_chunk_list *chunks,
                       int fd, uint64_t start, uint64_t *size)
{
    return trace_index_write(context, codec, chunks, fd, start, size);
}

void trace_output_attach_index(struct trace_output *o, struct trace_index_builder *b)
{
    trace_output_set_index_writer(o, write_index, b);
}
