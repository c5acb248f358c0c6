/* SPDX-License-Identifier: MIT
 * Queries of times and samples in the current context. Their names are reused, and all of them are deleted
 * when the context is left, because contexts do not share queries.
 */
#ifndef PROFILE_GPU_QUERIES_H
#define PROFILE_GPU_QUERIES_H

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu_query_functions {
    void (*gen)(GLsizei, GLuint *);
    void (*delete)(GLsizei, const GLuint *);
    void (*begin)(GLenum, GLuint);
    void (*end)(GLenum);
    void (*counter)(GLuint, GLenum);
    void (*get)(GLenum, GLenum, GLint *);
    void (*get_uint)(GLuint, GLenum, GLuint *);
    void (*get_uint64)(GLuint, GLenum, GLuint64 *);
    void (*get_time)(GLenum, GLint64 *);
    void (*get_integers)(GLenum, GLint *);
};

struct gpu_queries {
    struct gpu_query_functions gl;
    bool is_es, has_times, has_elapsed, has_samples;
    int64_t offset; /* what the GPU's clock is ahead of profile_clock() */
    GLuint *unused;
    size_t unused_count, unused_cap;
};

/* The caller's way to get a function of the driver. */
typedef void *(*gpu_get_proc)(void *context, const char *name);

/* Finds out what the current context has. This may cause GL errors. */
void gpu_queries_enter(struct gpu_queries *q, bool is_es, gpu_get_proc get_proc, void *context);
/* All results must have been taken. The context must still be current. */
void gpu_queries_leave(struct gpu_queries *q);

/* Asks for the time at which the GPU comes here. Returns the query, or 0 if the driver cannot do that. */
GLuint gpu_queries_stamp(struct gpu_queries *q);

/* Begins a query of GL_TIME_ELAPSED or GL_SAMPLES_PASSED. Returns 0 if the program has one of this kind
 * itself. */
GLuint gpu_queries_begin(struct gpu_queries *q, GLenum target);
void gpu_queries_end(struct gpu_queries *q, GLenum target);

/* Returns true if the result is there. */
bool gpu_queries_ready(struct gpu_queries *q, GLuint query);
/* Waits for the result and frees the query. */
int64_t gpu_queries_take(struct gpu_queries *q, GLuint query);
/* The same for a stamp, in nanoseconds of profile_clock(). */
int64_t gpu_queries_take_stamp(struct gpu_queries *q, GLuint query);

/* Returns true if times since the last question are wrong, because the GPU's clock has been changed. Only
 * OpenGL ES tells that. */
bool gpu_queries_disjoint(struct gpu_queries *q);

#endif
