/* SPDX-License-Identifier: MIT
 * Metadata as a text in the language of the request for comments, version 1.1, section 7.
 */
#ifndef RFC_PRINT_H
#define RFC_PRINT_H

#include "base/buf.h"
#include "formats/ctf/ctf_types.h"

/* Appends the text, with a new line at its end. All classes must be those that rfc_adapt() makes, or headers
 * of rfc_make_event_header(). A context of an event class, which the language lacks, becomes the first field
 * of the event, RFC_CONTEXT_FIELD. Errors: TRACE_ERR_MEMORY. */
int rfc_print_metadata(const struct ctf_trace *t, struct buf *out);

#endif
