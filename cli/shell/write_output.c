/* SPDX-License-Identifier: MIT */
#include "shell/write_output.h"

#include "base/error.h"
#include "base/write_all.h"

#include <errno.h>
#include <unistd.h>

int write_output(struct buf *text)
{
    if (write_all(STDOUT_FILENO, text->data, text->len) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot write to the standard output");
    buf_clear(text);
    return 0;
}
