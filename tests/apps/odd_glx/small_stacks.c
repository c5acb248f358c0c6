/* SPDX-License-Identifier: MIT
 * Threads with the smallest possible stack make calls, including the first calls of the process.
 *
 * count: 8 glColor4ub\(
 * count: 8 glVertexAttrib4Nub\(
 * count: 8 glLoadMatrixf\(
 * count: 8 glGetError\(
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

enum { STACK_MIN = 16384 }; /* PTHREAD_STACK_MIN is not a constant everywhere */

static void *make_calls(void *unused)
{
    static const GLfloat matrix[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    (void)unused;
    glColor4ub(1, 2, 3, 4);
    glVertexAttrib4Nub(0, 1, 2, 3, 4);
    glLoadMatrixf(matrix);
    glGetError();
    return NULL;
}

int main(void)
{
    pthread_attr_t smallest;
    pthread_attr_init(&smallest);
    if (pthread_attr_setstacksize(&smallest, STACK_MIN) != 0)
        return 99;
    for (int i = 0; i < 8; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, &smallest, make_calls, NULL) != 0)
            return 99;
        pthread_join(thread, NULL);
    }
    puts("done");
    return 0;
}
