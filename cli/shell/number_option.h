/* SPDX-License-Identifier: MIT
 * Parses option values that are numbers.
 */
#ifndef CLI_NUMBER_OPTION_H
#define CLI_NUMBER_OPTION_H

#define JOBS_MAX 64 /* the highest number of threads for --jobs */

/* Parses a decimal number from min to max. Errors: TRACE_ERR_USAGE, with `what` in the message. */
int parse_number_option(const char *value, const char *what, long min, long max, long *out);

/* Parses the value of --jobs, from min to JOBS_MAX. */
int parse_jobs_option(const char *value, unsigned min, unsigned *out);

/* Returns the number of threads if --jobs is not given: one per processor, up to a limit, because of their
 * memory. */
unsigned default_jobs(void);

#endif
