/* SPDX-License-Identifier: MIT */
#include "state/state_functions.h"

#include "call/function_table.h"

void state_functions_load(struct state_functions *gl, struct window_system *ws)
{
    static const char *const names[] = {STATE_FUNCTION_LIST(FUNCTION_TABLE_NAME)};
    _Static_assert(sizeof names == sizeof *gl, "a name for each function");
    function_table_load(gl, names, sizeof names / sizeof *names, ws);
}
