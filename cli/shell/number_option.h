/* SPDX-License-Identifier: MIT
 * Values of options that are numbers.
 */
#ifndef CLI_NUMBER_OPTION_H
#define CLI_NUMBER_OPTION_H

#define JOBS_MAX 64 /* threads, of --jobs */

/* TRACE_ERR_USAGE, with `what` in the message, unless value is a decimal number from min to max. */
int parse_number_option(const char *value, const char *what, long min, long max, long *out);

/* The value of --jobs: from min to JOBS_MAX. */
int parse_jobs_option(const char *value, unsigned min, unsigned *out);

/* Without --jobs: one thread per processor, but not so many that their memory matters. */
unsigned default_jobs(void);

#endif
