/* SPDX-License-Identifier: MIT
 * The store of this process: its file, and the memory that it is mapped to.
 */
#ifndef XRAY_STORE_FILE_H
#define XRAY_STORE_FILE_H

#include "xray/xray_store.h"

/* Creates the store, in the state XRAY_STORE_STARTING. A process that was forked gives up that of its parent.
 * Without a store, nothing is recorded. Returns NULL, if there is no room, for example. */
struct xray_store *store_file_create(const char *directory);

/* Returns whether this process may record: it has a store, and is not a forked process that has the one of
 * its parent. The word becomes 0 in such a process. */
extern __attribute__((visibility("hidden"))) const uint32_t *store_file_is_ours;

/* Returns a chunk for a thread, all zeros, or NULL if there is no room for more. Calls no function of the C
 * library, and leaves errno alone. */
struct xray_chunk *store_file_take_chunk(void);

/* Records no more, in the state XRAY_STORE_STOPPED. */
void store_file_stop(void);

#endif
