/* SPDX-License-Identifier: MIT
 * The first line of a text, which describes the log.
 */
#ifndef SP_RTRACE_TEXT_HEADER_H
#define SP_RTRACE_TEXT_HEADER_H

#include "base/buf.h"
#include "formats/sp_rtrace/text_lines.h"
#include "trace/model.h"

#define TEXT_HEADER_MAX 32 /* the highest number of keys */

struct text_header {
    struct trace_property properties[TEXT_HEADER_MAX];
    size_t count;
    char *text;      /* owned: the names and values */
    int64_t process; /* process id; -1: unknown */
    char start[32];  /* start time, in the form of the property "process.start" */
};

/* Returns true if the line, or its beginning, looks like a header. */
bool text_is_header(struct text_slice line);

/* Parses a header into *out; text_header_fini() frees it. Errors: TRACE_ERR_FORMAT (too many keys),
 * TRACE_ERR_MEMORY. */
int text_header_parse(struct text_header *out, struct text_slice line);
void text_header_fini(struct text_header *h);

/* Returns the length of the value at the beginning of s. Values may contain commas, so a value ends at a
 * comma that another key follows, or at the end of the line. */
size_t text_header_value_end(const struct text_slice *s);

#endif
