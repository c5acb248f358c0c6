/* SPDX-License-Identifier: MIT
 * Error messages for options that getopt_long() rejects.
 */
#ifndef BASE_OPTION_ERROR_H
#define BASE_OPTION_ERROR_H

#include <getopt.h>

/* Sets the message for getopt_long()'s result '?' or ':', and returns TRACE_ERR_USAGE. The option letters
 * must begin with ':'. Aliases in longs must have the same val. Call it directly after getopt_long(), because
 * it uses getopt's variables. */
int option_error(int result, char **argv, const struct option *longs);

#endif
