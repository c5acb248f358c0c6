/* SPDX-License-Identifier: MIT
 * Tests contexts: which one is current, what is recorded when one becomes current for the first time, which
 * ones share objects, and when each is forgotten. Expectations come from the GLX 1.4 specification (section
 * 3.3.7), EGL 1.5 (3.7) and GLX_ARB_create_context.
 */
#include "stub_driver.h"

#include "context/gl_enums.h"

#include "cmocka_all.h"

#include <string.h>

static int displays[2], handles[4], surface;

static uint32_t group_of(void *handle)
{
    return gl_context_get(handle)->share_group;
}

static void make(uint32_t function, const uint64_t args[8], void *returned)
{
    stub.returned.p = returned;
    stub_make(function, stub_arguments(args), NULL);
}

static void make_current(void *handle, bool succeeds)
{
    make(SPEC_FN_glXMakeCurrent, (const uint64_t[8]){STUB_P(displays), STUB_P(&surface), STUB_P(handle)},
         (void *)(uintptr_t)succeeds);
}

/* Each function that creates a context takes the one to share with in its own way. */
static void test_sharing(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        unsigned share;
    } makers[] = {{SPEC_FN_glXCreateContext, 2},
                  {SPEC_FN_glXCreateNewContext, 3},
                  {SPEC_FN_glXCreateContextAttribsARB, 2},
                  {SPEC_FN_glXCreateContextWithConfigSGIX, 3},
                  {SPEC_FN_eglCreateContext, 2}};
    for (unsigned i = 0; i < sizeof makers / sizeof makers[0]; ++i) {
        uint64_t args[8] = {STUB_P(displays)};
        stub_start("4.6");
        make(makers[i].function, args, &handles[0]);
        make(makers[i].function, args, &handles[1]);
        args[makers[i].share] = STUB_P(&handles[0]);
        make(makers[i].function, args, &handles[2]);
        args[makers[i].share] = STUB_P(&handles[2]);
        make(makers[i].function, args, &handles[3]);
        assert_int_not_equal(group_of(&handles[0]), 0);
        assert_int_not_equal(group_of(&handles[0]), group_of(&handles[1]));
        assert_int_equal(group_of(&handles[0]), group_of(&handles[2]));
        assert_int_equal(group_of(&handles[0]), group_of(&handles[3]));
        uint32_t before = group_of(&handles[1]);
        make(makers[i].function, args, NULL); /* failed */
        assert_int_equal(group_of(&handles[1]), before);
        for (unsigned h = 0; h < 4; ++h)
            gl_context_destroy(&handles[h]);
        stub_stop();
    }
}

static const int32_t viewport[] = {1, 2, 300, 400}, scissor[] = {5, 6, 700, 800};

static void get_boxes(uint32_t pname, int32_t *value)
{
    memcpy(value, pname == 0x0BA2 ? viewport : pname == 0x0C10 ? scissor : (const int32_t[4]){0}, 16);
}

static capture_function find_boxes(uint32_t id)
{
    return id == SPEC_FN_glGetIntegerv ? (capture_function)get_boxes : NULL;
}

/* When a context is current for the first time, its viewport and scissor box are set. Fake calls record
 * them. */
static void test_first_time_current(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        unsigned context;
    } functions[] = {{SPEC_FN_glXMakeCurrent, 2},
                     {SPEC_FN_glXMakeContextCurrent, 3},
                     {SPEC_FN_glXMakeCurrentReadSGI, 3},
                     {SPEC_FN_eglMakeCurrent, 3}};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        struct capture_thread *t = stub_start("4.6");
        uint64_t args[8] = {STUB_P(displays)};
        stub.more = find_boxes;
        args[functions[i].context] = STUB_P(&handles[0]);
        make(functions[i].function, args, NULL); /* failed */
        assert_int_equal(stub_call_count, 0);
        assert_ptr_equal(t->context->handle, &stub);
        make(functions[i].function, args, (void *)1);
        assert_ptr_equal(t->context->handle, &handles[0]);
        assert_int_equal(t->context->version, 46);
        assert_int_equal(stub_call_count, 2);
        assert_string_equal(spec_string(stub_calls[0].function->name), "glViewport");
        assert_string_equal(spec_string(stub_calls[1].function->name), "glScissor");
        for (unsigned k = 0; k < 4; ++k) {
            assert_int_equal(stub_calls[0].args[k].i, viewport[k]);
            assert_int_equal(stub_calls[1].args[k].i, scissor[k]);
        }
        make(functions[i].function, args, (void *)1); /* it is current already */
        assert_int_equal(stub_call_count, 0);
        args[functions[i].context] = 0;
        make(functions[i].function, args, (void *)1);
        assert_null(t->context->handle);
        assert_int_equal(stub_call_count, 0);
        args[functions[i].context] = STUB_P(&handles[0]);
        make(functions[i].function, args, (void *)1); /* not the first time */
        assert_ptr_equal(t->context->handle, &handles[0]);
        assert_int_equal(stub_call_count, 0);
        make_current(&stub, true);
        gl_context_destroy(&handles[0]);
        stub_stop();
    }
}

/* A destroyed context lives as long as it is current. Its handle may already belong to a new context. */
static void test_destroyed_while_current(void **state)
{
    (void)state;
    static const uint16_t functions[] = {SPEC_FN_glXDestroyContext, SPEC_FN_eglDestroyContext};
    for (unsigned i = 0; i < 2; ++i) {
        struct capture_thread *t = stub_start("4.6");
        stub.more = find_boxes;
        make_current(&handles[0], true);
        gl_context_bind_buffer(t->context, GL_BUFFER_ARRAY, 3);
        struct gl_context *old = t->context;
        make(functions[i], (const uint64_t[8]){STUB_P(displays), STUB_P(&handles[0])}, (void *)1);
        assert_ptr_equal(t->context, old);
        assert_true(t->context->sizes.array_buffer);
        make(SPEC_FN_glXCreateContext, (const uint64_t[8]){STUB_P(displays)}, &handles[0]);
        make_current(&handles[0], true);
        assert_ptr_not_equal(t->context, old);
        assert_false(t->context->sizes.array_buffer);
        assert_int_equal(stub_call_count, 2); /* its first time */
        make(functions[i], (const uint64_t[8]){STUB_P(displays), 0}, (void *)1);
        make_current(&stub, true);
        assert_int_equal(gl_context_get(&handles[0])->users, 0);
        gl_context_destroy(&handles[0]);
        stub_stop();
    }
}

static uint32_t ended[8];
static unsigned ended_count;

static void note_end(uint32_t group)
{
    if (ended_count < sizeof ended / sizeof ended[0])
        ended[ended_count] = group;
    ended_count++;
}

static void nothing(void)
{
}

/* A share group ends with its last context: immediately, when that is no longer current, or with its
 * display. */
static void test_ends_of_groups(void **state)
{
    (void)state;
    static const struct gl_context_callbacks callbacks = {note_end, nothing};
    const uint64_t shared[8] = {STUB_P(displays), 0, STUB_P(&handles[0])};
    stub_start("4.6");
    gl_context_set_callbacks(&callbacks);
    stub.more = find_boxes;
    make(SPEC_FN_glXCreateContext, (const uint64_t[8]){STUB_P(displays)}, &handles[0]);
    make(SPEC_FN_glXCreateContext, shared, &handles[1]);
    uint32_t group = group_of(&handles[0]);
    ended_count = 0;
    gl_context_destroy(&handles[0]);
    assert_int_equal(ended_count, 0);
    gl_context_destroy(&handles[1]);
    assert_int_equal(ended_count, 1);
    assert_int_equal(ended[0], group);
    gl_context_destroy(&handles[1]); /* does not exist any more */
    assert_int_equal(ended_count, 1);
    make(SPEC_FN_glXCreateContext, (const uint64_t[8]){STUB_P(displays)}, &handles[0]);
    group = group_of(&handles[0]);
    make_current(&handles[0], true);
    gl_context_destroy(&handles[0]);
    assert_int_equal(ended_count, 1);
    make_current(&stub, true);
    assert_int_equal(ended_count, 2);
    assert_int_equal(ended[1], group);
    uint32_t groups = 0;
    for (unsigned i = 0; i < 3; ++i) {
        make(SPEC_FN_eglCreateContext, (const uint64_t[8]){STUB_P(&displays[i / 2])}, &handles[i]);
        groups += i < 2 ? group_of(&handles[i]) : 0;
    }
    make(SPEC_FN_eglTerminate, (const uint64_t[8]){STUB_P(&displays[0])}, (void *)1);
    assert_int_equal(ended_count, 4);
    assert_int_equal(ended[2] + ended[3], groups);
    gl_context_destroy(&handles[2]);
    assert_int_equal(ended_count, 5);
    stub_stop();
}

/* The version is the number after the words, as far as it is valid. */
static void test_version_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned version;
        enum gl_profile profile;
    } texts[] = {
        {"1.1", 11, GL_PROFILE_DESKTOP},
        {"4.6 (Compatibility Profile) Mesa 22.3.6", 46, GL_PROFILE_DESKTOP},
        {"2.1.2 NVIDIA 340", 21, GL_PROFILE_DESKTOP},
        {"3", 30, GL_PROFILE_DESKTOP},
        {"3.x", 30, GL_PROFILE_DESKTOP},
        {"4.0", 40, GL_PROFILE_DESKTOP},
        {"4.9", 49, GL_PROFILE_DESKTOP},
        {"OpenGL ES-CM 1.1", 11, GL_PROFILE_ES},
        {"OpenGL ES-CL 1.0", 10, GL_PROFILE_ES},
        {"OpenGL ES 3.2 Mesa 22", 32, GL_PROFILE_ES},
        {"OpenGL 4.5", 45, GL_PROFILE_DESKTOP},
    };
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        struct capture_thread *t = stub_start(texts[i].text);
        assert_int_equal(t->context->version, texts[i].version);
        assert_int_equal(t->context->profile, texts[i].profile);
        stub_stop();
    }
    struct capture_thread *t = stub_start("4.6");
    t->context->version = 0;
    stub.version = NULL; /* no context is current */
    gl_context_identify(t->context);
    assert_int_equal(t->context->version, 0);
    stub_stop();
}

/* A handle that is returned again is another context's, even if the end of the first one was not seen. */
static void test_handles_used_again(void **state)
{
    (void)state;
    stub_start("4.6");
    for (unsigned i = 0; i < 3; ++i) {
        make(SPEC_FN_glXCreateContext, (const uint64_t[8]){STUB_P(displays)}, &handles[0]);
        assert_false(gl_context_get(&handles[0])->sizes.array_buffer);
        assert_int_equal(gl_context_get(&handles[0])->sizes.unpack.alignment, 4);
        gl_context_bind_buffer(gl_context_get(&handles[0]), GL_BUFFER_ARRAY, 3);
    }
    gl_context_destroy(&handles[0]);
    assert_false(gl_context_get(&handles[0])->sizes.array_buffer); /* neither are those before it */
    gl_context_destroy(&handles[0]);
    stub_stop();
}

/* The contexts of a display end with it, those of others do not. A current context ends later. */
static void test_terminated_displays(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("OpenGL ES 3.2");
    stub.more = find_boxes;
    for (unsigned i = 0; i < 3; ++i) {
        make(SPEC_FN_eglCreateContext, (const uint64_t[8]){STUB_P(&displays[i / 2])}, &handles[i]);
        gl_context_bind_buffer(gl_context_get(&handles[i]), GL_BUFFER_ARRAY, 3);
    }
    make_current(&handles[1], true);
    make(SPEC_FN_eglTerminate, (const uint64_t[8]){STUB_P(&displays[0])}, NULL); /* fails */
    struct gl_context *unseen = gl_context_get(&stub);                           /* the display is unknown */
    gl_context_bind_buffer(unseen, GL_BUFFER_ARRAY, 3);
    make(SPEC_FN_eglTerminate, (const uint64_t[8]){0}, (void *)1);
    assert_true(gl_context_get(&stub)->sizes.array_buffer);
    assert_true(gl_context_get(&handles[0])->sizes.array_buffer);
    make(SPEC_FN_eglTerminate, (const uint64_t[8]){STUB_P(&displays[0])}, (void *)1);
    assert_false(gl_context_get(&handles[0])->sizes.array_buffer); /* another context */
    assert_true(t->context->sizes.array_buffer);
    assert_true(t->context->destroyed);
    assert_true(gl_context_get(&handles[2])->sizes.array_buffer);
    make_current(&stub, true);
    for (unsigned i = 0; i < 3; ++i)
        gl_context_destroy(&handles[i]);
    stub_stop();
}

/* OpenGL 3.1 without GL_ARB_compatibility and core profiles since 3.2 have no arrays in memory. 3.0 does. */
static void test_core(void **state)
{
    (void)state;
    static const struct {
        const char *version, *extension;
        int32_t mask;
        bool core;
    } contexts[] = {
        {"3.0", "GL_ARB_none", 1, false},          {"3.1", "GL_ARB_none", 0, true},
        {"3.1", "GL_ARB_compatibility", 0, false}, {"3.2", "GL_ARB_compatibility", 1, true},
        {"3.2", "GL_ARB_none", 2, false},          {"4.6", "GL_ARB_none", 3, true},
        {"4.6", "GL_ARB_none", 0, false},          {"OpenGL ES 3.2", "GL_ARB_none", 1, false},
        {"2.1", "GL_ARB_none", 1, false},
    };
    for (unsigned i = 0; i < sizeof contexts / sizeof contexts[0]; ++i) {
        struct capture_thread *t = stub_start("1.0");
        stub.version = contexts[i].version;
        stub.extensions = contexts[i].extension;
        stub.integers[0x9126] = contexts[i].mask;
        t->context->version = 0;
        t->context->in_begin = stub.in_begin = true; /* not now */
        gl_context_identify(t->context);
        assert_int_equal(t->context->version, 0);
        t->context->in_begin = stub.in_begin = false;
        gl_context_identify(t->context);
        assert_int_equal(t->context->core, contexts[i].core);
        stub_stop();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_first_time_current),
        cmocka_unit_test(test_destroyed_while_current),
        cmocka_unit_test(test_handles_used_again),
        cmocka_unit_test(test_terminated_displays),
        cmocka_unit_test(test_core),
        cmocka_unit_test(test_ends_of_groups),
        cmocka_unit_test(test_version_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
