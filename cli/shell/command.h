/* SPDX-License-Identifier: MIT
 * A subcommand of trace-cli and its options. Parsing, usage and help are all derived from this table.
 * docs/HOWTO-add-a-command.md explains how to add a command.
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
    CLI_OPTION_OPTIONAL, /* --name[=VALUE]; calls set(), with NULL if there is no value */
};

/* Completion derives the possible values from the name of the value (generate/value_words.c): "a|b|c" is a
 * choice of words, "a|b,..." a list of them; FILE, SET, TRACE and others stand for themselves. */
struct cli_option {
    enum cli_option_kind kind;
    char letter;       /* 0: none */
    const char *name;  /* without the dashes; NULL: none */
    const char *alias; /* another spelling, which help does not show; NULL: none */
    const char *value; /* name of the value in help, such as "SET" or "table|json"; NULL: no value, or BOOL */
    size_t member;     /* offset in the command's options structure where the value is stored */
    const char *help;  /* one or more lines */
    int (*set)(void *member, const char *value); /* returns 0, or an error code with the message set */
};

/* The heading under which `trace-cli help` lists a command, in the order of the headings. */
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
    const char *operands;             /* such as "[OPTION...] TRACE" */
    const char *details;              /* additional lines for `trace-cli help NAME`; NULL: none */
    const char *examples;             /* command lines, each with its line end; NULL: none */
    const struct cli_option *options; /* ends with CLI_OPTION_END; -h/--help is added */
    bool stop_at_operand;             /* arguments after the first operand belong to another program */

    /* argv[0] is the command's name. Returns the exit status. */
    int (*run)(const struct cli_command *self, int argc, char **argv);
};

/* The operands that cli_parse_options() found. */
struct cli_operands {
    int count;
    char **values;
};

enum cli_parse_result {
    CLI_PARSE_OK,
    CLI_PARSE_HELP,  /* --help was given and handled: exit with 0 */
    CLI_PARSE_ERROR, /* the error was printed: exit with 1 */
};

/* Parses argv according to the command's table. options is a structure that contains the defaults. */
enum cli_parse_result cli_parse_options(const struct cli_command *c, int argc, char **argv, void *options,
                                        struct cli_operands *operands);

/* Prints `error: …` and a reference to the command's help on stderr (usage_error.c). Returns 1. */
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

/* Returns getopt_long()'s no_argument, required_argument or optional_argument. */
int cli_option_value_mode(const struct cli_option *o);

/* Returns "" if the option has no value. */
const char *cli_option_value_name(const struct cli_option *o);

/* Accepts "0 no false" and "1 yes true"; NULL is true. Returns 0 or TRACE_ERR_USAGE. */
int cli_parse_bool(const char *text, bool *out);

#endif
