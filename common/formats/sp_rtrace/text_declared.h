/* SPDX-License-Identifier: MIT
 * What a text declares: the first pass over it, and the events of what that finds.
 */
#ifndef SP_RTRACE_TEXT_DECLARED_H
#define SP_RTRACE_TEXT_DECLARED_H

#include "formats/sp_rtrace/declared.h"
#include "formats/shared/event_pool.h"
#include "formats/shared/line_reader.h"
#include "formats/sp_rtrace/text_lines.h"
#include "formats/shared/log_names.h"

/* Ids of resource types are bits in texts. Those that cannot be are counted from here on. */
#define TEXT_IDS_WITHOUT_BIT 65

/* What a line declares; false: nothing. */
bool text_line_declares(enum text_line_kind kind, enum declared_kind *out);

/* Reads all lines from offset on, and declares the types of resources in names. */
int text_scan(struct declared *out, struct log_names *names, struct trace_file *file, uint64_t offset);

/* Fills a new block with the event of a line that declares something. next_id: the id of the next type whose
 * id is no bit; the caller sets it to TEXT_IDS_WITHOUT_BIT before the first type. ERR_MEMORY. */
int text_declared_event(struct event_block *block, struct log_names *names, uint32_t *next_id,
                        const struct text_line *line);

/* Reads the lines below the title of the heap's statistics. *found false: they are not that, and will be read
 * again. */
int text_take_heap(struct line_reader *r, struct trace_heap *heap, bool *found);

#endif
