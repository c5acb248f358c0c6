/* SPDX-License-Identifier: MIT
 * Memory that a context goes on using after the call that named it: client vertex arrays, selection and
 * feedback buffers. The trace's own copy is gone by then, so each use (a slot) has memory here.
 */
#ifndef RETRACE_CLIENT_MEMORY_H
#define RETRACE_CLIENT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"

/* Room for size bytes, a little more, in this slot; its old contents are lost. slots maps numbers of the
 * caller's to memory. NULL (message set) when memory is out. */
void *client_memory_get(struct int_map *slots, uint64_t slot, size_t size);

/* Frees the slots and the map. */
void client_memory_fini(struct int_map *slots);

#endif
