/* SPDX-License-Identifier: MIT
 * Finds changes in memory that the program writes to without any call. The contents are compared with a copy.
 * For large memory, only those pages are compared that were written according to the kernel (page_tracker.h).
 * Small memory is compared as a whole. If there is much of it, what is not written falls asleep, and need not
 * be compared until it is (quiet_memory.h). If the kernel cannot tell, everything is compared. Memory that
 * has been unmapped counts as unchanged. Not thread-safe. Preserves errno.
 */
#ifndef MEMORY_MEMORY_WATCH_H
#define MEMORY_MEMORY_WATCH_H

#include "memory/fault_log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_watch;

/* Starts to watch memory, relative to its current contents. Free the result with memory_watch_free(). Returns
 * NULL if there is no memory. owner: what memory_watch_owner() returns. may_sleep: the rest of its first and
 * last page, which the kernel then tracks as well, does not belong to the program. */
struct memory_watch *memory_watch_new(const void *memory, size_t size, void *owner, bool may_sleep);
void memory_watch_free(struct memory_watch *w);
void *memory_watch_owner(const struct memory_watch *w);

/* Returns the one after w, or the first one for NULL, of those that are awake; NULL: there are no more. The
 * others have not changed since they were last compared. */
struct memory_watch *memory_watch_next_awake(const struct memory_watch *w);

/* Call this before each memory_watch_compare(), and before the mark that is passed to it. */
void memory_watch_prepare(struct memory_watch *w);

/* Takes a fault_log_mark(), and wakes what has been written. */
struct fault_mark memory_watch_look(void);

/* Calls changed() for each part that has changed since the last call of this function, in no particular
 * order. The part has `size` bytes at offset `offset` of the memory. bytes are its new contents, which are
 * lent. The part may have changed again since. now: from memory_watch_look(), after which several watches may
 * be compared, or a fault_log_mark() for one that may be asleep, too. */
typedef void (*memory_watch_changed)(void *context, size_t offset, const uint8_t *bytes, size_t size);
void memory_watch_compare(struct memory_watch *w, const struct fault_mark *now, memory_watch_changed changed,
                          void *context);

/* Call it in a forked child, where nothing of the parent is watched. Frees nothing. */
void memory_watch_forget_parent(void);

#endif
