/* SPDX-License-Identifier: MIT */
#include "call_nesting.h"

#include "program_memory.h"

#include "spec_ids.h"

#include <link.h>
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

/* A call within another one is further down the same stack, and all between them is in use. Where one was
 * left, what is called next is above its remains, or has written over them, or steps over them with variables
 * that it has not written yet: then it is not seen, unless the program's own code makes the call. */
bool call_is_within(const struct capture_thread *t, const struct capture_call *outer, const void *frame)
{
    size_t distance = (uintptr_t)outer - (uintptr_t)frame;
    return (uintptr_t)frame <= (uintptr_t)outer && distance <= STACK_REACH && !program_calls(frame) &&
           program_memory_extent(frame, distance + sizeof *outer) == distance + sizeof *outer &&
           is_intact(t, outer);
}
