/* SPDX-License-Identifier: MIT
 * Text for the standard output, put together in large buffers.
 */
#ifndef CLI_WRITE_OUTPUT_H
#define CLI_WRITE_OUTPUT_H

#include "base/buf.h"

/* Writes the text and empties the buffer. TRACE_ERR_IO: the text is still in it. */
int write_output(struct buf *text);

#endif
