/* SPDX-License-Identifier: MIT
 * Formats values as apitrace's Python scripts print them: the repr() of the objects in symbolic pickles
 * (cli/dump/pickle_format.h).
 */
#ifndef CLI_PYTHON_TEXT_H
#define CLI_PYTHON_TEXT_H

#include "base/buf.h"
#include "trace/model.h"

/* Appends a value. All functions return 0, or -1 if there is no memory. */
int python_text_value(struct buf *out, const struct trace_value *v);

/* Appends a name, in quotes unless it is an identifier. */
int python_text_name(struct buf *out, const char *name);

/* Appends repr(value). */
int python_text_double(struct buf *out, double value);

#endif
