/* SPDX-License-Identifier: MIT
 * The program has used up its file descriptors when it makes its first call, and later closes all but three.
 *
 * count: 20 glColor4ub\(
 */
#include <GL/gl.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LIMIT = 64 };

int main(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = LIMIT;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max <= LIMIT)
        return 99;
    int count = 0;
    while (open("/dev/null", O_RDONLY) >= 0)
        count++;
    for (int i = 0; i < 10; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    printf("%s\n", open("/dev/null", O_RDONLY) < 0 ? "none is left" : "some are left");
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("the limit is %d\n", (int)limit.rlim_cur);
    for (int fd = 3; fd < LIMIT; ++fd)
        close(fd);
    for (int i = 0; i < 10; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    printf("the next one is %d\n", open("/dev/null", O_RDONLY));
    return count > 0 ? 0 : 1;
}
