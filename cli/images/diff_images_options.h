/* SPDX-License-Identifier: MIT
 * The options of diff-images. trace-cli has the table of them, and executes the program that compares, since
 * only that needs a library for pictures.
 */
#ifndef CLI_DIFF_IMAGES_OPTIONS_H
#define CLI_DIFF_IMAGES_OPTIONS_H

#include "shell/command.h"

struct diff_images_options {
    const char *output; /* file of the report; "-": the standard output */
    double fuzz;        /* largest difference of a channel that is none, as a share of its range */
    bool verbose, alpha, show_all;
    bool overwrite;                 /* accepted for scripts: no pictures are written */
    const char *reference, *source; /* prefixes */
};

extern const struct cli_command cli_cmd_diff_images;

enum { DIFF_IMAGES_SAME = 0, DIFF_IMAGES_DIFFERENT = 1, DIFF_IMAGES_ERROR = 2 };

/* Fills in the options. CLI_PARSE_ERROR: the error was printed. */
enum cli_parse_result diff_images_parse(int argc, char **argv, struct diff_images_options *out);

#endif
