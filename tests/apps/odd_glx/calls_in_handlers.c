/* SPDX-License-Identifier: MIT
 * A signal handler that makes GL calls, at each of the first instructions of another call. While these are
 * the recorder's, no record can be written: such calls are missing in the trace, which is said.
 *
 * count: 20 glNormal3b\(
 * expect: glColor3ub\(red = 1,
 * stderr: .*warning: app\.trace: [0-9]+ calls were lost: signal handlers made them
 * status: 1
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#ifdef __x86_64__
enum { CALLS = 20, TRAPS = 300 };

#define TRAP_FLAG 0x100

static volatile sig_atomic_t traps;

static void trapped(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (traps++ < TRAPS)
        glColor3ub(1, 2, 3);
    else
        ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void trap_each_instruction(void)
{
    __asm__ volatile(
        "lea -128(%%rsp), %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::"i"(
            TRAP_FLAG)
        : "memory", "cc");
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    /* Without a context, calls have no effect, so that a handler may make them at any time. */
    glXMakeCurrent(app.display, None, NULL);
    puts("calls");
    glColor3ub(3, 2, 1);
    glNormal3b(0, 0, 0);
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    for (int i = 1; i < CALLS; ++i) {
        traps = 0;
        trap_each_instruction();
        glNormal3b(1, 1, 1);
    }
    return 0;
}
#else
int main(void)
{
    fputs("one instruction cannot be executed at a time here\n", stderr);
    return APP_STATUS_NO_DISPLAY;
}
#endif
