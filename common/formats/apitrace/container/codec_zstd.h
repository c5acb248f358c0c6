/* SPDX-License-Identifier: MIT
 * Declarations that both kinds of Zstandard containers share.
 */
#ifndef TRACE_CODEC_ZSTD_H
#define TRACE_CODEC_ZSTD_H

#include "base/buf.h"

/* A trace_codec_before_index: appends the header of a skippable frame. */
int trace_codec_zstd_append_skippable(uint64_t size, struct buf *out);

#endif
