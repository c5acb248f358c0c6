/* SPDX-License-Identifier: MIT
 * Writes the OPTIONS section of a command's manual page.
 */
#ifndef CLI_GENERATE_MANUAL_OPTIONS_H
#define CLI_GENERATE_MANUAL_OPTIONS_H

#include "shell/command.h"
#include "generate/page_fragment.h"
#include "generate/roff.h"

/* Writes each option with its line of help, marked up according to `sentence`, and the text that the fragment
 * adds to it. */
void manual_options(FILE *out, const struct cli_command *c, struct page_fragment *fragment,
                    const struct roff_marks *sentence);

#endif
