/* SPDX-License-Identifier: MIT
 * What a container has to provide: one struct trace_codec each (codec_snappy.c, codec_zlib.c, …), and a row
 * in trace/container_kind.h. Everything else about reading and writing is common to all (container.c,
 * block_pipeline.c, input.c).
 */
#ifndef TRACE_CODEC_H
#define TRACE_CODEC_H

#include "base/buf.h"
#include "formats/apitrace/container/chunk.h"
#include "formats/apitrace/container/chunk_list.h"
#include "formats/apitrace/container/index_bytes.h"
#include "trace/container_kind.h"
#include "trace/trace_file.h"

#include <stdbool.h>
#include <sys/types.h>

/* One piece of the stream to decompress. */
struct trace_chunk_job {
    uint64_t number;      /* position in the stream, from 0 */
    uint64_t file_offset; /* of the compressed bytes */
    uint64_t length;      /* compressed bytes */
    uint64_t claimed;     /* compressed bytes that the file says there are: more than length when it is cut */
    uint64_t checksum;    /* that the compressed bytes should have, if is_checked; not the codec's business */
    bool is_checked;
};

/* One piece of the stream on its way into the file. */
struct trace_block {
    const uint8_t *bytes; /* of the event stream */
    size_t size;
    uint8_t *compressed;       /* room for compressed_max() bytes */
    size_t length;             /* of all that is compressed */
    const uint8_t *adopted;    /* it is here, and but its header is in compressed; NULL: all of it is there */
    uint64_t checksum;         /* XXH64 of what is compressed, less its header; by the pipeline */
    uint32_t content_checksum; /* what the container's own index wants to know of the bytes; else 0 */
};

/* How a container is written that consists of blocks, each compressed for itself, in any thread. */
struct trace_block_codec {
    unsigned alone;       /* blocks so quickly compressed that no thread starts for them */
    size_t block_size;    /* of the stream; the last block, and one before a flush, is shorter */
    const void *prologue; /* what the file begins with */
    size_t prologue_size;
    size_t header_size; /* of what is compressed, bytes in front that are not compressed data */
    bool needs_a_block; /* an empty stream is one empty block, too */

    /* Room for a compressed block. */
    size_t (*compressed_max)(void);
    /* The memory to compress with, one a thread; level is one that the container has. */
    int (*open)(void **compressor, int level);
    int (*compress)(void *compressor,
                    struct trace_block *block); /* sets compressed, length, content_checksum */
    void (*close)(void *compressor);
    /* Makes the block of compressed bytes that were read from the same container, without copying them; NULL:
     * it cannot. */
    void (*adopt)(struct trace_block *block, const uint8_t *compressed, size_t count);
    /* Appends what follows the blocks, and the index, if there is one, which is an entry of size 0 in the
     * list. NULL: nothing does. */
    int (*epilogue)(const struct trace_chunk_list *chunks, struct buf *out);
};

enum trace_stream_step { TRACE_STREAM_MORE, TRACE_STREAM_FLUSH, TRACE_STREAM_END };

/* How a container is written that is one compressed stream. */
struct trace_stream_codec {
    int (*open)(void **state, int level);
    /* Compresses count bytes, then makes the step; appends what comes out to out. */
    int (*encode)(void *state, enum trace_stream_step step, const uint8_t *bytes, size_t count,
                  struct buf *out);
    void (*close)(void *state);
};

/* Appends to out what stands between the stream and an index of size bytes. */
typedef int (*trace_codec_before_index)(uint64_t size, struct buf *out);

/* How much a codec wants a file; the highest bid gets it. */
enum trace_codec_bid {
    TRACE_CODEC_BID_NONE,
    TRACE_CODEC_BID_ANYTHING, /* it has no mark, and might be anything */
    TRACE_CODEC_BID_MARK,
    TRACE_CODEC_BID_MARKS, /* at the file's start, and elsewhere */
};

struct trace_codec {
    const char *name; /* as `info` prints it */
    bool independent; /* chunks may be decompressed in any order, by several threads */

    /* Does a file that starts with these bytes look like this container? */
    enum trace_codec_bid (*bid)(struct trace_file *f, const uint8_t *head, size_t count);

    /* Reading. claim() fixes the next job and is called under a lock, in order: 1 with a job, 0 at the end,
     * or an error. produce() fills the chunk, which may stay empty; with an error the bytes in the chunk are
     * still good, and the stream ends after them. If chunks are independent, it leaves the compressed bytes
     * in scratch. */
    int (*reader_open)(void **state, struct trace_file *f); /* lent until reader_close() */
    int (*reader_claim)(void *state, struct trace_chunk_job *job);
    int (*reader_produce)(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                          struct trace_chunk *chunk);
    void (*reader_close)(void *state);

    /* Makes chunk `number`, whose compressed bytes are at file_offset, the next one. Both are taken from a
     * file and may be wrong. */
    int (*reader_seek)(void *state, uint64_t number, uint64_t file_offset);

    /* Where the stream ends in the file, once it has been read (empty members and frames behind it do not
     * count; a seek table does); and where an index would end, at any time (NULL: at the file's end). */
    uint64_t (*reader_end)(void *state);
    uint64_t (*index_end)(void *state);

    /* Writing: one of them, or none if it cannot be written. */
    const struct trace_block_codec *blocks;
    const struct trace_stream_codec *stream;
    trace_codec_before_index before_index; /* NULL: nothing */

    /* Both sides: what is around the index's bytes. NULL: nothing. */
    const struct trace_index_wrap *index_wrap;
};

extern const struct trace_codec trace_codec_zstd; /* is only read */

/* Bytes that a stream codec reads from the file at a time, and decompresses into one chunk. */
#define TRACE_CODEC_READ_SIZE  ((size_t)1 << 16)
#define TRACE_CODEC_CHUNK_SIZE ((size_t)1 << 20)

#endif
