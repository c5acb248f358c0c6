/* SPDX-License-Identifier: MIT
 * Reads several messages of the debug log at once, with and without their lengths, and asks for more than
 * there are.
 * expect: glGetDebugMessageLog\(count = 2, .*ids = \{1, 2\}, severities = \{[A-Z_]+, [A-Z_]+\}, lengths = \{6, 7\}, messageLog = "first"\) = 2
 * utf8: glGetDebugMessageLog\(count = 2, .*messageLog = "first.+second"\) = 2
 * utf8: glGetDebugMessageLogKHR\(count = 8, .*ids = \{3, 4\}, .*lengths = NULL, messageLog = "third.+fourth"\) = 2
 * expect: glGetDebugMessageLog\(count = 4, .*ids = \{\}, .*messageLog = ""\) = 0
 * expect: glGetNamedProgramStringEXT\(.* pname = GL_PROGRAM_STRING_ARB, string = "!!ARBvp1.0
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/glext.h>
#include <stdio.h>
#include <string.h>

static void insert(GLuint id, const char *text)
{
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, id,
                         GL_DEBUG_SEVERITY_NOTIFICATION, -1, text);
}

static void read_log(void)
{
    GLenum sources[8] = {0}, types[8] = {0}, severities[8] = {0};
    GLuint ids[8] = {0};
    GLsizei lengths[8] = {0};
    char log[100] = "";
    PFNGLGETDEBUGMESSAGELOGPROC get =
        (PFNGLGETDEBUGMESSAGELOGPROC)glXGetProcAddress((const GLubyte *)"glGetDebugMessageLogKHR");
    glGetDebugMessageLog(2, sizeof log, sources, types, ids, severities, lengths, log);
    printf("%u %u %d %d %s %s\n", ids[0], ids[1], lengths[0], lengths[1], log, log + lengths[0]);
    printf("%u\n", get(8, sizeof log, sources, types, ids, severities, NULL, log));
    printf("%u %u %s %s\n", ids[0], ids[1], log, log + strlen(log) + 1);
    strcpy(log, "as before");
    printf("%u %s\n", glGetDebugMessageLog(4, sizeof log, sources, types, ids, severities, lengths, log),
           log);
}

static void ask_named_program(void)
{
    static const char text[] = "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n";
    char answer[sizeof text] = "";
    GLuint program;
    glGenProgramsARB(1, &program);
    glNamedProgramStringEXT(program, GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof text - 1,
                            text);
    glGetNamedProgramStringEXT(program, GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_STRING_ARB, answer);
    printf("%d %#x\n", strcmp(text, answer), glGetError());
    glGetNamedProgramStringEXT(program, GL_VERTEX_PROGRAM_ARB, 0x1234, answer);
    printf("%#x %#x\n", glGetError(), glGetError());
    glDeleteProgramsARB(1, &program);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 16, 16);
    glEnable(GL_DEBUG_OUTPUT);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_FALSE);
    glDebugMessageControl(GL_DEBUG_SOURCE_APPLICATION, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
    insert(1, "first");
    insert(2, "second");
    insert(3, "third");
    insert(4, "fourth");
    read_log();
    ask_named_program();
    app_glx_close(&app);
    return 0;
}
