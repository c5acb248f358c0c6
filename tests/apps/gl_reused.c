/* SPDX-License-Identifier: MIT */
/* Reuses memory that the GPU writes: waits until a result is in a persistent mapping, reads it, and
 * overwrites it with what was there before. Prints what it reads in the end from the buffer: always the same.
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 4096, ROUNDS = 3 };

static volatile unsigned char *memory;

/* Ways to wait. */
static void wait_by_finish(void)
{
    glFinish();
}

static void wait_by_fence(void)
{
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    while (glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000) == GL_TIMEOUT_EXPIRED)
        ;
    glDeleteSync(fence);
}

static void wait_by_status(void)
{
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    GLint status = GL_UNSIGNALED;
    glFlush();
    while (status != GL_SIGNALED)
        glGetSynciv(fence, GL_SYNC_STATUS, 1, NULL, &status);
    glDeleteSync(fence);
}

static void wait_by_glx(void)
{
    glXWaitGL();
}

/* What the GPU writes, at the start of the mapping. */
static void write_by_clear(void)
{
    glClearBufferSubData(GL_ARRAY_BUFFER, GL_R8UI, 0, 4, GL_RED_INTEGER, GL_UNSIGNED_BYTE, "\x07");
}

static void write_by_copy(void)
{
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 0, 4);
}

static void write_by_query(void)
{
    static GLuint query;
    if (query == 0)
        glGenQueries(1, &query);
    glBindBuffer(GL_QUERY_BUFFER, 1);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, NULL);
    glBindBuffer(GL_QUERY_BUFFER, 0);
}

static void reuse(void (*write)(void), void (*wait)(void))
{
    unsigned char found[4];
    for (int i = 0; i < ROUNDS; i++) {
        memory[0] = 0x55;
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, 4, found);
        write();
        wait();
        printf("%02x %02x\n", found[0], memory[0]);
    }
}

int main(void)
{
    static void (*const waits[])(void) = {wait_by_finish, wait_by_fence, wait_by_status, wait_by_glx};
    static void (*const writes[])(void) = {write_by_clear, write_by_copy, write_by_query};
    const GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    struct app_glx app;
    GLuint buffers[2];
    app_glx_open(&app, 32, 32);
    glGenBuffers(2, buffers);
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[1]);
    glBufferData(GL_COPY_READ_BUFFER, 4, "\1\2\3\4", GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferStorage(GL_ARRAY_BUFFER, SIZE, NULL, flags);
    memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, SIZE, flags);
    if (memory == NULL)
        return APP_STATUS_NO_DISPLAY;
    memset((void *)memory, 0x55, SIZE);
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        for (size_t k = 0; k < sizeof waits / sizeof *waits; k++)
            reuse(writes[i], waits[k]);
    app_glx_close(&app);
    return 0;
}
