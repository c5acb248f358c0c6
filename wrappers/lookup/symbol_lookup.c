/* SPDX-License-Identifier: MIT
 * dlsym() and dlvsym() of the traced program: lookups of GL, GLX and EGL functions lead to the stubs.
 * The exported functions are a few instructions that ask capture_dlsym() and otherwise jump to the real one,
 * so that the real one sees the program's return address: RTLD_NEXT depends on it.
 */
#include "capture/capture_internal.h"
#include "process/capture_process.h"
#include "lookup/elf_objects.h"
#include "lookup/rebinding.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

typedef void *(*dlsym_function)(void *handle, const char *name);
typedef void *(*dlvsym_function)(void *handle, const char *name, const char *version);

HIDDEN dlsym_function capture_real_dlsym;
HIDDEN dlvsym_function capture_real_dlvsym;

static dlsym_function loader_dlsym; /* the C library's */
static void *loader_dlvsym;

static void *dlvsym_beside(const struct elf_object *object)
{
    const ElfW(Sym) *symbol = elf_object_symbol(object, "dlvsym");
    return symbol != NULL ? (void *)(object->base + symbol->st_value) : NULL;
}

/* The real ones cannot be asked where they are themselves. Another preloaded library may stand in for them,
 * too: what the program looks up goes through it, what we look up does not. */
static void find_real_functions(void)
{
    struct elf_object object;
    void *next = elf_next_function("dlsym", (const void *)&capture_real_dlsym), *last = next;
    while (last != NULL && elf_object_at(last, &object) && !elf_object_has_function(&object, "dladdr"))
        last = elf_next_function("dlsym", last);
    *(void **)&loader_dlsym = last != NULL ? last : next;
    loader_dlvsym = last != NULL ? dlvsym_beside(&object) : NULL;
    void *versioned = elf_next_function("dlvsym", (const void *)&capture_real_dlsym);
    *(void **)&capture_real_dlvsym = versioned;
    *(void **)&capture_real_dlsym = next;
}

void *real_dlsym(void *handle, const char *name)
{
    if (loader_dlsym == NULL)
        find_real_functions();
    return loader_dlsym(handle, name);
}

static void *stub_of(const struct spec_function *f)
{
    capture_function stub = capture_stubs[f->id];
    return *(void **)&stub;
}

const struct spec_function *capture_find_recorded(const char *name)
{
    if (name == NULL || (strncmp(name, "gl", 2) != 0 && strncmp(name, "egl", 3) != 0))
        return NULL;
    const struct spec_function *f = spec_find_function(name);
    bool recorded = f != NULL && (f->api & (SPEC_API_C | ~capture_api_mask)) == 0 && stub_of(f) != NULL;
    return recorded ? f : NULL;
}

static void *wrap(const struct spec_function *f, void *real)
{
    static _Atomic bool said;
    if (thunk_is(real))
        return real;
    if (real == stub_of(f) || real_function_set(f->id, *(capture_function *)&real))
        return stub_of(f);
    void *thunk = thunk_make(f->id, *(capture_function *)&real);
    if (thunk == NULL && !atomic_exchange(&said, true))
        capture_log("%s is in several libraries: not all of its calls are recorded", spec_string(f->name));
    return thunk != NULL ? thunk : real;
}

void *capture_wrap_symbol(const char *name, void *real)
{
    const struct spec_function *f = real != NULL ? capture_find_recorded(name) : NULL;
    return f != NULL ? wrap(f, real) : real;
}

static const char *file_of(const struct elf_object *object)
{
    const char *slash = strrchr(object->name, '/');
    return slash != NULL ? slash + 1 : object->name;
}

bool capture_implements_gl(const struct elf_object *object, const char *name)
{
    static const char *const functions[] = {
        "glGetError", "glXGetProcAddressARB", "eglGetProcAddress",      "__glx_Main",
        "__egl_Main", "__glDispatchInit",     "_glapi_get_proc_address"};
    if (object->name[0] == '\0')
        return false; /* the program */
    if (elf_object_has_function(object, name))
        return true;
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (elf_object_has_function(object, functions[i]))
            return true;
    const char *file = file_of(object), *end = strstr(file, "_dri.so");
    return strncmp(file, "libnvidia-", 10) == 0 || strncmp(file, "libgallium", 10) == 0 ||
           (end != NULL && end[7] == '\0');
}

/* To the exported functions: there is no such symbol. NULL: whatever the real function gives. */
#define NO_SYMBOL ((void *)-1)

/* The program's code sees the global scope; a library's also what it was loaded with, which is not known
 * here: what is loaded at all counts as that. */
static void *find_in_scope(const struct spec_function *f, const struct elf_object *by)
{
    void *next = real_dlsym(RTLD_NEXT, spec_string(f->name));
    return next != NULL || by->name == NULL || by->name[0] == '\0'
               ? next
               : elf_next_function(spec_string(f->name), &loader_dlsym);
}

/* The lookup goes through scopes that our stubs are in whether libraries with the functions are or not. */
static void *look_up_in_scope(const struct spec_function *f, const struct elf_object *by)
{
    void *next = find_in_scope(f, by);
    struct elf_object object;
    if (next == NULL)
        return NO_SYMBOL;
    if (elf_object_at(next, &object) && !elf_object_has_function(&object, spec_string(f->name)))
        return next; /* a variable of that name */
    return wrap(f, next);
}

static bool is_program(const void *address)
{
    struct elf_object object;
    return elf_object_at(address, &object) && object.name[0] == '\0';
}

/* What the lookup of name, by code at caller, should give. result: what the real function gives for a handle.
 */
static void *choose(const struct spec_function *f, void *handle, void *result, const void *caller)
{
    struct elf_object by;
    if (elf_object_at(caller, &by) && capture_implements_gl(&by, spec_string(f->name)))
        return NULL;
    if (handle == RTLD_NEXT || result == stub_of(f))
        return look_up_in_scope(f, &by);
    if (result == NULL || handle == RTLD_DEFAULT || is_program(result))
        return NULL;
    return wrap(f, result);
}

/* Someone looks up dlsym() or dlvsym() themselves, and would get round the stubs with them: another preloaded
 * library, most likely, which is to find what comes next in the order of preloading. */
static void *choose_lookup(const char *name, void *handle, const char *version, const void *caller)
{
    bool plain = strcmp(name, "dlsym") == 0;
    void *own = plain ? (void *)dlsym : (void *)dlvsym;
    struct elf_object by;
    bool stands_in = elf_object_at(caller, &by) && elf_object_has_function(&by, name);
    if (handle == RTLD_NEXT)
        return stands_in && !elf_precedes(caller, &loader_dlsym) ? NULL : own;
    if (stands_in)
        return NULL;
    void *result = version != NULL ? capture_real_dlvsym(handle, name, version) : real_dlsym(handle, name);
    return result == *(void **)&loader_dlsym || result == loader_dlvsym ? own : NULL;
}

static bool is_lookup(const char *name)
{
    return name != NULL && (strcmp(name, "dlsym") == 0 || strcmp(name, "dlvsym") == 0);
}

/* Lookups of our own may have failed on the way to what the program's found. */
static void *without_error(void *chosen)
{
    if (chosen != NULL && chosen != NO_SYMBOL)
        dlerror();
    return chosen;
}

/* What dlsym() and dlvsym(), called from caller, should give: NULL: what the real ones give; or NO_SYMBOL. */
HIDDEN void *capture_dlsym(void *handle, const char *name, const void *caller);
HIDDEN void *capture_dlvsym(void *handle, const char *name, const char *version, const void *caller);

void *capture_dlsym(void *handle, const char *name, const void *caller)
{
    if (capture_real_dlsym == NULL)
        find_real_functions();
    rebinding_look(handle);
    if (is_lookup(name))
        return without_error(choose_lookup(name, handle, NULL, caller));
    const struct spec_function *f = capture_find_recorded(name);
    if (f == NULL)
        return NULL;
    void *chosen = choose(f, handle, handle != RTLD_NEXT ? capture_real_dlsym(handle, name) : NULL, caller);
    return without_error(chosen);
}

void *capture_dlvsym(void *handle, const char *name, const char *version, const void *caller)
{
    if (capture_real_dlsym == NULL)
        find_real_functions();
    rebinding_look(handle);
    if (is_lookup(name) && version != NULL)
        return without_error(choose_lookup(name, handle, version, caller));
    const struct spec_function *f = capture_find_recorded(name);
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
        "    adds x0, x9, #1\n" /* NO_SYMBOL becomes NULL */
        "    csel x0, x0, x9, eq\n"
        "    ret\n"
        "1:  adrp x9, capture_real_dlsym\n"
        "    ldr x9, [x9, :lo12:capture_real_dlsym]\n"
        "    br x9\n"
        ".size dlsym, .-dlsym\n");
#else
CAPTURE_EXPORT void *dlsym(void *handle, const char *name)
{
    void *p = capture_dlsym(handle, name, __builtin_return_address(0));
    return p == NO_SYMBOL ? NULL : p != NULL ? p : capture_real_dlsym(handle, name);
}
#endif
