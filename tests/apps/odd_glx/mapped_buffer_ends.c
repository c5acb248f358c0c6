/* SPDX-License-Identifier: MIT
 * Mapped buffers that end by other means than glUnmapBuffer, and calls that only look as if they ended a
 * mapping. Each mapping has a different size, by which the recorded memcpy calls are counted.
 *
 * written, read, and deleted with a write that no call has read yet; it takes the page that is new
 * count: 2 memcpy\(.* n = (1024|4096)\)
 * glBufferData and glBufferStorage over a mapping: nothing reads what was written
 * lacks: memcpy\(.* n = 2000\)
 * lacks: memcpy\(.* n = 3000\)
 * glBufferData fails for immutable storage, and the mapping lives on:
 * count: 2 memcpy\(.* n = 400\)
 * glBufferData over the mapping of another binding point, which stays:
 * count: 1 memcpy\(.* n = 5000\)
 * two mappings of one name, one after the other:
 * count: 1 memcpy\(.* n = 600\)
 * count: 1 memcpy\(.* n = 700\)
 * unmapped twice:
 * count: 1 memcpy\(.* n = 8000\)
 * count: 3 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

enum { LARGE = 8 << 20 };
static const GLbitfield persistent = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

static GLuint bind_new(void)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    return buffer;
}

static char *map_persistent(GLsizeiptr size)
{
    glBufferStorage(GL_ARRAY_BUFFER, size, NULL, persistent);
    return glMapBufferRange(GL_ARRAY_BUFFER, 0, size, persistent);
}

static char *map_plain(GLsizeiptr size)
{
    glBufferData(GL_ARRAY_BUFFER, size, NULL, GL_STREAM_DRAW);
    char *memory = glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY);
    if (memory != NULL)
        memset(memory, 5, (size_t)size);
    return memory;
}

static void draw(struct app_glx *app, const char *name)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glRecti(-1, -1, 0, 0);
    app_glx_present(app, name, 0);
}

static void delete_mapped(void)
{
    GLuint buffer = bind_new();
    char *memory = map_persistent(LARGE);
    memory[LARGE / 2 + 100] = 1;
    glRecti(0, 0, 0, 0);
    memory[LARGE / 2 + 100] = 2;
    const GLuint names[] = {0, buffer};
    glDeleteBuffers(2, names);
    glDeleteBuffers(-1, names);
}

static void replace_storage(void)
{
    GLuint buffers[] = {bind_new(), 0};
    map_plain(2000);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STREAM_DRAW);
    glRecti(0, 0, 0, 0);
    buffers[1] = bind_new();
    map_plain(3000);
    glBufferStorage(GL_ARRAY_BUFFER, 64, NULL, persistent);
    glRecti(0, 0, 0, 0);
    printf("unmapped: %d\n", glUnmapBuffer(GL_ARRAY_BUFFER));
    printf("error 0x%x\n", glGetError());
    glDeleteBuffers(2, buffers);
}

static void fail_to_replace_storage(void)
{
    GLuint buffer = bind_new();
    char *memory = map_persistent(400);
    memory[0] = 1;
    glRecti(0, 0, 0, 0);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STREAM_DRAW);
    glBufferStorage(GL_ARRAY_BUFFER, 64, NULL, persistent);
    printf("error 0x%x\n", glGetError());
    memory[0] = 2;
    glRecti(0, 0, 0, 0);
    printf("unmapped: %d\n", glUnmapBuffer(GL_ARRAY_BUFFER));
    glDeleteBuffers(1, &buffer);
}

static void replace_other_storage(void)
{
    GLuint buffers[] = {bind_new(), 0};
    map_plain(5000);
    glGenBuffers(1, &buffers[1]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffers[1]);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 64, NULL, GL_STREAM_DRAW);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    printf("unmapped: %d\n", glUnmapBuffer(GL_ARRAY_BUFFER));
    glDeleteBuffers(2, buffers);
}

static void use_name_again(void)
{
    GLuint buffer = bind_new();
    for (int i = 0; i < 2; ++i) {
        char *memory = map_persistent(600 + i * 100);
        memory[1] = 1;
        glRecti(0, 0, 0, 0);
        glDeleteBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer); /* creates it again, in a compatibility profile */
    }
    glDeleteBuffers(1, &buffer);
}

static void unmap_twice(void)
{
    GLuint buffer = bind_new();
    map_plain(8000);
    printf("mapped again: %p\n", glMapBuffer(GL_ARRAY_BUFFER, GL_READ_WRITE));
    printf("unmapped: %d", glUnmapBuffer(GL_ARRAY_BUFFER));
    printf(" %d\n", glUnmapBuffer(GL_ARRAY_BUFFER));
    printf("error 0x%x\n", glGetError());
    glDeleteBuffers(1, &buffer);
    printf("unmapped: %d\n", glUnmapBuffer(GL_ARRAY_BUFFER));
    glUnmapBuffer(GL_LINES);
    printf("error 0x%x\n", glGetError());
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    if (strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_buffer_storage") == NULL) {
        fputs("no GL_ARB_buffer_storage\n", stderr);
        return APP_STATUS_NO_DISPLAY;
    }
    delete_mapped();
    draw(&app, "deleted");
    replace_storage();
    fail_to_replace_storage();
    replace_other_storage();
    draw(&app, "replaced");
    use_name_again();
    unmap_twice();
    draw(&app, "again");
    app_glx_close(&app);
    return 0;
}
