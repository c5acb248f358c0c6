/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/container/container.h"

#include "base/error.h"
#include "base/write_all.h"
#include "formats/apitrace/container/block_pipeline.h"
#include "formats/apitrace/container/codecs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* Bytes that are passed to a stream codec at a time; this limits the size of its output. */
#define STREAM_PIECE ((size_t)1 << 20)

struct trace_output {
    const struct trace_codec *codec;
    int fd;
    int status;                            /* the first error while writing to a stream codec */
    uint64_t file_offset;                  /* file offset of the next byte */
    uint64_t stream_offset;                /* stream offset of the end of what has been written to the file */
    struct trace_chunk_list chunks;        /* for a stream codec, filled in only at the end */
    trace_output_index_writer write_index; /* may be NULL */
    void *index_context;

    struct block_pipeline *blocks;

    void *stream; /* state of a stream codec */
    struct buf compressed;
    struct trace_chunk_entry whole; /* the stream as a single chunk */
    XXH64_state_t *checksum;        /* checksum of that chunk */
};

/* --- the file -------------------------------------------------------------------------------------- */

static int write_file(struct trace_output *o, const void *bytes, size_t count)
{
    int rc = write_all(o->fd, bytes, count);
    if (rc == 0)
        o->file_offset += count;
    return rc;
}

/* A block_sink. */
static int write_block(void *context, const struct trace_block *block)
{
    struct trace_output *o = context;
    const size_t header = o->codec->blocks->header_size;
    struct trace_chunk_entry entry = {o->file_offset + header, block->length - header,
                                      o->stream_offset,        block->size,
                                      block->checksum,         block->content_checksum};
    int rc = block->adopted != NULL
                 ? write_all_both(o->fd, block->compressed, header, block->adopted, block->length - header)
                 : write_all(o->fd, block->compressed, block->length);
    if (rc != 0)
        return rc;
    o->file_offset += block->length;
    o->stream_offset += block->size;
    return trace_chunk_list_add(&o->chunks, &entry);
}

/* --- a container that is one stream ---------------------------------------------------------------- */

static int encode_piece(struct trace_output *o, enum trace_stream_step step, const uint8_t *bytes,
                        size_t count)
{
    buf_clear(&o->compressed);
    int rc = o->codec->stream->encode(o->stream, step, bytes, count, &o->compressed);
    if (rc == 0)
        rc = write_file(o, o->compressed.data, o->compressed.len);
    if (rc != 0)
        return rc;
    XXH64_update(o->checksum, o->compressed.data, o->compressed.len);
    o->whole.length += o->compressed.len;
    o->whole.size += count;
    return 0;
}

/* After an error nothing more is written, because it would not match what is in the file. */
static int encode(struct trace_output *o, enum trace_stream_step step, const uint8_t *bytes, size_t count)
{
    if (o->status != 0)
        return trace_error_set(o->status, "cannot write after an earlier error");
    while (count > STREAM_PIECE && o->status == 0) {
        o->status = encode_piece(o, TRACE_STREAM_MORE, bytes, STREAM_PIECE);
        bytes += STREAM_PIECE;
        count -= STREAM_PIECE;
    }
    if (o->status == 0)
        o->status = encode_piece(o, step, bytes, count);
    return o->status;
}

static int end_stream(struct trace_output *o)
{
    int rc = encode(o, TRACE_STREAM_END, NULL, 0);
    if (rc != 0)
        return rc;
    o->whole.checksum = XXH64_digest(o->checksum);
    return trace_chunk_list_add(&o->chunks, &o->whole);
}

static int open_stream(struct trace_output *o, int level)
{
    o->checksum = XXH64_createState();
    if (o->checksum == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    XXH64_reset(o->checksum, 0);
    o->whole.file_offset = o->file_offset;
    return o->codec->stream->open(&o->stream, level);
}

/* --- a container of blocks ------------------------------------------------------------------------- */

static int open_blocks(struct trace_output *o, int level, unsigned jobs)
{
    const struct trace_block_codec *codec = o->codec->blocks;
    int rc = block_pipeline_new(&o->blocks, codec, level, jobs, write_block, o);
    return rc != 0 ? rc : write_file(o, codec->prologue, codec->prologue_size);
}

static int end_blocks(struct trace_output *o)
{
    int rc = block_pipeline_flush(o->blocks);
    if (rc == 0 && o->codec->blocks->needs_a_block && o->chunks.count == 0)
        rc = block_pipeline_flush_empty(o->blocks);
    return rc;
}

static int write_epilogue(struct trace_output *o)
{
    struct buf epilogue = BUF_INIT;
    int rc = o->codec->blocks->epilogue(&o->chunks, &epilogue);
    if (rc == 0)
        rc = write_file(o, epilogue.data, epilogue.len);
    buf_fini(&epilogue);
    return rc;
}

/* --- the index ----------------------------------------------------------------------------------- */

static int write_index(struct trace_output *o)
{
    struct trace_chunk_entry frame = {.file_offset = o->file_offset,
                                      .stream_offset = o->stream_offset,
                                      .content_checksum = (uint32_t)XXH64("", 0, 0)};
    int rc = o->write_index(o->index_context, o->codec, &o->chunks, o->fd, o->file_offset, &frame.length);
    if (rc != 0)
        return rc;
    o->file_offset += frame.length;
    return trace_chunk_list_add(&o->chunks, &frame);
}

/* --- both ------------------------------------------------------------------------------------------ */

static void free_output(struct trace_output *o)
{
    block_pipeline_free(o->blocks);
    if (o->stream != NULL)
        o->codec->stream->close(o->stream);
    XXH64_freeState(o->checksum);
    buf_fini(&o->compressed);
    free(o->chunks.entries);
    free(o);
}

int trace_output_open_fd(struct trace_output **out, int fd, enum trace_container container, int level,
                         unsigned jobs)
{
    const struct trace_codec *codec = trace_codec_of(container);
    if (codec == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "there is no container %d", (int)container);
    int rc = trace_codec_check_level(container, &level);
    if (rc != 0)
        return rc;
    struct trace_output *o = calloc(1, sizeof *o);
    if (o == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    off_t offset = lseek(fd, 0, SEEK_CUR); /* fails for a pipe */
    o->codec = codec;
    o->fd = fd;
    o->file_offset = offset > 0 ? (uint64_t)offset : 0;
    rc = codec->blocks != NULL ? open_blocks(o, level, jobs) : open_stream(o, level);
    if (rc != 0) {
        free_output(o);
        return rc;
    }
    *out = o;
    return 0;
}

int trace_output_write(struct trace_output *o, const void *bytes, size_t count)
{
    return o->blocks != NULL ? block_pipeline_write(o->blocks, bytes, count)
                             : encode(o, TRACE_STREAM_MORE, bytes, count);
}

int trace_output_take(struct trace_output *o, struct buf *bytes)
{
    if (o->blocks != NULL)
        return block_pipeline_take(o->blocks, bytes);
    int rc = encode(o, TRACE_STREAM_MORE, bytes->data, bytes->len);
    buf_clear(bytes);
    return rc;
}

int trace_output_write_chunk(struct trace_output *o, struct trace_chunk *chunk)
{
    if (o->blocks != NULL)
        return block_pipeline_write_chunk(o->blocks, chunk);
    int rc = encode(o, TRACE_STREAM_MORE, chunk->data, chunk->len);
    trace_chunk_unref(chunk);
    return rc;
}

int trace_output_flush(struct trace_output *o)
{
    return o->blocks != NULL ? block_pipeline_flush(o->blocks) : encode(o, TRACE_STREAM_FLUSH, NULL, 0);
}

static int end_output(struct trace_output *o)
{
    struct trace_kept_error index = {0};
    int rc = o->blocks != NULL ? end_blocks(o) : end_stream(o);
    if (rc != 0)
        return rc;
    if (o->write_index != NULL)
        trace_error_keep(&index, write_index(o));
    if (o->blocks != NULL && o->codec->blocks->epilogue != NULL)
        rc = write_epilogue(o);
    return index.code != 0 ? trace_error_restore(&index) : rc;
}

int trace_output_close(struct trace_output *o)
{
    int rc = end_output(o);
    free_output(o);
    return rc;
}

void trace_output_set_index_writer(struct trace_output *o, trace_output_index_writer write, void *context)
{
    o->write_index = write;
    o->index_context = context;
}

const struct trace_chunk_list *trace_output_chunks(const struct trace_output *o)
{
    return &o->chunks;
}
