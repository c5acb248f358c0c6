/* SPDX-License-Identifier: MIT
 * Classes of other dialects as classes of CTF 2.
 */
#ifndef CTF2_ADAPT_H
#define CTF2_ADAPT_H

#include "formats/ctf/ctf_types.h"

/* Makes *out, a class of the same values as `in` of the trace `from`, in the arena of t. Names are those that
 * users see, and references lead through the structures between the fields, as CTF 2 has it. *out is NULL if
 * there is no such class: of bit fields as gcc has them, of variants that labels select, of fields of the
 * same name. Errors: TRACE_ERR_MEMORY. */
int ctf2_adapt(struct ctf_trace *t, const struct ctf_trace *from, const struct ctf_class *in,
               const struct ctf_class **out);

#endif
