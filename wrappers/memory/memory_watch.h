/* SPDX-License-Identifier: MIT
 * Memory that a program writes without a call that would tell: what changed in it since the last look.
 * Large memory is asked of the kernel (page_tracker.h) and compared only where it was written; the rest, and
 * what the kernel cannot follow, is compared with a copy. Memory that is not there any more has not changed.
 * Not for use by several threads at once. Keeps errno.
 */
#ifndef MEMORY_MEMORY_WATCH_H
#define MEMORY_MEMORY_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct memory_watch;
struct fault_mark;

/* What memory holds now is where changes count from. NULL without memory for it; free it by
 * memory_watch_free(). */
struct memory_watch *memory_watch_new(const void *memory, size_t size);
void memory_watch_free(struct memory_watch *w);

/* To be called before each look, and before the moment that the look is given. */
void memory_watch_prepare(struct memory_watch *w);

/* Calls changed() for each part that changed since the last look, in no order: size bytes, at offset in the
 * memory, as they were when they were looked at. bytes is lent for the call. A part may have changed back.
 * now: fault_log_mark() after the preparation; looks at several in a row may share it. */
typedef void (*memory_watch_changed)(void *context, size_t offset, const uint8_t *bytes, size_t size);
void memory_watch_look(struct memory_watch *w, const struct fault_mark *now, memory_watch_changed changed,
                       void *context);

#endif
