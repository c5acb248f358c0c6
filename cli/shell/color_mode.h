/* SPDX-License-Identifier: MIT
 * --color=auto|always|never, as every command that can colour its text takes it.
 * The option alone means always.
 */
#ifndef CLI_COLOR_MODE_H
#define CLI_COLOR_MODE_H

#include <stdbool.h>

enum color_mode {
    COLOR_AUTO, /* the default: colour, and a pager, when the standard output is a terminal */
    COLOR_ALWAYS,
    COLOR_NEVER,
};

/* TRACE_ERR_USAGE. */
int color_mode_parse(const char *text, enum color_mode *out);

/* Is the text for somebody at a terminal, who gets a pager and, unless NO_COLOR is set, colour? */
bool color_mode_is_interactive(enum color_mode mode);

bool color_mode_wants_color(enum color_mode mode);

#endif
