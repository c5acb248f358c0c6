/* SPDX-License-Identifier: MIT
 * The declarations of a text: a first pass that finds them, and the events made from them.
 */
#ifndef SP_RTRACE_TEXT_DECLARED_H
#define SP_RTRACE_TEXT_DECLARED_H

#include "formats/sp_rtrace/declared.h"
#include "formats/shared/event_pool.h"
#include "formats/shared/line_reader.h"
#include "formats/sp_rtrace/text_lines.h"
#include "formats/shared/log_names.h"

/* In a text, ids of resource types are bits. Ids that are not a bit are replaced by numbers from here on. */
#define TEXT_IDS_WITHOUT_BIT 65

/* Says what a line declares. Returns false if it declares nothing. */
bool text_line_declares(enum text_line_kind kind, enum declared_kind *out);

/* Reads all lines from offset on, and declares the resource types in names. */
int text_scan(struct declared *out, struct log_names *names, struct trace_file *file, uint64_t offset);

/* Fills a new block with the event of a declaring line. *next_id is the number for the next type whose id is
 * not a bit; the caller sets it to TEXT_IDS_WITHOUT_BIT before the first type. Errors: TRACE_ERR_MEMORY. */
int text_declared_event(struct event_block *block, struct log_names *names, uint32_t *next_id,
                        const struct text_line *line);

/* Reads the lines after the title of the heap statistics. If they are something else, *found is false and the
 * lines are not consumed. */
int text_take_heap(struct line_reader *r, struct trace_heap *heap, bool *found);

#endif
