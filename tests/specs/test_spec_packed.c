/* SPDX-License-Identifier: MIT */
#include "runtime/invoke.h"
#include "unpack_args.h"

#include "cmocka_all.h"
#include "next_random.h"
#include "spec_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what a function gets ---------------------------------------------------------------------------- */

/* Arguments are where the ABI of the processor says: in registers for integers or for floats, and the others
 * in words on the stack, in their order. */
#if defined __x86_64__
enum { INTEGERS = 6, KNOWN_ABI = 1 };
#define INTEGER_PARAMETERS uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f
#define INTEGER_NAMES      a, b, c, d, e, f
#else
enum { INTEGERS = 8 };
#if defined __aarch64__
enum { KNOWN_ABI = 1 };
#else
enum { KNOWN_ABI = 0 };
#endif
#define INTEGER_PARAMETERS                                                                                   \
    uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h
#define INTEGER_NAMES a, b, c, d, e, f, g, h
#endif
enum { FLOATS = 8, STACK = 16, CALLS = 3, ARRAY = SPEC_PACKED_ELEMENTS * sizeof(uint64_t) };

static const struct spec_function *called;
static struct seen {
    uint64_t values[SPEC_PACKED_PARAMS];
    uint8_t array[ARRAY];
} seen[CALLS];
static unsigned seen_count;

/* Cuts a value to the bytes that its type has; the others are undefined. */
static uint64_t cut(enum spec_type type, uint64_t value)
{
    size_t bits = 8 * spec_type_size(type);
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static void see(const uint64_t *integers, const double *floats, const uint64_t *stack)
{
    struct seen *s = &seen[seen_count++];
    memset(s, 0, sizeof *s);
    for (unsigned i = 0, n = 0, x = 0, on_stack = 0; i < called->param_count; ++i) {
        const struct spec_param *p = spec_param(called, i);
        enum spec_type type = p->form == SPEC_FORM_ARRAY ? SPEC_PTR : (enum spec_type)p->type;
        bool is_float = type == SPEC_F32 || type == SPEC_F64;
        uint64_t value;
        if (is_float ? x < FLOATS : n < INTEGERS)
            memcpy(&value, is_float ? (const void *)&floats[x++] : (const void *)&integers[n++],
                   sizeof value);
        else
            value = stack[on_stack++];
        if (type == SPEC_PTR)
            memcpy(s->array, (const void *)(uintptr_t)value, called->array_size * called->array_unit);
        else
            s->values[i] = cut(type, value);
    }
}

static void stand_in(INTEGER_PARAMETERS, double x0, double x1, double x2, double x3, double x4, double x5,
                     double x6, double x7, uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3, uint64_t s4,
                     uint64_t s5, uint64_t s6, uint64_t s7, uint64_t s8, uint64_t s9)
{
    const uint64_t integers[] = {INTEGER_NAMES}, stack[STACK] = {s0, s1, s2, s3, s4, s5, s6, s7, s8, s9};
    const double floats[] = {x0, x1, x2, x3, x4, x5, x6, x7};
    see(integers, floats, stack);
}

/* --- both ways --------------------------------------------------------------------------------------- */

/* Values are what a reader stores: those of narrow types are extended. */
static void fill(const struct spec_packed *layout, unsigned count, uint8_t *packed)
{
    for (unsigned i = 0; i < layout->size; ++i)
        packed[i] = (uint8_t)next_random();
    for (unsigned i = 0; i < count; ++i) {
        const struct spec_packed_param *p = &layout->params[i];
        union spec_arg value = {.u = next_random()};
        if (p->count > 0 || spec_type_size((enum spec_type)p->type) >= sizeof(uint32_t))
            continue;
        spec_load((enum spec_type)p->type, &value, 0, &value);
        spec_store(SPEC_U32, packed + p->offset, 0, value);
    }
}

static void check_function(const struct spec_function *f)
{
    struct spec_packed layout;
    struct seen together[CALLS];
    uint64_t packed[CALLS * SPEC_PACKED_BYTES / sizeof(uint64_t)];
    assert_true(spec_packed_layout(f, &layout));
    assert_true(layout.size <= SPEC_PACKED_BYTES);
    for (unsigned i = 0; i < f->param_count; ++i)
        assert_int_equal(layout.params[i].count > 0, spec_param(f, i)->form == SPEC_FORM_ARRAY);
    for (unsigned i = 0; i < CALLS; ++i)
        fill(&layout, f->param_count, (uint8_t *)packed + i * layout.size);
    called = f;
    seen_count = 0;
    spec_find_runner(f)(f, (void (*)(void))stand_in, packed, CALLS);
    assert_int_equal(seen_count, CALLS);
    memcpy(together, seen, sizeof seen);
    seen_count = 0;
    for (unsigned i = 0; i < CALLS; ++i) {
        union spec_arg args[SPEC_PACKED_PARAMS], ret;
        void *array = unpack_args(f, (uint8_t *)packed + i * layout.size, args);
        spec_invoke(f, (void (*)(void))stand_in, args, &ret);
        free(array);
    }
    if (memcmp(together, seen, sizeof seen) != 0)
        fail_msg("%s gets other arguments", spec_string(f->name));
}

static void test_every_runner(void **state)
{
    unsigned count = 0, arrays = 0;
    (void)state;
    if (!KNOWN_ABI)
        skip();
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const struct spec_function *f = &spec_functions[i];
        if (f->runner == 0)
            continue;
        check_function(f);
        count++;
        arrays += (f->flags & SPEC_FUNCTION_ONE_ARRAY) != 0;
    }
    assert_in_range(count, 500, spec_function_count);
    assert_in_range(arrays, 100, count);
}

static bool is_packed(unsigned function)
{
    struct spec_packed layout;
    const struct spec_function *f = &spec_functions[function];
    bool is = spec_packed_layout(f, &layout);
    assert_int_equal(is, spec_find_runner(f) != NULL);
    return is;
}

static void test_which(void **state)
{
    (void)state;
    assert_true(is_packed(SPEC_FN_glColor4f));
    assert_true(is_packed(SPEC_FN_glFlush));
    assert_true(is_packed(SPEC_FN_glVertex3fv));
    assert_true(is_packed(SPEC_FN_glMultMatrixd));
    assert_true(is_packed(SPEC_FN_glBlendFuncSeparate));
    assert_true(is_packed(SPEC_FN_glMultiTexCoord4sv));
    assert_true(is_packed(SPEC_FN_glBindTexture)); /* a name */
    assert_true(is_packed(SPEC_FN_glUniform4fv));  /* the number of arrays is an argument */
    assert_true(is_packed(SPEC_FN_glUniformMatrix4fv));
    assert_true(is_packed(SPEC_FN_glProgramUniform1i));       /* two names */
    assert_false(is_packed(SPEC_FN_glNewList));               /* creates a name */
    assert_false(is_packed(SPEC_FN_glDeleteProgram));         /* deletes a name */
    assert_false(is_packed(SPEC_FN_glGenLists));              /* creates names that it returns */
    assert_false(is_packed(SPEC_FN_glGenTextures));           /* an output */
    assert_false(is_packed(SPEC_FN_glUniformSubroutinesuiv)); /* names in an array */
    assert_false(is_packed(SPEC_FN_glWaitSync));              /* a handle that is a pointer */
    assert_false(is_packed(SPEC_FN_glLightfv));               /* the number of elements depends on another */
    assert_false(is_packed(SPEC_FN_glBegin));                 /* a handler */
    assert_false(is_packed(SPEC_FN_glGetIntegerv));           /* an output */
    assert_false(is_packed(SPEC_FN_glXSwapBuffers));          /* a window system */
    assert_false(is_packed(SPEC_FN_glPolygonStipple));        /* a picture */
}

static void test_layout(void **state)
{
    struct spec_packed layout;
    (void)state;
    assert_true(spec_packed_layout(&spec_functions[SPEC_FN_glMultiTexCoord2d], &layout));
    assert_int_equal(layout.size, 24); /* an enum, padding, two doubles */
    assert_int_equal(layout.params[1].offset, 8);
    assert_int_equal(layout.params[2].offset, 16);
    assert_true(spec_packed_layout(&spec_functions[SPEC_FN_glMultiTexCoord3sv], &layout));
    assert_int_equal(layout.size, 12); /* an enum, three shorts, padding */
    assert_int_equal(layout.params[1].offset, 4);
    assert_int_equal(layout.params[1].count, 3);
    assert_false(layout.params[0].is_one || layout.params[1].is_one);
    assert_true(spec_packed_layout(&spec_functions[SPEC_FN_glUniformMatrix2fv], &layout));
    assert_int_equal(layout.size, 28); /* location, count, transpose, four floats */
    assert_int_equal(layout.params[3].count, 4);
    assert_true(layout.params[1].is_one);
    assert_false(layout.params[0].is_one || layout.params[2].is_one || layout.params[3].is_one);
    assert_true(spec_packed_layout(&spec_functions[SPEC_FN_glColor4ub], &layout));
    assert_int_equal(layout.size, 16); /* values have 32 bits */
    assert_true(spec_packed_layout(&spec_functions[SPEC_FN_glFlush], &layout));
    assert_int_equal(layout.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_runner),
        cmocka_unit_test(test_which),
        cmocka_unit_test(test_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
