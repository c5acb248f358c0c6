/* SPDX-License-Identifier: MIT
 * The lines of the heap statistics in a text.
 */
#ifndef SP_RTRACE_TEXT_HEAP_H
#define SP_RTRACE_TEXT_HEAP_H

#include "trace/event.h"

#define TEXT_HEADER_PREFIX "header." /* prefix of properties that are keys of a text's header */

#define TEXT_HEAP_TITLE "## heap status information:"
#define TEXT_HEAP_LINES 14 /* number of lines after the title */

struct text_heap_line {
    const char *name;
    size_t offset;   /* of the value in struct trace_heap */
    bool is_address; /* the value is hexadecimal */
};

extern const struct text_heap_line text_heap_lines[TEXT_HEAP_LINES];

static inline uint64_t *text_heap_value(struct trace_heap *heap, size_t line)
{
    return (uint64_t *)(void *)((char *)heap + text_heap_lines[line].offset);
}

#endif
