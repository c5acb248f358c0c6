/* SPDX-License-Identifier: MIT
 * Arrays that grow as items are added.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/* The slow half of ARRAY_RESERVE(). items: the address of the pointer to the items. */
int array_grow(void *items, size_t *room, size_t item_size);

/* Makes room for one more behind count items, in an array that has room for so many (both size_t): for twice
 * as many when there is none. An empty array is NULL, with room for 0. Returns 0, or TRACE_ERR_MEMORY; then
 * it is as it was. */
#define ARRAY_RESERVE(items, count, room)                                                                    \
    ((count) < (room) ? 0 : array_grow(&(items), &(room), sizeof *(items)))

#endif
