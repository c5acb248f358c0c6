/* SPDX-License-Identifier: MIT
 * A subcommand of trace-cli and its options: one table from which parsing, usage and help follow.
 * docs/HOWTO-add-a-command.md walks through adding one.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "shell/messages.h"

#include <stdbool.h>
#include <stddef.h>

/* How an option's value is read, and the type of the member that it is stored in. */
enum cli_option_kind {
    CLI_OPTION_END = 0,
    CLI_OPTION_FLAG,     /* --name; bool becomes true */
    CLI_OPTION_BOOL,     /* --name[=0|no|false|1|yes|true]; bool */
    CLI_OPTION_STRING,   /* --name=VALUE or --name VALUE; const char *, lent from argv */
    CLI_OPTION_ACTION,   /* --name; calls set() with NULL */
    CLI_OPTION_CALLBACK, /* --name=VALUE; calls set() */
    CLI_OPTION_OPTIONAL, /* --name[=VALUE]; calls set(), with NULL when there is no value */
};

/* The names of values are known to completion (generate/value_words.c): "a|b|c" are the words to choose from,
 * "a|b,..." a list of them, FILE, SET, TRACE and others mean what they say. */
struct cli_option {
    enum cli_option_kind kind;
    char letter;       /* 0: none */
    const char *name;  /* without the dashes; NULL: none */
    const char *alias; /* another spelling, not shown; NULL: none */
    const char *value; /* what help calls the value, as in "SET" or "table|json"; NULL: none, or BOOL */
    size_t member;     /* offset into the command's options structure, where kind stores something */
    const char *help;  /* one or more lines */
    int (*set)(void *options, const char *value); /* 0, or an error, of which the message is set */
};

/* Under which heading `trace-cli help` lists a command; in the order of the headings. */
enum cli_group {
    CLI_GROUP_RECORD = 1,
    CLI_GROUP_LOOK,
    CLI_GROUP_CHANGE,
    CLI_GROUP_OTHER,
    CLI_GROUP_END,
};

struct cli_command {
    const char *name;
    const char *alias; /* NULL: none */
    enum cli_group group;
    const char *summary;              /* one line, for `trace-cli help` */
    const char *operands;             /* as in "[OPTION...] TRACE" */
    const char *details;              /* more lines for `trace-cli help NAME`; NULL: none */
    const char *examples;             /* command lines, each with its line end; NULL: none */
    const struct cli_option *options; /* ends with CLI_OPTION_END; -h/--help is added */
    bool stop_at_operand;             /* what follows the first operand belongs to another program */

    /* argv[0] is the command's name. Returns the exit status. */
    int (*run)(const struct cli_command *self, int argc, char **argv);
};

/* What cli_parse_options() found, besides the options that it stored. */
struct cli_operands {
    int count;
    char **values;
};

enum cli_parse_result {
    CLI_PARSE_OK,
    CLI_PARSE_HELP,  /* --help was given and answered: exit with 0 */
    CLI_PARSE_ERROR, /* the error was printed: exit with 1 */
};

/* Reads argv into options (a structure that holds the defaults) by the command's table. */
enum cli_parse_result cli_parse_options(const struct cli_command *c, int argc, char **argv, void *options,
                                        struct cli_operands *operands);

/* Prints `error: …` and a hint at the command's help on stderr; returns 1 (usage_error.c). */
int cli_usage_error(const struct cli_command *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns whether at most one of the operands is "-", since the standard input can be read only once.
 * Otherwise, prints the usage error (usage_error.c). */
bool cli_reads_input_once(const struct cli_command *c, char *const *operands, int count);

/* Prints the command's usage and options on stdout (help_text.c). */
void cli_print_help(const struct cli_command *c);

/* Prints a paragraph with a command's examples. */
void cli_print_examples(const char *examples);

/* -h, --help, which every command has. */
extern const struct cli_option cli_help_option;

/* getopt_long()'s no_argument, required_argument or optional_argument. */
int cli_option_value_mode(const struct cli_option *o);

/* "" when the option has no value. */
const char *cli_option_value_name(const struct cli_option *o);

/* "0 no false" and "1 yes true"; NULL is true. */
int cli_parse_bool(const char *text, bool *out);

#endif
