/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/similar_word.h"

#include <stdio.h>
#include <string.h>

const struct cli_command *const cli_commands[] = {
#define CLI_COMMAND(name, directory) &cli_cmd_##name,
#include "command_list.inc"
#undef CLI_COMMAND
    NULL,
};

const char cli_first_steps[] = "trace-cli trace glxgears\n"
                               "trace-cli dump --grep=glDraw glxgears.trace\n"
                               "trace-cli retrace glxgears.trace\n";

const char *cli_group_title(enum cli_group group)
{
    static const char *const titles[CLI_GROUP_END] = {
        [CLI_GROUP_RECORD] = "Record and replay",
        [CLI_GROUP_LOOK] = "Inspect traces",
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
        similar_word_consider(&s, (*c)->name);
        if ((*c)->alias != NULL)
            similar_word_consider(&s, (*c)->alias);
    }
    fprintf(stderr, "error: unknown command \"%s\"%s (see \"trace-cli help\").\n", name,
            similar_word_question(&s, "", question, sizeof question));
    return 1;
}
