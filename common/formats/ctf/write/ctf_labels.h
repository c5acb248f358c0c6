/* SPDX-License-Identifier: MIT
 * The classes of values that have labels.
 */
#ifndef CTF_LABELS_H
#define CTF_LABELS_H

#include "formats/ctf/write/ctf_out.h"

/* An enumeration that grows. Its class is in a trace's arena, the rest on the heap. */
struct ctf_labels {
    struct ctf_class *class; /* NULL: not yet made; an integer of 32 bits, or 64 signed ones */
    struct ctf_label *items;
    size_t count;
    size_t room;
    struct int_map known; /* maps keys to values */
};

void ctf_labels_fini(struct ctf_labels *l);

/* Sets *value to that of the key, which is 1, 2, … in order of appearance, or fixed if it is not NULL.
 * Errors: TRACE_ERR_MEMORY. */
int ctf_labels_find(struct ctf_labels *l, struct ctf_trace *t, uint64_t key, const char *name,
                    const int64_t *fixed, uint64_t *value);

struct ctf_shapes {
    struct ctf_trace *trace; /* whose arena gets classes */
    const struct ctf_out_dialect *dialect;
    struct int_map labelled;  /* maps the address of an enumeration or bitmask to its class */
    size_t tuples;            /* classes of arrays whose elements differ */
    struct ctf_labels single; /* names of values that are declared one by one */
};

void ctf_shapes_fini(struct ctf_shapes *s);

/* The name of a value that is the only one of its enumeration joins those of all such. Errors:
 * TRACE_ERR_MEMORY. */
int ctf_shape_add_single(struct ctf_shapes *s, const struct trace_value *v);

/* Return NULL, with the message set, if there is no memory: the class of an ENUM, a BITMASK or a RANGED, and
 * that of a BASED. */
const struct ctf_class *ctf_shape_labelled(struct ctf_shapes *s, const struct trace_value *v);
struct ctf_class *ctf_shape_based(struct ctf_shapes *s, const struct trace_value *v);

#endif
