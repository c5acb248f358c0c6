/* SPDX-License-Identifier: MIT
 * Passes unreadable lists and impossible counts to calls that GL rejects for another reason.
 *
 * expect: glTransformFeedbackVaryings\(program = 77, count = 2147483647, varyings = \{\}
 * expect: glGetUniformIndices\(program = 77, uniformCount = 1073741824, uniformNames = \{\}
 * expect: glCreateShaderProgramv\(type = 2989, count = 1000000000, strings = \{\}\) = 0
 * expect: glShaderBinary\(count = -1, shaders = \{\}
 * expect: glProgramBinary\(program = 77, .* length = 1073741824\)
 * expect: glInvalidateFramebuffer\(target = 2989, numAttachments = 1073741824, attachments = \{\}
 * expect: glDebugMessageControl\(.* count = 2147483647, ids = \{\}
 * expect: glBindBuffersRange\(.* count = 2147483647, buffers = \{\}, offsets = \{\}, sizes = \{\}
 * expect: glClearBufferfv\(buffer = 2989, drawbuffer = 0, value =
 * expect: glMultiDrawArrays\(mode = 2989, first = \{\}, count = \{\}, drawcount = 2147483647
 * expect: glMultiDrawElements\(mode = 2989, .* indices = \{0x[0-9a-f]+, NULL, blob\(12\)\}, drawcount = 3
 * expect: glShaderSource\(.* string = \{"//0", NULL, "//2", NULL, NULL\}, length = NULL
 * expect: glShaderSource\(.* string = \{"//0", NULL, NULL\}, length = \{3, 0, 0\}
 * expect: glShaderSource\(.* string = &"//34", length = &2147483647\)
 * count: 1 glXSwapBuffers\(
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
    printf("%s: 0x%04x\n", what, glGetError());
    while (glGetError() != GL_NO_ERROR)
        continue;
}

static void reject_programs(void)
{
    glTransformFeedbackVaryings(77, 2147483647, nowhere, GL_SEPARATE_ATTRIBS);
    say("glTransformFeedbackVaryings");
    glGetUniformIndices(77, 1 << 30, nowhere, nowhere);
    say("glGetUniformIndices");
    glGetActiveUniformsiv(77, 1 << 30, nowhere, GL_UNIFORM_TYPE, nowhere);
    say("glGetActiveUniformsiv");
    printf("%u\n", glCreateShaderProgramv(0xbad, 1000000000, nowhere));
    say("glCreateShaderProgramv");
    glShaderBinary(-1, nowhere, 0xbad, nowhere, 1 << 30);
    say("glShaderBinary");
    glProgramBinary(77, 0xbad, nowhere, 1 << 30);
    say("glProgramBinary");
    glGetAttachedShaders(77, 1 << 30, nowhere, nowhere);
    say("glGetAttachedShaders");
    glGetProgramResourceiv(77, GL_UNIFORM, 0, 1 << 30, nowhere, 1 << 30, nowhere, nowhere);
    say("glGetProgramResourceiv");
    glGetActiveUniform(77, 0, 1 << 30, nowhere, nowhere, nowhere, nowhere);
    say("glGetActiveUniform");
    glUniformSubroutinesuiv(0xbad, 1 << 30, nowhere);
    say("glUniformSubroutinesuiv");
    glProgramUniformMatrix4fv(77, 0, 1 << 30, GL_FALSE, nowhere);
    say("glProgramUniformMatrix4fv");
}

static void reject_objects(void)
{
    glInvalidateFramebuffer(0xbad, 1 << 30, nowhere);
    say("glInvalidateFramebuffer");
    glDebugMessageControl(0xbad, GL_DONT_CARE, GL_DONT_CARE, 2147483647, nowhere, GL_TRUE);
    say("glDebugMessageControl");
    glBindBuffersRange(GL_UNIFORM_BUFFER, 1 << 20, 2147483647, nowhere, nowhere, nowhere);
    say("glBindBuffersRange");
    glBindTextures(1 << 20, 2147483647, nowhere);
    say("glBindTextures");
    glClearBufferfv(0xbad, 0, nowhere);
    say("glClearBufferfv");
    glGenTextures(-1, nowhere);
    say("glGenTextures");
    glSamplerParameterfv(77, 0xbad, nowhere);
    say("glSamplerParameterfv");
    glTexParameterfv(GL_TEXTURE_2D, 0xbad, nowhere);
    say("glTexParameterfv");
    glViewportArrayv(1 << 20, 1 << 30, nowhere);
    say("glViewportArrayv");
    glMap1f(0xbad, 0, 1, 1 << 20, 1 << 20, nowhere);
    say("glMap1f");
    glGetMapfv(0xbad, 0xbad, nowhere);
    say("glGetMapfv");
    glPrioritizeTextures(-1, nowhere, nowhere);
    say("glPrioritizeTextures");
    glSeparableFilter2D(0xbad, GL_RGBA, 1 << 20, 1 << 20, GL_RGBA, GL_FLOAT, nowhere, nowhere);
    say("glSeparableFilter2D");
}

static void reject_draws(void)
{
    glMultiDrawArrays(0xbad, nowhere, nowhere, 2147483647);
    say("glMultiDrawArrays");
    static const GLuint good[3] = {0, 1, 2};
    static const GLsizei counts[3] = {3, 3, 3};
    const void *indices[3] = {nowhere, NULL, good};
    glMultiDrawElements(0xbad, counts, GL_UNSIGNED_INT, indices, 3);
    say("glMultiDrawElements with lists at nothing");
    glDrawRangeElements(0xbad, 0, 1 << 30, 1 << 30, GL_UNSIGNED_INT, nowhere);
    say("glDrawRangeElements");
    glDrawElements(GL_TRIANGLES, -1, GL_UNSIGNED_INT, nowhere);
    say("glDrawElements");
}

/* Lists that are cut by the end of their memory. */
static void cut_lists(void)
{
    const char **strings = guarded_room(3 * sizeof *strings);
    strings[0] = "//0";
    strings[1] = nowhere;
    strings[2] = "//2";
    glShaderSource(77, 5, strings, NULL);
    say("glShaderSource of five strings");
    GLint *lengths = guarded_room(sizeof *lengths);
    lengths[0] = 3;
    glShaderSource(77, 3, strings, lengths);
    say("glShaderSource of one length");
    char *string = guarded_room(4);
    const GLchar *long_string = memcpy(string, "//34", 4);
    const GLint length = 2147483647;
    glShaderSource(77, 1, &long_string, &length);
    say("glShaderSource of a long string");
}

int main(void)
{
    struct app_glx app;
    nowhere = guarded_behind();
    app_glx_open(&app, 32, 32);
    reject_programs();
    reject_objects();
    reject_draws();
    cut_lists();
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
