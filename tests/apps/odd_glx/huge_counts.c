/* SPDX-License-Identifier: MIT
 * Passes counts of millions, for readable memory, to calls that GL rejects. What is recorded must stay within
 * the limits of trace readers.
 *
 * expect: glUniform4fv\(location = 0, count = 4194304, value = \{0, 0, .*\}\)$
 * expect: glUniform2iv\(location = 0, count = 2147483647, value = \{0, 0, .*\}\)$
 * expect: glGetUniformIndices\(program = 77, uniformCount = 8388608, uniformNames = \{NULL, NULL, .*
 * expect: glBufferData\(target = 2989, size = 67108864, data = blob\(67108864\)
 * expect: glLineWidth\(width = 3\)
 * apitrace: no (it takes minutes for such arrays)
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
    const size_t size = (size_t)64 << 20;
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    char *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return 99;
    glUniform4fv(0, (GLsizei)(size / 16), (const GLfloat *)memory);
    glUniform2iv(0, 2147483647, (const GLint *)memory);
    glGetUniformIndices(77, (GLsizei)(size / 8), (const GLchar *const *)memory, (GLuint *)memory);
    glBufferData(0xbad, (GLsizeiptr)size, memory, GL_STATIC_DRAW);
    while (glGetError() != GL_NO_ERROR)
        continue;
    glLineWidth(3);
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
