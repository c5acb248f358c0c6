/* SPDX-License-Identifier: MIT
 * Tests that lookups of GL functions lead to the stubs, and from there to the function that was found, and
 * that all other lookups are those of the loader (dlsym(3)), with various libraries, however they are opened
 * and closed. The library under test is loaded like a preloaded one: after the program and another library,
 * before the rest. Each case runs in its own process.
 */
#include "cmocka_all.h"
#include "lookup_stubs.h"

#include "runtime/spec.h"
#include "spec_ids.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* For the process of a case. */
#define EXPECT(condition)                                                                                    \
    ((condition) ? (void)0 : (fprintf(stderr, "line %d does not hold\n", __LINE__), _exit(1)))

typedef unsigned (*asking)(void);

/* The results of lookup_library.c's libraries; 20 is added by a second library of that name. */
enum { ONE = 1000, ONE_AGAIN = 2000, OTHER = 3000, MORE = 4000, FRONT = 5000, LIB_GL = 6000, LIB_EGL = 7000 };

#define DIRECTORY LOOKUP_DIRECTORY "/"

/* Calls the function. Checks whether a stub recorded the call. */
static unsigned ask(void *function, bool recorded)
{
    asking f;
    *(void **)&f = function;
    unsigned before = lookup_calls();
    EXPECT(f != NULL);
    unsigned answer = f();
    EXPECT(lookup_calls() - before == recorded);
    return answer;
}

/* Calls the function, whether or not the call is recorded. */
static unsigned ask_either(void *function)
{
    asking f;
    *(void **)&f = function;
    EXPECT(f != NULL);
    return f();
}

static void *open_library(const char *path, int flags)
{
    void *handle = dlopen(path, RTLD_NOW | flags);
    if (handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    EXPECT(handle != NULL);
    dlerror();
    return handle;
}

static bool failed(void *found)
{
    return found == NULL && dlerror() != NULL;
}

static void in_a_process(void (*work)(void))
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        work();
        _exit(0);
    }
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

/* Looks a name up from the code of that library. */
static void *look_up_from(void *library, void *handle, const char *name)
{
    void *(*look)(void *, const char *);
    *(void **)&look = dlsym(library, "look_up");
    return look(handle, name);
}

static void *look_up_version_from(void *library, void *handle, const char *name, const char *version)
{
    void *(*look)(void *, const char *, const char *);
    *(void **)&look = dlsym(library, "look_up_version");
    return look(handle, name, version);
}

/* --- lookups by name ---------------------------------------------------------------------------------------
 */

/* Stubs exist, but no library has the real functions. */
static void find_nothing(void)
{
    EXPECT(failed(dlsym(RTLD_DEFAULT, "glGetError")));
    EXPECT(failed(dlsym(RTLD_NEXT, "glGetError")));
    EXPECT(failed(dlsym(dlopen(NULL, RTLD_NOW), "glGetError")));
    EXPECT(failed(dlsym(RTLD_DEFAULT, "glNoSuchFunction")));
    EXPECT(failed(dlsym(RTLD_DEFAULT, "gl")));
    EXPECT(failed(dlsym(RTLD_DEFAULT, "")));
    EXPECT(dlsym(RTLD_DEFAULT, "getpid") != NULL && dlerror() == NULL);
    EXPECT(dlvsym(RTLD_DEFAULT, "getpid", "GLIBC_2.2.5") != NULL || dlerror() != NULL);
    EXPECT(failed(dlvsym(RTLD_DEFAULT, "getpid", "GLIBC_0.1")));
}

static void find_in_library(void)
{
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL), *f = dlsym(one, "glGetError");
    EXPECT(dlerror() == NULL && ask(f, true) == ONE);
    EXPECT(dlsym(one, "glGetError") == f);
    EXPECT(ask(dlsym(one, "glIsTexture"), true) == ONE + 1);
    EXPECT(failed(dlsym(one, "glIsBuffer"))); /* that one has none */
    EXPECT(ask(dlsym(one, "plain_function"), false) == ONE + 9);
    EXPECT(failed(dlsym(RTLD_DEFAULT, "glGetError"))); /* it is local */
    EXPECT(failed(dlsym(RTLD_NEXT, "glGetError")));
    EXPECT(dlvsym(one, "glGetError", "libone.so") == f && dlerror() == NULL);
    EXPECT(failed(dlvsym(one, "glGetError", "libother.so")));
    EXPECT(failed(dlvsym(one, "glIsBuffer", "libone.so")));
    EXPECT(ask(dlvsym(one, "plain_function", "libone.so"), false) == ONE + 9);
    open_library(DIRECTORY "one/libone.so", RTLD_GLOBAL);
    EXPECT(dlsym(RTLD_DEFAULT, "glGetError") == f && dlerror() == NULL);
    EXPECT(dlsym(RTLD_NEXT, "glGetError") == f && dlerror() == NULL);
    EXPECT(dlsym(dlopen(NULL, RTLD_NOW), "glGetError") == f);
    EXPECT(ask_either(dlvsym(RTLD_NEXT, "glGetError", "libone.so")) == ONE);
    EXPECT(failed(dlvsym(RTLD_NEXT, "glGetError", "libnone.so")));
}

/* APIs that are not recorded are looked up as without us. */
static void find_what_is_not_recorded(void)
{
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    lookup_record(SPEC_API_EGL | SPEC_API_GLX);
    EXPECT(ask(dlsym(one, "glGetError"), false) == ONE);
    lookup_record(SPEC_API_GL);
    EXPECT(ask(dlsym(one, "glGetError"), true) == ONE);
}

static void test_names(void **state)
{
    (void)state;
    in_a_process(find_nothing);
    in_a_process(find_in_library);
    in_a_process(find_what_is_not_recorded);
}

/* --- who asks --------------------------------------------------------------------------------------- */

/* Libraries that implement GL get the real functions. Each sign by which they are recognised is enough. */
static void ask_from_libraries(void)
{
    static const struct {
        const char *path;
        bool is_gl;
    } askers[] = {
        {DIRECTORY "plain/libplain.so", false},    {DIRECTORY "names/libnvidia-x.so", true},
        {DIRECTORY "names/libgallium-1.so", true}, {DIRECTORY "names/some_dri.so", true},
        {DIRECTORY "names/some_dri.so.2", false},  {DIRECTORY "names/xlibnvidia-x.so", false},
        {DIRECTORY "names/libnvidia_x.so", false}, {DIRECTORY "other/libother.so", true},
        {DIRECTORY "fakes/libEGL.so.1", true},     {DIRECTORY "names/libnvidia-directory/libx.so", false},
        {DIRECTORY "signs/libdispatch.so", true}};
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    for (unsigned i = 0; i < sizeof askers / sizeof askers[0]; ++i) {
        void *asker = open_library(askers[i].path, RTLD_LOCAL);
        EXPECT(ask(look_up_from(asker, one, "glIsTexture"), !askers[i].is_gl) == ONE + 1);
        EXPECT(ask(look_up_version_from(asker, one, "glIsTexture", "libone.so"), !askers[i].is_gl) ==
               ONE + 1);
    }
    /* A library that has the function itself passes it on, although it does not implement GL. */
    void *more = open_library(DIRECTORY "more/libmore.so", RTLD_LOCAL);
    void *buffers = open_library(DIRECTORY "more/libmore2.so", RTLD_LOCAL);
    EXPECT(ask(look_up_from(more, buffers, "glIsBuffer"), false) == MORE + 20 + 3);
    EXPECT(ask(look_up_from(more, one, "glIsTexture"), true) == ONE + 1);
}

/* RTLD_NEXT searches the libraries behind the caller's. */
static void ask_for_next(void)
{
    void *plain = open_library(DIRECTORY "plain/libplain.so", RTLD_LOCAL);
    EXPECT(failed(look_up_from(plain, RTLD_NEXT, "glGetError")));
    EXPECT(failed(look_up_version_from(plain, RTLD_NEXT, "glGetError", "libone.so")));
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_GLOBAL);
    EXPECT(ask(dlsym(RTLD_NEXT, "glGetError"), true) == ONE);
    EXPECT(failed(look_up_version_from(plain, RTLD_NEXT, "glGetError", "libnone.so")));
    EXPECT(failed(look_up_from(one, RTLD_NEXT, "glGetError"))); /* no later library has it */
    void *front = dlopen("liblookup_front.so", RTLD_NOW | RTLD_NOLOAD);
    EXPECT(front != NULL);
    EXPECT(ask(look_up_from(front, RTLD_NEXT, "glGetError"), true) == ONE);
    EXPECT(ask_either(look_up_version_from(front, RTLD_NEXT, "glGetError", "libone.so")) == ONE);
    EXPECT(ask(look_up_from(front, RTLD_NEXT, "getpid"), false) == (unsigned)getpid());
}

/* dlsym() itself can be looked up. That must not lead past us. */
static void ask_for_lookup(void)
{
    void *(*found)(void *, const char *);
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    void *plain = open_library(DIRECTORY "plain/libplain.so", RTLD_LOCAL);
    void *c = dlopen("libc.so.6", RTLD_NOW);
    void *handles[] = {RTLD_DEFAULT, RTLD_NEXT, dlopen(NULL, RTLD_NOW), c};
    for (unsigned i = 0; i < 4; ++i) {
        EXPECT(dlsym(handles[i], "dlsym") == (void *)dlsym && dlerror() == NULL);
        EXPECT(dlsym(handles[i], "dlvsym") == (void *)dlvsym && dlerror() == NULL);
        EXPECT(look_up_from(plain, handles[i], "dlsym") == (void *)dlsym);
    }
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5"};
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT(dlvsym(c, "dlsym", versions[i]) == (void *)dlsym);
        EXPECT(dlvsym(c, "dlvsym", versions[i]) == (void *)dlvsym);
    }
    EXPECT(failed(dlvsym(c, "dlsym", "GLIBC_0.1")));
    EXPECT(failed(dlsym(plain, "dlsymbol")));
    *(void **)&found = dlsym(c, "dlsym");
    EXPECT(ask(found(one, "glGetError"), true) == ONE);
}

static void test_askers(void **state)
{
    (void)state;
    in_a_process(ask_from_libraries);
    in_a_process(ask_for_next);
    in_a_process(ask_for_lookup);
}

/* --- several libraries ------------------------------------------------------------------------------ */

/* The same library is loaded twice. Each call goes to the copy in which it was looked up. */
static void use_two_copies(void)
{
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    void *again = open_library(DIRECTORY "again/libone.so", RTLD_LOCAL);
    void *f = dlsym(one, "glGetError"), *g = dlsym(again, "glGetError");
    EXPECT(!lookup_is_thunk(f) && lookup_is_thunk(g) && lookup_logs() == 0);
    for (unsigned i = 0; i < 2; ++i)
        EXPECT(ask(g, true) == ONE_AGAIN && ask(f, true) == ONE);
    EXPECT(dlsym(again, "glGetError") == g && dlsym(one, "glGetError") == f);
    /* Without the first copy, the thunk still works, and the stub may go to the second. */
    dlclose(one);
    EXPECT(dlopen(DIRECTORY "one/libone.so", RTLD_NOW | RTLD_NOLOAD) == NULL);
    EXPECT(ask(g, true) == ONE_AGAIN);
    void *h = dlsym(again, "glIsTexture");
    EXPECT(!lookup_is_thunk(h) && ask(h, true) == ONE_AGAIN + 1);
    /* The first copy is loaded again: now it comes second for one function. */
    one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    EXPECT(ask(dlsym(one, "glIsTexture"), true) == ONE + 1);
    EXPECT(ask(dlsym(one, "glGetError"), true) == ONE && ask(g, true) == ONE_AGAIN);
}

/* Libraries of one installation pass calls on to each other, so the stub is enough. */
static void use_one_installation(void)
{
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    void *beside = open_library(DIRECTORY "one/libbeside.so", RTLD_LOCAL);
    void *f = dlsym(one, "glGetError");
    EXPECT(dlsym(beside, "glGetError") == f && ask(f, true) == ONE);
    EXPECT(dlsym(beside, "glIsTexture") == dlsym(one, "glIsTexture"));
    /* but not a library that has nothing to do with GL, whichever directory it is in */
    void *fake = open_library(DIRECTORY "one/libfake.so", RTLD_LOCAL);
    EXPECT(ask(dlsym(beside, "glIsBuffer"), true) == OTHER + 20 + 3);
    EXPECT(lookup_is_thunk(dlsym(fake, "glIsBuffer")) &&
           ask(dlsym(fake, "glIsBuffer"), true) == MORE + 40 + 3);
    /* a subdirectory is another installation */
    void *deeper = open_library(DIRECTORY "one/deeper/libdeeper.so", RTLD_LOCAL);
    EXPECT(lookup_is_thunk(dlsym(deeper, "glGetError")));
}

/* Loads something in the gaps, so that the next library gets another address. */
static void fill_holes(void)
{
    for (unsigned i = 0; i < 16; ++i)
        EXPECT(mmap(NULL, 4096, i % 2 == 0 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
               MAP_FAILED);
}

/* Thunks of an unloaded library are reused: programs may reload libraries forever. */
static void reload_for_ever(void)
{
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    EXPECT(ask(dlsym(one, "glGetError"), true) == ONE && ask(dlsym(one, "glIsTexture"), true) == ONE + 1);
    void *first[2] = {NULL, NULL};
    for (unsigned i = 0; i < 20; ++i) {
        void *again = open_library(DIRECTORY "again/libone.so", RTLD_LOCAL);
        void *f = dlsym(again, "glGetError"), *g = dlsym(again, "glIsTexture");
        EXPECT(lookup_is_thunk(f) && ask(f, true) == ONE_AGAIN);
        EXPECT(lookup_is_thunk(g) && ask(g, true) == ONE_AGAIN + 1 && f != g);
        if (i == 0)
            first[0] = f, first[1] = g;
        EXPECT((f == first[0] && g == first[1]) || (f == first[1] && g == first[0]));
        dlclose(again);
        fill_holes();
    }
}

static unsigned nowhere[5000];

/* There are some thousand thunks. When they run out, this is reported once, and lookups return the real
 * function. */
static void use_up_thunks(void)
{
    unsigned made = 0;
    while (made < 5000 && lookup_make_thunk(SPEC_FN_glGetError, &nowhere[made]) != NULL)
        made++;
    EXPECT(made >= 1000 && made < 5000);
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    void *again = open_library(DIRECTORY "again/libone.so", RTLD_LOCAL);
    EXPECT(ask(dlsym(one, "glGetError"), true) == ONE);
    EXPECT(ask(dlsym(again, "glGetError"), false) == ONE_AGAIN && lookup_logs() == 1);
    EXPECT(ask(dlsym(one, "glIsTexture"), true) == ONE + 1 &&
           ask(dlsym(again, "glIsTexture"), false) == ONE_AGAIN + 1);
    EXPECT(lookup_logs() == 1);
}

static void test_copies(void **state)
{
    (void)state;
    in_a_process(use_two_copies);
    in_a_process(use_one_installation);
    in_a_process(reload_for_ever);
    in_a_process(use_up_thunks);
}

/* --- where the real functions are ------------------------------------------------------------------- */

/* A function that no library has returns 0. It is looked for again after libraries have changed. */
static void miss_functions(void)
{
    EXPECT(lookup_call_real(SPEC_FN_glIsShader) == 0); /* loads libGL */
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    void *more = open_library(DIRECTORY "shader/libshader.so", RTLD_GLOBAL);
    dlclose(one);
    EXPECT(lookup_call_real(SPEC_FN_glIsShader) == MORE + 60 + 3);
    dlclose(more);
    EXPECT(lookup_call_real(SPEC_FN_glIsShader) == 0);
    more = open_library(DIRECTORY "shader/libshader.so", RTLD_LOCAL); /* in the program's library then */
    EXPECT(ask(dlsym(more, "glIsShader"), true) == MORE + 60 + 3);
}

/* The first library behind us in load order is the one that the program would have called. */
static void prefer_global_ones(void)
{
    open_library(DIRECTORY "fakes/libGL.so.1", RTLD_LOCAL);
    open_library(DIRECTORY "one/libone.so", RTLD_GLOBAL);
    open_library(DIRECTORY "other/libother.so", RTLD_GLOBAL);
    EXPECT(lookup_call_real(SPEC_FN_glGetError) == ONE);
}

/* A library that is loaded locally is used, but not kept loaded. */
static void use_loaded_ones(void)
{
    void *egl = open_library(DIRECTORY "fakes/libEGL.so.1", RTLD_LOCAL);
    EXPECT(lookup_call_real(SPEC_FN_eglMakeCurrent) == LIB_EGL + 3);
    EXPECT(dlopen("libGL.so.1", RTLD_NOW | RTLD_NOLOAD) == NULL);     /* no library was loaded for that */
    EXPECT(lookup_call_real(SPEC_FN_glIsVertexArray) == LIB_EGL + 2); /* by eglGetProcAddress() */
    EXPECT(lookup_egl_unloads() == 0);
    dlclose(egl);
    EXPECT(dlopen(DIRECTORY "fakes/libEGL.so.1", RTLD_NOW | RTLD_NOLOAD) == NULL);
    EXPECT(lookup_egl_unloads() == 1);
    void *gl = open_library(DIRECTORY "fakes/libGL.so.1", RTLD_LOCAL);
    EXPECT(lookup_call_real(SPEC_FN_glIsVertexArray) == LIB_GL + 2); /* by glXGetProcAddressARB() */
    EXPECT(lookup_call_real(SPEC_FN_glXGetCurrentContext) == LIB_GL + 3);
    EXPECT(lookup_call_real(SPEC_FN_glGetError) == LIB_GL);
    dlclose(gl);
    EXPECT(dlopen(DIRECTORY "fakes/libGL.so.1", RTLD_NOW | RTLD_NOLOAD) == NULL);
    EXPECT(lookup_egl_unloads() == 1);
}

/* GLX's lookup comes first. */
static void prefer_glx(void)
{
    open_library(DIRECTORY "fakes/libEGL.so.1", RTLD_LOCAL);
    open_library(DIRECTORY "fakes/libGL.so.1", RTLD_LOCAL);
    EXPECT(lookup_call_real(SPEC_FN_glIsQuery) == LIB_GL + 2);
}

/* The program has the function, but not from a library: one is loaded and kept. */
static void load_one(void)
{
    EXPECT(lookup_call_real(SPEC_FN_glIsBuffer) == LIB_GL + 300 + 3); /* only the last one has the function */
    EXPECT(lookup_call_real(SPEC_FN_glIsTexture) == LIB_GL + 1);
    void *gl = dlopen("libGL.so.1", RTLD_NOW | RTLD_NOLOAD);
    EXPECT(gl != NULL);
    dlclose(gl);
    dlclose(dlopen(DIRECTORY "fakes/libGL.so.1", RTLD_NOW));
    EXPECT(dlopen("libGL.so.1", RTLD_NOW | RTLD_NOLOAD) != NULL);
    EXPECT(lookup_call_real(SPEC_FN_glIsTexture) == LIB_GL + 1);
}

/* A variable with a function's name is ignored. */
static void pass_over_variables(void)
{
    open_library(DIRECTORY "variable/libvariable.so", RTLD_GLOBAL);
    open_library(DIRECTORY "fakes/libGL.so.1", RTLD_LOCAL);
    EXPECT(lookup_call_real(SPEC_FN_glGetError) == LIB_GL);
    void *variable = dlsym(RTLD_DEFAULT, "glGetError");
    void *library = dlopen(DIRECTORY "variable/libvariable.so", RTLD_NOW);
    EXPECT(variable != NULL && variable == dlsym(library, "glGetError"));
    EXPECT(!lookup_is_thunk(variable));
}

static void test_real_functions(void **state)
{
    (void)state;
    in_a_process(miss_functions);
    in_a_process(prefer_global_ones);
    in_a_process(use_loaded_ones);
    in_a_process(prefer_glx);
    in_a_process(load_one);
    in_a_process(pass_over_variables);
}

/* --- bound by the loader ---------------------------------------------------------------------------- */

/* A library is bound past us. As soon as something is looked up in it, it is bound to the stubs, except for
 * functions that a library before us has. */
static void use_deep_binding(void)
{
    void *linked = open_library(DIRECTORY "linked/liblinked.so", RTLD_LOCAL | RTLD_DEEPBIND);
    EXPECT(ask(dlsym(linked, "call_error"), true) == ONE);
    EXPECT(ask(dlsym(linked, "call_by_pointer"), true) == ONE);
    EXPECT(ask(dlsym(linked, "call_other"), false) == FRONT + 3);
}

/* A library that calls its own functions is bound to our stubs, which call its functions. */
static void use_own_functions(void)
{
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    EXPECT(ask(dlsym(one, "ask_own"), true) == ONE);
    void *again = open_library(DIRECTORY "again/libone.so", RTLD_LOCAL);
    EXPECT(ask(dlsym(again, "ask_own"), true) == ONE_AGAIN);
    EXPECT(ask(dlsym(one, "ask_own"), true) == ONE);
}

static unsigned answer_for_variable(void)
{
    return 77;
}

/* Exported variables with GL names belong to their library and are not replaced. */
static void use_own_variables(void)
{
    void (*set)(asking);
    void *library = open_library(DIRECTORY "variable/libvariable.so", RTLD_LOCAL);
    *(void **)&set = dlsym(library, "set_variable");
    set(answer_for_variable);
    EXPECT(ask(dlsym(library, "call_variable"), false) == 77);
}

/* In a namespace of its own, a library is bound to another libone.so. */
static void use_namespace(void)
{
    void *linked = dlmopen(LM_ID_NEWLM, DIRECTORY "linked/liblinked.so", RTLD_NOW);
    if (linked == NULL)
        return; /* not available on this system */
    void *one = open_library(DIRECTORY "one/libone.so", RTLD_LOCAL);
    EXPECT(ask(dlsym(linked, "call_error"), true) == ONE);
    EXPECT(ask(dlsym(one, "glGetError"), true) == ONE);
}

/* A weak reference is how programs test for a function at link time. Our stub would satisfy it, but no
 * library has the function. */
extern unsigned glIsShader(void) __attribute__((weak));
extern unsigned glIsQuery(void) __attribute__((weak));

static void test_weak_references(void **state)
{
    (void)state;
    unsigned (*volatile missing)(void) = glIsShader, (*volatile there)(void) = glIsQuery;
    assert_null(missing);
    assert_non_null(there); /* a library before us has it */
}

/* The program's allocator looks up functions, as memory tracers do. */
static bool allocator_looks_up;
static unsigned lookup_depth, deepest_lookup;

void *__libc_realloc(void *memory, size_t size);
EXPORT void *realloc(void *memory, size_t size);

void *realloc(void *memory, size_t size)
{
    enum { ENOUGH = 20 }; /* ends a recursion that would be endless */
    if (allocator_looks_up && lookup_depth < ENOUGH) {
        ++lookup_depth;
        if (deepest_lookup < lookup_depth)
            deepest_lookup = lookup_depth;
        dlsym(RTLD_DEFAULT, "no_function_of_this_name");
        --lookup_depth;
    }
    return __libc_realloc(memory, size);
}

/* The bindings of a new library are corrected once, whatever is looked up meanwhile. */
static void use_looking_allocator(void)
{
    void *linked = open_library(DIRECTORY "linked/liblinked.so", RTLD_LOCAL);
    allocator_looks_up = true;
    EXPECT(dlsym(linked, "call_error") != NULL);
    allocator_looks_up = false;
    EXPECT(deepest_lookup == 1);
}

static void test_bound(void **state)
{
    (void)state;
    in_a_process(use_looking_allocator);
    in_a_process(use_deep_binding);
    in_a_process(use_own_functions);
    in_a_process(use_own_variables);
    in_a_process(use_namespace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),          cmocka_unit_test(test_askers),
        cmocka_unit_test(test_copies),         cmocka_unit_test(test_bound),
        cmocka_unit_test(test_real_functions), cmocka_unit_test(test_weak_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
