/* SPDX-License-Identifier: MIT
 * The table of memory that belongs to buffer objects and that the program writes to without calls: mapped
 * buffers, and memory of the program that the driver uses as a buffer (GL_AMD_pinned_memory). A buffer may be
 * in the table once as each of them. All functions need the lock, unless they say otherwise.
 */
#ifndef GL_GL_MAPPINGS_H
#define GL_GL_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

struct memory_watch;

struct gl_mapping {
    uint32_t share_group; /* buffer names are only unique within a share group */
    uint32_t buffer;
    bool pinned; /* memory of the program; else mapped */
    void *memory;
    uint64_t size;              /* in bytes */
    bool written;               /* mapped for writing */
    bool explicit;              /* only what glFlushMapped*Range specifies has been written */
    bool notified;              /* the same for glNotifyMappedBufferRangeVMWX, until the mapping ends */
    uint32_t usage;             /* of pinned memory, as the call gave it */
    bool has_storage;           /* pinned memory: the trace has given the buffer its storage */
    struct memory_watch *watch; /* for persistent mappings and pinned memory: owned; NULL for others */
    struct gl_mapping *next, *previous; /* of those that are notified */
};

/* A thread may already hold the lock if a signal handler interrupted it and makes calls, or left by
 * longjmp(). It then keeps the lock. */
void gl_mappings_lock(void);
void gl_mappings_unlock(void);

/* Does not need the lock. */
bool gl_mappings_any(void);

/* Adds a copy of m, and watches its memory from now on if `watched`. It replaces one of the same buffer and
 * kind. Does nothing for buffer 0 or if there is no memory. Takes the lock itself. */
void gl_mapping_add(const struct gl_mapping *m, bool watched);

/* Return what the table has, which is lent until it is removed; NULL: nothing. */
struct gl_mapping *gl_mapping_find(uint32_t share_group, uint32_t buffer, bool pinned);

/* Returns the notified one after m, or the first one for NULL; NULL: there are no more. */
struct gl_mapping *gl_mapping_next_notified(const struct gl_mapping *m);

/* m: of the table. Frees it. */
void gl_mapping_remove(struct gl_mapping *m);

#endif
