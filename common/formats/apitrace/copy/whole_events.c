/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/copy/whole_events.h"

#include "base/error.h"
#include "base/write_all.h"
#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/container/snappy_decompress.h"
#include "formats/apitrace/read/raw_events_state.h"
#include "formats/apitrace/read/stream_seek.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define LENGTH_SIZE 4 /* of the length before a chunk */

/* Reads all events. *end receives the stream offset behind the last whole one. */
static int find_end(struct trace_raw_events *e, uint64_t *end)
{
    const struct trace_raw_event *event;
    uint64_t first;
    int rc;
    do {
        trace_raw_events_pass_known(e, UINT64_MAX, &first);
        *end = trace_raw_events_offset(e);
    } while ((rc = trace_raw_events_next(e, &event)) == 0 && event != NULL);
    return rc;
}

/* Writes the first `keep` bytes of the stream in the chunk at the present position of the file. */
static int write_chunk(int fd, const uint8_t *bytes, size_t keep)
{
    const struct trace_block_codec *codec = trace_codec_of(TRACE_CONTAINER_SNAPPY)->blocks;
    struct trace_block block = {.bytes = bytes, .size = keep, .compressed = malloc(codec->compressed_max())};
    void *compressor = NULL;
    int rc = block.compressed != NULL ? codec->open(&compressor, TRACE_LEVEL_DEFAULT)
                                      : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc == 0) {
        rc = codec->compress(compressor, &block);
        if (rc == 0)
            rc = write_all(fd, block.compressed, block.length);
        codec->close(compressor);
    }
    free(block.compressed);
    return rc;
}

static int rewrite_chunk(int fd, const struct trace_chunk_entry *c, uint64_t end)
{
    size_t keep = (size_t)(end - c->stream_offset);
    uint8_t *compressed = malloc(c->length + 1), *bytes = malloc(c->size + 1);
    bool whole;
    int rc = 0;
    if (compressed == NULL || bytes == NULL)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    else if (keep > trace_codec_of(TRACE_CONTAINER_SNAPPY)->blocks->block_size)
        rc = trace_error_set(TRACE_ERR_FORMAT, "the last chunk is too large");
    else if (pread(fd, compressed, c->length, (off_t)c->file_offset) != (ssize_t)c->length ||
             trace_snappy_decompress(compressed, c->length, bytes, c->size, &whole) < keep)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot read the last chunk");
    else if (ftruncate(fd, (off_t)(c->file_offset - LENGTH_SIZE)) != 0 || lseek(fd, 0, SEEK_END) < 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write");
    if (rc == 0 && keep > 0)
        rc = write_chunk(fd, bytes, keep);
    free(compressed);
    free(bytes);
    return rc;
}

static int cut_at(const char *path, const struct trace_chunk_list *chunks, uint64_t end)
{
    size_t i = 0;
    while (i < chunks->count && chunks->entries[i].stream_offset + chunks->entries[i].size < end)
        ++i;
    if (i == chunks->count)
        return trace_error_set(TRACE_ERR_FORMAT, "the stream has no such place");
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write");
    int rc = rewrite_chunk(fd, &chunks->entries[i], end);
    if (close(fd) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write");
    return rc;
}

int trace_cut_after_whole_event(const char *path)
{
    struct trace_raw_events *e;
    uint64_t end = 0;
    int rc = trace_raw_events_open(&e, path, false);
    if (rc != 0)
        return rc;
    struct trace_input *in = e->cursor.stream.in;
    trace_input_note_chunks(in);
    rc = trace_stream_rewind(&e->cursor.stream);
    if (rc == 0)
        rc = find_end(e, &end);
    if (rc == TRACE_ERR_TRUNCATED && trace_input_codec(in) == trace_codec_of(TRACE_CONTAINER_SNAPPY))
        rc = cut_at(path, trace_input_noted_chunks(in), end);
    trace_raw_events_close(e);
    return rc == 0 ? 0 : trace_error_prefix(rc, "%s", path);
}
