/* SPDX-License-Identifier: MIT
 * The compressed files that a trace can be written into.
 */
#ifndef TRACE_CONTAINER_KIND_H
#define TRACE_CONTAINER_KIND_H

enum trace_container {
    TRACE_CONTAINER_SNAPPY,
    TRACE_CONTAINER_ZLIB, /* gzip, a member a block */
    TRACE_CONTAINER_BROTLI,
    TRACE_CONTAINER_ZSTD, /* seekable; any reader of Zstandard streams takes it too */
};

/* zlib 9, brotli 11, zstd 3; Snappy has no levels. */
#define TRACE_LEVEL_DEFAULT (-1)

/* Brotli's quality 0, its quickest, where 0 stands for the default. */
#define TRACE_LEVEL_ZERO (-2)

/* More threads than that are not started to compress one file. */
#define TRACE_OUTPUT_MAX_JOBS 64

#endif
