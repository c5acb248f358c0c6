/* SPDX-License-Identifier: MIT
 * What index_builder.c hands to trailer_writer.c.
 */
#ifndef TRACE_INDEX_SECTIONS_H
#define TRACE_INDEX_SECTIONS_H

#include "formats/apitrace/index/index_builder.h"
#include "formats/apitrace/index/section_writer.h"

/* Completes the sections (but for the one of chunks, which is empty) of a stream of so many bytes, and lends
 * them: an array indexed by enum trace_section_kind. To be called once. */
int trace_index_builder_finish(struct trace_index_builder *b, uint64_t stream_bytes,
                               struct trace_section_writer **sections);

/* Segments of at least so many bytes of the stream, for tests: small traces have several then. */
void trace_index_builder_set_segment_bytes(struct trace_index_builder *b, uint64_t bytes);

#endif
