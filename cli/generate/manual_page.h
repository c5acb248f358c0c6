/* SPDX-License-Identifier: MIT
 * Generates manual pages from the table of commands and from docs/man/NAME.1.in, which adds what the table
 * does not say.
 */
#ifndef CLI_GENERATE_MANUAL_PAGE_H
#define CLI_GENERATE_MANUAL_PAGE_H

#include "shell/command.h"

/* Writes trace-cli-NAME.1 into directory. If the command has an alias, it gets a page that refers to this
 * one. fragments is the directory of the hand-written parts. */
int manual_page_write(const struct cli_command *c, const char *fragments, const char *directory);

/* Writes trace-cli.1, with the list of all commands. */
int manual_page_write_overview(const char *fragments, const char *directory);

#endif
