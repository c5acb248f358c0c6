/* SPDX-License-Identifier: MIT
 * Calls from stacks that lead nowhere: 100,000 calls deep, with a damaged frame, on stacks that end at a page
 * that cannot be read, and in a signal handler on a stack of 16 KB.
 *
 * count: 6 glLineWidth\(
 * stacks: glLineWidth\(
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#define NOT_INLINE __attribute__((noinline, noclone))
#define KEEP()     __asm__ volatile("" ::: "memory") /* no call before it is a tail call */

enum { LEVELS = 100000, STACK = 64 << 10, GUARD = 64 << 10, SMALL = 16 << 10 };

NOT_INLINE static void recurse(int levels, float width)
{
    if (levels > 0)
        recurse(levels - 1, width);
    else
        glLineWidth(width);
    KEEP();
}

static void *run_thread(void *unused)
{
    recurse(LEVELS, 1);
    recurse(LEVELS / 2, 2);
    return unused;
}

static void in_deep_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)256 << 20);
    pthread_create(&thread, &attributes, run_thread, NULL);
    pthread_join(thread, NULL);
}

/* The saved frame pointer refers to itself, then to nothing, and so does the return address. */
NOT_INLINE static void with_damaged_frame(float width, int itself)
{
    volatile uintptr_t *frame = __builtin_frame_address(0);
    const uintptr_t saved[] = {frame[0], frame[1]};
    frame[0] = itself ? (uintptr_t)frame : 0x1234;
    frame[1] = itself ? saved[1] : 0xdeadbeef;
    glLineWidth(width);
    frame[0] = saved[0];
    frame[1] = saved[1];
    KEEP();
}

static ucontext_t outside, inside;

static void run_coroutine(void)
{
    glLineWidth(5);
}

/* The last word of the stack belongs to the function that starts there. */
static void at_a_guard(void)
{
    char *room = mmap(NULL, STACK + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(room + GUARD, STACK, PROT_READ | PROT_WRITE);
    getcontext(&inside);
    inside.uc_stack.ss_sp = room + GUARD;
    inside.uc_stack.ss_size = STACK;
    inside.uc_link = &outside;
    makecontext(&inside, run_coroutine, 0);
    swapcontext(&outside, &inside);
    munmap(room, STACK + 2 * GUARD);
}

static void on_signal(int number)
{
    (void)number;
    glLineWidth(6);
}

static void in_small_handler(void)
{
    static char room[SMALL];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

int main(void)
{
    struct app_glx app;
    app_glx_open(&app, 32, 32);
    in_deep_thread();
    with_damaged_frame(3, 0);
    with_damaged_frame(4, 1);
    at_a_guard();
    in_small_handler();
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    puts("done");
    return 0;
}
