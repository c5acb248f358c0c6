/* SPDX-License-Identifier: MIT */
#include "memory/own_stack.h"

#include "memory/unlocked_memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#define STACK_SIZE ((size_t)256 << 10) /* in bytes; loading a driver's libraries takes some ten KB */
#define GUARD_SIZE ((size_t)64 << 10)  /* a multiple of every page size */

/* Calls work(argument) with the stack pointer set to top. Unwinders can pass it. */
void call_on_stack(void (*work)(void *argument), void *argument, void *top);

#if defined(__x86_64__)
__asm__(".text\n"
        ".hidden call_on_stack\n"
        ".globl call_on_stack\n"
        ".type call_on_stack, @function\n"
        "call_on_stack:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    push %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    mov %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    mov %rdx, %rsp\n"
        "    mov %rdi, %rax\n"
        "    mov %rsi, %rdi\n"
        "    call *%rax\n"
        "    mov %rbp, %rsp\n"
        "    pop %rbp\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size call_on_stack, .-call_on_stack\n");
#elif defined(__i386__)
__asm__(".text\n"
        ".hidden call_on_stack\n"
        ".globl call_on_stack\n"
        ".type call_on_stack, @function\n"
        "call_on_stack:\n"
        "    .cfi_startproc\n"
        "    endbr32\n"
        "    push %ebp\n"
        "    .cfi_def_cfa_offset 8\n"
        "    .cfi_offset %ebp, -8\n"
        "    mov %esp, %ebp\n"
        "    .cfi_def_cfa_register %ebp\n"
        "    mov 8(%ebp), %eax\n"
        "    mov 12(%ebp), %ecx\n"
        "    mov 16(%ebp), %esp\n"
        "    sub $12, %esp\n" /* with the argument a multiple of 16 */
        "    push %ecx\n"
        "    call *%eax\n"
        "    mov %ebp, %esp\n"
        "    pop %ebp\n"
        "    .cfi_def_cfa %esp, 4\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size call_on_stack, .-call_on_stack\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".hidden call_on_stack\n"
        ".globl call_on_stack\n"
        ".type call_on_stack, %function\n"
        "call_on_stack:\n"
        "    .cfi_startproc\n"
        "    stp x29, x30, [sp, #-16]!\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset x29, -16\n"
        "    .cfi_offset x30, -8\n"
        "    mov x29, sp\n"
        "    .cfi_def_cfa_register x29\n"
        "    mov sp, x2\n"
        "    mov x9, x0\n"
        "    mov x0, x1\n"
        "    blr x9\n"
        "    mov sp, x29\n"
        "    ldp x29, x30, [sp], #16\n"
        "    .cfi_def_cfa sp, 0\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size call_on_stack, .-call_on_stack\n");
#else
void call_on_stack(void (*work)(void *argument), void *argument, void *top)
{
    (void)top;
    work(argument);
}
#endif

static char *map_stack(void)
{
    char *p =
        map_unlocked(GUARD_SIZE + STACK_SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p != NULL)
        mprotect(p, GUARD_SIZE, PROT_NONE);
    return p;
}

/* Selects all signals that may have a handler, except those that the work itself may raise. Signals that kill
 * the process must still do so while the work waits. */
static void choose_signals(sigset_t *set)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM};
    sigfillset(set);
    for (unsigned i = 0; i < sizeof own / sizeof own[0]; ++i)
        sigdelset(set, own[i]);
    for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; ++i) {
        struct sigaction action;
        if (sigaction(deadly[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            sigdelset(set, deadly[i]);
    }
}

static atomic_bool is_filtered;

void own_stack_expect_filter(void)
{
    atomic_store(&is_filtered, true);
}

bool own_stack_blocks_signals(void)
{
    return !atomic_load(&is_filtered);
}

void quiet_begin(struct quiet *q)
{
    q->error = errno;
    q->has_signals = own_stack_blocks_signals();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &q->cancel);
    if (q->has_signals) {
        sigset_t handled;
        choose_signals(&handled);
        pthread_sigmask(SIG_BLOCK, &handled, &q->signals);
    }
}

void quiet_end(const struct quiet *q)
{
    int ignored;
    if (q->has_signals)
        pthread_sigmask(SIG_SETMASK, &q->signals, NULL);
    pthread_setcancelstate(q->cancel, &ignored);
    errno = q->error;
}

void run_on_own_stack(void (*work)(void *argument), void *argument)
{
    struct quiet quiet;
    quiet_begin(&quiet);
    char *stack = map_stack();
    if (stack != NULL) {
        call_on_stack(work, argument, stack + GUARD_SIZE + STACK_SIZE);
        munmap(stack, GUARD_SIZE + STACK_SIZE);
    } else {
        work(argument);
    }
    quiet_end(&quiet);
}
