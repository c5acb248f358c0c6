/* SPDX-License-Identifier: MIT
 * Assigns the ids of the signatures that a writer writes. The signatures may come from several traces, or be
 * made by the program. A signature keeps its own id unless another one already has it.
 */
#ifndef TRACE_WRITER_IDS_H
#define TRACE_WRITER_IDS_H

#include "formats/apitrace/signatures.h"

struct writer_id_table {
    /* Maps the address of a signature (of a frame: the hash of its text) to its id. */
    struct int_map by_signature;
    struct int_map taken; /* the ids in use */
    uint32_t next;        /* all lower ids are in use, except those that were requested by signatures */
};

/* Zero-initialise it before use. */
struct writer_ids {
    struct writer_id_table tables[TRACE_SIG_KINDS];
    struct string_map frames; /* maps the text of a frame to its key in by_signature */
};

void writer_ids_fini(struct writer_ids *ids);

/* Returns the id of a signature, which is identified by its address. Its own id is preferred. */
int writer_ids_find(struct writer_ids *ids, enum trace_sig_kind kind, const void *sig, uint32_t wanted,
                    uint32_t *out);

/* Returns the id of a frame, which is identified by its contents. */
int writer_ids_find_frame(struct writer_ids *ids, const struct trace_frame *frame, uint32_t *out);

#endif
