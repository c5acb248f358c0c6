/* SPDX-License-Identifier: MIT
 * What the parts of the null driver share: the state of contexts.
 */
#ifndef TESTS_NULL_STATE_H
#define TESTS_NULL_STATE_H

#include "null_gl.h"

#include "base/hash_map.h"
#include "runtime/length.h"

#include <GL/gl.h>
#include <GL/glext.h>

enum { VALID = 0x4e554c4c, MAX_ARRAYS = 64, BUFFER_SIZE = 4096, SIDE = 40, MAX_ARGUMENTS = 32 };

/* A client array that a call has left with the driver. */
struct client_array {
    uint64_t vertex_array;
    uint32_t function, index;
    const uint8_t *memory; /* NULL: none, or in a buffer object */
    int64_t stride, size;  /* bytes of one vertex */
};

/* Contexts that share buffers. */
struct buffers {
    unsigned references;
    struct int_map mapped; /* maps names to memory of BUFFER_SIZE bytes */
};

struct ws_context {
    unsigned valid;
    struct buffers *buffers;
    struct int_map integers; /* by pname; the others are 0 */
    struct int_map element_buffers;
    struct client_array arrays[MAX_ARRAYS];
    unsigned array_count;
    void *results; /* the feedback buffer, or the selection buffer, and its bytes */
    uint64_t result_size;
    bool inside_begin;
};

/* Returns the current context. A call without one aborts. */
struct ws_context *null_current(void);

/* Returns the number that the context stores under this name. */
int64_t null_integer(uint32_t pname);
void null_set_integer(uint32_t pname, int64_t value);

/* Returns what the driver reads from its own state when it executes a call. */
struct spec_state null_state_of_driver(void);

/* Stores count new names. */
void null_give_names(GLsizei count, GLuint *names);
/* Returns a new handle. */
void *null_give_pointer(void);

/* Returns the next error. Any call may fail now and then. */
GLenum null_next_error(void);
const char *null_version(void);

/* Keeps a client array, if f is a function that sets one. */
void null_keep_array(const struct spec_function *f, const union spec_arg *args);
/* Reads what a draw reads. */
void null_draw(const struct spec_function *f, const union spec_arg *args);

/* Returns the function with this name or alias if the driver implements it, otherwise NULL. */
void (*null_answer(const char *name, const char *alias))(void);

#endif
