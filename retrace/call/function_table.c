/* SPDX-License-Identifier: MIT */
#include "call/function_table.h"

#include <string.h>

#include "windows/window_system.h"

/* POSIX allows an object pointer to contain the address of a function. */
void function_table_load(void *functions, const char *const *names, size_t count, struct window_system *ws)
{
    for (size_t i = 0; i < count; ++i) {
        void *address = ws->ops->get_proc(ws, names[i]);
        memcpy((char *)functions + i * sizeof address, &address, sizeof address);
    }
}
