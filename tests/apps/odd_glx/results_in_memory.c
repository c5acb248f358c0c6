/* SPDX-License-Identifier: MIT
 * Queries pixel maps, a stipple and uniform locations in ways for which apitrace's replay requires a certain
 * form of the trace.
 *
 * expect: glGetPixelMapfv\(map = GL_PIXEL_MAP_R_TO_R, values = blob\(16\)\)
 * expect: glGetPixelMapuiv\(map = GL_PIXEL_MAP_R_TO_R, values = blob\(16\)\)
 * expect: glGetPixelMapusv\(map = GL_PIXEL_MAP_R_TO_R, values = blob\(8\)\)
 * expect: glGetnPixelMapfv\(map = GL_PIXEL_MAP_R_TO_R, bufSize = 16, values = blob\(16\)\)
 * expect: glGetnPolygonStipple\(bufSize = 128, pattern = blob\(128\)\)
 * before: glGetProgramResourceName\(.*name = "second"\) // fake [0-9]+ glGetProgramResourceiv\(.* index = 1
 * count: 2 glGetProgramResourceName\(
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

static void ask_for_pixels(void)
{
    static const GLfloat map[] = {0, 0.25, 0.5, 1};
    GLfloat f[4];
    GLuint ui[4];
    GLushort us[4];
    GLubyte stipple[128] = {0}; /* some drivers do not write it */
    glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 4, map);
    glGetPixelMapfv(GL_PIXEL_MAP_R_TO_R, f);
    glGetPixelMapuiv(GL_PIXEL_MAP_R_TO_R, ui);
    glGetPixelMapusv(GL_PIXEL_MAP_R_TO_R, us);
    glGetnPixelMapfv(GL_PIXEL_MAP_R_TO_R, sizeof f, f);
    glGetnPolygonStipple(sizeof stipple, stipple);
    printf("%g %u %u %u\n", f[1], ui[3], us[3], stipple[0]);
}

static void ask_for_location(GLuint program, GLuint index)
{
    static const GLenum properties[] = {GL_TYPE, GL_LOCATION};
    GLint values[2] = {-7, -7};
    glGetProgramResourceiv(program, GL_UNIFORM, index, 2, properties, 2, NULL, values);
    printf("%x %d, error 0x%x\n", (unsigned)values[0], values[1], glGetError());
}

int main(void)
{
    static const char source[] = "uniform vec4 first, second; void main() { gl_Position = first + second; }";
    const char *string = source;
    struct app_glx app;
    GLint resources = 0;
    app_glx_open(&app, 32, 32);
    if (strcmp((const char *)glGetString(GL_VERSION), "4.5") < 0) {
        fprintf(stderr, "no OpenGL 4.5\n");
        return 99;
    }
    ask_for_pixels();
    GLuint program = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    glShaderSource(shader, 1, &string, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramInterfaceiv(program, GL_UNIFORM, GL_ACTIVE_RESOURCES, &resources);
    printf("%d resources\n", resources);
    ask_for_location(program, 0);
    ask_for_location(program, 1);
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
