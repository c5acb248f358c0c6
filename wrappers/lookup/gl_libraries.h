/* SPDX-License-Identifier: MIT
 * Recognises libraries that implement GL. They also look up each other's functions with dlsym(). They must
 * get the real functions, because these calls are not the program's.
 */
#ifndef LOOKUP_GL_LIBRARIES_H
#define LOOKUP_GL_LIBRARIES_H

#include "lookup/elf_objects.h"

/* Returns true for a library that implements GL, GLX or EGL. It is recognised by the symbols that it defines,
 * because programs have libraries with names like libGLsomething. A library that defines a function `name`
 * counts as well, since it forwards calls to the next function with this name; name may be "". */
bool gl_libraries_have(const struct elf_object *object, const char *name);

#endif
