/* SPDX-License-Identifier: MIT */
#include "call/call_printer.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"

int call_printer_init(struct call_printer *p, FILE *out)
{
    const struct trace_call_text_style style = {
        .call_nos = true, .thread_ids = true, .arg_names = true, .multiline = true};
    p->out = out;
    p->text = malloc(sizeof *p->text);
    if (p->text == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for the text of calls");
    trace_call_text_init(p->text, &style);
    return 0;
}

void call_printer_fini(struct call_printer *p)
{
    if (p->text != NULL)
        trace_call_text_fini(p->text);
    free(p->text);
    p->text = NULL;
}

int call_printer_print(struct call_printer *p, const struct trace_call *call)
{
    if (p->text == NULL || (call->flags & TRACE_CALL_VERBOSE) != 0)
        return 0;
    buf_clear(&p->text->out);
    int rc = trace_call_text_add(p->text, call);
    if (rc != 0)
        return rc;
    size_t count = p->text->out.len;
    if (fwrite(p->text->out.data, 1, count, p->out) != count || fflush(p->out) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot print the call");
    return 0;
}
