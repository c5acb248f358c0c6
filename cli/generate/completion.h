/* SPDX-License-Identifier: MIT
 * Generates shell completion of commands, options and values from the table of commands.
 */
#ifndef CLI_GENERATE_COMPLETION_H
#define CLI_GENERATE_COMPLETION_H

#include <stdio.h>

/* Each writes the generated part of a shell's script. It follows the hand-written part, completion.SHELL, if
 * there is one. */
void completion_bash(FILE *out);
void completion_fish(FILE *out);
void completion_zsh(FILE *out);

/* Writes text as part of a word in single quotes. Lines are joined by blanks. A single quote is written as
 * `quote`. The characters in `escaped` are preceded by a backslash. */
void completion_put_quoted(FILE *out, const char *text, const char *quote, const char *escaped);

#endif
