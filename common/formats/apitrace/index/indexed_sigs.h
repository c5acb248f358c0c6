/* SPDX-License-Identifier: MIT
 * Iterates over the signatures in the index of a trace, in stream order.
 */
#ifndef TRACE_INDEXED_SIGS_H
#define TRACE_INDEXED_SIGS_H

#include "base/buf.h"
#include "formats/apitrace/signatures.h"
#include "formats/apitrace/index/index_reader.h"

/* A position of the iteration. Zero is the first signature. */
struct trace_sig_place {
    uint64_t at;    /* offset in the section of signatures */
    uint64_t event; /* stream offset of the event that defined the previous signature */
    uint64_t end;   /* end in the stream of the last signature that was only referred to */
};

struct trace_indexed_sig {
    enum trace_sig_kind kind;
    uint64_t event; /* stream offset of the event that defines it */
    uint32_t id;
    const uint8_t *body; /* in the caller's buffer, preceded by the id as encoded in the stream. NULL: the
                            index only refers to the stream */
    size_t size;         /* of the body, in bytes */

    /* For a signature without a body: the location and size of its id and body in the stream, according to
     * the index. Locations are ascending. */
    uint64_t stream_offset;
    uint64_t stream_bytes;
};

/* Gets the signature at the position and advances the position. bytes receives the id and the body. *found is
 * false after the last signature, or if the signature is defined at stream offset `limit` or later; the
 * position does not change then. Errors: TRACE_ERR_FORMAT if the index is damaged. */
int trace_indexed_sig_next(struct trace_index *t, struct trace_sig_place *place, uint64_t limit,
                           struct buf *bytes, struct trace_indexed_sig *out, bool *found);

/* Returns the name at the beginning of the body of a function's or structure's signature. It has *length
 * bytes and is not terminated by a NUL. Returns NULL if there is none. */
const char *trace_indexed_sig_name(const struct trace_indexed_sig *sig, size_t *length);

#endif
