/* SPDX-License-Identifier: MIT
 * Arrays that grow as items are added.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/* The slow path of ARRAY_RESERVE(). items: the address of the pointer to the items. */
int array_grow(void *items, size_t *room, size_t item_size);

/* Makes room for one more item in an array of count items with room for `room` (both size_t). A full array
 * grows to twice its size. An empty array is NULL, with room for 0. Returns 0, or TRACE_ERR_MEMORY, which
 * leaves the array as it was. */
#define ARRAY_RESERVE(items, count, room)                                                                    \
    ((count) < (room) ? 0 : array_grow(&(items), &(room), sizeof *(items)))

#endif
