/* SPDX-License-Identifier: MIT
 * trace-cli diff-images: checks the options and executes the program that compares pictures in its place.
 */
#include "images/diff_images_options.h"
#include "shell/install_paths.h"

#include "base/error.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum cli_parse_result diff_images_parse(int argc, char **argv, struct diff_images_options *out)
{
    struct cli_operands operands;
    *out = (struct diff_images_options){.output = "index.html", .fuzz = 0.05};
    enum cli_parse_result result = cli_parse_options(&cli_cmd_diff_images, argc, argv, out, &operands);
    if (result != CLI_PARSE_OK)
        return result;
    if (operands.count != 2) {
        cli_usage_error(&cli_cmd_diff_images, "diff-images needs two prefixes, not %d", operands.count);
        return CLI_PARSE_ERROR;
    }
    out->reference = operands.values[0];
    out->source = operands.values[1];
    return CLI_PARSE_OK;
}

static int run_diff_images(const struct cli_command *self, int argc, char **argv)
{
    struct diff_images_options options;
    char program[PATH_MAX];
    (void)self;
    enum cli_parse_result result = diff_images_parse(argc, argv, &options);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : DIFF_IMAGES_ERROR;
    if (cli_find_installed("diff-images", program, sizeof program) == 0) {
        execv(program, argv);
        trace_error_set_errno(TRACE_ERR_IO, errno, "%s", program);
    }
    cli_print_error();
    return DIFF_IMAGES_ERROR;
}

static int set_fuzz(void *options, const char *value)
{
    struct diff_images_options *o = options;
    char *end = NULL;
    o->fuzz = strtod(value, &end);
    if (end == value || *end != '\0' || !(o->fuzz >= 0 && o->fuzz <= 1))
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a number from 0 to 1", value);
    return 0;
}

#define MEMBER(name) offsetof(struct diff_images_options, name)

static const struct cli_option diff_images_options[] = {
    {.kind = CLI_OPTION_STRING,
     .letter = 'o',
     .name = "output",
     .value = "FILE",
     .member = MEMBER(output),
     .help = "write the report to FILE (default: index.html); \"-\" is the standard\noutput"},
    {.kind = CLI_OPTION_CALLBACK,
     .letter = 'f',
     .name = "fuzz",
     .value = "SHARE",
     .help = "how much every channel of a pixel may differ, as a share of its range\n(default: 0.05)",
     .set = set_fuzz},
    {.kind = CLI_OPTION_FLAG,
     .letter = 'a',
     .name = "alpha",
     .member = MEMBER(alpha),
     .help = "compare the alpha channel, too"},
    {.kind = CLI_OPTION_FLAG,
     .name = "show-all",
     .member = MEMBER(show_all),
     .help = "show all pictures in the report, not only those that differ"},
    {.kind = CLI_OPTION_FLAG,
     .letter = 'v',
     .name = "verbose",
     .member = MEMBER(verbose),
     .help = "print the result of every comparison"},
    {.kind = CLI_OPTION_FLAG,
     .name = "overwrite",
     .member = MEMBER(overwrite),
     .help = "no effect: only the report is written, and is always new"},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_diff_images = {
    .name = "diff-images",
    .group = CLI_GROUP_LOOK,
    .summary = "Compare pictures of two replays",
    .operands = "[OPTION...] PREFIX PREFIX",
    .details = "Compares the PNG and PNM files whose names begin with the first prefix with those of the "
               "second one, and\n"
               "writes a page for a browser. Exit status: 0 if all are the same, 1 if some differ or are "
               "missing, 2 on\n"
               "errors.",
    .examples = "trace-cli diff-images -o report.html reference/ here/\n",
    .options = diff_images_options,
    .run = run_diff_images,
};
