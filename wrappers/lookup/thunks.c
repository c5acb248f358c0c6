/* SPDX-License-Identifier: MIT
 * A stub has only one real function. If a program has two libraries with the same function (such as the
 * system's libGL and one of its own), or one library in two namespaces, it gets a thunk for the second
 * function. The thunk stores the real function where capture_real() finds it, and jumps to the stub.
 */
#include "lookup/thunks.h"

#include "lookup/elf_objects.h"

#include <stdatomic.h>

_Thread_local capture_function thunk_real __attribute__((tls_model("initial-exec")));

#if defined __x86_64__ || defined __i386__
#define THUNK_COUNT 4096
#define TEXT_OF(x)  #x
#define TEXT(x)     TEXT_OF(x)

struct thunk_slot {
    void (*stub)(void);
    capture_function real;
};

__attribute__((visibility("hidden"))) struct thunk_slot thunk_slots[THUNK_COUNT];
__attribute__((visibility("hidden"))) extern const char thunk_code[];
static _Atomic uint32_t slots_used;
static _Atomic bool slots_free[THUNK_COUNT]; /* slots that were in use and can be reused */

#if defined __x86_64__
/* %r10 and %r11 are the only registers that neither need to be preserved nor contain an argument. */
__asm__(".text\n"
        ".balign 16\n"
        ".hidden thunk_code\n"
        ".globl thunk_code\n"
        "thunk_code:\n"
        ".set slot, 0\n"
        ".rept " TEXT(THUNK_COUNT) "\n"
                                   "    endbr64\n"
                                   "    lea thunk_slots + 16 * slot(%rip), %r11\n"
                                   "    jmp thunk_common\n"
                                   "    .balign 16\n"
                                   "    .set slot, slot + 1\n"
                                   ".endr\n"
                                   "thunk_common:\n"
                                   "    mov thunk_real@gottpoff(%rip), %r10\n"
                                   "    push 8(%r11)\n"
                                   "    pop %fs:(%r10)\n"
                                   "    jmp *(%r11)\n");
#else
/* All arguments are on the stack, so three registers are free. */
__asm__(".text\n"
        ".balign 16\n"
        ".hidden thunk_code\n"
        ".globl thunk_code\n"
        "thunk_code:\n"
        ".set slot, 0\n"
        ".rept " TEXT(THUNK_COUNT) "\n"
                                   "    endbr32\n"
                                   "    mov $slot, %eax\n"
                                   "    jmp thunk_common\n"
                                   "    .balign 16\n"
                                   "    .set slot, slot + 1\n"
                                   ".endr\n"
                                   "thunk_common:\n"
                                   "    call thunk_place\n"
                                   "    add $_GLOBAL_OFFSET_TABLE_, %ecx\n"
                                   "    lea thunk_slots@GOTOFF(%ecx, %eax, 8), %eax\n"
                                   "    mov 4(%eax), %edx\n"
                                   "    mov thunk_real@gotntpoff(%ecx), %ecx\n"
                                   "    mov %edx, %gs:(%ecx)\n"
                                   "    jmp *(%eax)\n"
                                   "thunk_place:\n"
                                   "    mov (%esp), %ecx\n"
                                   "    ret\n");
#endif

/* Returns a free slot, or THUNK_COUNT if there is none. A thunk whose real function was in a library that has
 * been unloaded is free, since the program cannot use it any more. */
static uint32_t take_slot(void)
{
    uint32_t used = atomic_load(&slots_used);
    for (uint32_t i = 0; i < used && i < THUNK_COUNT; ++i) {
        bool unused = true;
        if (atomic_compare_exchange_strong(&slots_free[i], &unused, false))
            return i;
    }
    uint32_t slot = used < THUNK_COUNT ? atomic_fetch_add(&slots_used, 1) : THUNK_COUNT;
    return slot < THUNK_COUNT ? slot : THUNK_COUNT;
}

void *thunk_make(uint32_t id, capture_function real)
{
    uint32_t used = atomic_load(&slots_used);
    for (uint32_t i = 0; i < used && i < THUNK_COUNT; ++i)
        if (thunk_slots[i].real == real && thunk_slots[i].stub == capture_stubs[id])
            return (void *)(thunk_code + 16 * i);
    uint32_t slot = take_slot();
    if (slot == THUNK_COUNT)
        return NULL;
    thunk_slots[slot] = (struct thunk_slot){capture_stubs[id], real};
    return (void *)(thunk_code + 16 * slot);
}

void thunks_forget_unloaded(void)
{
    struct elf_object object;
    uint32_t used = atomic_load(&slots_used);
    for (uint32_t i = 0; i < used && i < THUNK_COUNT; ++i) {
        capture_function real = thunk_slots[i].real;
        if (real == NULL || elf_object_at(*(void **)&real, &object))
            continue;
        thunk_slots[i].real = NULL;
        atomic_store(&slots_free[i], true);
    }
}

bool thunk_is(const void *address)
{
    const char *at = address;
    return at >= thunk_code && at < thunk_code + 16 * THUNK_COUNT;
}
#else
bool thunk_is(const void *address)
{
    (void)address;
    return false;
}

void thunks_forget_unloaded(void)
{
}

void *thunk_make(uint32_t id, capture_function real)
{
    (void)id;
    (void)real;
    return NULL;
}
#endif
