/* SPDX-License-Identifier: MIT
 * Finds what changed in memory that the program writes to without calling anything.
 * The contents are compared with a copy. Of large memory, only the pages that the kernel says were written
 * (page_tracker.h) are compared; of small memory, and where the kernel cannot say, all. Memory that has been
 * unmapped counts as unchanged.
 * Not for use by several threads at once. Keeps errno.
 */
#ifndef MEMORY_MEMORY_WATCH_H
#define MEMORY_MEMORY_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct memory_watch;
struct fault_mark;

/* Begins to watch memory: changes are counted from its present contents. NULL when memory is out. To be freed
 * by memory_watch_free(). */
struct memory_watch *memory_watch_new(const void *memory, size_t size);
void memory_watch_free(struct memory_watch *w);

/* To be called before each memory_watch_compare(), and before the moment that is passed to it. */
void memory_watch_prepare(struct memory_watch *w);

/* Calls changed() for each part that changed since the last call of this, in no particular order. The part
 * has size bytes at offset of the memory; bytes are its new contents, lent for the call. It may have changed
 * back since. now: a fault_log_mark() after memory_watch_prepare(); several watches may share one. */
typedef void (*memory_watch_changed)(void *context, size_t offset, const uint8_t *bytes, size_t size);
void memory_watch_compare(struct memory_watch *w, const struct fault_mark *now, memory_watch_changed changed,
                          void *context);

#endif
