/* SPDX-License-Identifier: MIT */
#include "call/function_table.h"

#include <stdio.h>
#include <string.h>

#include "windows/window_system.h"

/* What OpenGL ES 1 and 2 have by an extension may have its name only, such as glGenFramebuffersOES().
 * Functions that became part of a version have the same parameters in it. */
static void *find_function(const char *name, struct window_system *ws)
{
    char extension[64];
    void *address = ws->ops->get_proc(ws, name);
    if (address != NULL || snprintf(extension, sizeof extension, "%sOES", name) >= (int)sizeof extension)
        return address;
    return ws->ops->get_proc(ws, extension);
}

/* POSIX allows an object pointer to contain the address of a function. */
void function_table_load(void *functions, const char *const *names, size_t count, struct window_system *ws)
{
    for (size_t i = 0; i < count; ++i) {
        void *address = find_function(names[i], ws);
        memcpy((char *)functions + i * sizeof address, &address, sizeof address);
    }
}
