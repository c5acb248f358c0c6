/* SPDX-License-Identifier: MIT
 * Ids under which a writer writes signatures that come from anywhere: from several traces, or made up.
 * A signature keeps its own id unless another one has it already.
 */
#ifndef TRACE_WRITER_IDS_H
#define TRACE_WRITER_IDS_H

#include "formats/apitrace/signatures.h"

struct writer_id_table {
    struct int_map by_signature; /* its address (of a frame, the hash of its text) to its id */
    struct int_map taken;        /* ids */
    uint32_t next;               /* none that is lower is free, but for those that were asked for */
};

/* Zero-initialise before use. */
struct writer_ids {
    struct writer_id_table tables[TRACE_SIG_KINDS];
    struct string_map frames; /* text of a frame to its key in by_signature */
};

void writer_ids_fini(struct writer_ids *ids);

/* The id of a signature, which is known by its address; its own id is wanted. */
int writer_ids_find(struct writer_ids *ids, enum trace_sig_kind kind, const void *sig, uint32_t wanted,
                    uint32_t *out);

/* The id of a frame, which is known by what it says. */
int writer_ids_find_frame(struct writer_ids *ids, const struct trace_frame *frame, uint32_t *out);

#endif
