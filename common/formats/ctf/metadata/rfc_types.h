/* SPDX-License-Identifier: MIT
 * Types in the language of the request for comments, version 1.1, section 4. A type inherits attributes from
 * its parent, and overrides them; it may refer to types that are declared after it.
 */
#ifndef RFC_TYPES_H
#define RFC_TYPES_H

#include "formats/ctf/metadata/rfc_attributes.h"

/* Makes the class of a type: its name (a word), or a block "type { … }". Errors: TRACE_ERR_FORMAT, with file
 * and line; TRACE_ERR_MEMORY. */
int rfc_type_make(struct rfc_types *t, struct rfc_node *type, const struct ctf_class **out);

/* Makes a class of an unsigned integer with its natural alignment. Returns NULL if there is no memory. */
struct ctf_class *rfc_type_new_unsigned(struct ctf_trace *trace, unsigned size);

#endif
