/* SPDX-License-Identifier: MIT
 * The interface of a container. Each container defines one struct trace_codec (codec_snappy.c, codec_zlib.c,
 * …) and has a row in trace/container_kind.h. All other code for reading and writing is shared (container.c,
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

/* A piece of the stream to be decompressed. */
struct trace_chunk_job {
    uint64_t number;      /* position in the stream, from 0 */
    uint64_t file_offset; /* file offset of the compressed bytes */
    uint64_t length;      /* compressed bytes */
    uint64_t claimed;     /* length according to the file; above `length` if the file is cut off */
    uint64_t checksum;    /* expected XXH64 of the compressed bytes if is_checked; the codec ignores it */
    bool is_checked;
};

/* A piece of the stream to be written to the file. */
struct trace_block {
    const uint8_t *bytes; /* of the event stream */
    size_t size;
    uint8_t *compressed;    /* room for compressed_max() bytes */
    size_t length;          /* number of compressed bytes */
    const uint8_t *adopted; /* the compressed bytes after the block's header, if they were adopted; only the
                               header is in `compressed` then. NULL: everything is in `compressed` */
    uint64_t checksum;      /* XXH64 of the compressed bytes without the header; set by the pipeline */
    uint32_t content_checksum; /* checksum that the container's own index needs, or 0 */
};

/* A codec for containers that consist of blocks. Each block is compressed independently, in any thread. */
struct trace_block_codec {
    /* Number of blocks at the start that compress so quickly that no thread is started for them. */
    unsigned alone;
    size_t block_size;    /* bytes of the event stream; the last block, and a block before a flush, may be
                             shorter */
    const void *prologue; /* written at the beginning of the file */
    size_t prologue_size;
    size_t header_size; /* number of bytes at the start of a compressed block that are not compressed data */
    bool needs_a_block; /* an empty stream is written as one empty block */

    /* Returns the highest possible size of a compressed block in bytes. */
    size_t (*compressed_max)(void);
    /* Creates the state for compressing, one for each thread. The container has this level. */
    int (*open)(void **compressor, int level);
    int (*compress)(void *compressor,
                    struct trace_block *block); /* sets compressed, length and content_checksum */
    void (*close)(void *compressor);
    /* Makes a block from compressed bytes that were read from the same kind of container, without copying
     * them. NULL: not supported. */
    void (*adopt)(struct trace_block *block, const uint8_t *compressed, size_t count);
    /* Appends what follows the blocks. An index, if there is one, is an entry of size 0 in the list. NULL:
     * nothing follows. */
    int (*epilogue)(const struct trace_chunk_list *chunks, struct buf *out);
};

enum trace_stream_step { TRACE_STREAM_MORE, TRACE_STREAM_FLUSH, TRACE_STREAM_END };

/* A codec for containers that are one compressed stream. */
struct trace_stream_codec {
    int (*open)(void **state, int level);
    /* Compresses count bytes, then performs the step. Appends the output to out. */
    int (*encode)(void *state, enum trace_stream_step step, const uint8_t *bytes, size_t count,
                  struct buf *out);
    void (*close)(void *state);
};

/* Appends to out what precedes an index of `size` bytes in the container. */
typedef int (*trace_codec_before_index)(uint64_t size, struct buf *out);

/* How strongly a codec claims a file. The highest bid wins. */
enum trace_codec_bid {
    TRACE_CODEC_BID_NONE,
    TRACE_CODEC_BID_ANYTHING, /* the container has no magic number, so the file could be in it */
    TRACE_CODEC_BID_MARK,
    TRACE_CODEC_BID_MARKS, /* magic numbers at the start of the file and elsewhere */
};

struct trace_codec {
    const char *name; /* for `trace-cli info` */
    bool independent; /* chunks may be decompressed in any order and by several threads */

    /* Says whether a file that starts with these bytes looks like this container. */
    enum trace_codec_bid (*bid)(struct trace_file *f, const uint8_t *head, size_t count);

    /* Reading. claim() determines the next job. It is called under a lock and in order, and returns 1 with a
     * job, 0 at the end, or an error. produce() fills the chunk, which may stay empty. After an error, the
     * bytes in the chunk are valid, and the stream ends after them. If chunks are independent, produce()
     * leaves the compressed bytes in scratch. */
    int (*reader_open)(void **state, struct trace_file *f); /* lent until reader_close() */
    int (*reader_claim)(void *state, struct trace_chunk_job *job);
    int (*reader_produce)(void *state, const struct trace_chunk_job *job, struct buf *scratch,
                          struct trace_chunk *chunk);
    void (*reader_close)(void *state);

    /* Makes chunk `number` at file_offset the next one. Both numbers come from a file and may be wrong. */
    int (*reader_seek)(void *state, uint64_t number, uint64_t file_offset);

    /* reader_end() returns the file offset of the end of the stream, once the stream has been read. Empty
     * members and frames after the stream are not included; a seek table is. index_end() may be called at any
     * time and returns the file offset where an index would end. NULL: that is the end of the file. */
    uint64_t (*reader_end)(void *state);
    uint64_t (*index_end)(void *state);

    /* Writing. At most one of the two is set; neither if the container cannot be written. */
    const struct trace_block_codec *blocks;
    const struct trace_stream_codec *stream;
    trace_codec_before_index before_index; /* NULL: nothing precedes an index */

    /* Reading and writing: how the bytes of an index are embedded. NULL: without anything around them. */
    const struct trace_index_wrap *index_wrap;
};

extern const struct trace_codec trace_codec_zstd; /* read-only */

/* Number of bytes that a stream codec reads at a time and decompresses into one chunk. */
#define TRACE_CODEC_READ_SIZE  ((size_t)1 << 16)
#define TRACE_CODEC_CHUNK_SIZE ((size_t)1 << 20)

#endif
