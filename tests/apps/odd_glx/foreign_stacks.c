/* SPDX-License-Identifier: MIT
 * Calls on stacks other than the thread's own: coroutines with 16 KB, and a signal handler with 8 KB, which
 * makes the very first call.
 *
 * count: 40 glColor4ub\(
 * count: 10 glColor4ub\(red = 3,
 * count: 1 glColor4i\(
 */
#include <GL/gl.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

enum { COROUTINES = 4, CALLS = 10, STACK = 16 << 10, SIGNAL_STACK = 8 << 10 };

static ucontext_t scheduler, coroutines[COROUTINES];

static void run_coroutine(int number)
{
    for (int i = 0; i < CALLS; ++i) {
        glColor4ub((GLubyte)number, (GLubyte)i, 0, 0);
        swapcontext(&coroutines[number], &scheduler);
    }
}

static void handle(int number)
{
    glColor4i(number, 0, 0, 0);
}

static void call_in_handler(void)
{
    static char memory[SIGNAL_STACK];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

int main(void)
{
    static char stacks[COROUTINES][STACK];
    call_in_handler();
    for (int i = 0; i < COROUTINES; ++i) {
        getcontext(&coroutines[i]);
        coroutines[i].uc_stack.ss_sp = stacks[i];
        coroutines[i].uc_stack.ss_size = STACK;
        coroutines[i].uc_link = &scheduler;
        makecontext(&coroutines[i], (void (*)(void))run_coroutine, 1, i);
    }
    for (int i = 0; i < CALLS; ++i)
        for (int j = 0; j < COROUTINES; ++j)
            swapcontext(&scheduler, &coroutines[j]);
    puts("done");
    return 0;
}
