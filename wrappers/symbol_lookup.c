/* SPDX-License-Identifier: MIT
 * dlsym() of the traced program: lookups of GL, GLX and EGL functions lead to the stubs.
 * The exported dlsym is a few instructions that ask capture_dlsym() and otherwise jump to the real one, so
 * that the real one sees the program's return address: RTLD_NEXT depends on it.
 */
#include "capture_internal.h"
#include "capture_process.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

typedef void *(*dlsym_function)(void *handle, const char *name);

__attribute__((visibility("hidden"))) dlsym_function capture_real_dlsym;

static dlsym_function find_real_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.27",
                                           "GLIBC_2.0"};
    for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; ++i) {
        dlsym_function f;
        *(void **)&f = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        if (f != NULL)
            return f;
    }
    return NULL;
}

void *real_dlsym(void *handle, const char *name)
{
    if (capture_real_dlsym == NULL)
        capture_real_dlsym = find_real_dlsym();
    return capture_real_dlsym(handle, name);
}

void *capture_wrap_symbol(const char *name, void *real)
{
    const struct spec_function *f = real != NULL ? spec_find_function(name) : NULL;
    if (f == NULL || (f->api & (SPEC_API_C | ~capture_api_mask)) != 0 || capture_stubs[f->id] == NULL)
        return real;
    capture_function stub = capture_stubs[f->id];
    void *stub_pointer = *(void **)&stub;
    if (real != stub_pointer)
        real_function_set(f->id, *(capture_function *)&real);
    return stub_pointer;
}

/* The GL libraries find each other's functions with dlsym(), too. */
static bool is_gl_library(const void *address)
{
    static const char *const prefixes[] = {"libGL", "libEGL", "libOpenGL"};
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *name = slash != NULL ? slash + 1 : info.dli_fname;
    for (unsigned i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* What dlsym(handle, name), called from caller, should give; NULL: whatever the real one gives. */
__attribute__((visibility("hidden"))) void *capture_dlsym(void *handle, const char *name, const void *caller);

void *capture_dlsym(void *handle, const char *name, const void *caller)
{
    if (capture_real_dlsym == NULL)
        capture_real_dlsym = find_real_dlsym();
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || name == NULL)
        return NULL;
    if (strncmp(name, "gl", 2) != 0 && strncmp(name, "egl", 3) != 0)
        return NULL;
    if (spec_find_function(name) == NULL || is_gl_library(caller))
        return NULL;
    return capture_wrap_symbol(name, capture_real_dlsym(handle, name));
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
        "    ret\n"
        "1:  jmp *capture_real_dlsym(%rip)\n"
        ".size dlsym, .-dlsym\n");
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
        "    mov x0, x9\n"
        "    ret\n"
        "1:  adrp x9, capture_real_dlsym\n"
        "    ldr x9, [x9, :lo12:capture_real_dlsym]\n"
        "    br x9\n"
        ".size dlsym, .-dlsym\n");
#else
CAPTURE_EXPORT void *dlsym(void *handle, const char *name)
{
    void *p = capture_dlsym(handle, name, __builtin_return_address(0));
    return p != NULL ? p : capture_real_dlsym(handle, name);
}
#endif
