/* SPDX-License-Identifier: MIT
 * Twenty processes under a filter start to use GL at the same time, four times. Each has a trace; this one is
 * the parent's.
 *
 * count: 2 glColor4ub\(
 * lacks: red = 1
 */
#include <GL/gl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 4, CHILDREN = 20 };

static int forbid_memory_files(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

int main(void)
{
    if (forbid_memory_files() != 0)
        return 99;
    glColor4ub(0, 0, 0, 0);
    int status, failed = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < CHILDREN; ++i) {
            if (fork() == 0) {
                glColor4ub(1, (GLubyte)i, 0, 0);
                _exit(0);
            }
        }
        while (wait(&status) > 0)
            failed += status != 0;
    }
    glColor4ub(2, 0, 0, 0);
    printf("%d children failed\n", failed);
    return 0;
}
