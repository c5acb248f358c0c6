/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/similar_word.h"

#include <stdio.h>
#include <string.h>

const struct cli_command *const cli_commands[] = {
    /* clang-format off */
    &cli_cmd_trace,
    &cli_cmd_dump,
    &cli_cmd_info,
    &cli_cmd_leaks,
    &cli_cmd_diff,
    &cli_cmd_pickle,
    &cli_cmd_trim,
    &cli_cmd_sed,
    &cli_cmd_repack,
    &cli_cmd_index,
    &cli_cmd_retrace,
    &cli_cmd_help,
    &cli_cmd_version,
    NULL,
    /* clang-format on */
};

const char cli_first_steps[] = "trace-cli trace glxgears\n"
                               "trace-cli dump --grep=glDraw glxgears.trace\n"
                               "trace-cli retrace glxgears.trace\n";

const char *cli_group_title(enum cli_group group)
{
    static const char *const titles[CLI_GROUP_END] = {
        [CLI_GROUP_RECORD] = "Record and replay",
        [CLI_GROUP_LOOK] = "Look into traces",
        [CLI_GROUP_CHANGE] = "Edit and convert traces",
        [CLI_GROUP_OTHER] = "Other",
    };
    return titles[group];
}

const struct cli_command *cli_find_command(const char *name)
{
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        if (strcmp((*c)->name, name) == 0 || ((*c)->alias != NULL && strcmp((*c)->alias, name) == 0))
            return *c;
    return NULL;
}

int cli_unknown_command(const char *name)
{
    char question[96];
    struct similar_word s = {.word = name};
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c) {
        similar_word_see(&s, (*c)->name);
        if ((*c)->alias != NULL)
            similar_word_see(&s, (*c)->alias);
    }
    fprintf(stderr, "error: unknown command \"%s\"%s (see \"trace-cli help\").\n", name,
            similar_word_question(&s, "", question, sizeof question));
    return 1;
}
