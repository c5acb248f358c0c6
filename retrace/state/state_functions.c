/* SPDX-License-Identifier: MIT */
#include "state/state_functions.h"

#include "windows/window_system.h"

void state_functions_load(struct state_functions *gl, struct window_system *ws)
{
    /* POSIX allows an object pointer to contain the address of a function. The union avoids a cast. */
#define STATE_FUNCTION_LOAD(type, name, parameters)                                                          \
    {                                                                                                        \
        union {                                                                                              \
            void *object;                                                                                    \
            type(*function) parameters;                                                                      \
        } address = {.object = ws->ops->get_proc(ws, #name)};                                                \
        gl->name = address.function;                                                                         \
    }
    STATE_FUNCTION_LIST(STATE_FUNCTION_LOAD)
#undef STATE_FUNCTION_LOAD
}
