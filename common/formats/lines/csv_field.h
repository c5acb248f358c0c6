/* SPDX-License-Identifier: MIT
 * Appends fields of a table with commas (RFC 4180). Each begins with a comma.
 */
#ifndef CSV_FIELD_H
#define CSV_FIELD_H

#include "base/buf.h"

#include <stdbool.h>

/* Text that has a comma, a quote or a line break is put in quotes; what is not UTF-8 becomes U+FFFD. Errors:
 * TRACE_ERR_MEMORY, likewise below. */
int csv_field_add_text(struct buf *line, const char *text, size_t count);

/* is_known: if not, the field is empty. */
int csv_field_add_uint(struct buf *line, uint64_t value, bool is_known);
int csv_field_add_sint(struct buf *line, int64_t value, bool is_known);
int csv_field_add_address(struct buf *line, uint64_t value, bool is_known); /* as 0x… */

#endif
