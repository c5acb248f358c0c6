/* SPDX-License-Identifier: MIT
 * Queries and passes values: numbers, values with names, and data. They must be shown as apitrace shows them.
 * The attribute list of the image that does not exist once crashed the collector.
 *
 * expect: glGetShaderiv\(shader = [0-9]+, pname = GL_COMPILE_STATUS, params = &1\)
 * expect: glGetProgramiv\(program = [0-9]+, pname = GL_LINK_STATUS, params = &1\)
 * expect: glGetIntegerv\(pname = GL_MATRIX_MODE, data = &5888\)
 * expect: glGetTexParameteriv\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, params = &9728\)
 * expect: glTexParameteri\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_NEAREST\)
 * expect: glTexParameteriv\(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MAG_FILTER, params = &9729\)
 * expect: glFenceSync\(condition = GL_SYNC_GPU_COMMANDS_COMPLETE, flags = 0\) = 0x
 * expect: glGetSynciv\(sync = 0x[0-9a-f]+, pname = GL_SYNC_CONDITION, .*values = &37143\)
 * expect: glClientWaitSync\(sync = 0x[0-9a-f]+, flags = GL_SYNC_FLUSH_COMMANDS_BIT, timeout = [0-9]+\) = GL_
 * expect: glWaitSync\(sync = 0x[0-9a-f]+, flags = 0, timeout = 18446744073709551615\)
 * expect: glGetVertexAttribIiv\(index = 3, pname = GL_CURRENT_VERTEX_ATTRIB, params = {5, 6, 7, 8}\)
 * expect: glFeedbackBuffer\(size = 4, type = GL_2D, buffer = {
 * expect: glSelectBuffer\(size = 2, buffer = {
 * expect: glTexImage2D\(target = GL_TEXTURE_2D, level = 1, .*format = GL_ETC1_RGB8_OES, .*pixels = blob\(0\)\)
 * expect: glEnable\(cap = GL_CLIP_DISTANCE0\)
 * expect: glPolygonStipple\(mask = {(255, ){127}255}\)
 * expect: glEGLImageTargetTexStorageEXT\(target = GL_TEXTURE_2D, image = NULL, attrib_list = {GL_[A-Z_]+, 1, [A-Z0-9_]+}\)
 * count: 1 glXSwapBuffers\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

enum { ETC1_RGB8_OES = 0x8d64 }; /* only in headers of OpenGL ES */

static void ask_programs(void)
{
    const char *source = "void main() { gl_Position = gl_Vertex; }";
    GLint status = 0;
    GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &status);
    printf("compiled: %d\n", status);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &status);
    printf("linked: %d\n", status);
    glDeleteShader(shader);
    glDeleteProgram(program);
}

static void ask_textures(void)
{
    GLint value = GL_LINEAR;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &value);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &value);
    printf("filter: %x\n", value);
    GLubyte image[16] = {1, 2, 3, 4};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
    glGetTextureImageEXT(texture, GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
    glGetMultiTexImageEXT(GL_TEXTURE0, GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
    printf("pixel: %d %d\n", image[0], image[3]);
    /* Not a pixel format: an error, and nothing is read. */
    glTexImage2D(GL_TEXTURE_2D, 1, GL_RGB, 4, 4, 0, ETC1_RGB8_OES, GL_UNSIGNED_BYTE, &value);
    printf("error: %x\n", glGetError());
    glDeleteTextures(1, &texture);
}

static void ask_fences(void)
{
    GLint value = 0;
    GLsizei length = 0;
    GLsync sync = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glGetSynciv(sync, GL_SYNC_CONDITION, 1, &length, &value);
    printf("condition: %x\n", value);
    glWaitSync(sync, 0, GL_TIMEOUT_IGNORED);
    glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000);
    glDeleteSync(sync);
}

static void ask_fixed_function(void)
{
    GLint mode = 0, attribute[4] = {0};
    GLfloat feedback[4] = {1, 2, 3, 4};
    GLuint selection[2] = {7, 8};
    GLubyte stipple[128];
    glGetIntegerv(GL_MATRIX_MODE, &mode);
    glVertexAttribI4i(3, 5, 6, 7, 8);
    glGetVertexAttribIiv(3, GL_CURRENT_VERTEX_ATTRIB, attribute);
    printf("mode: %x, attribute: %d\n", mode, attribute[3]);
    glFeedbackBuffer(4, GL_2D, feedback);
    glSelectBuffer(2, selection);
    glEnable(GL_CLIP_PLANE0);
    glDisable(GL_CLIP_PLANE0);
    memset(stipple, 0xff, sizeof stipple);
    glPolygonStipple(stipple);
}

static void pass_a_size_with_a_name(void)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glColorPointer(GL_BGRA, GL_UNSIGNED_BYTE, 0, NULL);
    glDeleteBuffers(1, &buffer);
}

static void ask_for_an_image_that_is_none(void)
{
    const GLint attributes[] = {GL_TEXTURE_WIDTH, 1, GL_NONE};
    typedef void (*target_function)(GLenum, void *, const GLint *);
    const GLubyte *name = (const GLubyte *)"glEGLImageTargetTexStorageEXT";
    target_function target = (target_function)glXGetProcAddressARB(name);
    if (target != NULL)
        target(GL_TEXTURE_2D, NULL, attributes);
    while (glGetError() != GL_NO_ERROR)
        continue;
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    ask_programs();
    ask_textures();
    ask_fences();
    ask_fixed_function();
    pass_a_size_with_a_name();
    ask_for_an_image_that_is_none();
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    puts("done");
    return 0;
}
