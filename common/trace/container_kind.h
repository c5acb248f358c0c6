/* SPDX-License-Identifier: MIT
 * The kinds of compressed files in which a trace can be stored.
 */
#ifndef TRACE_CONTAINER_KIND_H
#define TRACE_CONTAINER_KIND_H

/* One row for each container. The columns are: its identifier; its codec
 * (formats/apitrace/container/codec_….c); its option of `trace-cli repack`, short and long; the name of its
 * level; the lowest, the highest (0: it has no levels) and the usual level; its name in help texts. The enum,
 * the codecs, the options and the limits of levels are generated from this table. */
#define TRACE_CONTAINERS(ROW)                                                                                \
    ROW(SNAPPY, snappy, 's', "snappy", "", 0, 0, 0, "Snappy chunks (the default; for replay)")               \
    ROW(ZLIB, zlib, 'g', "zlib", "level", 1, 9, 9, "gzip in independent blocks, with this level")            \
    ROW(BROTLI, brotli, 'b', "brotli", "quality", 0, 11, 11, "Brotli, one stream, with this quality")        \
    ROW(ZSTD, zstd_seekable, 'z', "zstd", "level", 1, 22, 3, "seekable Zstandard, with this level")

#define TRACE_CONTAINER_ID(id, ...) TRACE_CONTAINER_##id,

enum trace_container {
    TRACE_CONTAINERS(TRACE_CONTAINER_ID) TRACE_CONTAINER_KINDS /* the number of kinds */
};

/* Stands for the usual compression level of the container. */
#define TRACE_LEVEL_DEFAULT (-1)

/* Stands for Brotli's quality 0, its fastest, because a level of 0 means the default. */
#define TRACE_LEVEL_ZERO (-2)

/* The highest number of threads that are started to compress one file. */
#define TRACE_OUTPUT_MAX_JOBS 64

#endif
