/* SPDX-License-Identifier: MIT
 * The program makes its first call where the recorder's directory is not visible: in another root, or with
 * its own /tmp.
 *
 * arguments: root
 * arguments: mount
 * count: 10 glColor4ub\(
 */
#include <GL/gl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static int hide(const char *how)
{
    if (strcmp(how, "root") == 0)
        return chroot("/usr/share") != 0 || chdir("/") != 0;
    return unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
           mount("none", "/tmp", "tmpfs", 0, NULL) != 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    if (hide(argv[1]) != 0) {
        fprintf(stderr, "only root may do this\n");
        return 99;
    }
    for (int i = 0; i < 10; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    puts("done");
    return 0;
}
