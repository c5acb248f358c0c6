/* SPDX-License-Identifier: MIT
 * A plugin that makes a call and then ends the process at once.
 */
#include <GL/gl.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((visibility("default"))) int plugin_exit(void);

int plugin_exit(void)
{
    printf("last words, error %d\n", (int)glGetError());
    fflush(stdout);
    execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
    _exit(1);
}
