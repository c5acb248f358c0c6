/* SPDX-License-Identifier: MIT
 * Memory that becomes readable when it is first read, by a handler of SIGSEGV, as emulators and garbage
 * collectors have: buffers, textures, shaders, vertices and indices in it are recorded as GL has read them.
 * What GL does not read stays as it was.
 *
 * expect: glBufferData\(target = GL_ARRAY_BUFFER, size = 10000, data = blob\(10000\)
 * expect: glTexImage2D\(.*pixels = blob\(1024\)\)
 * expect: glShaderSource\(.*"// a comment
 * expect: glDrawElements\(mode = GL_TRIANGLES, count = 3, type = GL_UNSIGNED_SHORT, indices = blob\(6\)\)
 * expect: glVertexPointer\(size = 2, type = GL_FLOAT, stride = 0, pointer = blob\(24\)\) // fake
 * pictures: 32 32
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PAGE = 4096,
    PAGES = 64,
    BUFFER = 0,
    PIXELS = 8,
    VERTICES = 12,
    INDICES = 14,
    SOURCE = 16,
    UNREAD = 40
};

static char *memory, *contents;
static volatile unsigned faults;

static void fill_page(int number, siginfo_t *info, void *context)
{
    uintptr_t page = ((uintptr_t)info->si_addr - (uintptr_t)memory) / PAGE;
    (void)context;
    if (page >= PAGES) {
        signal(number, SIG_DFL);
        return;
    }
    mprotect(memory + page * PAGE, PAGE, PROT_READ | PROT_WRITE);
    memcpy(memory + page * PAGE, contents + page * PAGE, PAGE);
    faults++;
}

static void make_memory(void)
{
    static const GLfloat corners[] = {-1, -1, 1, -1, 0, 1};
    static const GLushort indices[] = {2, 1, 0};
    struct sigaction action = {.sa_sigaction = fill_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    memory = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    contents = calloc(PAGES, PAGE);
    if (memory == MAP_FAILED || contents == NULL)
        exit(99);
    memset(contents, 0x55, (size_t)VERTICES * PAGE);
    memcpy(contents + VERTICES * PAGE, corners, sizeof corners);
    memcpy(contents + INDICES * PAGE, indices, sizeof indices);
    char *source = contents + SOURCE * PAGE;
    memset(source, ' ', 3 * PAGE); /* its NUL is in the fourth page */
    memcpy(source, "// a comment\n", 13);
    strcpy(source + 3 * PAGE - 10, "\nvoid main() { gl_Position = gl_Vertex; }\n");
}

static void make_objects(void)
{
    GLuint buffer, texture, shader = glCreateShader(GL_VERTEX_SHADER);
    GLint length = 0;
    const char *source = memory + SOURCE * PAGE;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 10000, memory + BUFFER * PAGE, GL_STATIC_DRAW);
    glUniform4fv(-1, 1, (const GLfloat *)(memory + UNREAD * PAGE)); /* belongs to no program */
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, memory + PIXELS * PAGE);
    glShaderSource(shader, 1, &source, NULL);
    glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &length);
    printf("error %#x, source %d, %u pages\n", glGetError(), length, faults);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    make_memory();
    make_objects();
    glEnable(GL_TEXTURE_2D);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, memory + VERTICES * PAGE);
    for (int frame = 0; frame < 2; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, memory + INDICES * PAGE);
        app_glx_present(&app, "faulting", frame);
    }
    app_glx_close(&app);
    printf("%u pages\n", faults);
    return 0;
}
