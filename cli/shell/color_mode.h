/* SPDX-License-Identifier: MIT
 * --color=auto|always|never, the same for every command with coloured text. --color without a value means
 * always.
 */
#ifndef CLI_COLOR_MODE_H
#define CLI_COLOR_MODE_H

#include <stdbool.h>

enum color_mode {
    COLOR_AUTO, /* the default: use colour and a pager if the standard output is a terminal */
    COLOR_ALWAYS,
    COLOR_NEVER,
};

/* Parses the value of --color. Errors: TRACE_ERR_USAGE. */
int color_mode_parse(const char *text, enum color_mode *out);

/* Returns true if the text is for a user at a terminal. It then goes through a pager and, unless NO_COLOR is
 * set, is coloured. */
bool color_mode_is_interactive(enum color_mode mode);

bool color_mode_wants_color(enum color_mode mode);

#endif
