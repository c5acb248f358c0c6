/* SPDX-License-Identifier: MIT
 * Classes of other dialects as classes of version 1.1.
 */
#ifndef RFC_ADAPT_H
#define RFC_ADAPT_H

#include "formats/ctf/ctf_types.h"

/* Makes *out, a class of the same values as `in`, in the trace's arena. It has what the language has:
 * integers of fixed size, enumerations of single values, numbers of 32 and 64 bits, strings, structures,
 * arrays, and sequences after their lengths; everything begins at a byte. Fields with roles that only readers
 * want are left out. *out is NULL if there is no such class: of variants and optional fields. Errors:
 * TRACE_ERR_MEMORY. */
int rfc_adapt(struct ctf_trace *t, const struct ctf_class *in, const struct ctf_class **out);

#endif
