/* SPDX-License-Identifier: MIT
 * What the parts of the stub's driver share. Each part has a table of its functions.
 */
#ifndef TESTS_STUB_PARTS_H
#define TESTS_STUB_PARTS_H

#include "stub_gl.h"

#include <stddef.h>

enum { GL_DOUBLES_OF_NAN = 1 }; /* a parameter that is not a number */

struct stub_function {
    const char *name;
    void (*function)(void);
};

/* Returns the function with this name, or NULL. */
void *stub_find(const struct stub_function *functions, size_t count, const char *name);
#define STUB_FIND(functions, name) stub_find(functions, sizeof(functions) / sizeof *(functions), name)

void *stub_answers_function(const char *name);
void *stub_arrays_function(const char *name);
void *stub_egl_function(const char *name);
void stub_egl_reset(void);
void *stub_lists_function(const char *name);
void stub_lists_reset(void);
/* Of a program: notes it in the list that is open, and uses it unless that is only compiled. */
void stub_lists_use(GLuint program);
/* Without lists. */
void stub_programs_use(GLuint program);
void *stub_programs_function(const char *name);
void *stub_buffers_function(const char *name);
void *stub_pictures_function(const char *name);
void *stub_messages_function(const char *name);
void stub_messages_reset(void);

/* Passes the message on to the program, if it wants any. */
void stub_messages_say(const struct stub_message *m);

/* Reads size bytes, and gives the first ones as text, with dots for zeros and _ for no text. It is valid
 * until the next call. */
const char *stub_gl_text_of(const void *memory, size_t size);

/* A function that only logs the name of its object. */
#define STUB_LOGS_ONE_NAME(function, name)                                                                   \
    static void function(GLuint object)                                                                      \
    {                                                                                                        \
        stub_gl_log(#name "(%u)", object);                                                                   \
    }

#endif
