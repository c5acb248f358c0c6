/* SPDX-License-Identifier: MIT
 * Interprets the entries of an option table.
 */
#include "shell/command.h"

#include "base/error.h"

#include <getopt.h>
#include <string.h>

const struct cli_option cli_help_option = {CLI_OPTION_FLAG,  'h', "help", NULL, NULL, 0,
                                           "show this help", NULL};

int cli_option_value_mode(const struct cli_option *o)
{
    switch (o->kind) {
    case CLI_OPTION_STRING:
    case CLI_OPTION_CALLBACK:
        return required_argument;
    case CLI_OPTION_BOOL:
    case CLI_OPTION_OPTIONAL:
        return optional_argument;
    default:
        return no_argument;
    }
}

const char *cli_option_value_name(const struct cli_option *o)
{
    if (cli_option_value_mode(o) == no_argument)
        return "";
    return o->value != NULL ? o->value : "BOOL";
}

int cli_parse_bool(const char *text, bool *out)
{
    static const char *const words[2][3] = {{"0", "no", "false"}, {"1", "yes", "true"}};
    *out = true;
    if (text == NULL)
        return 0;
    for (int value = 0; value < 2; ++value)
        for (int i = 0; i < 3; ++i)
            if (strcmp(text, words[value][i]) == 0) {
                *out = value == 1;
                return 0;
            }
    return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is neither yes nor no", text);
}
