/* SPDX-License-Identifier: MIT
 * Which parts of a mapping are recorded: nothing if it is for reading, only the flushed ranges, and for
 * persistent mappings the blocks that have changed, of which the last one is shorter.
 *
 * read only: none
 * lacks: memcpy\(.* n = 1000\)
 * lacks: memcpy\(.* n = 1001\)
 * flushed explicitly: 3 bytes at 10, the last 7; not what is out of range, and nothing when it is unmapped
 * count: 1 memcpy\(.* n = 3\)
 * count: 1 memcpy\(.* n = 7\)
 * lacks: memcpy\(.* n = 2000\)
 * lacks: memcpy\(.* n = 2001\)
 * a persistent mapping of 5,000 bytes, the last block, then the first two
 * count: 1 memcpy\(.* n = 904\)
 * count: 1 memcpy\(.* n = 2048\)
 * a persistent one with explicit flushes
 * count: 1 memcpy\(.* n = 77\)
 * lacks: memcpy\(.* n = 3000\)
 * a part of a buffer, and a whole one by glMapBuffer
 * count: 1 memcpy\(.* n = 123\)
 * count: 1 memcpy\(.* n = 4567\)
 * and that is all
 * count: 7 memcpy\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

static const GLbitfield persistent = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT;

static char *map_new(GLsizeiptr size, GLintptr offset, GLsizeiptr length, GLbitfield access)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    if ((access & GL_MAP_PERSISTENT_BIT) != 0)
        glBufferStorage(GL_ARRAY_BUFFER, size, NULL, access & ~(GLbitfield)GL_MAP_FLUSH_EXPLICIT_BIT);
    else
        glBufferData(GL_ARRAY_BUFFER, size, NULL, GL_STATIC_DRAW);
    return glMapBufferRange(GL_ARRAY_BUFFER, offset, length, access);
}

static void unmap(void)
{
    printf("unmapped: %d, error 0x%x\n", glUnmapBuffer(GL_ARRAY_BUFFER), glGetError());
}

static void read_only(void)
{
    map_new(1000, 0, 1000, GL_MAP_READ_BIT);
    unmap();
    glBufferData(GL_ARRAY_BUFFER, 1001, NULL, GL_STATIC_READ);
    glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY);
    unmap();
    map_new(1001, 0, 1001, GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT);
    glRecti(0, 0, 0, 0);
    unmap();
}

static void flush_ranges(void)
{
    char *memory = map_new(4000, 1000, 2000, GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
    memset(memory, 7, 2000);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 10, 3);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 1993, 7);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 5, 0);
    printf("error 0x%x\n", glGetError());
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 2001);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 1, 2000);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 4000, 1);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, -1, 2);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 1, -1);
    glFlushMappedBufferRange(GL_ELEMENT_ARRAY_BUFFER, 0, 1);
    printf("error 0x%x\n", glGetError());
    unmap();
}

static void change_blocks(void)
{
    char *memory = map_new(5000, 0, 5000, persistent | GL_MAP_COHERENT_BIT);
    memset(memory, 0, 5000);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 0, NULL, GL_STATIC_DRAW); /* reads nothing */
    printf("error 0x%x\n", glGetError());
    memory[4999] = 1;
    glRecti(0, 0, 0, 0);
    glRecti(0, 0, 0, 0);
    memory[1023] = 1;
    memory[1024] = 1;
    unmap();
}

static void flush_persistent(void)
{
    char *memory = map_new(3000, 0, 3000, persistent | GL_MAP_FLUSH_EXPLICIT_BIT);
    memset(memory, 9, 3000);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 200, 77);
    glRecti(0, 0, 0, 0);
    unmap();
}

static void write_plain(void)
{
    memset(map_new(4567, 1000, 123, GL_MAP_WRITE_BIT), 1, 123);
    unmap();
    memset(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_WRITE), 2, 4567);
    unmap();
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    read_only();
    flush_ranges();
    change_blocks();
    flush_persistent();
    write_plain();
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
