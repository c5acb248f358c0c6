/* SPDX-License-Identifier: MIT
 * A seccomp filter kills the process at system calls that GL does not need: from before the first GL call on,
 * or from some time later. usage: filtered_calls early|late CALL…
 *
 * arguments: early memfd_create
 * arguments: early socket
 * arguments: early membarrier
 * arguments: early memfd_create ftruncate socket connect membarrier kill munlock fallocate
 * arguments: late memfd_create ftruncate socket connect membarrier kill munlock fallocate
 * count: 60 glColor4ub\(
 * count: 20 glColor4ub\(red = 2,
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { CALLS = 20, MAX_FILTERED = 16 };

static const struct {
    const char *name;
    unsigned number;
} known[] = {
    {"memfd_create", SYS_memfd_create}, {"ftruncate", SYS_ftruncate}, {"socket", SYS_socket},
    {"connect", SYS_connect},           {"kill", SYS_kill},           {"membarrier", SYS_membarrier},
    {"munlock", SYS_munlock},           {"fallocate", SYS_fallocate},
};

static unsigned number_of(const char *name)
{
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strcmp(known[i].name, name) == 0)
            return known[i].number;
    exit(1);
}

static int forbid(char **names, int count)
{
    struct sock_filter code[2 * MAX_FILTERED + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short n = 1;
    for (int i = 0; i < count; ++i) {
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number_of(names[i]), 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = n, .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static void *make_calls(void *number)
{
    for (int i = 0; i < CALLS; ++i)
        glColor4ub(*(GLubyte *)number, 0, 0, (GLubyte)i);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > MAX_FILTERED)
        return 1;
    int late = strcmp(argv[1], "late") == 0;
    static GLubyte numbers[] = {0, 1, 2};
    struct app_glx app;
    if (late)
        app_glx_open(&app, 32, 32);
    if (forbid(argv + 2, argc - 2) != 0)
        return APP_STATUS_NO_DISPLAY;
    pthread_t threads[2];
    make_calls(&numbers[0]);
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, make_calls, &numbers[i + 1]);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    if (late) {
        app_glx_present(&app, "frame", 0);
        app_glx_close(&app);
    }
    puts("done");
    return 0;
}
