/* SPDX-License-Identifier: MIT
 * Passes arrays that end before what the call's arguments say, to calls for which GL reads less, reads
 * nothing, or writes less.
 *
 * expect: glReadnPixels\(.* bufSize = 64, data =
 * expect: glUniform4fv\(location = -1, count = 100, value = \{7, 7, 7, 7, 7, 7, 7, 7, 0, 0, .*\}\)$
 * expect: glTexSubImage2D\(.* width = 0, height = 0, .* pixels =
 * expect: glGetShaderSource\(.* source = "void main
 * expect: glObjectLabel\(identifier = GL_TEXTURE, name = 1, length = -1, label = "no end"\)
 * expect: glTexImage2D\(.* border = 0, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = blob\(4096\)\)
 * count: 1000 glVertex3fv\(v = \{0, 0, 0\}\)
 * expect: glUniform3fv\(location = -1, count = 1, value = \{\}\)
 * expect: glDeleteTextures\(n = 2, textures = \{4444, 0\}\)
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

static void say(const char *what)
{
    printf("%s: 0x%04x\n", what, glGetError());
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    PFNGLREADNPIXELSPROC read_pixels =
        (PFNGLREADNPIXELSPROC)glXGetProcAddress((const GLubyte *)"glReadnPixels");

    unsigned char *pixels = guarded_room(64);
    read_pixels(0, 0, 1, 16, GL_RGBA, GL_UNSIGNED_BYTE, 64, pixels);
    say("glReadnPixels of enough");
    read_pixels(0, 0, 32, 32, GL_RGBA, GL_UNSIGNED_BYTE, 64, pixels);
    say("glReadnPixels of less");

    GLfloat *floats = guarded_room(8 * sizeof *floats);
    for (int i = 0; i < 8; ++i)
        floats[i] = 7;
    glUniform4fv(-1, 100, floats);
    say("glUniform4fv");

    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 32, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, guarded_room(4096));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, GL_RGBA, GL_UNSIGNED_BYTE, guarded_behind());
    glTexImage2D(GL_PROXY_TEXTURE_2D, 0, GL_RGBA, 32, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, guarded_behind());
    say("glTexImage2D");

    char *source = guarded_room(15);
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    const char *string = "void main() {}";
    glShaderSource(shader, 1, &string, NULL);
    glGetShaderSource(shader, 15, NULL, source);
    printf("%s\n", source);
    say("glGetShaderSource");
    glDeleteShader(shader);

    char *label = guarded_room(7);
    GLuint textures[2] = {4444, 0};
    memcpy(label, "no end", 7);
    glBindTexture(GL_TEXTURE_2D, 1);
    glObjectLabel(GL_TEXTURE, 1, -1, label);
    say("glObjectLabel");
    GLuint *names = guarded_room(sizeof textures);
    memcpy(names, textures, sizeof textures);
    glDeleteTextures(2, names);
    say("glDeleteTextures");

    GLfloat *vertices = guarded_room(3 * sizeof *vertices);
    glBegin(GL_POINTS);
    for (int i = 0; i < 1000; ++i)
        glVertex3fv(vertices);
    glEnd();
    app_glx_present(&app, "frame", 0);
    munmap((void *)((uintptr_t)vertices / 4096 * 4096), 4096);
    glUniform3fv(-1, 1, vertices);
    say("glUniform3fv of what was unmapped");
    app_glx_present(&app, "frame", 1);
    app_glx_close(&app);
    return 0;
}
