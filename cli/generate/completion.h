/* SPDX-License-Identifier: MIT
 * Completion of commands, options and values in shells, from the commands' tables.
 */
#ifndef CLI_GENERATE_COMPLETION_H
#define CLI_GENERATE_COMPLETION_H

#include <stdio.h>

/* Each writes what follows the hand-written part of the shell's script (completion.SHELL), if it has one. */
void completion_bash(FILE *out);
void completion_fish(FILE *out);
void completion_zsh(FILE *out);

/* Puts text as part of a word in single quotes: lines joined by blanks, quotes written as the two shells'
 * word for one, the characters in `escaped` with a backslash. */
void completion_put_quoted(FILE *out, const char *text, const char *quote, const char *escaped);

#endif
