/* SPDX-License-Identifier: MIT
 * Values as Python prints the objects that cli/dump/pickle_format.c makes of them, symbolic ones: as
 * apitrace's Python scripts show calls.
 */
#ifndef CLI_PYTHON_TEXT_H
#define CLI_PYTHON_TEXT_H

#include "base/buf.h"
#include "trace/model.h"

/* Appends a value; 0 or -1: out of memory. */
int python_text_value(struct buf *out, const struct trace_value *v);

/* Appends a name: as it is if it is an identifier, else in quotes. */
int python_text_name(struct buf *out, const char *name);

/* Appends repr(value). */
int python_text_double(struct buf *out, double value);

#endif
