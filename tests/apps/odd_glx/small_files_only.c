/* SPDX-License-Identifier: MIT
 * The program must not write files above 4 KB (ulimit -f). This limit also applies to what it shares with the
 * recorder.
 *
 * count: 20 glColor4ub\(
 */
#include <GL/gl.h>
#include <stdio.h>
#include <sys/resource.h>

int main(void)
{
    const struct rlimit limit = {4096, 4096};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 99;
    for (int i = 0; i < 20; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    puts("done");
    return 0;
}
