/* SPDX-License-Identifier: MIT
 * Parses options with getopt_long(), according to a command's table.
 */
#include "shell/command.h"

#include "base/error.h"
#include "base/option_error.h"
#include "base/similar_word.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 96  /* per command; checked */
#define LONG_ID     256 /* getopt's value for entry i of the table is LONG_ID + i */

/* A command's table in the form that getopt_long() needs. */
struct getopt_tables {
    char letters[3 * MAX_OPTIONS + 8];
    struct option longs[2 * MAX_OPTIONS + 2];
};

static void build_tables(const struct cli_command *c, struct getopt_tables *t)
{
    char *letter = t->letters;
    struct option *l = t->longs;
    if (c->stop_at_operand)
        *letter++ = '+';
    *letter++ = ':'; /* distinguishes a missing value from an unknown option */
    *letter++ = 'h';
    *l++ = (struct option){"help", no_argument, NULL, 'h'};
    int i = 0;
    for (const struct cli_option *o = c->options; o != NULL && o->kind != CLI_OPTION_END; ++o, ++i) {
        int mode = cli_option_value_mode(o);
        if (i == MAX_OPTIONS)
            abort(); /* a mistake in a table of this program: it is longer than the limit */
        if (o->letter != 0) {
            *letter++ = o->letter;
            for (int n = 0; n < mode; ++n) /* "x", "x:" or "x::" */
                *letter++ = ':';
        }
        if (o->name != NULL)
            *l++ = (struct option){o->name, mode, NULL, LONG_ID + i};
        if (o->alias != NULL)
            *l++ = (struct option){o->alias, mode, NULL, LONG_ID + i};
    }
    *letter = '\0';
    *l = (struct option){NULL, 0, NULL, 0};
}

static const struct cli_option *find_option(const struct cli_command *c, int value)
{
    if (value >= LONG_ID)
        return &c->options[value - LONG_ID];
    for (const struct cli_option *o = c->options; o->kind != CLI_OPTION_END; ++o)
        if (o->letter == value)
            return o;
    return NULL;
}

static int store_value(const struct cli_option *o, void *options, const char *value)
{
    void *member = (char *)options + o->member;
    switch (o->kind) {
    case CLI_OPTION_FLAG:
        *(bool *)member = true;
        return 0;
    case CLI_OPTION_BOOL:
        return cli_parse_bool(value, member);
    case CLI_OPTION_STRING:
        *(const char **)member = value;
        return 0;
    default:
        return o->set(member, value);
    }
}

/* Finds the word of "a|b|c" or "a|b,..." that is most similar to the value. */
static const char *find_similar_value(const struct cli_option *o, char *question, size_t size)
{
    char words[128];
    struct similar_word s = {.word = optarg};
    char *rest = NULL;
    question[0] = '\0';
    if (optarg == NULL || strchr(cli_option_value_name(o), '|') == NULL)
        return question;
    snprintf(words, sizeof words, "%s", cli_option_value_name(o));
    for (char *word = strtok_r(words, "|,.", &rest); word != NULL; word = strtok_r(NULL, "|,.", &rest))
        similar_word_consider(&s, word);
    return similar_word_question(&s, "", question, size);
}

static enum cli_parse_result store_option(const struct cli_command *c, const struct cli_option *o,
                                          void *options)
{
    int rc = store_value(o, options, optarg);
    if (rc == 0)
        return CLI_PARSE_OK;
    char question[96];
    if (rc == TRACE_ERR_MEMORY)
        cli_print_error();
    else if (o->name != NULL)
        cli_usage_error(c, "--%s: %s%s", o->name, trace_error_message(),
                        find_similar_value(o, question, sizeof question));
    else
        cli_usage_error(c, "-%c: %s", o->letter, trace_error_message());
    return CLI_PARSE_ERROR;
}

/* An empty operand usually comes from a script's variable that is not set. */
static enum cli_parse_result check_operands(const struct cli_command *c, const struct cli_operands *operands)
{
    for (int i = 0; i < operands->count && !c->stop_at_operand; ++i)
        if (operands->values[i][0] == '\0') {
            cli_usage_error(c, "argument %d is empty", i + 1);
            return CLI_PARSE_ERROR;
        }
    return CLI_PARSE_OK;
}

enum cli_parse_result cli_parse_options(const struct cli_command *c, int argc, char **argv, void *options,
                                        struct cli_operands *operands)
{
    struct getopt_tables tables;
    build_tables(c, &tables);
    opterr = 0;
    optind = 0; /* glibc: resets getopt_long() */
    for (;;) {
        int value = getopt_long(argc, argv, tables.letters, tables.longs, NULL);
        if (value == -1)
            break;
        if (value == '?' || value == ':') {
            option_error(value, argv, tables.longs);
            cli_usage_error(c, "%s", trace_error_message());
            return CLI_PARSE_ERROR;
        }
        if (value == 'h') {
            cli_print_help(c);
            return CLI_PARSE_HELP;
        }
        enum cli_parse_result result = store_option(c, find_option(c, value), options);
        if (result != CLI_PARSE_OK)
            return result;
    }
    operands->count = argc - optind;
    operands->values = argv + optind;
    return check_operands(c, operands);
}
