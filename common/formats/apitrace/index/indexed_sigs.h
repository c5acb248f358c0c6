/* SPDX-License-Identifier: MIT
 * The signatures that the index of a trace tells of, in the order of the stream.
 */
#ifndef TRACE_INDEXED_SIGS_H
#define TRACE_INDEXED_SIGS_H

#include "base/buf.h"
#include "formats/apitrace/signatures.h"
#include "formats/apitrace/index/index_reader.h"

/* A place among them: zero is the first. */
struct trace_sig_place {
    uint64_t at;    /* in the section of signatures */
    uint64_t event; /* where in the stream the event begins that defined the one before */
    uint64_t end;   /* in the stream, of the last one before that is only referred to */
};

struct trace_indexed_sig {
    enum trace_sig_kind kind;
    uint64_t event; /* where in the stream the event begins that defines it */
    uint32_t id;
    const uint8_t *body; /* in the caller's buffer; the id, as it is in the stream, is before it. NULL: the
                            index does not have it, but refers to the stream */
    size_t size;         /* of the body */

    /* Of one without body, where its id and body are in the stream, and their size, as the index claims. They
     * are behind those of any such signature before. */
    uint64_t stream_offset;
    uint64_t stream_bytes;
};

/* The signature at that place, which becomes the next one's. bytes is the memory for it; it starts with the
 * id. *found is false behind the last, or if it is defined at stream offset `limit` or later: then the place
 * stays. TRACE_ERR_FORMAT: the index is damaged. */
int trace_indexed_sig_next(struct trace_index *t, struct trace_sig_place *place, uint64_t limit,
                           struct buf *bytes, struct trace_indexed_sig *out, bool *found);

/* The name that the body of a function's or structure's signature begins with: *length bytes in it, without a
 * NUL. NULL: it has none. */
const char *trace_indexed_sig_name(const struct trace_indexed_sig *sig, size_t *length);

#endif
