/* SPDX-License-Identifier: MIT
 * Tests what is recorded of client-side vertex arrays at a draw. Expectations come from the OpenGL 4.6
 * specification (compatibility profile): sizes of types from tables 8.2 and 2.2, types and sizes of arrays
 * from table 10.4, and what is read from sections 10.3 and 10.4.
 */
#include "client_array_calls.h"

#include "context/gl_enums.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* --- sizes -------------------------------------------------------------------------------------------- */

static bool is_packed(uint32_t type)
{
    return type == PACKED || type == UPACKED;
}

static const struct {
    enum gl_array array;
    uint16_t function;
    uint32_t types[16];
    int32_t sizes[6];
    int32_t implied; /* number of components of an array without a size */
} kinds[] = {
    {GL_ARRAY_VERTEX, SPEC_FN_glVertexPointer, {S, I, F, H, D}, {2, 3, 4}, 0},
    {GL_ARRAY_NORMAL, SPEC_FN_glNormalPointer, {B, S, I, F, H, D}, {0}, 3},
    {GL_ARRAY_COLOR, SPEC_FN_glColorPointer, {B, UB, S, US, I, UI, F, H, D}, {3, 4}, 0},
    {GL_ARRAY_COLOR, SPEC_FN_glColorPointer, {PACKED, UPACKED, UB}, {4, 0x80E1}, 0},
    {GL_ARRAY_SECONDARY_COLOR, SPEC_FN_glSecondaryColorPointer, {B, UB, S, US, I, UI, F, H, D}, {3}, 0},
    {GL_ARRAY_INDEX, SPEC_FN_glIndexPointer, {UB, S, I, F, D}, {0}, 1},
    {GL_ARRAY_EDGE_FLAG, SPEC_FN_glEdgeFlagPointer, {UB}, {0}, 1},
    {GL_ARRAY_FOG_COORD, SPEC_FN_glFogCoordPointer, {F, H, D}, {0}, 1},
    {GL_ARRAY_TEXTURE_0, SPEC_FN_glTexCoordPointer, {S, I, F, H, D}, {1, 2, 3, 4}, 0},
    {GL_ARRAY_TEXTURE_0 + 3, SPEC_FN_glTexCoordPointer, {S, I, F, H, D}, {1, 2, 3, 4}, 0},
    {GL_ARRAY_WEIGHT, SPEC_FN_glWeightPointerARB, {B, UB, S, US, I, UI, F, D}, {1, 4}, 0},
    {GL_ARRAY_MATRIX_INDEX, SPEC_FN_glMatrixIndexPointerARB, {UB, US, UI}, {1, 4}, 0},
    {GL_ARRAY_GENERIC_0 + 5,
     SPEC_FN_glVertexAttribPointer,
     {B, UB, S, US, I, UI, FIX, F, H, D},
     {1, 2, 3, 4},
     0},
    {GL_ARRAY_GENERIC_0, SPEC_FN_glVertexAttribPointer, {PACKED, UPACKED, UB}, {4, 0x80E1}, 0},
};

static void check_size(unsigned kind, uint32_t type, int32_t size, int32_t stride, uint64_t first,
                       uint64_t count)
{
    int32_t components = kinds[kind].implied != 0 ? kinds[kind].implied : size == 0x80E1 ? 4 : size;
    unsigned element = is_packed(type) ? 4 : (unsigned)components * bytes_of(type);
    unsigned step = stride != 0 ? (unsigned)stride : element;
    stub_start("4.6 (Compatibility Profile)");
    set_array(kinds[kind].array, size, type, stride, memory);
    assert_true(STUB_MAKE(glDrawArrays, NULL, 4, first, count));
    const struct stub_call *call = find_call(kinds[kind].function);
    assert_non_null(call);
    assert_int_equal(call->bytes, (first + count - 1) * step + element);
    unsigned pointer = call->function->param_count - 1u;
    assert_ptr_equal(call->args[pointer].p, memory);
    assert_int_equal(call->args[pointer - 1].i, stride);
    stub_stop();
}

static void test_sizes(void **state)
{
    (void)state;
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        for (unsigned t = 0; kinds[k].types[t] != 0; ++t)
            for (unsigned s = 0; s == 0 || kinds[k].sizes[s] != 0; ++s)
                for (int32_t stride = 0; stride <= 33; stride += 11) {
                    check_size(k, kinds[k].types[t], kinds[k].sizes[s], stride, 0, 1);
                    check_size(k, kinds[k].types[t], kinds[k].sizes[s], stride, 7, 12);
                }
}

/* --- which arrays -------------------------------------------------------------------------------------- */

static void test_order(void **state)
{
    (void)state;
    stub_start("2.1");
    stub.client_unit = 2;
    for (unsigned i = 0; i < GL_ARRAY_COUNT; ++i)
        if (i >= GL_ARRAY_SECONDARY_COLOR && (i < GL_ARRAY_TEXTURE_0 + 4 || i >= GL_ARRAY_INDEX) &&
            i < GL_ARRAY_GENERIC_0 + 2)
            set_array((enum gl_array)i, 3, F, 0, memory);
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glSecondaryColorPointer glFogCoordPointer glEdgeFlagPointer "
                      "glClientActiveTexture glTexCoordPointer glClientActiveTexture glTexCoordPointer "
                      "glClientActiveTexture glTexCoordPointer glClientActiveTexture glTexCoordPointer "
                      "glClientActiveTexture glIndexPointer glColorPointer glNormalPointer glVertexPointer "
                      "glVertexAttribPointer glVertexAttribPointer ");
    static const uint32_t units[] = {0, 1, 2, 3, 2};
    for (unsigned i = 0, n = 0; i < stub_call_count; ++i)
        if (stub_calls[i].function->id == SPEC_FN_glClientActiveTexture)
            assert_int_equal(stub_calls[i].args[0].u, 0x84C0 + units[n++]);
    assert_int_equal(stub.client_unit, 2); /* unchanged */
    stub_stop();
}

/* A bound buffer is unbound while arrays in memory are set. */
static void test_bound_buffer(void **state)
{
    (void)state;
    stub_start("2.1");
    set_array(GL_ARRAY_VERTEX, 3, F, 0, memory);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, 7);
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glBindBuffer glVertexPointer glBindBuffer ");
    assert_int_equal(stub_calls[0].args[1].u, 0);
    assert_int_equal(stub_calls[2].args[1].u, 7);
    stub_stop();
}

static void test_arrays_that_are_not_read(void **state)
{
    (void)state;
    stub_start("2.1");
    struct stub_array *a = set_array(GL_ARRAY_COLOR, 3, F, 0, memory);
    a->enabled = false;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("");
    a->enabled = true;
    a->pointer = NULL;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("");
    a->pointer = (void *)16; /* unmapped */
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("");
    a->pointer = memory;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("glColorPointer ");
    a->buffer = 9;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    stub_expect_calls("");
    stub_stop();
}

/* A context has a limited number of units and attributes. What follows the last one is not another array. */
static void test_last_arrays(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        uint64_t number; /* a texture unit of the driver, or an argument */
        uint64_t arrays; /* that may be in memory after the call */
    } calls[] = {
        {SPEC_FN_glTexCoordPointer, 0, (uint64_t)1 << GL_ARRAY_TEXTURE_0},
        {SPEC_FN_glTexCoordPointer, 15, (uint64_t)1 << (GL_ARRAY_INDEX - 1)},
        {SPEC_FN_glTexCoordPointer, 16, 0},
        {SPEC_FN_glTexCoordPointer, 17, 0},
        {SPEC_FN_glMultiTexCoordPointerEXT, 0x84C0, (uint64_t)1 << GL_ARRAY_TEXTURE_0},
        {SPEC_FN_glMultiTexCoordPointerEXT, 0x84CF, (uint64_t)1 << (GL_ARRAY_INDEX - 1)},
        {SPEC_FN_glMultiTexCoordPointerEXT, 0x84D0, 0},
        {SPEC_FN_glMultiTexCoordPointerEXT, 0x84BF, 0},
        {SPEC_FN_glVertexAttribPointer, 0, (uint64_t)1 << GL_ARRAY_GENERIC_0},
        {SPEC_FN_glVertexAttribPointer, 31, (uint64_t)1 << (GL_ARRAY_COUNT - 1)},
        {SPEC_FN_glVertexAttribPointer, 32, 0},
        {SPEC_FN_glVertexAttribPointer, UINT32_MAX, 0},
        {SPEC_FN_glVertexAttribIPointer, 32, 0},
        {SPEC_FN_glVertexAttribLPointer, 31, (uint64_t)1 << (GL_ARRAY_COUNT - 1)},
        {SPEC_FN_glVertexPointer, 0, (uint64_t)1 << GL_ARRAY_VERTEX},
        {SPEC_FN_glPointSizePointerOES, 0, (uint64_t)1 << GL_ARRAY_POINT_SIZE},
        {SPEC_FN_glSecondaryColorPointerEXT, 0, (uint64_t)1 << GL_ARRAY_SECONDARY_COLOR},
        {SPEC_FN_glVertexPointerEXT, 0, (uint64_t)1 << GL_ARRAY_VERTEX},
    };
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        struct capture_thread *t = stub_start("4.6");
        bool by_unit = calls[i].function == SPEC_FN_glTexCoordPointer;
        uint64_t args[8] = {0};
        const struct spec_function *f = &spec_functions[calls[i].function];
        for (unsigned p = 0; p < f->param_count; ++p) {
            const char *name = spec_string(spec_param(f, p)->name);
            args[p] = strcmp(name, "size") == 0   ? 3
                      : strcmp(name, "type") == 0 ? calls[i].function == SPEC_FN_glVertexAttribIPointer   ? I
                                                    : calls[i].function == SPEC_FN_glVertexAttribLPointer ? D
                                                                                                          : F
                                                  : 0;
        }
        if (!by_unit && args[0] == 0)
            args[0] = calls[i].number;
        stub.client_unit = by_unit ? (uint32_t)calls[i].number : 0;
        args[spec_functions[calls[i].function].param_count - 1] = STUB_P(memory);
        assert_false(stub_make(calls[i].function, stub_arguments(args), NULL)); /* is not recorded either */
        assert_int_equal(t->context->arrays->client_pointers, calls[i].arrays);
        stub_stop();
    }
}

/* In core profiles and vertex array objects, an address is an error. The call is recorded, with another one.
 */
static void test_refused_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool is_core, has_object, is_recorded;
    } cases[] = {
        {"4.6 (Compatibility Profile)", false, false, false},
        {"4.6 (Compatibility Profile)", false, true, true},
        {"4.6 (Core Profile)", true, false, true},
        {"4.6 (Core Profile)", true, true, true},
        {"OpenGL ES 2.0 Mesa", false, true, false},
        {"OpenGL ES 3.2 Mesa", false, false, false},
        {"OpenGL ES 3.2 Mesa", false, true, true},
        {"2.1", false, true, false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct capture_thread *t = stub_start(cases[i].version);
        gl_context_identify(t->context);
        t->context->core = cases[i].is_core;
        if (cases[i].has_object)
            gl_context_bind_arrays(t->context, gl_context_find_arrays(t->context, 7));
        assert_false(STUB_MAKE(glVertexAttribPointer, NULL, 1, 3, F, 0, 0, STUB_P(memory)));
        const struct stub_call *call = find_call(SPEC_FN_glVertexAttribPointer);
        assert_int_equal(call != NULL, cases[i].is_recorded);
        assert_true(call == NULL || call->args[5].u == 1);
        assert_true(t->context->arrays->client_pointers != 0); /* some drivers take it */
        stub_stop();
    }
}

/* Mesa keeps the stride of such a call. Nothing is read with it, before a draw or a question. */
static void test_refused_strides_of_draws(void **state)
{
    (void)state;
    static const int32_t strides[] = {4096, 4097, -4};
    for (unsigned i = 0; i < 3; ++i) {
        stub_start("4.6 (Compatibility Profile)");
        set_array(GL_ARRAY_VERTEX, 3, F, 0, memory)->stride = strides[i];
        STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
        stub_expect_calls(i == 0 ? "glVertexPointer " : "");
        STUB_MAKE(glGetIntegerv, NULL, 0x807C, STUB_P(memory));
        stub_expect_calls(i == 0 ? "glVertexPointer " : "");
        stub_stop();
    }
}

/* Calls that set arrays, and whether they fail by their arguments. */
static const struct {
    const char *version;
    uint16_t function;
    uint64_t args[5];
    bool is_recorded;
} array_calls[] = {
    {"2.1", SPEC_FN_glVertexPointer, {3, F, 0}, false},
    {"2.1", SPEC_FN_glVertexPointer, {5, F, 0}, true},
    {"2.1", SPEC_FN_glVertexPointer, {1, F, 0}, true},
    {"2.1", SPEC_FN_glVertexPointer, {2, F, 0}, false},
    {"2.1", SPEC_FN_glVertexPointer, {2, B, 0}, true},
    {"2.1", SPEC_FN_glTexCoordPointer, {2, US, 0}, true},
    {"2.1", SPEC_FN_glTexCoordPointer, {1, S, 0}, false},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glTexCoordPointer, {2, B, 0}, false},
    {"2.1", SPEC_FN_glNormalPointer, {UB, 0}, true},
    {"2.1", SPEC_FN_glNormalPointer, {B, 0}, false},
    {"2.1", SPEC_FN_glFogCoordPointer, {I, 0}, true},
    {"2.1", SPEC_FN_glFogCoordPointer, {F, 0}, false},
    {"2.1", SPEC_FN_glColorPointer, {2, F, 0}, true},
    {"2.1", SPEC_FN_glColorPointer, {3, F, 0}, false},
    {"2.1", SPEC_FN_glSecondaryColorPointer, {4, F, 0}, true},
    {"2.1", SPEC_FN_glSecondaryColorPointer, {3, F, 0}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribLPointer, {1, 4, F, 0}, true},
    {"2.1", SPEC_FN_glVertexPointer, {0x80E1, UB, 0}, true},
    {"2.1", SPEC_FN_glVertexPointer, {3, 0x1234, 0}, true},
    {"2.1", SPEC_FN_glVertexPointer, {3, F, (uint64_t)-1}, true},
    {"2.1", SPEC_FN_glVertexPointer, {3, FIX, 0}, true},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glVertexPointer, {3, FIX, 0}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 3, FIX, 0, 0}, false},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glVertexPointer, {3, D, 0}, true},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glVertexPointer, {3, I, 0}, true},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glNormalPointer, {D, 0}, true},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glNormalPointer, {S, 0}, false},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glTexCoordPointer, {1, F, 0}, true},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glTexCoordPointer, {2, F, 0}, false},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glColorPointer, {3, F, 0}, true},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glColorPointer, {4, B, 0}, true},
    {"OpenGL ES-CM 1.1 Mesa", SPEC_FN_glColorPointer, {4, UB, 0}, false},
    {"OpenGL ES 3.2", SPEC_FN_glVertexAttribPointer, {1, 3, D, 0, 0}, true},
    {"OpenGL ES 3.2", SPEC_FN_glVertexAttribPointer, {1, 3, FIX, 0, 0}, false},
    {"OpenGL ES 3.2", SPEC_FN_glVertexAttribIPointer, {1, 3, F, 0}, true},
    {"OpenGL ES 3.2", SPEC_FN_glVertexAttribIPointer, {1, 3, UI, 0}, false},
    {"OpenGL ES 3.2", SPEC_FN_glVertexAttribPointer, {1, 3, US, 0, 0}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 3, 0x1407, 0, 0}, true},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 0x80E1, PACKED, 0, 0}, true},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 0x80E1, PACKED, 1, 0}, false},
    {"2.1", SPEC_FN_glInterleavedArrays, {0x2A20, 0}, false},
    {"2.1", SPEC_FN_glInterleavedArrays, {0x2A2D, 0}, false},
    {"2.1", SPEC_FN_glInterleavedArrays, {0x2A1F, 0}, true},
    {"2.1", SPEC_FN_glInterleavedArrays, {0x2A2E, 0}, true},
    {"2.1", SPEC_FN_glInterleavedArrays, {0x2A20, (uint64_t)-1}, true},
    {"2.1", SPEC_FN_glColorPointer, {0x80E1, UB, 0}, false},
    {"2.1", SPEC_FN_glColorPointer, {0x80E1, S, 0}, true},
    {"2.1", SPEC_FN_glWeightPointerARB, {9, F, 0}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 0x80E1, UB, 1, 0}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 0x80E1, UB, 0, 0}, true},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 3, PACKED, 0, 0}, true},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribIPointer, {1, 3, UI, 0}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribIPointer, {1, 3, F, 0}, true},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribLPointer, {31, 4, D, 0}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribLPointer, {32, 4, D, 0}, true},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {UINT32_MAX, 4, F, 0, 0}, true},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 3, F, 0, 4096}, false},
    {"4.6 (Compatibility Profile)", SPEC_FN_glVertexAttribPointer, {1, 3, F, 0, 4097}, true},
    {"4.4 (Compatibility Profile)", SPEC_FN_glEdgeFlagPointer, {4097}, true},
    {"4.4 (Compatibility Profile)", SPEC_FN_glVertexPointerEXT, {3, F, 4097, 9}, true},
    {"4.3 (Compatibility Profile)", SPEC_FN_glVertexPointer, {3, F, 4097}, false},
    {"OpenGL ES 3.2", SPEC_FN_glVertexAttribPointer, {1, 3, F, 0, 4097}, false}, /* of Mesa */
    {"4.6 (Compatibility Profile)", SPEC_FN_glInterleavedArrays, {0x2A20, 4097}, true},
};

/* A call that fails by its arguments sets no array. It is recorded for its error, without the address. */
static void test_refused_arrays(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof array_calls / sizeof array_calls[0]; ++i) {
        unsigned pointer = spec_functions[array_calls[i].function].param_count - 1u;
        uint64_t args[8] = {0};
        memcpy(args, array_calls[i].args, sizeof array_calls[i].args);
        args[pointer] = STUB_P(memory);
        struct capture_thread *t = stub_start(array_calls[i].version);
        assert_false(stub_make(array_calls[i].function, stub_arguments(args), NULL));
        const struct stub_call *call = find_call(array_calls[i].function);
        assert_int_equal(call != NULL, array_calls[i].is_recorded);
        for (unsigned k = 0; call != NULL && k < pointer; ++k)
            assert_int_equal(call->args[k].u, args[k]);
        if (call != NULL)
            assert_null(call->args[pointer].p);
        assert_int_equal(t->context->arrays->client_pointers != 0, !array_calls[i].is_recorded);
        stub_stop();
    }
}

/* Between glBegin() and glEnd(), drivers may refuse it or not, and cannot be asked. */
static void test_pointers_inside_begin(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("2.1");
    STUB_MAKE(glBegin, NULL, 4);
    assert_false(STUB_MAKE(glVertexPointer, NULL, 3, F, 0, STUB_P(memory)));
    const struct stub_call *call = find_call(SPEC_FN_glVertexPointer);
    assert_non_null(call);
    assert_null(call->args[3].p);
    assert_int_not_equal(t->context->arrays->client_pointers, 0);
    stub_stop();
}

/* Texture units exist since OpenGL 1.3, and in OpenGL ES. */
static void test_versions_with_units(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool has;
    } versions[] = {{"1.2", false}, {"1.3", true}, {"OpenGL ES-CM 1.0", true}};
    for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; ++i) {
        struct capture_thread *t = stub_start(versions[i].version);
        stub.client_unit = 3;
        STUB_MAKE(glTexCoordPointer, NULL, 2, F, 0, STUB_P(memory));
        assert_int_equal(t->context->arrays->client_pointers,
                         (uint64_t)1 << (GL_ARRAY_TEXTURE_0 + (versions[i].has ? 3 : 0)));
        stub_stop();
    }
}

/* Draws cost no queries if no call has set an array in memory, or if it is in a buffer now. */
static void test_no_needless_questions(void **state)
{
    (void)state;
    stub_start("4.6");
    unsigned before = stub.questions;
    assert_true(STUB_MAKE(glVertexPointer, NULL, 3, F, 0, 0)); /* NULL does not count as an address */
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, 7);
    assert_true(STUB_MAKE(glVertexPointer, NULL, 3, F, 0, 16));
    assert_true(STUB_MAKE(glVertexAttribPointer, NULL, 3, 4, F, 0, 0, 16));
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    STUB_MAKE(glDrawElements, NULL, 4, 3, US, 0);
    STUB_MAKE(glBegin, NULL, 4);
    STUB_MAKE(glArrayElement, NULL, 1);
    STUB_MAKE(glEnd, NULL, 0);
    assert_int_equal(stub.questions, before);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, 0);
    set_array(GL_ARRAY_VERTEX, 3, F, 0, memory)->buffer = 7;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    before = stub.questions;
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
    assert_int_equal(stub.questions, before);
    stub_stop();
}

/* The driver is only queried about the kinds of restart that the program has used and that its version has.
 * Other queries would cause errors that the program could see. */
static void test_no_questions_about_restarts(void **state)
{
    (void)state;
    static const uint16_t drawn[] = {0, 1, 2};
    static const uint32_t kinds_of_restart[] = {0x8F9D, 0x8558, 0x8D69};
    for (unsigned used = 0; used < 4; ++used) {
        stub_start("4.6");
        stub.extensions = "GL_NV_primitive_restart";
        stub.integers[0x821D] = 1;
        set_array(GL_ARRAY_VERTEX, 2, F, 0, memory);
        if (used < 3)
            STUB_MAKE(glEnable, NULL, kinds_of_restart[used]);
        for (unsigned i = 0; i < 3; ++i)
            stub.enabled[kinds_of_restart[i]] = i != used; /* a needless query would get a wrong answer */
        stub.integers[0x8F9E] = stub.integers[0x8559] = 2;
        static const uint16_t fixed[] = {0, 1, 0xffff};
        STUB_MAKE(glDrawElements, NULL, 4, 3, US, STUB_P(drawn));
        assert_non_null(find_call(SPEC_FN_glVertexPointer));
        assert_int_equal(find_call(SPEC_FN_glVertexPointer)->bytes, 24);
        (void)fixed;
        stub_stop();
    }
}

/* The element that restarts primitives has no values, and need not be in memory. */
static void test_elements_that_restart(void **state)
{
    (void)state;
    stub_start("2.1");
    stub.extensions = "GL_NV_primitive_restart";
    set_array(GL_ARRAY_VERTEX, 2, F, 0, memory);
    STUB_MAKE(glEnableClientState, NULL, 0x8558);
    stub.enabled[0x8558] = true;
    stub.integers[0x8559] = 255;
    STUB_MAKE(glBegin, NULL, 4);
    STUB_MAKE(glArrayElement, NULL, 1);
    stub_expect_calls("glEnd glDisableClientState glBegin glVertex2fv ");
    STUB_MAKE(glArrayElement, NULL, 255);
    stub_expect_calls("");
    STUB_MAKE(glArrayElement, NULL, 2);
    stub_expect_calls("glVertex2fv ");
    STUB_MAKE(glEnd, NULL, 0);
    stub_stop();
}

/* A popped state may have arrays in memory again, so a buffer's array may become one. */
static void test_pushed_arrays(void **state)
{
    (void)state;
    static const uint16_t pushes[] = {SPEC_FN_glPushClientAttrib, SPEC_FN_glPushClientAttribDefaultEXT};
    for (unsigned i = 0; i < 2; ++i) {
        stub_start("2.1");
        struct stub_array *a = set_array(GL_ARRAY_VERTEX, 3, F, 0, memory);
        stub_make(pushes[i], stub_arguments((const uint64_t[8]){2}), NULL);
        a->buffer = 7;
        STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
        stub_expect_calls("");
        a->buffer = 0;
        STUB_MAKE(glPopClientAttrib, NULL, 0);
        STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
        stub_expect_calls("glVertexPointer ");
        stub_stop();
    }
}

/* Integer and double attributes are set by functions of their own. */
static void test_kinds_of_attributes(void **state)
{
    (void)state;
    static const char *const versions[] = {"4.1", "4.6"}; /* double attributes exist since 4.1 */
    struct stub_array *a;
    for (unsigned i = 0; i < 2; ++i) {
        stub_start(versions[i]);
        a = set_array(GL_ARRAY_GENERIC_0 + 1, 2, I, 0, memory);
        STUB_MAKE(glVertexAttribIPointer, NULL, 1, 2, I, 0, STUB_P(memory));
        a->integer = true;
        a = set_array(GL_ARRAY_GENERIC_0 + 2, 2, D, 0, memory);
        STUB_MAKE(glVertexAttribLPointer, NULL, 2, 2, D, 0, STUB_P(memory));
        a->is_long = true;
        set_array(GL_ARRAY_GENERIC_0 + 3, 2, UB, 0, memory)->normalized = true;
        STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
        stub_expect_calls("glVertexAttribIPointer glVertexAttribLPointer glVertexAttribPointer ");
        assert_int_equal(stub_calls[0].bytes, 24);
        assert_int_equal(stub_calls[1].bytes, 48);
        assert_int_equal(stub_calls[2].args[0].u, 3);
        assert_int_equal(stub_calls[2].args[3].u, 1);
        stub_stop();
    }
}

static void test_interleaved(void **state)
{
    (void)state;
    stub_start("2.1");
    stub.arrays[GL_ARRAY_COLOR].enabled = stub.arrays[GL_ARRAY_VERTEX].enabled = true;
    assert_false(STUB_MAKE(glInterleavedArrays, NULL, 0x2A24, 0, STUB_P(memory)));
    stub_expect_calls("glDisableClientState glDisableClientState glDisableClientState glDisableClientState "
                      "glDisableClientState glEnableClientState glDisableClientState glEnableClientState ");
    static const uint32_t states[] = {0x845E, 0x8457, 0x8079, 0x8078, 0x8077, 0x8076, 0x8075, 0x8074};
    for (unsigned i = 0; i < 8; ++i)
        assert_int_equal(stub_calls[i].args[0].u, states[i]);
    assert_false(STUB_MAKE(glInterleavedArrays, NULL, 0x2A2E, 0, STUB_P(memory)));
    stub_expect_calls("glInterleavedArrays "); /* for its error */
    assert_false(STUB_MAKE(glInterleavedArrays, NULL, 0x2A1F, 0, STUB_P(memory)));
    stub_expect_calls("glInterleavedArrays "); /* for its error */
    for (unsigned format = 0x2A20; format <= 0x2A2D; format += 13) {
        assert_false(STUB_MAKE(glInterleavedArrays, NULL, format, 0, STUB_P(memory)));
        assert_int_equal(stub_call_count, 8);
    }
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, 7);
    assert_true(STUB_MAKE(glInterleavedArrays, NULL, 0x2A24, 0, 16));
    stub_expect_calls("");
    stub_stop();
    /* From then on, all of its arrays are in memory, and are recorded if they are enabled. */
    static const struct {
        enum gl_array array;
        uint32_t type;
        uint16_t function;
    } arrays[] = {{GL_ARRAY_TEXTURE_0, F, SPEC_FN_glTexCoordPointer},
                  {GL_ARRAY_COLOR, F, SPEC_FN_glColorPointer},
                  {GL_ARRAY_NORMAL, F, SPEC_FN_glNormalPointer},
                  {GL_ARRAY_VERTEX, F, SPEC_FN_glVertexPointer}};
    for (unsigned i = 0; i < 4; ++i) {
        stub_start("2.1");
        STUB_MAKE(glInterleavedArrays, NULL, 0x2A2D, 0, STUB_P(memory));
        stub.arrays[arrays[i].array] = (struct stub_array){
            .enabled = true, .size = 3, .type = (int32_t)arrays[i].type, .stride = 60, .pointer = memory};
        STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
        assert_non_null(find_call(arrays[i].function));
        assert_int_equal(find_call(arrays[i].function)->bytes, 2 * 60 + 12);
        stub_stop();
    }
    /* Secondary colors and fog coordinates exist since 1.4. */
    static const struct {
        const char *version;
        unsigned states;
    } versions[] = {{"1.1", 6}, {"1.3", 6}, {"1.4", 8}, {"1.5", 8}};
    for (unsigned i = 0; i < 4; ++i) {
        stub_start(versions[i].version);
        STUB_MAKE(glInterleavedArrays, NULL, 0x2A24, 0, STUB_P(memory));
        assert_int_equal(stub_call_count, versions[i].states);
        stub_stop();
    }
}

/* The last of the indices is the restart index. */
static const uint16_t shorts[] = {3, 255, 1, 65535};

/* --- versions and extensions ---------------------------------------------------------------------------- */

/* The features of a context: section 10.3.4, and 2.8.2 of OpenGL ES 3.0; 10.3.6; chapter 6 of OpenGL 1.5 and
 * of ES 1.1. */
static void test_features(void **state)
{
    (void)state;
    static const struct {
        const char *version, *extension;
        uint16_t function;
        uint32_t argument, used;
    } features[] = {
        {"3.3", "", SPEC_FN_glVertexAttribDivisor, 0, GL_USES_DIVISORS},
        {"3.2", "", SPEC_FN_glVertexAttribDivisor, 0, 0},
        {"3.0", "GL_ARB_instanced_arrays", SPEC_FN_glVertexAttribDivisorARB, 0, GL_USES_DIVISORS},
        {"2.1", "GL_ARB_instanced_arrays", SPEC_FN_glVertexAttribDivisorARB, 0, GL_USES_DIVISORS},
        {"OpenGL ES 3.0", "", SPEC_FN_glVertexAttribDivisor, 0, GL_USES_DIVISORS},
        {"OpenGL ES 2.0", "", SPEC_FN_glVertexAttribDivisor, 0, 0},
        {"OpenGL ES 2.0", "GL_EXT_instanced_arrays", SPEC_FN_glVertexAttribDivisorEXT, 0, GL_USES_DIVISORS},
        {"OpenGL ES 2.0", "GL_ANGLE_instanced_arrays", SPEC_FN_glVertexAttribDivisorANGLE, 0,
         GL_USES_DIVISORS},
        {"OpenGL ES 2.0", "GL_NV_instanced_arrays", SPEC_FN_glVertexAttribDivisorNV, 0, GL_USES_DIVISORS},
        {"3.1", "", SPEC_FN_glEnable, 0x8F9D, GL_USES_RESTART},
        {"3.0", "", SPEC_FN_glEnable, 0x8F9D, 0},
        {"OpenGL ES 3.2", "", SPEC_FN_glEnable, 0x8F9D, 0},
        {"4.3", "", SPEC_FN_glEnable, 0x8D69, GL_USES_RESTART_FIXED},
        {"4.2", "", SPEC_FN_glEnable, 0x8D69, 0},
        {"4.2", "GL_ARB_ES3_compatibility", SPEC_FN_glEnable, 0x8D69, GL_USES_RESTART_FIXED},
        {"OpenGL ES 3.0", "", SPEC_FN_glEnable, 0x8D69, GL_USES_RESTART_FIXED},
        {"OpenGL ES 2.0", "", SPEC_FN_glEnable, 0x8D69, 0},
        {"2.1", "GL_NV_primitive_restart", SPEC_FN_glEnableClientState, 0x8558, GL_USES_RESTART_NV},
        {"2.1", "", SPEC_FN_glEnableClientState, 0x8558, 0},
        {"4.6", "", SPEC_FN_glEnable, 0x0BE2, 0},
    };
    for (unsigned i = 0; i < sizeof features / sizeof features[0]; ++i) {
        struct capture_thread *t = stub_start(features[i].version);
        stub.extensions = features[i].extension;
        stub_make(features[i].function, stub_arguments((const uint64_t[8]){features[i].argument, 1}), NULL);
        assert_int_equal(t->context->used, features[i].used);
        stub_stop();
    }
}

static void test_versions_with_buffers(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool has;
    } versions[] = {{"1.4", false}, {"1.5", true}, {"OpenGL ES-CM 1.0", false}, {"OpenGL ES-CM 1.1", true}};
    for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; ++i) {
        stub_start(versions[i].version);
        set_array(GL_ARRAY_VERTEX, 3, F, 0, memory)->buffer = 7; /* the state after a failed query */
        STUB_MAKE(glDrawArrays, NULL, 4, 0, 3);
        stub_expect_calls(versions[i].has ? "" : "glVertexPointer ");
        stub_stop();
    }
}

/* --- OpenGL ES ------------------------------------------------------------------------------------------ */

static void test_es_index_buffers(void **state)
{
    (void)state;
    stub_start("OpenGL ES 3.2 Mesa");
    set_array(GL_ARRAY_GENERIC_0, 1, UB, 0, memory);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 5);
    stub.buffer = shorts;
    stub.buffer_size = 6;
    STUB_MAKE(glDrawElements, NULL, 4, 3, US, 0);
    assert_int_equal(stub_calls[0].bytes, 256);
    assert_int_equal(stub.maps, 1);
    assert_int_equal(stub.unmaps, 1);
    stub.buffer_mapped = 1; /* the program's own mapping is not touched */
    STUB_MAKE(glDrawElements, NULL, 4, 3, US, 0);
    assert_int_equal(stub.maps, 1);
    stub_stop();
    stub_start("OpenGL ES 2.0 without mapping");
    set_array(GL_ARRAY_GENERIC_0, 1, UB, 0, memory);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 5);
    stub.buffer_size = 6;
    STUB_MAKE(glDrawElements, NULL, 4, 3, UB, 0);
    assert_int_equal(stub_calls[0].bytes, 256); /* all elements that bytes can refer to */
    assert_int_equal(stub.maps, 0);
    stub_stop();
}

/* OpenGL ES 2 can map buffers only with an extension. */
static void test_es2_with_mapping(void **state)
{
    (void)state;
    for (int32_t mapped = 0; mapped < 2; ++mapped) {
        stub_start("OpenGL ES 2.0");
        stub.extensions = "GL_OES_mapbuffer GL_EXT_map_buffer_range";
        set_array(GL_ARRAY_GENERIC_0, 1, UB, 0, memory);
        STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 5);
        stub.buffer = shorts;
        stub.buffer_size = 6;
        stub.buffer_mapped = mapped;
        STUB_MAKE(glDrawElements, NULL, 4, 3, US, 0);
        assert_int_equal(stub_calls[0].bytes, mapped ? 65536 : 256);
        assert_int_equal(stub.maps, !mapped);
        assert_int_equal(stub.unmaps, !mapped);
        stub_stop();
    }
}

/* If indices cannot be read back, all elements are recorded that bytes or shorts can refer to. */
static void test_unreadable_indices(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        int32_t mapped, flags;
        uint32_t type;
        uint64_t offset, count;
        int64_t bytes; /* -1: nothing is recorded */
    } draws[] = {
        {"4.6", 0, 0, US, 0, 3, 256},
        {"4.6", 1, 0, US, 0, 3, 65536},
        {"4.6", 1, 0x40, US, 0, 3, 256},
        {"3.0", 1, 0x40, US, 0, 3, 256},
        {"4.6", 1, 2, UB, 0, 3, 256},
        {"4.6", 1, 0, UI, 0, 3, -1},
        {"3.0", 1, 0, US, 0, 3, 65536},
        {"2.1", 1, 0, US, 0, 3, 65536},
        {"2.1", 0, 0, US, 0, 3, 256},
        {"1.5", 1, 0, UB, 0, 3, 256},
        {"4.6", 0, 0, US, 4, 4, 65536},
        {"2.1", 1, 0x40, US, 0, 3, 65536},
        {"4.6", 0, 0, US, 4, 5, 65536},
        {"4.6", 0, 0, US, 4, 1, 2},
        {"4.6", 0, 0, US, 6, 9, 65536},
        {"4.6", 0, 0, US, 8, 1, 65536},
        {"4.6", 0, 0, US, 0, 0, -1},
        {"OpenGL ES 3.2", 1, 0x40, US, 0, 3, 65536},
        {"OpenGL ES 3.0", 0, 0, US, 0, 3, 256},
        {"OpenGL ES 2.0", 0, 0, US, 0, 3, 65536},
        {"OpenGL ES 2.0", 0, 0, UI, 0, 3, -1},
    };
    for (unsigned i = 0; i < sizeof draws / sizeof draws[0]; ++i) {
        bool es2 = strcmp(draws[i].version, "OpenGL ES 2.0") == 0;
        stub_start(draws[i].version);
        enum gl_array array =
            strncmp(draws[i].version, "OpenGL", 6) == 0 ? GL_ARRAY_GENERIC_0 : GL_ARRAY_EDGE_FLAG;
        set_array(array, 1, UB, 0, memory);
        stub.buffer = shorts;
        stub.buffer_size = sizeof shorts;
        stub.buffer_mapped = es2 ? 0 : draws[i].mapped;
        stub.buffer_flags = draws[i].flags;
        STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 5);
        STUB_MAKE(glDrawElements, NULL, 4, draws[i].count, draws[i].type, draws[i].offset);
        assert_int_equal(stub_call_count, draws[i].bytes >= 0);
        if (draws[i].bytes >= 0)
            assert_int_equal(stub_calls[0].bytes, draws[i].bytes);
        stub_stop();
    }
}

static void test_es1(void **state)
{
    (void)state;
    stub_start("OpenGL ES-CM 1.1 Mesa");
    set_array(GL_ARRAY_POINT_SIZE, 1, F, 0, memory);
    set_array(GL_ARRAY_VERTEX, 3, FIX, 0, memory);
    STUB_MAKE(glDrawArrays, NULL, 0, 0, 2);
    stub_expect_calls("glPointSizePointerOES glVertexPointer ");
    assert_int_equal(stub_calls[0].bytes, 8);
    assert_int_equal(stub_calls[1].bytes, 24);
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_bound_buffer),
        cmocka_unit_test(test_arrays_that_are_not_read),
        cmocka_unit_test(test_last_arrays),
        cmocka_unit_test(test_versions_with_units),
        cmocka_unit_test(test_no_needless_questions),
        cmocka_unit_test(test_no_questions_about_restarts),
        cmocka_unit_test(test_refused_addresses),
        cmocka_unit_test(test_refused_arrays),
        cmocka_unit_test(test_refused_strides_of_draws),
        cmocka_unit_test(test_pointers_inside_begin),
        cmocka_unit_test(test_elements_that_restart),
        cmocka_unit_test(test_pushed_arrays),
        cmocka_unit_test(test_kinds_of_attributes),
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_versions_with_buffers),
        cmocka_unit_test(test_unreadable_indices),
        cmocka_unit_test(test_es_index_buffers),
        cmocka_unit_test(test_es2_with_mapping),
        cmocka_unit_test(test_es1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
