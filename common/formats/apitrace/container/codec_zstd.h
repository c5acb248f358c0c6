/* SPDX-License-Identifier: MIT
 * What both kinds of Zstandard files share.
 */
#ifndef TRACE_CODEC_ZSTD_H
#define TRACE_CODEC_ZSTD_H

#include "base/buf.h"

/* A trace_codec_before_index: the head of a skippable frame. */
int trace_codec_zstd_append_skippable(uint64_t size, struct buf *out);

#endif
