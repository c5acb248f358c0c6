/* SPDX-License-Identifier: MIT */
#include "call/gl_functions.h"

#include "windows/window_system.h"

void gl_functions_load(struct gl_functions *gl, struct window_system *ws)
{
    /* POSIX allows an object pointer to contain the address of a function. The union avoids a cast. */
#define GL_FUNCTION_LOAD(type, name, parameters)                                                             \
    {                                                                                                        \
        union {                                                                                              \
            void *object;                                                                                    \
            type(*function) parameters;                                                                      \
        } address = {.object = ws->ops->get_proc(ws, #name)};                                                \
        gl->name = address.function;                                                                         \
    }
    GL_FUNCTION_LIST(GL_FUNCTION_LOAD)
#undef GL_FUNCTION_LOAD
}
