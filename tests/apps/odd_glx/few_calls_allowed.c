/* SPDX-License-Identifier: MIT
 * After GL has started, a filter only allows the system calls that threads and memory need.
 *
 * count: 210 glColor4ub\(
 */
#include <GL/gl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 20, CALLS = 10 };

static const unsigned allowed[] = {
    SYS_mmap,        SYS_munmap,         SYS_mprotect,        SYS_mremap,       SYS_madvise, SYS_brk,
    SYS_clone,       SYS_clone3,         SYS_futex,           SYS_rseq,         SYS_exit,    SYS_exit_group,
    SYS_write,       SYS_getuid,         SYS_rt_sigaction,    SYS_rt_sigreturn, SYS_gettid,  SYS_getpid,
    SYS_sched_yield, SYS_newfstatat,     SYS_close,           SYS_fstat,        SYS_tgkill,  SYS_read,
    SYS_lseek,       SYS_rt_sigprocmask, SYS_set_robust_list,
};
#define ALLOWED (sizeof allowed / sizeof allowed[0])

static int forbid_others(void)
{
    struct sock_filter code[2 * ALLOWED + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short n = 1;
    for (unsigned i = 0; i < ALLOWED; ++i) {
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    struct sock_fprog program = {.len = n, .filter = code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static void *make_calls(void *unused)
{
    (void)unused;
    for (int i = 0; i < CALLS; ++i)
        glColor4ub((GLubyte)i, 0, 0, 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    make_calls(NULL);
    if (forbid_others() != 0)
        return 99;
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, make_calls, NULL);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
