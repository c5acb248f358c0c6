/* SPDX-License-Identifier: MIT
 * Reads the pixels of a snapshot. The program's state stays as it was.
 */
#ifndef RETRACE_SNAPSHOT_READ_H
#define RETRACE_SNAPSHOT_READ_H

#include "image/image.h"
#include "snapshot/snapshot_source.h"

/* Reads colours as RGBA, stencil values as bytes, and depths as floats, which are four bytes of a pixel.
 * The rows of *out are from bottom to top. Errors: TRACE_ERR_UNSUPPORTED if they cannot be read,
 * TRACE_ERR_USAGE if the picture is too large, TRACE_ERR_MEMORY. */
int snapshot_read(struct replayer *r, const struct snapshot_source *source, struct image *out);

#endif
