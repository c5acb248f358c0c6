/* SPDX-License-Identifier: MIT
 * Structs of functions of OpenGL. Each is declared by a list X(type, name, parameters), and is filled by
 * name.
 */
#ifndef RETRACE_FUNCTION_TABLE_H
#define RETRACE_FUNCTION_TABLE_H

#include <stddef.h>

struct window_system;

/* For lists: a member of the struct, and its name. */
#define FUNCTION_TABLE_MEMBER(type, name, parameters) type(*name) parameters;
#define FUNCTION_TABLE_NAME(type, name, parameters)   #name,

/* Looks up `count` functions by their names, and stores them one after the other: NULL if the driver has them
 * neither by this name nor by that of an extension of OpenGL ES (OES). A context must be current. */
void function_table_load(void *functions, const char *const *names, size_t count, struct window_system *ws);

/* Defines the function that fills a `struct type` with the functions of LIST. */
#define FUNCTION_TABLE_DEFINE_LOAD(load, type, LIST)                                                         \
    void load(struct type *functions, struct window_system *ws)                                              \
    {                                                                                                        \
        static const char *const names[] = {LIST(FUNCTION_TABLE_NAME)};                                      \
        _Static_assert(sizeof names == sizeof *functions, "a name for each function");                       \
        function_table_load(functions, names, sizeof names / sizeof *names, ws);                             \
    }

#endif
