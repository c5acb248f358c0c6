/* SPDX-License-Identifier: MIT */
#include "formats/shared/source_errors.h"

#include <stdio.h>

int source_errors_pass(struct source_errors *e, const char *name, int rc)
{
    if (rc == TRACE_ERR_DAMAGED && !e->resumes)
        rc = TRACE_ERR_FORMAT;
    trace_error_prefix(rc, "%s", name);
    snprintf(e->message, sizeof e->message, "%s", trace_error_message());
    if (rc != TRACE_ERR_DAMAGED && rc != TRACE_ERR_TRUNCATED)
        e->rc = rc;
    return rc;
}

int source_errors_again(const struct source_errors *e)
{
    return e->rc != 0 ? trace_error_set(e->rc, "%s", e->message) : 0;
}
