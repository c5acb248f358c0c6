/* SPDX-License-Identifier: MIT
 * Whether the memory of decoded arguments is as long as what the call will read or write. The trace is not
 * trusted: what is too short is padded, and what cannot be meant is an error.
 */
#ifndef RETRACE_REPLAY_LENGTHS_H
#define RETRACE_REPLAY_LENGTHS_H

#include "replayer.h"

/* Returns true for pointers to pointers, which the trace does not contain. */
static inline bool replay_has_items(const struct spec_param *p)
{
    return p->form == SPEC_FORM_STRINGS || p->form == SPEC_FORM_BLOBS;
}

/* Makes the memory of all arguments, c->args of c->given elements, large enough. Errors: TRACE_ERR_FORMAT,
 * TRACE_ERR_UNSUPPORTED (the message names the argument), TRACE_ERR_MEMORY. */
int replay_check_lengths(struct replayer *r, struct replay_call *c);

#endif
