/* SPDX-License-Identifier: MIT
 * What the names of values and operands in the option tables ("FILE", "auto|always|never") say about the
 * words that may stand there: for completion, and for the marks of manual pages.
 */
#ifndef CLI_GENERATE_VALUE_WORDS_H
#define CLI_GENERATE_VALUE_WORDS_H

#include "shell/command.h"

enum value_kind {
    VALUE_OTHER,   /* nothing is known of it: a number, a name */
    VALUE_WORDS,   /* one of some words */
    VALUE_LIST,    /* such words, separated by commas */
    VALUE_FILE,    /* a file */
    VALUE_TRACE,   /* a file, most likely *.trace */
    VALUE_COMMAND, /* a command of trace-cli */
    VALUE_PROGRAM, /* a program and its arguments */
};

struct value_words {
    enum value_kind kind;
    char words[1024]; /* separated by blanks; for VALUE_WORDS and VALUE_LIST */
};

/* Of an option's value. */
struct value_words value_words_of_option(const struct cli_option *o);

/* Of a command's operands, all of one kind. */
struct value_words value_words_of_operands(const struct cli_command *c);

/* Does the name of a value or of operands, such as "FUNCTION.ARG" or "[OPTION...] TRACE", contain this word
 * of capitals, which is then something to be filled in? In "PNM|RGB" no word is. */
bool value_name_has_placeholder(const char *name, const char *word, size_t length);

/* Is an alternative of "a|b|NAME.ARG" to be filled in, not to be taken as it is? */
bool value_alternative_is_placeholder(const char *alternative, size_t length);

/* Calls each() with every option of a command, -h/--help first. */
void each_option(const struct cli_command *c, void (*each)(void *context, const struct cli_option *o),
                 void *context);

#endif
