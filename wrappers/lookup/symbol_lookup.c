/* SPDX-License-Identifier: MIT
 * dlsym() and dlvsym() of the traced program: lookups of GL, GLX and EGL functions return the stubs. The
 * exported functions consist of a few instructions, which call capture_dlsym() and otherwise jump to the real
 * function. The real function then sees the program's return address, which RTLD_NEXT depends on.
 */
#include "lookup/elf_objects.h"
#include "lookup/gl_libraries.h"
#include "lookup/real_dlsym.h"
#include "lookup/rebinding.h"
#include "lookup/recorded_functions.h"
#include "lookup/stubs.h"

#include <dlfcn.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Tells the exported functions that the symbol does not exist. NULL tells them to call the real function. */
#define NO_SYMBOL ((void *)-1)

/* Code of the program sees the global scope. Code of a library also sees the libraries that were loaded with
 * it, which are unknown here, so all loaded libraries are searched. */
static void *find_in_scope(const struct spec_function *f, const struct elf_object *by)
{
    void *next = real_dlsym(RTLD_NEXT, spec_string(f->name));
    return next != NULL || by->name == NULL || by->name[0] == '\0'
               ? next
               : elf_next_function(spec_string(f->name), &capture_real_dlsym);
}

/* The lookup searches scopes that contain our stubs, whether or not they contain libraries with the
 * functions. */
static void *look_up_in_scope(const struct spec_function *f, const struct elf_object *by)
{
    void *next = find_in_scope(f, by);
    struct elf_object object;
    if (next == NULL)
        return NO_SYMBOL;
    if (elf_object_at(next, &object) && !elf_object_has_function(&object, spec_string(f->name)))
        return next; /* a variable of that name */
    return recorded_function_wrap(f, next);
}

static bool is_program(const void *address)
{
    struct elf_object object;
    return elf_object_at(address, &object) && object.name[0] == '\0';
}

static bool is_variable(const void *address, const char *name)
{
    struct elf_object object;
    const ElfW(Sym) *symbol = elf_object_at(address, &object) ? elf_object_symbol(&object, name) : NULL;
    return symbol != NULL && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
}

/* Returns what a lookup of name by code at caller should give. result: what the real function returns for a
 * handle. */
static void *choose(const struct spec_function *f, void *handle, void *result, const void *caller)
{
    struct elf_object by;
    if (elf_object_at(caller, &by) && gl_libraries_have(&by, spec_string(f->name)))
        return NULL;
    if (handle == RTLD_NEXT || result == recorded_function_stub(f))
        return look_up_in_scope(f, &by);
    if (result == NULL || handle == RTLD_DEFAULT || is_program(result) ||
        is_variable(result, spec_string(f->name)))
        return NULL;
    return recorded_function_wrap(f, result);
}

/* A lookup of dlsym() or dlvsym() themselves, which could be used to bypass the stubs. The caller is usually
 * another preloaded library that needs the next function in preload order. */
static void *choose_lookup(const char *name, void *handle, const char *version, const void *caller)
{
    bool plain = strcmp(name, "dlsym") == 0;
    void *own = plain ? (void *)dlsym : (void *)dlvsym;
    struct elf_object by;
    bool stands_in = elf_object_at(caller, &by) && elf_object_has_function(&by, name);
    if (handle == RTLD_NEXT)
        return stands_in && !elf_precedes(caller, &capture_real_dlsym) ? NULL : own;
    if (stands_in)
        return NULL;
    void *result = version != NULL ? capture_real_dlvsym(handle, name, version) : real_dlsym(handle, name);
    return real_dlsym_is(result) ? own : NULL;
}

static bool is_lookup(const char *name)
{
    return name != NULL && (strcmp(name, "dlsym") == 0 || strcmp(name, "dlvsym") == 0);
}

/* Clears the error of our own lookups that may have failed before the right function was found. */
static void *without_error(void *chosen)
{
    if (chosen != NULL && chosen != NO_SYMBOL)
        dlerror();
    return chosen;
}

/* Returns what dlsym() and dlvsym(), called from caller, should return. NULL: what the real function returns;
 * NO_SYMBOL: an error. */
HIDDEN void *capture_dlsym(void *handle, const char *name, const void *caller);
HIDDEN void *capture_dlvsym(void *handle, const char *name, const char *version, const void *caller);

/* Before this library has started, only lookups of GL, GLX and EGL functions, and of dlsym() and dlvsym(),
 * are looked at: see find_at_start() in real_dlsym.c. The names of GL go on with no small letter, unlike
 * glob's. */
static bool is_none_of_ours(const char *name)
{
    if (!real_dlsym_is_early())
        return false;
    if (name[0] == 'd' && name[1] == 'l' && (name[2] == 's' || name[2] == 'v'))
        return false;
    const char *n = name + (name[0] == 'e');
    return n[0] != 'g' || n[1] != 'l' || (n[2] >= 'a' && n[2] <= 'z');
}

void *capture_dlsym(void *handle, const char *name, const void *caller)
{
    if (capture_real_dlsym == NULL)
        real_dlsym_find();
    if (is_none_of_ours(name))
        return NULL;
    rebinding_update(handle);
    if (is_lookup(name))
        return without_error(choose_lookup(name, handle, NULL, caller));
    const struct spec_function *f = recorded_function_find(name);
    if (f == NULL)
        return NULL;
    void *chosen = choose(f, handle, handle != RTLD_NEXT ? capture_real_dlsym(handle, name) : NULL, caller);
    return without_error(chosen);
}

void *capture_dlvsym(void *handle, const char *name, const char *version, const void *caller)
{
    if (capture_real_dlsym == NULL)
        real_dlsym_find();
    if (is_none_of_ours(name))
        return NULL;
    rebinding_update(handle);
    if (is_lookup(name) && version != NULL)
        return without_error(choose_lookup(name, handle, version, caller));
    const struct spec_function *f = recorded_function_find(name);
    if (f == NULL || version == NULL || handle == RTLD_NEXT)
        return NULL;
    return without_error(choose(f, handle, capture_real_dlvsym(handle, name, version), caller));
}

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    sub $8, %rsp\n"
        "    mov 24(%rsp), %rdx\n" /* the caller */
        "    call capture_dlsym\n"
        "    add $8, %rsp\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    test %rax, %rax\n"
        "    je 1f\n"
        "    cmp $-1, %rax\n"
        "    je 2f\n"
        "    ret\n"
        "1:  jmp *capture_real_dlsym(%rip)\n"
        "2:  xor %eax, %eax\n"
        "    ret\n"
        ".size dlsym, .-dlsym\n"
        ".globl dlvsym\n"
        ".type dlvsym, @function\n"
        "dlvsym:\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    push %rdx\n"
        "    mov 24(%rsp), %rcx\n"
        "    call capture_dlvsym\n"
        "    pop %rdx\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    test %rax, %rax\n"
        "    je 1f\n"
        "    cmp $-1, %rax\n"
        "    je 2f\n"
        "    ret\n"
        "1:  jmp *capture_real_dlvsym(%rip)\n"
        "2:  xor %eax, %eax\n"
        "    ret\n"
        ".size dlvsym, .-dlvsym\n");
#elif defined(__i386__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "    sub $16, %esp\n"
        "    push 16(%esp)\n" /* the caller */
        "    push 28(%esp)\n" /* the name */
        "    push 28(%esp)\n" /* the handle */
        "    call capture_dlsym\n"
        "    add $28, %esp\n"
        "    test %eax, %eax\n"
        "    je 1f\n"
        "    cmp $-1, %eax\n"
        "    je 2f\n"
        "    ret\n"
        "1:  call lookup_place\n"
        "    add $_GLOBAL_OFFSET_TABLE_, %ecx\n"
        "    jmp *capture_real_dlsym@GOTOFF(%ecx)\n"
        "2:  xor %eax, %eax\n"
        "    ret\n"
        ".size dlsym, .-dlsym\n"
        ".globl dlvsym\n"
        ".type dlvsym, @function\n"
        "dlvsym:\n"
        "    sub $12, %esp\n"
        "    push 12(%esp)\n" /* the caller */
        "    push 28(%esp)\n" /* the version */
        "    push 28(%esp)\n"
        "    push 28(%esp)\n"
        "    call capture_dlvsym\n"
        "    add $28, %esp\n"
        "    test %eax, %eax\n"
        "    je 1f\n"
        "    cmp $-1, %eax\n"
        "    je 2f\n"
        "    ret\n"
        "1:  call lookup_place\n"
        "    add $_GLOBAL_OFFSET_TABLE_, %ecx\n"
        "    jmp *capture_real_dlvsym@GOTOFF(%ecx)\n"
        "2:  xor %eax, %eax\n"
        "    ret\n"
        ".size dlvsym, .-dlvsym\n"
        "lookup_place:\n"
        "    mov (%esp), %ecx\n"
        "    ret\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        "    stp x0, x1, [sp, #-32]!\n"
        "    str x30, [sp, #16]\n"
        "    mov x2, x30\n"
        "    bl capture_dlsym\n"
        "    mov x9, x0\n"
        "    ldr x30, [sp, #16]\n"
        "    ldp x0, x1, [sp], #32\n"
        "    cbz x9, 1f\n"
        "    adds x0, x9, #1\n" /* turns NO_SYMBOL into NULL */
        "    csel x0, x0, x9, eq\n"
        "    ret\n"
        "1:  adrp x9, capture_real_dlsym\n"
        "    ldr x9, [x9, :lo12:capture_real_dlsym]\n"
        "    br x9\n"
        ".size dlsym, .-dlsym\n"
        ".globl dlvsym\n"
        ".type dlvsym, %function\n"
        "dlvsym:\n"
        "    stp x0, x1, [sp, #-32]!\n"
        "    stp x2, x30, [sp, #16]\n"
        "    mov x3, x30\n"
        "    bl capture_dlvsym\n"
        "    mov x9, x0\n"
        "    ldp x2, x30, [sp, #16]\n"
        "    ldp x0, x1, [sp], #32\n"
        "    cbz x9, 1f\n"
        "    adds x0, x9, #1\n"
        "    csel x0, x0, x9, eq\n"
        "    ret\n"
        "1:  adrp x9, capture_real_dlvsym\n"
        "    ldr x9, [x9, :lo12:capture_real_dlvsym]\n"
        "    br x9\n"
        ".size dlvsym, .-dlvsym\n");
#else
CAPTURE_EXPORT void *dlsym(void *handle, const char *name)
{
    void *p = capture_dlsym(handle, name, __builtin_return_address(0));
    return p == NO_SYMBOL ? NULL : p != NULL ? p : capture_real_dlsym(handle, name);
}
#endif
