/* SPDX-License-Identifier: MIT
 * A format with one call on each line, as an example for docs/HOWTO-add-a-format.md.
 *
 *     call-lines 1
 *     fopen /etc/passwd r -> 0x7f01
 *     fclose 0x7f01 -> 0
 *     abort
 *
 * The first line identifies the format. Words are separated by single blanks. They are decimal numbers,
 * hexadecimal addresses, or strings. The value after "->" was returned.
 */
#ifndef CALL_LINES_H
#define CALL_LINES_H

#include "trace/trace_format.h"

#define CALL_LINES_NAME "call-lines"
#define CALL_LINES_MARK "call-lines 1\n"

int call_lines_open(struct trace_source **out, struct trace_probe *probe);
int call_lines_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
