/* SPDX-License-Identifier: MIT */
#include "shell/number_option.h"

#include "base/error.h"
#include "base/processors.h"

#include <errno.h>
#include <stdlib.h>

#define DEFAULT_JOBS 8 /* an upper limit */

int parse_number_option(const char *value, const char *what, long min, long max, long *out)
{
    char *end = NULL;
    errno = 0;
    *out = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || *out < min || *out > max)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not a %s from %ld to %ld", value, what, min, max);
    return 0;
}

int parse_jobs_option(const char *value, unsigned min, unsigned *out)
{
    long jobs = 0;
    int rc = parse_number_option(value, "number of threads", (long)min, JOBS_MAX, &jobs);
    *out = (unsigned)jobs;
    return rc;
}

unsigned default_jobs(void)
{
    unsigned processors = processor_count();
    return processors < DEFAULT_JOBS ? processors : DEFAULT_JOBS;
}
