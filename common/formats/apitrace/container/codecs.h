/* SPDX-License-Identifier: MIT
 * The codecs there are.
 */
#ifndef TRACE_CODECS_H
#define TRACE_CODECS_H

#include "formats/apitrace/container/codec.h"

/* That writes the container; NULL: there is no such one. */
const struct trace_codec *trace_codec_of(enum trace_container container);

/* TRACE_LEVEL_DEFAULT becomes the container's usual level. TRACE_ERR_USAGE: it has no such level. */
int trace_codec_check_level(enum trace_container container, int *level);

/* The codec that wants a file with this beginning most, and how much. */
const struct trace_codec *trace_codec_find(struct trace_file *f, const uint8_t *head, size_t count,
                                           enum trace_codec_bid *bid);

#endif
