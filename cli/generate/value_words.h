/* SPDX-License-Identifier: MIT
 * Interprets the names of values and operands in the option tables, such as "FILE" or "auto|always|never".
 * Completion and manual pages follow from them which words are allowed.
 */
#ifndef CLI_GENERATE_VALUE_WORDS_H
#define CLI_GENERATE_VALUE_WORDS_H

#include "shell/command.h"

enum value_kind {
    VALUE_OTHER,   /* anything else: a number, a name */
    VALUE_WORDS,   /* one of a set of words */
    VALUE_LIST,    /* words of a set, separated by commas */
    VALUE_FILE,    /* a file */
    VALUE_TRACE,   /* a file, usually *.trace */
    VALUE_COMMAND, /* a command of trace-cli */
    VALUE_PROGRAM, /* a program and its arguments */
};

struct value_words {
    enum value_kind kind;
    char words[1024]; /* separated by blanks; for VALUE_WORDS and VALUE_LIST */
};

/* Returns what an option's value may be. */
struct value_words value_words_of_option(const struct cli_option *o);

/* Returns what a command's operands may be, which are all of one kind. */
struct value_words value_words_of_operands(const struct cli_command *c);

/* Returns true if this word of capitals is a placeholder in the name of a value or operand, such as
 * "FUNCTION.ARG" or "[OPTION...] TRACE". In "PNM|RGB" no word is a placeholder. */
bool value_name_has_placeholder(const char *name, const char *word, size_t length);

/* Returns true if an alternative of "a|b|NAME.ARG" is a placeholder, not a literal word. */
bool value_alternative_is_placeholder(const char *alternative, size_t length);

/* Calls each() with every option of a command, -h/--help first. */
void each_option(const struct cli_command *c, void (*each)(void *context, const struct cli_option *o),
                 void *context);

#endif
