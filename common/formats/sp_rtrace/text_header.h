/* SPDX-License-Identifier: MIT
 * The first line of a text: what it says of the log.
 */
#ifndef SP_RTRACE_TEXT_HEADER_H
#define SP_RTRACE_TEXT_HEADER_H

#include "base/buf.h"
#include "formats/sp_rtrace/text_lines.h"
#include "trace/model.h"

#define TEXT_HEADER_MAX 32 /* keys */

struct text_header {
    struct trace_property properties[TEXT_HEADER_MAX];
    size_t count;
    char *text;      /* owned: names and values */
    int64_t process; /* its id; -1: unknown */
    char start[32];  /* when it began, as a property has it */
};

/* True: the line, or its beginning, looks like a header. */
bool text_is_header(struct text_slice line);

/* Fills *out, which text_header_fini() frees. ERR_FORMAT: too many keys; ERR_MEMORY. */
int text_header_parse(struct text_header *out, struct text_slice line);
void text_header_fini(struct text_header *h);

/* Where a value ends: at a comma behind which another key begins, or at the end. Values may have commas. */
size_t text_header_value_end(const struct text_slice *s);

#endif
