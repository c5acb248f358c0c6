/* SPDX-License-Identifier: MIT
 * The compressed files that a trace can be written into.
 */
#ifndef TRACE_CONTAINER_KIND_H
#define TRACE_CONTAINER_KIND_H

/* A row for each: what it is in code; its codec (formats/apitrace/container/codec_….c); its option of
 * `trace-cli repack`, short and long; what its level is called, the lowest, the highest (0: it has none), the
 * usual one; and what it is in help. From this the enum, the codecs, the options and the limits of levels
 * follow. */
#define TRACE_CONTAINERS(ROW)                                                                                \
    ROW(SNAPPY, snappy, 's', "snappy", "", 0, 0, 0, "Snappy chunks (the default; for replay)")               \
    ROW(ZLIB, zlib, 'g', "zlib", "level", 1, 9, 9, "gzip in independent blocks, with this level")            \
    ROW(BROTLI, brotli, 'b', "brotli", "quality", 0, 11, 11, "Brotli, one stream, with this quality")        \
    ROW(ZSTD, zstd_seekable, 'z', "zstd", "level", 1, 22, 3, "seekable Zstandard, with this level")

#define TRACE_CONTAINER_ID(id, ...) TRACE_CONTAINER_##id,

enum trace_container {
    TRACE_CONTAINERS(TRACE_CONTAINER_ID) TRACE_CONTAINER_KINDS /* how many there are */
};

/* The usual level of the container. */
#define TRACE_LEVEL_DEFAULT (-1)

/* Brotli's quality 0, its quickest, where 0 stands for the default. */
#define TRACE_LEVEL_ZERO (-2)

/* More threads than that are not started to compress one file. */
#define TRACE_OUTPUT_MAX_JOBS 64

#endif
