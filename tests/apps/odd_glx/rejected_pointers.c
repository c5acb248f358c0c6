/* SPDX-License-Identifier: MIT
 * Passes invalid pointers to calls that GL rejects without reading. Each call must be in the trace, with the
 * readable part of its data.
 *
 * expect: glTexImage2D\(target = GL_TEXTURE_2D, level = 0, internalformat = GL_RGBA, width = -1
 * expect: glTexImage2D\(target = 2989, .* pixels = 0x
 * expect: glBufferData\(target = 2989, size = 65536, data = 0x
 * expect: glBufferData\(target = GL_ARRAY_BUFFER, size = -5
 * expect: glBufferSubData\(target = GL_ARRAY_BUFFER, offset = 0, size = 4611686018427387904, data = 0x
 * expect: glDeleteTextures\(n = -1, textures = \{\}
 * expect: glCallLists\(n = 2147483647, type = 2989
 * expect: glUniform4fv\(location = 0, count = 1000000, value = \{\}
 * expect: glUniformMatrix4fv\(.* count = 70000000, .* value = \{1, 2, 3, 4, 5, 6, 7, 8, .*128\}
 * expect: glShaderSource\(shader = 0, count = 2, string = \{NULL, "void main\(\) \{\}"\}
 * expect: glShaderSource\(shader = 77, count = 2147483647, string = \{\}, length = \{\}
 * expect: glDrawElements\(mode = GL_TRIANGLES, count = 3000, type = GL_UNSIGNED_INT, indices = 0x
 * expect: glGetBufferSubData\(target = GL_ARRAY_BUFFER, offset = 0, size = 100000, data = 0x
 * expect: glGetTexImage\(target = 2989, .* pixels = 0x
 * expect: glProgramStringARB\(target = 2989
 * expect: glFogfv\(pname = GL_FOG_COLOR, params = \{\}
 * expect: glPixelMapfv\(.* values = \{\}
 * expect: glCallLists\(.* lists = (0x|\{\}|blob)
 * count: 2 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "guarded.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>

static void *nowhere;

static void say(const char *what)
{
    GLenum error = glGetError();
    printf("%s: 0x%04x\n", what, error);
    while (glGetError() != GL_NO_ERROR)
        continue;
}

static void reject_images(void)
{
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, -1, 1000, 0, GL_RGBA, GL_UNSIGNED_BYTE, nowhere);
    say("glTexImage2D of negative width");
    glTexImage2D(0xbad, 0, GL_RGBA, 1000, 1000, 0, GL_RGBA, GL_UNSIGNED_BYTE, nowhere);
    say("glTexImage2D of no target");
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1 << 20, 0, 1 << 20, 1 << 20, GL_RGBA, GL_FLOAT, nowhere);
    say("glTexSubImage2D outside");
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, 0xbad, 64, 64, 0, 2147483647, nowhere);
    say("glCompressedTexImage2D");
    glGetTexImage(0xbad, 0, GL_RGBA, GL_UNSIGNED_BYTE, nowhere);
    say("glGetTexImage");
}

static void reject_buffers(void)
{
    GLuint buffer;
    glBufferData(0xbad, 65536, nowhere, GL_STATIC_DRAW);
    say("glBufferData of no target");
    glBufferData(GL_ARRAY_BUFFER, 65536, nowhere, GL_STATIC_DRAW);
    say("glBufferData without a buffer");
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, 100000, nowhere);
    say("glGetBufferSubData without a buffer");
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, -5, nowhere, GL_STATIC_DRAW);
    say("glBufferData of negative size");
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)1 << 62, nowhere);
    say("glBufferSubData beyond");
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)1 << 62, nowhere);
    say("glGetBufferSubData beyond");
    glDeleteBuffers(1, &buffer);
    glDeleteBuffers(-7, nowhere);
    say("glDeleteBuffers");
    glDeleteTextures(-1, nowhere);
    say("glDeleteTextures");
}

static void reject_programs(void)
{
    GLfloat *matrices = guarded_room(8 * 16 * sizeof *matrices);
    for (int i = 0; i < 128; ++i)
        matrices[i] = (GLfloat)(i + 1);
    glUniformMatrix4fv(5, 70000000, GL_FALSE, matrices);
    say("glUniformMatrix4fv");
    glUniform4fv(0, 1000000, nowhere);
    say("glUniform4fv");
    const char *strings[2] = {nowhere, "void main() {}"};
    glShaderSource(0, 2, strings, NULL);
    say("glShaderSource with a string at nothing");
    glShaderSource(77, 2147483647, nowhere, nowhere);
    say("glShaderSource at nothing");
    glShaderSource(77, -1, nowhere, nowhere);
    say("glShaderSource of negative count");
    glProgramStringARB(0xbad, GL_PROGRAM_FORMAT_ASCII_ARB, 1 << 30, nowhere);
    say("glProgramStringARB");
    glGetUniformfv(77, 0, nowhere);
    say("glGetUniformfv");
    glGetProgramInfoLog(77, 1 << 30, nowhere, nowhere);
    say("glGetProgramInfoLog");
}

/* None of this is allowed inside glBegin(). */
static void reject_within_begin(void)
{
    glBegin(GL_TRIANGLES);
    glDrawElements(GL_TRIANGLES, 3000, GL_UNSIGNED_INT, nowhere);
    glDrawArrays(GL_TRIANGLES, 5, 1 << 30);
    glFogfv(GL_FOG_COLOR, nowhere);
    glPixelMapfv(GL_PIXEL_MAP_I_TO_R, 1 << 20, nowhere);
    glGetIntegerv(GL_VIEWPORT, nowhere);
    glEnd();
    say("inside glBegin");
    glCallLists(2147483647, 0xbad, nowhere);
    say("glCallLists");
}

int main(void)
{
    struct app_glx app;
    nowhere = guarded_behind();
    app_glx_open(&app, 32, 32);
    reject_images();
    reject_buffers();
    reject_programs();
    app_glx_present(&app, "frame", 0);
    reject_within_begin();
    app_glx_present(&app, "frame", 1);
    app_glx_close(&app);
    return 0;
}
