/* SPDX-License-Identifier: MIT
 * The blocks of TSDL: trace, env, clock, stream, event, callsite.
 */
#ifndef TSDL_BLOCKS_H
#define TSDL_BLOCKS_H

#include "formats/ctf/metadata/tsdl_parser.h"

/* Parses the block that the next token names, with the semicolon after it; *had says whether it is one.
 * Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int tsdl_parse_block(struct tsdl_parser *p, bool *had);

#endif
