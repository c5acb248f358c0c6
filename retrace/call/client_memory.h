/* SPDX-License-Identifier: MIT
 * Memory that a context uses after the call that passed its address: client vertex arrays, selection and
 * feedback buffers. The trace's own copy no longer exists then. So each such use, called a slot, gets its own
 * memory.
 */
#ifndef RETRACE_CLIENT_MEMORY_H
#define RETRACE_CLIENT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"

/* Returns memory of at least size bytes for this slot. Its old contents are lost. slots maps the caller's
 * numbers of slots to memory. Returns NULL, with the message set, if there is no memory. */
void *client_memory_get(struct int_map *slots, uint64_t slot, size_t size);

/* Frees the memory of all slots, and the map. */
void client_memory_fini(struct int_map *slots);

#endif
