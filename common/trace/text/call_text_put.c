/* SPDX-License-Identifier: MIT */
#include "trace/text/call_text_put.h"

#include <stdio.h>

void trace_call_text_keep_error(struct trace_call_text *f, int rc)
{
    if (f->error != 0)
        return;
    f->error = rc;
    snprintf(f->message, sizeof f->message, "%s", trace_error_message());
}
