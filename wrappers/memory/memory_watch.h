/* SPDX-License-Identifier: MIT
 * Finds changes in memory that the program writes to without any call. The contents are compared with a copy.
 * For large memory, only those pages are compared that were written according to the kernel (page_tracker.h).
 * For small memory, or if the kernel cannot tell, everything is compared. Memory that has been unmapped
 * counts as unchanged. Not thread-safe. Preserves errno.
 */
#ifndef MEMORY_MEMORY_WATCH_H
#define MEMORY_MEMORY_WATCH_H

#include <stddef.h>
#include <stdint.h>

struct memory_watch;
struct fault_mark;

/* Starts to watch memory, relative to its current contents. Free the result with memory_watch_free(). Returns
 * NULL if there is no memory. */
struct memory_watch *memory_watch_new(const void *memory, size_t size);
void memory_watch_free(struct memory_watch *w);

/* Call this before each memory_watch_compare(), and before the fault_log_mark() that is passed to it. */
void memory_watch_prepare(struct memory_watch *w);

/* Calls changed() for each part that has changed since the last call of this function, in no particular
 * order. The part has `size` bytes at offset `offset` of the memory. bytes are its new contents, which are
 * lent. The part may have changed again since. now: a fault_log_mark() taken after memory_watch_prepare();
 * several watches may share one. */
typedef void (*memory_watch_changed)(void *context, size_t offset, const uint8_t *bytes, size_t size);
void memory_watch_compare(struct memory_watch *w, const struct fault_mark *now, memory_watch_changed changed,
                          void *context);

#endif
