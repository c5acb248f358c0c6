/* SPDX-License-Identifier: MIT
 * Traces for tests, from one call a line:
 *   NAME [ARG=VALUE]... [= VALUE]
 * A VALUE is an integer, a float (with a point), 0xADDRESS, "string", #blob, true, false, or [VALUE,...];
 * nothing of it has blanks in it. The same name takes the same arguments everywhere. "+NAME ..." does not
 * return; "-NUMBER [= VALUE]" is the return of such a call. "@THREAD" in front of a line tells who calls.
 * "<FUNCTION:LINE" after NAME is a frame of its backtrace, the innermost first; each place has a LINE of its
 * own.
 */
#ifndef TESTS_CALL_SCRIPT_H
#define TESTS_CALL_SCRIPT_H

#include "formats/apitrace/encoder.h"

#include <stdio.h>

/* Encodes the calls of a text; the header is there already. Calls are numbered from 0. */
void call_script_encode(struct trace_encoder *e, FILE *text);

#endif
