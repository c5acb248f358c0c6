/* SPDX-License-Identifier: MIT */
#include "capture/call_nesting.h"

#include "capture/capture_thread.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <sys/auxv.h>

#define STACK_REACH ((size_t)16 << 20) /* bytes between a call and one within it, at most */

/* Is this code of the program's own file? */
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

static bool program_calls(const void *frame)
{
#ifdef __x86_64__
    return is_program_code(((const uintptr_t *)frame)[-1]); /* the return address */
#else
    (void)frame;
    return false;
#endif
}

/* Was outer's frame written over? */
static bool is_intact(const struct capture_thread *t, const struct capture_call *outer)
{
    uintptr_t offset = (uintptr_t)outer->function - (uintptr_t)spec_functions;
    return (outer->thread == t || outer->thread == NULL) && offset % sizeof spec_functions[0] == 0 &&
           offset / sizeof spec_functions[0] < SPEC_FUNCTION_COUNT;
}

/* Is frame further down outer's stack, with nothing between that is not in use? */
static bool is_below(const struct capture_call *outer, const void *frame)
{
    size_t distance = (uintptr_t)outer - (uintptr_t)frame; /* vast for a frame above */
    return distance <= STACK_REACH && program_memory_extent(frame, distance) == distance;
}

/* Does this run on the stack for signal handlers? */
static bool is_signal_stack(void)
{
    stack_t stack;
    return sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) != 0;
}

/* A call within another one is further down the same stack. Where one was left, what is called next is above
 * its remains, or has written over them, or steps over them with variables that it has not written yet: then
 * it is not seen, unless the program's own code makes the call. Within our own work a signal handler of the
 * program may call: nothing can be recorded there. */
bool call_is_within(const struct capture_thread *t, const struct capture_call *outer, const void *frame)
{
    if (program_memory_extent(outer, sizeof *outer) != sizeof *outer || !is_intact(t, outer))
        return false;
    if (outer->thread == NULL)
        return is_below(outer, frame) || is_signal_stack();
    return is_below(outer, frame) && !program_calls(frame);
}
