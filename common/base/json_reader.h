/* SPDX-License-Identifier: MIT
 * Reads JSON (RFC 8259) and UBJSON (draft 12) into memory. What Python's json also accepts is accepted: NaN,
 * Infinity, -Infinity, and control characters in strings; and comments from // to the end of a line.
 */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include "base/json_value.h"

void json_reader_init(struct json_reader *r, struct arena *arena, const void *bytes, size_t size);

/* Reads the next value; *found is false if only blanks and comments are left. The end of a value of UBJSON is
 * that of its last byte. Errors: TRACE_ERR_FORMAT, with the line (or, in UBJSON, the position) in the
 * message; TRACE_ERR_MEMORY. */
int json_reader_next(struct json_reader *r, struct json_value *out, bool *found);

#endif
