/* SPDX-License-Identifier: MIT
 * Text as a scalar of YAML, quoted where LLVM's writer quotes it.
 */
#ifndef XRAY_YAML_SCALAR_H
#define XRAY_YAML_SCALAR_H

#include "base/buf.h"

/* Appends the text. Errors: TRACE_ERR_MEMORY, without a message. */
int yaml_scalar_append(struct buf *out, const char *text, size_t length);

#endif
