/* SPDX-License-Identifier: MIT
 * Calls glLineWidth(N) from known functions, and prints "N: FUNCTION…" for each, innermost first: what a
 * backtrace of the call begins with; ... stands for any. What the C library's backtrace() finds there is
 * printed, too. usage: gl_stacks DIRECTORY, which has the plugins
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define NOT_INLINE __attribute__((noinline, noclone))
#define KEEP()     __asm__ volatile("" ::: "memory") /* no call before it is a tail call */
#define USE(room)  __asm__ volatile("" : : "r"(room) : "memory")

enum { STACK = 64 << 10, FRAMES = 16 };

NOT_INLINE static void print_own_backtrace(void)
{
    void *addresses[FRAMES];
    int count = backtrace(addresses, FRAMES);
    for (int i = 2; i < count; ++i) {
        Dl_info info;
        if (dladdr(addresses[i], &info) == 0)
            printf(" ?");
        else
            printf(" %s+%#lx", basename(strdup(info.dli_fname)),
                   (unsigned long)((char *)addresses[i] - (char *)info.dli_fbase));
    }
    printf("\n");
}

static inline __attribute__((always_inline)) void set_width(float width)
{
    glLineWidth(width);
}

NOT_INLINE static void draw(float width)
{
    set_width(width);
    print_own_backtrace();
    fflush(stdout);
}

NOT_INLINE static void outer_function(float width)
{
    draw(width);
    KEEP();
}

NOT_INLINE static void recurse(int levels, float width)
{
    if (levels > 0)
        recurse(levels - 1, width);
    else
        draw(width);
    KEEP();
}

static void *run_thread(void *unused)
{
    (void)unused;
    puts("3: set_width draw outer_function run_thread");
    outer_function(3);
    return NULL;
}

NOT_INLINE static void in_small_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_create(&thread, &attributes, run_thread, NULL);
    pthread_join(thread, NULL);
}

static void on_signal(int number)
{
    outer_function((float)(number == SIGUSR1 ? 4 : 5));
}

NOT_INLINE static void raises_signal(int number)
{
    raise(number);
    KEEP();
}

NOT_INLINE static void in_signal_handlers(void)
{
    static char room[STACK];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = on_signal};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR2, &action, NULL);
    puts("4: set_width draw outer_function on_signal ... raises_signal in_signal_handlers");
    raises_signal(SIGUSR1);
    puts("5: set_width draw outer_function on_signal ... raises_signal in_signal_handlers");
    raises_signal(SIGUSR2);
}

static jmp_buf back;
static void (*volatile jump)(jmp_buf, int) = longjmp;

NOT_INLINE static void jumps(int levels)
{
    if (levels > 0)
        jumps(levels - 1);
    else
        jump(back, 1);
    KEEP();
}

NOT_INLINE static void after_a_jump(void)
{
    if (setjmp(back) == 0)
        jumps(5);
    puts("6: set_width draw outer_function after_a_jump main");
    outer_function(6);
    KEEP();
}

static ucontext_t outside, inside;

static void run_coroutine(void)
{
    puts("7: set_width draw outer_function run_coroutine");
    outer_function(7);
}

NOT_INLINE static void in_coroutine(void)
{
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = STACK;
    inside.uc_link = &outside;
    makecontext(&inside, run_coroutine, 0);
    swapcontext(&outside, &inside);
    munmap(stack, STACK);
}

NOT_INLINE static void with_odd_frames(size_t size)
{
    _Alignas(128) char aligned[512];
    char *room = alloca(size);
    USE(aligned);
    USE(room);
    puts("8: set_width draw outer_function with_odd_frames main");
    outer_function(8);
    USE(room);
}

NOT_INLINE static void in_library(const char *path, float width)
{
    void (*run)(void (*)(float), float);
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL)
        exit(1);
    *(void **)&run = dlsym(library, "run");
    run(draw, width);
    dlclose(library);
}

NOT_INLINE static void in_libraries(const char *directory)
{
    char path[PATH_MAX];
    puts("9: set_width draw first_inner run in_library in_libraries main");
    snprintf(path, sizeof path, "%s/plugin_stacks_one.so", directory);
    in_library(path, 9);
    puts("10: set_width draw other_inner run in_library in_libraries main");
    snprintf(path, sizeof path, "%s/plugin_stacks_two.so", directory);
    in_library(path, 10);
    KEEP();
}

/* After the parent's glEnd(), so that no child inherits buffered output. */
NOT_INLINE static void in_child(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        puts("11: set_width draw outer_function in_child main");
        outer_function(11);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    struct app_glx app;
    if (argc != 2)
        return 2;
    app_glx_open(&app, 32, 32);
    puts("1: set_width draw outer_function main");
    outer_function(1);
    puts("2: set_width draw recurse recurse recurse recurse recurse recurse recurse recurse");
    recurse(30, 2);
    in_small_thread();
    in_signal_handlers();
    after_a_jump();
    in_coroutine();
    with_odd_frames(77);
    in_libraries(argv[1]);
    in_child();
    for (int i = 0; i < 3; ++i) { /* the stack is known by now */
        puts("12: set_width draw outer_function main");
        outer_function(12);
    }
    app_glx_present(&app, "frame", 0);
    app_glx_close(&app);
    return 0;
}
