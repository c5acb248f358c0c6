/* SPDX-License-Identifier: MIT */
#include "call/gl_functions.h"

#include "call/function_table.h"

void gl_functions_load(struct gl_functions *gl, struct window_system *ws)
{
    static const char *const names[] = {GL_FUNCTION_LIST(FUNCTION_TABLE_NAME)};
    _Static_assert(sizeof names == sizeof *gl, "a name for each function");
    function_table_load(gl, names, sizeof names / sizeof *names, ws);
}
