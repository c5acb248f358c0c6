/* SPDX-License-Identifier: MIT
 * Writes text to the standard output that was collected in large buffers.
 */
#ifndef CLI_WRITE_OUTPUT_H
#define CLI_WRITE_OUTPUT_H

#include "base/buf.h"

/* Writes the text and empties the buffer. Errors: TRACE_ERR_IO; the buffer is then unchanged. */
int write_output(struct buf *text);

#endif
