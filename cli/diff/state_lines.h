/* SPDX-License-Identifier: MIT
 * The lines of two texts, such as the sources of shaders.
 */
#ifndef CLI_STATE_LINES_H
#define CLI_STATE_LINES_H

#include "base/json_value.h"

/* tag: '-' a line of the first text only, '+' of the second only, ' ' of both. The line is without its end.
 */
typedef void (*state_line_callback)(void *context, char tag, const char *line, size_t size);

/* Passes all lines of two strings. Errors: TRACE_ERR_MEMORY. */
int state_lines_compare(const struct json_value *a, const struct json_value *b, state_line_callback put,
                        void *context);

#endif
