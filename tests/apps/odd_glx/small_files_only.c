/* SPDX-License-Identifier: MIT
 * The program may write no file of more than 4 KB (ulimit -f), which goes for what it shares with the
 * recorder, too.
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
