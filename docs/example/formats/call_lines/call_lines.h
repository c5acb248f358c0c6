/* SPDX-License-Identifier: MIT
 * A format of one call a line, as an example: docs/HOWTO-add-a-format.md walks through it.
 *
 *     call-lines 1
 *     fopen /etc/passwd r -> 0x7f01
 *     fclose 0x7f01 -> 0
 *     abort
 *
 * The first line is the mark. Words are separated by single blanks: decimal numbers, addresses in
 * hexadecimal, and strings. What stands behind "->" was returned.
 */
#ifndef CALL_LINES_H
#define CALL_LINES_H

#include "trace/trace_format.h"

#define CALL_LINES_NAME "call-lines"
#define CALL_LINES_MARK "call-lines 1\n"

int call_lines_open(struct trace_source **out, struct trace_probe *probe);
int call_lines_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
