/* SPDX-License-Identifier: MIT
 * The table of codecs.
 */
#ifndef TRACE_CODECS_H
#define TRACE_CODECS_H

#include "formats/apitrace/container/codec.h"

/* Returns the codec that writes the container, or NULL if there is none. */
const struct trace_codec *trace_codec_of(enum trace_container container);

/* Replaces TRACE_LEVEL_DEFAULT by the container's usual level. Errors: TRACE_ERR_USAGE if the container does
 * not have this level. */
int trace_codec_check_level(enum trace_container container, int *level);

/* Returns the codec with the highest bid for a file with this head. *bid receives the bid. */
const struct trace_codec *trace_codec_find(struct trace_file *f, const uint8_t *head, size_t count,
                                           enum trace_codec_bid *bid);

#endif
