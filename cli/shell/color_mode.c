/* SPDX-License-Identifier: MIT */
#include "shell/color_mode.h"

#include "base/error.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int color_mode_parse(const char *text, enum color_mode *out)
{
    static const char *const words[] = {"auto", "always", "never"};
    *out = COLOR_ALWAYS;
    if (text == NULL)
        return 0;
    for (int i = 0; i < 3; ++i)
        if (strcmp(text, words[i]) == 0) {
            *out = (enum color_mode)i;
            return 0;
        }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is none of auto, always and never", text);
}

bool color_mode_is_interactive(enum color_mode mode)
{
    return mode == COLOR_AUTO && isatty(STDOUT_FILENO);
}

/* See https://no-color.org. */
static bool is_unwanted(void)
{
    const char *value = getenv("NO_COLOR");
    return value != NULL && value[0] != '\0';
}

bool color_mode_wants_color(enum color_mode mode)
{
    return mode == COLOR_ALWAYS || (color_mode_is_interactive(mode) && !is_unwanted());
}
