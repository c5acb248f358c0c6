/* SPDX-License-Identifier: MIT
 * Memory that a context uses after the call that passed its address: client vertex arrays, selection and
 * feedback buffers. By then the trace's own copy is gone, so each such use (a slot) gets memory here.
 */
#ifndef RETRACE_CLIENT_MEMORY_H
#define RETRACE_CLIENT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"

/* Makes room for size bytes, and a little more, in this slot. Its old contents are lost. slots maps numbers
 * of the caller's to memory. NULL (message set) when memory is out. */
void *client_memory_get(struct int_map *slots, uint64_t slot, size_t size);

/* Frees the slots and the map. */
void client_memory_fini(struct int_map *slots);

#endif
