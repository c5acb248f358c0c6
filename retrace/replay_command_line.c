/* SPDX-License-Identifier: MIT */
#include "replay_command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/option_error.h"
#include "replay_option_list.h"

/* The kinds of option arguments; the values are those of getopt's has_arg. */
enum {
    KIND_FLAG = no_argument,
    KIND_VALUE = required_argument,
    KIND_OPTIONAL = optional_argument,
    KIND_BOOL = 3
};

struct option_entry {
    int kind;
    int letter;
    const char *name, *alias, *value, *help;
};

static const struct option_entry entries[] = {
#define ENTRY(kind, letter, name, alias, value, help) {KIND_##kind, letter, name, alias, value, help},
    REPLAY_OPTION_LIST(ENTRY) ENTRY(FLAG, 'h', "help", NULL, NULL, "print this help")
        ENTRY(FLAG, 0, "version", NULL, NULL, "print the version")
#undef ENTRY
};
enum { ENTRY_COUNT = sizeof entries / sizeof *entries };

static void print_help(void)
{
    printf("usage: trace-cli retrace [OPTION...] TRACE...\nReplays the OpenGL calls of each TRACE.\n\n");
    for (size_t i = 0; i < ENTRY_COUNT; ++i) {
        const struct option_entry *e = &entries[i];
        char left[64];
        char letter[8] = "    ";
        if (e->letter != 0)
            snprintf(letter, sizeof letter, "-%c, ", e->letter);
        snprintf(left, sizeof left, "%s--%s%s%s%s", letter, e->name,
                 e->kind == KIND_OPTIONAL || e->kind == KIND_BOOL ? "[="
                 : e->kind == KIND_VALUE                          ? "="
                                                                  : "",
                 e->kind == KIND_BOOL ? "BOOL"
                 : e->value != NULL   ? e->value
                                      : "",
                 e->kind == KIND_OPTIONAL || e->kind == KIND_BOOL ? "]" : "");
        const char *help = e->help;
        for (size_t line = 0; *help != '\0'; ++line) {
            int length = (int)strcspn(help, "\n");
            printf("  %-28s %.*s\n", line == 0 ? left : "", length, help);
            help += length + (help[length] == '\n');
        }
    }
}

static void build_tables(struct option *longs, char *shorts)
{
    *shorts++ = ':';
    for (int i = 0; i < ENTRY_COUNT; ++i) {
        int argument = entries[i].kind == KIND_BOOL ? optional_argument : entries[i].kind;
        longs[i] = (struct option){entries[i].name, argument, NULL, 256 + i};
        if (entries[i].letter == 0)
            continue;
        *shorts++ = (char)entries[i].letter;
        for (int colons = 0; colons < argument; ++colons)
            *shorts++ = ':';
    }
    longs[ENTRY_COUNT] = (struct option){0};
    *shorts = '\0';
}

/* result: of getopt_long(), which knows no other letters. */
static const struct option_entry *find_entry(int result)
{
    const struct option_entry *e = entries;
    if (result >= 256)
        return &entries[result - 256];
    while (e->letter != result)
        ++e;
    return e;
}

static int usage_error(void)
{
    fprintf(stderr, "error: %s (see \"trace-cli help retrace\").\n", trace_error_message());
    return REPLAY_COMMAND_LINE_ERROR;
}

enum replay_command_line_result replay_command_line_parse(struct replay_options *out, int argc, char **argv)
{
    struct option longs[ENTRY_COUNT + 1];
    char shorts[3 * ENTRY_COUNT + 2];
    *out = (struct replay_options){.snapshot_call_numbers = true};
    build_tables(longs, shorts);
    int result;
    while ((result = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const struct option_entry *e = result != '?' && result != ':' ? find_entry(result) : NULL;
        if (e == NULL) {
            option_error(result, argv, longs);
            return usage_error();
        }
        if (strcmp(e->name, "help") == 0) {
            print_help();
            return REPLAY_COMMAND_LINE_DONE;
        }
        if (strcmp(e->name, "version") == 0) {
            printf("trace-cli retrace %s\n", TRACE_CLI_VERSION);
            return REPLAY_COMMAND_LINE_DONE;
        }
        if (replay_options_set(out, e->name, optarg) != 0)
            return usage_error();
    }
    if (optind == argc && !out->profile.list_metrics && !out->profile.count_passes) {
        trace_error_set(TRACE_ERR_USAGE, "no trace given");
        return usage_error();
    }
    out->traces = argv + optind;
    out->trace_count = argc - optind;
    return replay_options_complete(out) == 0 ? REPLAY_COMMAND_LINE_RUN
                                             : (enum replay_command_line_result)usage_error();
}
