/* SPDX-License-Identifier: MIT
 * --color=auto|always|never, the same for every command with coloured text. --color alone means always.
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

/* Does the text go to a user at a terminal, with a pager and, unless NO_COLOR is set, in colour? */
bool color_mode_is_interactive(enum color_mode mode);

bool color_mode_wants_color(enum color_mode mode);

#endif
