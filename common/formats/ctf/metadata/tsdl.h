/* SPDX-License-Identifier: MIT
 * The Trace Stream Description Language: metadata of CTF 1.8.
 */
#ifndef TSDL_H
#define TSDL_H

#include "formats/ctf/ctf_types.h"

/* Parses metadata as text, without packets, into an initialised trace. `file` is for messages, which are
 * "FILE:LINE: CAUSE". Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int tsdl_parse(struct ctf_trace *trace, const char *file, const char *text, size_t length);

#endif
