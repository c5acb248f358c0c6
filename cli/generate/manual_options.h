/* SPDX-License-Identifier: MIT
 * The section of a manual page about a command's options.
 */
#ifndef CLI_GENERATE_MANUAL_OPTIONS_H
#define CLI_GENERATE_MANUAL_OPTIONS_H

#include "shell/command.h"
#include "generate/page_fragment.h"
#include "generate/roff.h"

/* Each option with its line of help, marked up as sentence says, and what the fragment has to add. */
void manual_options(FILE *out, const struct cli_command *c, struct page_fragment *fragment,
                    const struct roff_marks *sentence);

#endif
