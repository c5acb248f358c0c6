/* SPDX-License-Identifier: MIT
 * Which libraries implement GL. They look up each other's functions with dlsym(), too, and must find the real
 * ones: what they do is not the program's doing.
 */
#ifndef LOOKUP_GL_LIBRARIES_H
#define LOOKUP_GL_LIBRARIES_H

#include "lookup/elf_objects.h"

/* True for a library that implements GL, GLX or EGL. It is known by what it defines, since programs have
 * libraries called libGLsomething. name: a library that defines a function of this name counts, too, since it
 * passes calls on to the next function of that name; "" for none. */
bool gl_libraries_have(const struct elf_object *object, const char *name);

#endif
