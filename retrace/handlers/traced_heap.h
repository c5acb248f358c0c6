/* SPDX-License-Identifier: MIT
 * Memory of the traced program that old traces declare: malloc(), realloc() and free(), which are no
 * functions of the tables. What memcpy() then writes to it can be the contents of arrays.
 */
#ifndef RETRACE_TRACED_HEAP_H
#define RETRACE_TRACED_HEAP_H

#include "replayer.h"

/* Returns the handler of the function with this name, or NULL. The handlers need no context. Memory is only
 * freed at the end, because the driver may have been given pointers to it. */
replay_handler traced_heap_handler(const char *name);

#endif
