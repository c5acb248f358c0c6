/* SPDX-License-Identifier: MIT
 * What was wrong with an option that getopt_long() refused, in words.
 */
#ifndef BASE_OPTION_ERROR_H
#define BASE_OPTION_ERROR_H

#include <getopt.h>

/* Sets the message for getopt_long()'s result '?' or ':' (the letters began with ':'), and returns
 * TRACE_ERR_USAGE. Aliases in longs have the same val. To be called before anything else is read. */
int option_error(int result, char **argv, const struct option *longs);

#endif
