/* SPDX-License-Identifier: MIT
 * Makes traces for tests from text, one call on each line:
 *   NAME [ARG=VALUE]... [= VALUE]
 * A VALUE is an integer, a float (with a point), 0xADDRESS, "string", #blob, $blob of hexadecimal
 * digits, null, true, false, [VALUE,...] or (MEMBER=VALUE), a struct, without blanks. The same name must
 * always have the same arguments. "+NAME ..." is a call that does not return; "-NUMBER [= VALUE]" is its
 * return. "~NAME ..." is a fake call. "@THREAD" before a call gives its thread. "<FUNCTION:LINE" after NAME
 * is a frame of its backtrace, innermost first; each frame must have a different LINE.
 */
#ifndef TESTS_CALL_SCRIPT_H
#define TESTS_CALL_SCRIPT_H

#include "formats/apitrace/encoder.h"

#include <stdio.h>

/* Encodes the calls of a text. The header must have been written before. Calls are numbered from 0. */
void call_script_encode(struct trace_encoder *e, FILE *text);

#endif
