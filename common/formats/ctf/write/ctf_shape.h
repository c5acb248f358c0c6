/* SPDX-License-Identifier: MIT
 * The classes of fields of values that have none: of formats without typed fields. Values of the same shape
 * have the same class.
 */
#ifndef CTF_SHAPE_H
#define CTF_SHAPE_H

#include "formats/ctf/write/ctf_labels.h"

/* Appends a text without NULs that says which class the value needs. Errors: TRACE_ERR_MEMORY. */
int ctf_shape_append(struct ctf_shapes *s, const struct trace_value *v, struct buf *out);

/* Returns the class of the value and all that have its shape, or NULL, with the message set. */
const struct ctf_class *ctf_shape_class(struct ctf_shapes *s, const struct trace_value *v);

#endif
