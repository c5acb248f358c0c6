/* SPDX-License-Identifier: MIT
 * Reads UBJSON for json_reader.h.
 */
#ifndef BASE_UBJSON_READER_H
#define BASE_UBJSON_READER_H

#include "base/json_value.h"

/* Reads a value. Numbers get a text. */
int ubjson_read_value(struct json_reader *r, struct json_value *out);

#endif
