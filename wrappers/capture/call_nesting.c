/* SPDX-License-Identifier: MIT */
#include "capture/call_nesting.h"

#include "capture/capture_thread.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

/* The greatest distance in bytes between a call and a call within it. */
#define STACK_REACH ((size_t)16 << 20)

#if defined __x86_64__ || defined __i386__
/* Returns true if this code belongs to the program's own file. */
static bool is_program_code(uintptr_t at)
{
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    size_t count = headers != NULL ? getauxval(AT_PHNUM) : 0;
    uintptr_t base = 0;
    for (size_t i = 0; i < count; ++i)
        if (headers[i].p_type == PT_PHDR)
            base = (uintptr_t)headers - headers[i].p_vaddr;
    for (size_t i = 0; i < count; ++i)
        if (headers[i].p_type == PT_LOAD && (headers[i].p_flags & PF_X) != 0 &&
            at - (base + headers[i].p_vaddr) < headers[i].p_memsz)
            return true;
    return false;
}

/* Returns true if this code returns from a signal handler. A handler whose last statement is a call may jump
 * to the called function, which then returns here. */
static bool is_signal_return(uintptr_t at)
{
#ifdef __x86_64__
    static const uint8_t codes[][9] = {
        {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}}; /* mov $15, %rax; syscall */
#else
    static const uint8_t codes[][7] = {
        {0xb8, 0xad, 0, 0, 0, 0xcd, 0x80},  /* mov $173, %eax; int $0x80 */
        {0x58, 0xb8, 0x77, 0, 0, 0, 0xcd}}; /* pop %eax; mov $119, %eax; int … */
#endif
    const size_t size = sizeof codes[0];
    if (program_memory_extent((const void *)at, size) != size)
        return false;
    for (unsigned i = 0; i < sizeof codes / size; ++i)
        if (memcmp((const void *)at, codes[i], size) == 0)
            return true;
    return false;
}

static bool program_calls(const void *frame)
{
    uintptr_t back = ((const uintptr_t *)frame)[-1]; /* the return address */
    return is_program_code(back) || is_signal_return(back);
}
#else
static bool program_calls(const void *frame) /* the return address was in a register */
{
    (void)frame;
    return false;
}
#endif

/* Returns true if outer's stack frame was not overwritten. */
static bool is_intact(const struct capture_thread *t, const struct capture_call *outer)
{
    uintptr_t offset = (uintptr_t)outer->function - (uintptr_t)spec_functions;
    return (outer->thread == t || outer->thread == NULL) && offset % sizeof spec_functions[0] == 0 &&
           offset / sizeof spec_functions[0] < SPEC_FUNCTION_COUNT;
}

/* Returns true if frame is further down outer's stack, and all memory in between is in use. */
static bool is_below(const struct capture_call *outer, const void *frame)
{
    size_t distance = (uintptr_t)outer - (uintptr_t)frame; /* a huge number if frame is above outer */
    return distance <= STACK_REACH && program_memory_extent(frame, distance) == distance;
}

/* Returns true if this runs on the alternate signal stack. */
static bool is_signal_stack(void)
{
    stack_t stack;
    return sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) != 0;
}

/* A call within another one is further down the same stack. After the outer call was left without returning
 * (by longjmp() or an exception), the next call is above its frame, or has overwritten its frame, or has
 * skipped its frame with variables that are not initialised yet. The last case is only detected if the
 * program's own code makes the call. A signal handler of the program may make calls while our own code runs;
 * those cannot be recorded, only counted. */
bool call_is_within(const struct capture_thread *t, const struct capture_call *outer, const void *frame)
{
    if (program_memory_extent(outer, sizeof *outer) != sizeof *outer || !is_intact(t, outer))
        return false;
    if (outer->thread == NULL && t->left_out != outer)
        return is_below(outer, frame) || is_signal_stack();
    return is_below(outer, frame) && !program_calls(frame);
}

bool call_is_interrupting(const struct capture_call *outer, const void *frame)
{
    return outer->thread == NULL && program_calls(frame);
}
