/* SPDX-License-Identifier: MIT */
/* A buffer that stays mapped (GL_MAP_PERSISTENT_BIT and GL_MAP_COHERENT_BIT): each frame writes one of its
 * two halves through the pointer and draws from it, with no call that would tell what was written. */
#include "app_hash.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GL/glext.h>
#include <GLFW/glfw3.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 64, HEIGHT = 48, FRAMES = 4, HALF = 8192 };

static GLfloat *map_buffer(void)
{
    PFNGLGENBUFFERSPROC gen = (PFNGLGENBUFFERSPROC)glfwGetProcAddress("glGenBuffers");
    PFNGLBINDBUFFERPROC bind = (PFNGLBINDBUFFERPROC)glfwGetProcAddress("glBindBuffer");
    PFNGLBUFFERSTORAGEPROC storage = (PFNGLBUFFERSTORAGEPROC)glfwGetProcAddress("glBufferStorage");
    PFNGLMAPBUFFERRANGEPROC map = (PFNGLMAPBUFFERRANGEPROC)glfwGetProcAddress("glMapBufferRange");
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer;
    if (gen == NULL || bind == NULL || storage == NULL || map == NULL)
        return NULL;
    gen(1, &buffer);
    bind(GL_ARRAY_BUFFER, buffer);
    storage(GL_ARRAY_BUFFER, 2 * HALF, NULL, flags);
    return map(GL_ARRAY_BUFFER, 0, 2 * HALF, flags);
}

static void draw_frame(GLfloat *memory, int frame)
{
    size_t offset = frame % 2 * HALF;
    GLfloat *corners = memory + offset / sizeof *memory;
    const GLfloat size = 0.2f * (GLfloat)(frame + 1);
    const GLfloat triangle[] = {-size, -size, size, -size, 0, size};
    for (size_t i = 0; i < sizeof triangle / sizeof *triangle; i++)
        corners[i] = triangle[i];
    glClear(GL_COLOR_BUFFER_BIT);
    glVertexPointer(2, GL_FLOAT, 0, (const void *)offset);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

int main(void)
{
    if (!glfwInit())
        return 99;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 4);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_COMPAT_PROFILE);
    GLFWwindow *window = glfwCreateWindow(WIDTH, HEIGHT, "glfw_persistent", NULL, NULL);
    if (window == NULL)
        return 99;
    glfwMakeContextCurrent(window);
    GLfloat *memory = map_buffer();
    if (memory == NULL)
        return 98;
    glViewport(0, 0, WIDTH, HEIGHT);
    glEnableClientState(GL_VERTEX_ARRAY);
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    for (int frame = 0; frame < FRAMES; frame++) {
        draw_frame(memory, frame);
        glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        printf("glfw_persistent %d: %016" PRIx64 "\n", frame, app_hash(pixels, sizeof pixels));
        glfwSwapBuffers(window);
    }
    glfwTerminate();
    return 0;
}
