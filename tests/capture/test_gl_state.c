/* SPDX-License-Identifier: MIT
 * Tests how the wrapper tracks GL state, and glArrayElement(). Expectations come from the OpenGL
 * specification: pixel store parameters from table 8.1 (ES 2.0: 3.1; ES 3.2: 8.2), buffer bindings from
 * section 6.1, glArrayElement() from section 10.3.
 */
#include "stub_driver.h"

#include "context/gl_enums.h"

#include "cmocka_all.h"

#include <math.h>
#include <string.h>

/* --- pixel store --------------------------------------------------------------------------------------- */

static int32_t *pixel_fields(struct gl_context *c, uint32_t pname)
{
    struct spec_pixel_store *u = &c->sizes.unpack, *p = &c->sizes.pack;
    switch (pname) {
    case 0x0CF2:
        return &u->row_length;
    case 0x0CF3:
        return &u->skip_rows;
    case 0x0CF4:
        return &u->skip_pixels;
    case 0x0CF5:
        return &u->alignment;
    case 0x806D:
        return &u->skip_images;
    case 0x806E:
        return &u->image_height;
    case 0x0D02:
        return &p->row_length;
    case 0x0D03:
        return &p->skip_rows;
    case 0x0D04:
        return &p->skip_pixels;
    case 0x0D05:
        return &p->alignment;
    case 0x806B:
        return &p->skip_images;
    case 0x806C:
        return &p->image_height;
    default:
        return NULL;
    }
}

enum { ES2 = 1, ES2_UNPACK = 2, ES2_PACK = 4, ES3 = 8, DESKTOP = 16 };

/* In which versions a parameter exists. */
static const struct {
    uint32_t pname;
    unsigned apis;
} pixel_parameters[] = {
    {0x0CF2, ES2_UNPACK | ES3 | DESKTOP},
    {0x0CF3, ES2_UNPACK | ES3 | DESKTOP},
    {0x0CF4, ES2_UNPACK | ES3 | DESKTOP},
    {0x0CF5, ES2 | ES2_UNPACK | ES2_PACK | ES3 | DESKTOP},
    {0x806D, ES3 | DESKTOP},
    {0x806E, ES3 | DESKTOP},
    {0x0D02, ES2_PACK | ES3 | DESKTOP},
    {0x0D03, ES2_PACK | ES3 | DESKTOP},
    {0x0D04, ES2_PACK | ES3 | DESKTOP},
    {0x0D05, ES2 | ES2_UNPACK | ES2_PACK | ES3 | DESKTOP},
    {0x806B, DESKTOP},
    {0x806C, DESKTOP},
};

static bool takes(uint32_t pname, int32_t value)
{
    bool alignment = pname == 0x0CF5 || pname == 0x0D05;
    return alignment ? value == 1 || value == 2 || value == 4 || value == 8 : value >= 0;
}

static void check_pixel_parameter(unsigned i, unsigned api, struct capture_thread *t)
{
    uint32_t pname = pixel_parameters[i].pname;
    for (int32_t value = -2; value <= 9; ++value) {
        int32_t before = *pixel_fields(t->context, pname) = 8;
        struct spec_state all = t->context->sizes;
        bool taken = takes(pname, value) && (pixel_parameters[i].apis & api) != 0;
        STUB_MAKE(glPixelStorei, NULL, pname, (uint64_t)(int64_t)value);
        assert_int_equal(*pixel_fields(t->context, pname), taken ? value : before);
        *pixel_fields(t->context, pname) = before;
        assert_memory_equal(&all, &t->context->sizes, sizeof all); /* no other parameter changed */
        union spec_arg args[2] = {{.u = pname}, spec_arg_f32((float)value + 0.4f)}; /* is rounded */
        stub_make(SPEC_FN_glPixelStoref, args, NULL);
        assert_int_equal(*pixel_fields(t->context, pname), taken ? value : before);
        *pixel_fields(t->context, pname) = before;
    }
}

static void test_pixel_store(void **state)
{
    (void)state;
    static const struct {
        const char *version, *extensions;
        unsigned api;
    } contexts[] = {
        {"4.6 (Compatibility Profile)", "", DESKTOP},
        {"1.5", "", DESKTOP},
        {"OpenGL ES 3.2", "", ES3},
        {"OpenGL ES 2.0", "GL_OES_mapbuffer", ES2},
        {"OpenGL ES 2.0", "GL_OES_mapbuffer GL_EXT_unpack_subimage", ES2_UNPACK},
        {"OpenGL ES 2.0", "GL_NV_pack_subimage GL_OES_mapbuffer", ES2_PACK},
        {"OpenGL ES 2.0", "GL_EXT_unpack_subimage_not GL_NOT_GL_NV_pack_subimage", ES2},
    };
    for (unsigned c = 0; c < sizeof contexts / sizeof contexts[0]; ++c) {
        struct capture_thread *t = stub_start(contexts[c].version);
        stub.extensions = contexts[c].extensions;
        for (unsigned i = 0; i < sizeof pixel_parameters / sizeof pixel_parameters[0]; ++i)
            check_pixel_parameter(i, contexts[c].api, t);
        stub_stop();
    }
}

/* Rows are inverted only if the driver knows how to, by two names, and are so again after a pop. */
static void test_inverted_rows(void **state)
{
    (void)state;
    static const struct {
        uint32_t pname;
        const char *version, *extensions;
        bool taken;
    } cases[] = {
        {0x8758, "4.6", "GL_MESA_pack_invert", true},
        {0x8758, "4.6", "GL_ANGLE_pack_reverse_row_order", false},
        {0x8758, "2.1", "", false},
        {0x93A4, "OpenGL ES 2.0", "GL_ANGLE_pack_reverse_row_order", true},
        {0x93A4, "OpenGL ES 2.0", "GL_MESA_pack_invert", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct capture_thread *t = stub_start(cases[i].version);
        stub.extensions = cases[i].extensions;
        STUB_MAKE(glPixelStorei, NULL, cases[i].pname, 7);
        assert_int_equal(t->context->sizes.pack.inverted, cases[i].taken);
        STUB_MAKE(glPixelStorei, NULL, cases[i].pname, 0);
        assert_int_equal(t->context->sizes.pack.inverted, 0);
        stub_stop();
    }
    struct capture_thread *t = stub_start("2.1");
    stub.extensions = "GL_MESA_pack_invert";
    stub.integers[0x8758] = 1;
    STUB_MAKE(glPopClientAttrib, NULL, 0);
    assert_int_equal(t->context->sizes.pack.inverted, 0); /* nobody asks drivers that may not know it */
    STUB_MAKE(glPixelStorei, NULL, 0x8758, 1);
    STUB_MAKE(glPixelStorei, NULL, 0x8758, 0);
    STUB_MAKE(glPopClientAttrib, NULL, 0);
    assert_int_equal(t->context->sizes.pack.inverted, 1);
    stub_stop();
}

/* After a pop, the driver is queried for the state. */
static void test_popped_state(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("2.1");
    for (unsigned i = 0; i < sizeof pixel_parameters / sizeof pixel_parameters[0]; ++i)
        stub.integers[pixel_parameters[i].pname] = (int32_t)(i + 1);
    stub.integers[0x8894] = 21;
    stub.integers[0x8895] = 22;
    stub.integers[0x88ED] = 23;
    stub.integers[0x88EF] = 24;
    static const uint16_t calls[] = {SPEC_FN_glPopClientAttrib, SPEC_FN_glClientAttribDefaultEXT,
                                     SPEC_FN_glPushClientAttribDefaultEXT};
    for (unsigned c = 0; c < 3; ++c) {
        t->context->sizes = (struct spec_state){.driver = t->context->sizes.driver};
        stub_make(calls[c], stub_arguments((uint64_t[8]){3}), NULL);
        for (unsigned i = 0; i < sizeof pixel_parameters / sizeof pixel_parameters[0]; ++i)
            assert_int_equal(*pixel_fields(t->context, pixel_parameters[i].pname), i + 1);
        assert_true(t->context->sizes.array_buffer && t->context->sizes.element_buffer);
        assert_true(t->context->sizes.pack_buffer && t->context->sizes.unpack_buffer);
        assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_ARRAY), 21);
        assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_ELEMENT_ARRAY), 22);
    }
    stub_stop();
}

/* After a pop, only state that the version has is queried. */
static void test_popped_state_by_version(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        bool images, buffers, pixel_buffers, arrays;
    } versions[] = {{"1.1", false, false, false, false},
                    {"1.2", true, false, false, false},
                    {"1.4", true, false, false, false},
                    {"1.5", true, true, false, false},
                    {"2.0", true, true, false, false},
                    {"2.1", true, true, true, false},
                    {"3.0", true, true, true, true},
                    {"4.6", true, true, true, true},
                    {"OpenGL ES 3.2", false, false, false, false}};
    for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; ++i) {
        struct capture_thread *t = stub_start(versions[i].version);
        for (uint32_t pname = 0; pname < 0x10000; ++pname)
            stub.integers[pname] = 7;
        STUB_MAKE(glPopClientAttrib, NULL, 0);
        const struct spec_state *s = &t->context->sizes;
        assert_int_equal(s->pack.row_length, t->context->profile == GL_PROFILE_ES ? 0 : 7);
        assert_int_equal(s->pack.skip_images, versions[i].images ? 7 : 0);
        assert_int_equal(s->unpack.image_height, versions[i].images ? 7 : 0);
        assert_int_equal(s->array_buffer, versions[i].buffers);
        assert_int_equal(s->element_buffer, versions[i].buffers);
        assert_int_equal(s->pack_buffer, versions[i].pixel_buffers);
        assert_int_equal(s->unpack_buffer, versions[i].pixel_buffers);
        assert_int_equal(t->context->arrays->name, versions[i].arrays ? 7 : 0);
        stub_stop();
    }
}

/* Floating-point values are rounded (section 2.2.1). Values that are not a valid number of pixels are
 * rejected. */
static void test_pixel_store_of_floats(void **state)
{
    (void)state;
    static const struct {
        float value;
        int32_t expected; /* -1: unchanged */
    } values[] = {{0, 0},       {0.4f, 0},   {0.5f, 1},           {1.4f, 1},           {-0.6f, -1},
                  {-1e30f, -1}, {1e30f, -1}, {2147483648.0f, -1}, {16777216, 16777216}};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; ++i) {
        struct capture_thread *t = stub_start("2.1");
        t->context->sizes.pack.row_length = 5;
        const union spec_arg args[2] = {{.u = 0x0D02}, spec_arg_f32(values[i].value)};
        stub_make(SPEC_FN_glPixelStoref, args, NULL);
        assert_int_equal(t->context->sizes.pack.row_length, values[i].expected < 0 ? 5 : values[i].expected);
        stub_stop();
    }
}

/* --- buffers ------------------------------------------------------------------------------------------- */

static const struct {
    enum gl_buffer_target target;
    uint32_t name, binding; /* 0: the driver is not queried */
} targets[] = {
    {GL_BUFFER_ARRAY, 0x8892, 0},
    {GL_BUFFER_ELEMENT_ARRAY, 0x8893, 0},
    {GL_BUFFER_PIXEL_PACK, 0x88EB, 0x88ED},
    {GL_BUFFER_PIXEL_UNPACK, 0x88EC, 0x88EF},
    {GL_BUFFER_DRAW_INDIRECT, 0x8F3F, 0x8F43},
    {GL_BUFFER_QUERY, 0x9192, 0x9193},
    {GL_BUFFER_UNIFORM, 0x8A11, 0},
    {GL_BUFFER_TEXTURE, 0x8C2A, 0},
    {GL_BUFFER_TRANSFORM_FEEDBACK, 0x8C8E, 0},
    {GL_BUFFER_COPY_READ, 0x8F36, 0},
    {GL_BUFFER_COPY_WRITE, 0x8F37, 0},
    {GL_BUFFER_DISPATCH_INDIRECT, 0x90EE, 0},
    {GL_BUFFER_SHADER_STORAGE, 0x90D2, 0},
    {GL_BUFFER_ATOMIC_COUNTER, 0x92C0, 0},
    {GL_BUFFER_PARAMETER, 0x80EE, 0},
    {GL_BUFFER_PINNED, 0x9160, 0},
};
#define TARGETS (sizeof targets / sizeof targets[0])

static unsigned flags_of(const struct gl_context *c)
{
    const struct spec_state *s = &c->sizes;
    return (unsigned)s->array_buffer | (unsigned)s->element_buffer << 1 | (unsigned)s->pack_buffer << 2 |
           (unsigned)s->unpack_buffer << 3 | (unsigned)s->indirect_buffer << 4 |
           (unsigned)s->query_buffer << 5;
}

static void bind(unsigned target, uint32_t buffer)
{
    if (targets[target].binding != 0)
        stub.integers[targets[target].binding] = (int32_t)buffer;
    STUB_MAKE(glBindBuffer, NULL, targets[target].name, buffer);
}

static void test_buffers(void **state)
{
    (void)state;
    assert_int_equal(TARGETS, GL_BUFFER_TARGETS);
    for (unsigned i = 0; i < TARGETS; ++i) {
        struct capture_thread *t = stub_start("4.6");
        const uint32_t others[] = {0, 6, 8}, own[] = {0, 7};
        bind(i, 7);
        assert_int_equal(gl_context_bound_buffer(t->context, targets[i].target), 7);
        assert_int_equal(flags_of(t->context), i < 6 ? 1u << i : 0);
        STUB_MAKE(glDeleteBuffers, NULL, 3, STUB_P(others));
        assert_int_equal(gl_context_bound_buffer(t->context, targets[i].target), 7);
        STUB_MAKE(glDeleteBuffers, NULL, 1, STUB_P(own)); /* does not apply to the second name */
        assert_int_equal(gl_context_bound_buffer(t->context, targets[i].target), 7);
        STUB_MAKE(glDeleteBuffers, NULL, (uint64_t)-1, STUB_P(own));
        assert_int_equal(gl_context_bound_buffer(t->context, targets[i].target), 7);
        STUB_MAKE(glDeleteBuffers, NULL, 2, STUB_P(own));
        assert_int_equal(gl_context_bound_buffer(t->context, targets[i].target), 0);
        assert_int_equal(flags_of(t->context), 0);
        bind(i, 9);
        bind(i, 0);
        assert_int_equal(flags_of(t->context), 0);
        stub_stop();
    }
}

/* Which bindings can fail depends on the version: only existing ones are queried. The driver answers that 0
 * is bound. */
static void test_buffers_by_version(void **state)
{
    (void)state;
    static const struct {
        unsigned target;
        const char *version;
        bool asked;
    } bindings[] = {
        {2, "2.0", false}, {2, "2.1", true}, {2, "OpenGL ES 2.0", false}, {2, "OpenGL ES 3.0", true},
        {3, "2.0", false}, {3, "2.1", true}, {3, "OpenGL ES 2.0", false}, {3, "OpenGL ES 3.0", true},
        {4, "3.3", false}, {4, "4.0", true}, {4, "OpenGL ES 3.0", false}, {4, "OpenGL ES 3.1", true},
        {5, "4.3", false}, {5, "4.4", true}, {5, "OpenGL ES 3.2", false},
    };
    for (unsigned i = 0; i < sizeof bindings / sizeof bindings[0]; ++i) {
        struct capture_thread *t = stub_start(bindings[i].version);
        STUB_MAKE(glBindBuffer, NULL, targets[bindings[i].target].name, 9);
        assert_int_equal(flags_of(t->context), bindings[i].asked ? 0 : 1u << bindings[i].target);
        stub_stop();
    }
}

/* The indexed forms bind to the target as well: (target, index, buffer, …). */
static void test_indexed_buffers(void **state)
{
    (void)state;
    static const uint16_t functions[] = {SPEC_FN_glBindBufferBase, SPEC_FN_glBindBufferRange};
    for (unsigned i = 0; i < 2; ++i) {
        struct capture_thread *t = stub_start("4.6");
        stub_make(functions[i], stub_arguments((const uint64_t[8]){0x8A11, 3, 9, 0, 16}), NULL);
        assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_UNIFORM), 9);
        stub_make(functions[i], stub_arguments((const uint64_t[8]){0x8A11, 4, 0, 0, 16}), NULL);
        assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_UNIFORM), 0);
        stub_stop();
    }
}

/* Names that GL has not generated are rejected, as are targets that ES 2 lacks. */
static void test_rejected_buffers(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("4.6");
    for (unsigned i = 2; i < 6; ++i)
        STUB_MAKE(glBindBuffer, NULL, targets[i].name, 77); /* the driver answers 0 */
    STUB_MAKE(glBindBuffer, NULL, 0x0DE1, 77);
    STUB_MAKE(glBegin, NULL, 4);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, 77);
    STUB_MAKE(glPixelStorei, NULL, SPEC_GL_PACK_ROW_LENGTH, 77);
    STUB_MAKE(glEnd, NULL, 0);
    assert_int_equal(flags_of(t->context), 0);
    assert_int_equal(t->context->sizes.pack.row_length, 0);
    stub_stop();
}

/* --- vertex array objects --------------------------------------------------------------------------------
 */

static void bind_arrays(uint32_t name)
{
    stub.integers[0x85B5] = (int32_t)name;
    STUB_MAKE(glBindVertexArray, NULL, name);
}

static void test_vertex_arrays(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("4.6");
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ELEMENT_ARRAY_BUFFER, 5);
    STUB_MAKE(glBindBuffer, NULL, SPEC_GL_ARRAY_BUFFER, 6);
    bind_arrays(1);
    assert_int_equal(flags_of(t->context), 1); /* the array buffer is not part of the vertex array */
    STUB_MAKE(glVertexArrayElementBuffer, NULL, 2, 8);
    assert_int_equal(flags_of(t->context), 1);
    STUB_MAKE(glVertexArrayElementBuffer, NULL, 1, 8);
    assert_int_equal(flags_of(t->context), 3);
    bind_arrays(2);
    assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_ELEMENT_ARRAY), 8);
    STUB_MAKE(glBindVertexArray, NULL, 999); /* it does not exist: the driver answers 2 */
    assert_int_equal(t->context->arrays->name, 2);
    const uint32_t gone[] = {2, 1};
    STUB_MAKE(glDeleteVertexArrays, NULL, 1, STUB_P(gone));
    assert_int_equal(t->context->arrays->name, 0);
    assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_ELEMENT_ARRAY), 5);
    bind_arrays(1);
    assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_ELEMENT_ARRAY), 8);
    bind_arrays(2); /* a new object */
    assert_int_equal(gl_context_bound_buffer(t->context, GL_BUFFER_ELEMENT_ARRAY), 0);
    stub_stop();
}

/* A destroyed context passes nothing on to the next one with its handle. It lives while it is current. */
static void test_destroyed_contexts(void **state)
{
    (void)state;
    int handle;
    struct gl_context *first = gl_context_get(&handle), *second;
    gl_context_bind_buffer(first, GL_BUFFER_ARRAY, 3);
    assert_ptr_equal(gl_context_get(&handle), first);
    gl_context_switch(NULL, first);
    gl_context_destroy(&handle);
    second = gl_context_get(&handle);
    assert_ptr_not_equal(first, second);
    assert_false(second->sizes.array_buffer);
    assert_int_equal(gl_context_bound_buffer(first, GL_BUFFER_ARRAY), 3);
    gl_context_switch(first, second);
    gl_context_bind_buffer(second, GL_BUFFER_ARRAY, 3);
    gl_context_switch(second, NULL);
    gl_context_destroy(&handle);
    assert_false(gl_context_get(&handle)->sizes.array_buffer);
    gl_context_destroy(&handle);
}

/* --- versions ------------------------------------------------------------------------------------------- */

static void test_versions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum gl_profile profile;
        unsigned version;
    } versions[] = {
        {"4.5 (Compatibility Profile) Mesa 22.3.6", GL_PROFILE_DESKTOP, 45},
        {"1.2.1", GL_PROFILE_DESKTOP, 12},
        {"3.1 Mesa", GL_PROFILE_DESKTOP, 31},
        {"OpenGL ES 3.2 Mesa 22.3.6", GL_PROFILE_ES, 32},
        {"OpenGL ES 2.0", GL_PROFILE_ES, 20},
        {"OpenGL ES-CM 1.1 Mesa", GL_PROFILE_ES, 11},
        {"OpenGL ES-CL 1.0", GL_PROFILE_ES, 10},
    };
    for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; ++i) {
        struct capture_thread *t = stub_start(versions[i].text);
        assert_int_equal(t->context->profile, versions[i].profile);
        assert_int_equal(t->context->version, versions[i].version);
        stub_stop();
    }
}

/* --- glArrayElement() ----------------------------------------------------------------------------------- */

enum { B = 0x1400, UB, S, US, I, UI, F, D = 0x140A, H, FIX, UPACKED = 0x8368 };

static const int8_t b[] = {9, 9, 9, 9, 1, -2, 3, -128};
static const uint8_t ub[] = {9, 9, 9, 9, 1, 2, 3, 255};
static const int16_t s[] = {9, 9, 9, 9, 1, -2, 300, -4};
static const uint16_t us[] = {9, 9, 9, 9, 1, 2, 300, 65535};
static const int32_t i32[] = {9, 9, 9, 9, 1, -2, 70000, -4};
static const uint32_t ui[] = {9, 9, 9, 9, 1, 2, 70000, 0xffffffff};
static const float f32[] = {9, 9, 9, 9, 1, -2.5f, 3, 4};
static const double d[] = {9, 9, 9, 9, 1, -2.5, 3, 4};
static const uint16_t half[] = {9, 9, 9, 9, 0x3c00, 0xc100, 0x0001, 0x7bff};
static const float from_half[] = {1, -2.5f, 5.9604644775390625e-8f, 65504};
static const int32_t fixed[] = {9, 9, 9, 9, 65536, -163840, 0, 32768};
static const float from_fixed[] = {1, -2.5f, 0, 0.5f};
static const uint16_t half_ends[] = {9, 9, 9, 9, 0x7c00, 0xfc00, 0x8000, 0x83ff};
static const float from_half_ends[] = {INFINITY, -INFINITY, -0.0f, -6.097555160522461e-5f};
static const uint32_t packed[] = {9, 9, 9, 9, 0x12345678}, packed_ends[] = {9, 9, 9, 9, 0xc00ffc03};
static const uint32_t swapped[] = {0x27845523}, swapped_ends[] = {0xc03ffc00};
static const int16_t s0001[] = {1, -2, 0, 1};
static const uint8_t ub001[] = {1, 2, 3, 255}, ub1[] = {1, 2, 0, 1}, bgra[] = {3, 2, 1, 255};
static const uint16_t us_one[] = {1, 0, 0, 65535};
static const int32_t i_one[] = {1, -2, 0, 1};

/* The call for element 1 (element 4 of arrays with one component). */
static const struct {
    enum gl_array array;
    int32_t size;
    uint32_t type;
    bool normalized, integer;
    const void *memory;
    const char *function;
    const void *values;
    unsigned bytes;
} elements[] = {
    {GL_ARRAY_VERTEX, 2, S, false, false, s + 2, "glVertex2sv", s + 4, 4},
    {GL_ARRAY_VERTEX, 3, I, false, false, i32 + 1, "glVertex3iv", i32 + 4, 12},
    {GL_ARRAY_VERTEX, 4, F, false, false, f32, "glVertex4fv", f32 + 4, 16},
    {GL_ARRAY_VERTEX, 4, D, false, false, d, "glVertex4dv", d + 4, 32},
    {GL_ARRAY_VERTEX, 4, H, false, false, half, "glVertex4fv", from_half, 16},
    {GL_ARRAY_VERTEX, 4, FIX, false, false, fixed, "glVertex4fv", from_fixed, 16},
    {GL_ARRAY_NORMAL, 3, B, false, false, b + 1, "glNormal3bv", b + 4, 3},
    {GL_ARRAY_NORMAL, 3, D, false, false, d + 1, "glNormal3dv", d + 4, 24},
    {GL_ARRAY_COLOR, 3, UB, false, false, ub + 1, "glColor3ubv", ub + 4, 3},
    {GL_ARRAY_COLOR, 4, US, false, false, us, "glColor4usv", us + 4, 8},
    {GL_ARRAY_COLOR, 4, UI, false, false, ui, "glColor4uiv", ui + 4, 16},
    {GL_ARRAY_COLOR, 0x80E1, UB, false, false, ub, "glColor4ubv", bgra, 4},
    {GL_ARRAY_COLOR, 4, UPACKED, false, false, packed + 3, "glColorP4uiv", packed + 4, 4},
    {GL_ARRAY_SECONDARY_COLOR, 3, I, false, false, i32 + 1, "glSecondaryColor3iv", i32 + 4, 12},
    {GL_ARRAY_INDEX, 1, UB, false, false, ub + 3, "glIndexubv", ub + 4, 1},
    {GL_ARRAY_INDEX, 1, D, false, false, d + 3, "glIndexdv", d + 4, 8},
    {GL_ARRAY_EDGE_FLAG, 1, UB, false, false, ub + 3, "glEdgeFlagv", ub + 4, 1},
    {GL_ARRAY_FOG_COORD, 1, F, false, false, f32 + 3, "glFogCoordfv", f32 + 4, 4},
    {GL_ARRAY_TEXTURE_0, 1, S, false, false, s + 3, "glTexCoord1sv", s + 4, 2},
    {GL_ARRAY_TEXTURE_0 + 3, 4, D, false, false, d, "glMultiTexCoord4dv", d + 4, 32},
    {GL_ARRAY_GENERIC_0 + 2, 3, F, true, false, f32 + 1, "glVertexAttrib3fv", f32 + 4, 12},
    {GL_ARRAY_GENERIC_0 + 2, 2, S, false, false, s + 2, "glVertexAttrib2sv", s + 4, 4},
    {GL_ARRAY_GENERIC_0 + 2, 3, UB, true, false, ub + 1, "glVertexAttrib4Nubv", ub001, 4},
    {GL_ARRAY_GENERIC_0 + 2, 2, UB, false, false, ub + 2, "glVertexAttrib4ubv", ub1, 4},
    {GL_ARRAY_GENERIC_0 + 2, 1, US, true, false, us + 3, "glVertexAttrib4Nusv", us_one, 8},
    {GL_ARRAY_GENERIC_0 + 2, 4, UB, true, false, ub, "glVertexAttrib4Nubv", ub + 4, 4},
    {GL_ARRAY_GENERIC_0 + 2, 2, I, false, false, i32 + 2, "glVertexAttrib4iv", i_one, 16},
    {GL_ARRAY_GENERIC_0 + 2, 2, I, false, true, i32 + 2, "glVertexAttribI2iv", i32 + 4, 8},
    {GL_ARRAY_GENERIC_0 + 2, 4, UI, false, true, ui, "glVertexAttribI4uiv", ui + 4, 16},
    {GL_ARRAY_GENERIC_0 + 2, 2, S, false, true, s + 2, "glVertexAttribI4sv", s0001, 8},
    {GL_ARRAY_GENERIC_0 + 0, 4, F, false, false, f32, "glVertexAttrib4fv", f32 + 4, 16},
    {GL_ARRAY_COLOR, 0x80E1, UPACKED, false, false, packed + 3, "glColorP4uiv", swapped, 4},
    {GL_ARRAY_COLOR, 0x80E1, UPACKED, false, false, packed_ends + 3, "glColorP4uiv", swapped_ends, 4},
    {GL_ARRAY_VERTEX, 4, H, false, false, half_ends, "glVertex4fv", from_half_ends, 16},
    {GL_ARRAY_GENERIC_0 + 2, 4, UPACKED, true, false, packed + 3, "glVertexAttribP4uiv", packed + 4, 4},
    {GL_ARRAY_GENERIC_0 + 2, 4, UPACKED, false, false, packed + 3, "glVertexAttribP4uiv", packed + 4, 4},
    {GL_ARRAY_TEXTURE_0, 4, UPACKED, false, false, packed + 3, "glTexCoordP4uiv", packed + 4, 4},
    {GL_ARRAY_TEXTURE_0 + 3, 4, UPACKED, false, false, packed + 3, "glMultiTexCoordP4uiv", packed + 4, 4},
    {GL_ARRAY_NORMAL, 3, UPACKED, false, false, packed + 3, "glNormalP3uiv", packed + 4, 4},
    {GL_ARRAY_VERTEX, 4, UPACKED, false, false, packed + 3, "glVertexP4uiv", packed + 4, 4},
};

static void set_array(unsigned e)
{
    enum gl_array array = elements[e].array;
    stub.arrays[array] = (struct stub_array){.enabled = true,
                                             .size = elements[e].size,
                                             .type = (int32_t)elements[e].type,
                                             .pointer = elements[e].memory,
                                             .normalized = elements[e].normalized,
                                             .integer = elements[e].integer};
    gl_context_get(&stub)->arrays->client_pointers |= (uint64_t)1 << array;
    if (elements[e].integer)
        gl_context_get(&stub)->used |= GL_USES_INTEGER_ARRAYS;
}

static void test_elements(void **state)
{
    (void)state;
    for (unsigned e = 0; e < sizeof elements / sizeof elements[0]; ++e) {
        struct capture_thread *t = stub_start("4.6");
        t->context->used |= GL_USES_ARRAY_ELEMENT;
        set_array(e);
        STUB_MAKE(glBegin, NULL, 0);
        STUB_MAKE(glArrayElement, NULL, 1);
        assert_int_equal(stub_call_count, 1);
        assert_string_equal(spec_string(stub_calls[0].function->name), elements[e].function);
        assert_memory_equal(stub_calls[0].values, elements[e].values, elements[e].bytes);
        if (elements[e].array == GL_ARRAY_TEXTURE_0 + 3)
            assert_int_equal(stub_calls[0].args[0].u, 0x84C3);
        if (elements[e].array >= GL_ARRAY_GENERIC_0)
            assert_int_equal(stub_calls[0].args[0].u, elements[e].array - GL_ARRAY_GENERIC_0);
        if (elements[e].array == GL_ARRAY_GENERIC_0 + 2 && elements[e].type == UPACKED)
            assert_int_equal(stub_calls[0].args[2].u, elements[e].normalized);
        STUB_MAKE(glEnd, NULL, 0);
        stub_stop();
    }
}

static void expect_calls(const char *expected)
{
    char calls[4096] = "";
    for (unsigned i = 0; i < stub_call_count; ++i) {
        strcat(calls, spec_string(stub_calls[i].function->name));
        strcat(calls, " ");
    }
    assert_string_equal(calls, expected);
}

/* Implausible answers of a driver are not trusted, and memory may be unmapped. */
static void test_elements_without_sense(void **state)
{
    (void)state;
    stub_start("4.6");
    set_array(3); /* doubles */
    stub.arrays[GL_ARRAY_VERTEX].size = 500;
    STUB_MAKE(glBegin, NULL, 0);
    STUB_MAKE(glArrayElement, NULL, 0);
    STUB_MAKE(glArrayElement, NULL, 0);
    assert_int_equal(stub_call_count, 0);
    STUB_MAKE(glEnd, NULL, 0);
    stub.arrays[GL_ARRAY_VERTEX].size = 4;
    stub.arrays[GL_ARRAY_VERTEX].pointer = (const void *)16;
    STUB_MAKE(glBegin, NULL, 0);
    STUB_MAKE(glArrayElement, NULL, 0);
    assert_int_equal(stub_call_count, 0);
    STUB_MAKE(glEnd, NULL, 0);
    stub_stop();
}

/* Arrays are disabled in the trace between glBegin() and glEnd(). For the first element, glEnd() and
 * glBegin() are inserted. After that, arrays are disabled from glBegin() on. */
static void test_elements_disable_arrays(void **state)
{
    (void)state;
    stub_start("4.6");
    set_array(2);  /* vertices */
    set_array(9);  /* colors */
    set_array(19); /* coordinates of unit 3 */
    set_array(20); /* an attribute */
    stub.client_unit = 1;
    STUB_MAKE(glBegin, NULL, 4);
    expect_calls("");
    STUB_MAKE(glArrayElement, NULL, 1);
    expect_calls("glEnd glClientActiveTexture glDisableClientState glClientActiveTexture "
                 "glDisableClientState glDisableClientState glDisableVertexAttribArray glBegin "
                 "glMultiTexCoord4dv glColor4usv glVertexAttrib3fv glVertex4fv ");
    assert_int_equal(stub_calls[1].args[0].u, 0x84C3);
    assert_int_equal(stub_calls[3].args[0].u, 0x84C1);
    assert_int_equal(stub_calls[7].args[0].u, 4);
    STUB_MAKE(glArrayElement, NULL, 1);
    expect_calls("glMultiTexCoord4dv glColor4usv glVertexAttrib3fv glVertex4fv ");
    STUB_MAKE(glDrawArrays, NULL, 4, 0, 3); /* GL_INVALID_OPERATION */
    expect_calls("");
    STUB_MAKE(glEnd, NULL, 0);
    expect_calls("glClientActiveTexture glEnableClientState glClientActiveTexture glEnableClientState "
                 "glEnableClientState glEnableVertexAttribArray ");
    STUB_MAKE(glBegin, NULL, 4);
    expect_calls("glClientActiveTexture glDisableClientState glClientActiveTexture glDisableClientState "
                 "glDisableClientState glDisableVertexAttribArray ");
    STUB_MAKE(glEnd, NULL, 0);
    stub_stop();
}

/* The program's texture unit is restored even if no call follows. */
static void test_elements_of_a_unit(void **state)
{
    (void)state;
    stub_start("4.6");
    set_array(19); /* coordinates of unit 3 */
    stub.client_unit = 1;
    STUB_MAKE(glBegin, NULL, 4);
    STUB_MAKE(glArrayElement, NULL, 1);
    expect_calls("glEnd glClientActiveTexture glDisableClientState glClientActiveTexture glBegin "
                 "glMultiTexCoord4dv ");
    assert_int_equal(stub_calls[3].args[0].u, 0x84C1);
    STUB_MAKE(glEnd, NULL, 0);
    expect_calls("glClientActiveTexture glEnableClientState glClientActiveTexture ");
    stub_stop();
}

/* Outside of glBegin(), an element only sets current values, like a draw of one vertex. */
static void test_elements_outside(void **state)
{
    (void)state;
    stub_start("4.6");
    set_array(9);
    STUB_MAKE(glArrayElement, NULL, 2);
    expect_calls("glColorPointer ");
    assert_int_equal(stub_calls[0].bytes, 24);
    STUB_MAKE(glArrayElement, NULL, 0);
    expect_calls("glColorPointer ");
    assert_int_equal(stub_calls[0].bytes, 8);
    STUB_MAKE(glArrayElement, NULL, (uint64_t)-1);
    expect_calls("");
    stub_stop();
}

/* Unbinding needs no query. */
static void test_unbinding(void **state)
{
    (void)state;
    static const uint32_t unbound[] = {0x8892, 0x8893, 0x88EB, 0x88EC, 0x8F3F, 0x9192};
    for (unsigned i = 0; i < sizeof unbound / sizeof unbound[0]; ++i) {
        stub_start("4.6");
        unsigned before = stub.questions;
        STUB_MAKE(glBindBuffer, NULL, unbound[i], 0);
        assert_int_equal(stub.questions, before);
        stub_stop();
    }
}

/* An invalid mode does not begin primitives, and neither does a call that is compiled into a list. */
static void test_what_begins(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("2.1");
    STUB_MAKE(glBegin, NULL, 15);
    assert_false(t->context->in_begin);
    stub.in_begin = false;
    STUB_MAKE(glBegin, NULL, 14); /* GL_PATCHES, the highest mode */
    assert_true(t->context->in_begin);
    STUB_MAKE(glEnd, NULL);
    STUB_MAKE(glNewList, NULL, 1, 0x1300);
    STUB_MAKE(glBegin, NULL, 4);
    assert_true(t->context->in_begin);
    STUB_MAKE(glEndList, NULL, 0);
    assert_false(t->context->in_begin);
    stub.in_begin = false;
    STUB_MAKE(glNewList, NULL, 2, 0x1300);
    STUB_MAKE(glEnd, NULL, 0);
    STUB_MAKE(glEndList, NULL, 0);
    STUB_MAKE(glNewList, NULL, 3, 0x1300);
    STUB_MAKE(glBegin, NULL, 4);
    STUB_MAKE(glEnd, NULL, 0);
    STUB_MAKE(glEndList, NULL, 0);
    STUB_MAKE(glCallList, NULL, 3);
    assert_false(t->context->in_begin);
    STUB_MAKE(glCallList, NULL, 1);
    assert_true(t->context->in_begin);
    STUB_MAKE(glCallList, NULL, 2);
    assert_false(t->context->in_begin);
    stub.integers[0x0B32] = 1000;
    static const uint16_t lists[] = {2, (uint16_t)-999, (uint16_t)-997};
    STUB_MAKE(glCallLists, NULL, 1, US, STUB_P(lists));
    assert_false(t->context->in_begin);
    stub.integers[0x0B32] = -65536 + 1000;
    STUB_MAKE(glCallLists, NULL, 3, US, STUB_P(lists));
    assert_true(t->context->in_begin);
    STUB_MAKE(glEnd, NULL, 0);
    stub.integers[0x0B32] = 999;
    static const uint16_t first[] = {(uint16_t)-998};
    STUB_MAKE(glCallLists, NULL, 0, US, STUB_P(first));
    assert_false(t->context->in_begin);
    stub.integers[0x0B32] = -65536 + 999;
    STUB_MAKE(glCallLists, NULL, 1, US, STUB_P(first));
    assert_true(t->context->in_begin);
    STUB_MAKE(glEnd, NULL, 0);
    STUB_MAKE(glNewList, NULL, 1, 0x1300); /* is empty from now on */
    STUB_MAKE(glEndList, NULL, 0);
    STUB_MAKE(glCallList, NULL, 1);
    assert_false(t->context->in_begin);
    t->context->core = true;
    STUB_MAKE(glBegin, NULL, 4);
    assert_false(t->context->in_begin);
    stub_stop();
}

/* --- uniforms ---------------------------------------------------------------------------------------------
 */

/* Table 7.3 of the specification: number of components of each type. */
static const struct {
    uint32_t type;
    int components;
} uniform_types[] = {
    {0x1406, 1},  {0x8B50, 2},  {0x8B51, 3},  {0x8B52, 4},  {0x140A, 1}, {0x8FFC, 2},  {0x8FFD, 3},
    {0x8FFE, 4},  {0x1404, 1},  {0x8B53, 2},  {0x8B54, 3},  {0x8B55, 4}, {0x1405, 1},  {0x8DC6, 2},
    {0x8DC7, 3},  {0x8DC8, 4},  {0x8B56, 1},  {0x8B57, 2},  {0x8B58, 3}, {0x8B59, 4},  {0x8B5A, 4},
    {0x8B5B, 9},  {0x8B5C, 16}, {0x8B65, 6},  {0x8B66, 8},  {0x8B67, 6}, {0x8B68, 12}, {0x8B69, 8},
    {0x8B6A, 12}, {0x8F46, 4},  {0x8F47, 9},  {0x8F48, 16}, {0x8F49, 6}, {0x8F4A, 8},  {0x8F4B, 6},
    {0x8F4C, 12}, {0x8F4D, 8},  {0x8F4E, 12}, {0x8B5D, 1},  {0x8B5E, 1}, {0x8B5F, 1},  {0x8B60, 1},
    {0x8B61, 1},  {0x8B62, 1},  {0x8DD0, 1},  {0x9050, 1},
};
static uint32_t uniform_type;
static int32_t first_uniform;

/* The program has a member of a block, which has no location, an array of three, and another uniform. */
static void get_program(uint32_t program, uint32_t pname, int32_t *value)
{
    assert_int_equal(program, 5);
    *value = pname == 0x8B86 ? 3 : 6;
}

static void get_uniform(uint32_t program, uint32_t index, int32_t room, int32_t *length, int32_t *size,
                        uint32_t *type, char *name)
{
    (void)program;
    (void)length;
    assert_in_range(room, 6, 7);
    *size = index == 1 ? 3 : 1;
    *type = index == 1 ? uniform_type : 0x1406;
    strcpy(name, index == 0 ? "block" : index == 1 ? "a[0]" : "b");
}

static int32_t get_location(uint32_t program, const char *name)
{
    (void)program;
    return strcmp(name, "a[0]") == 0 ? first_uniform : strcmp(name, "b") == 0 ? first_uniform + 3 : -1;
}

static capture_function find_uniforms(uint32_t id)
{
    return id == SPEC_FN_glGetProgramiv         ? (capture_function)get_program
           : id == SPEC_FN_glGetActiveUniform   ? (capture_function)get_uniform
           : id == SPEC_FN_glGetUniformLocation ? (capture_function)get_location
                                                : NULL;
}

static void test_uniforms(void **state)
{
    (void)state;
    struct capture_thread *t = stub_start("4.6");
    const struct spec_driver *answers = t->context->sizes.driver;
    stub.more = find_uniforms;
    for (unsigned i = 0; i < sizeof uniform_types / sizeof uniform_types[0]; ++i) {
        int n = uniform_types[i].components;
        const int expected[] = {-1, n, n, n, 1, -1};
        uniform_type = uniform_types[i].type;
        for (first_uniform = 0; first_uniform <= 10; ++first_uniform)
            for (int32_t k = 0; k < 6; ++k)
                assert_int_equal(answers->get_uniform_size(answers->context, 5, first_uniform - 1 + k),
                                 expected[k]);
        assert_int_equal(answers->get_uniform_size(answers->context, 5, -1), -1);
    }
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixel_store),
        cmocka_unit_test(test_inverted_rows),
        cmocka_unit_test(test_popped_state),
        cmocka_unit_test(test_popped_state_by_version),
        cmocka_unit_test(test_pixel_store_of_floats),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_buffers_by_version),
        cmocka_unit_test(test_indexed_buffers),
        cmocka_unit_test(test_rejected_buffers),
        cmocka_unit_test(test_vertex_arrays),
        cmocka_unit_test(test_destroyed_contexts),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_elements_without_sense),
        cmocka_unit_test(test_elements_disable_arrays),
        cmocka_unit_test(test_elements_of_a_unit),
        cmocka_unit_test(test_elements_outside),
        cmocka_unit_test(test_unbinding),
        cmocka_unit_test(test_what_begins),
        cmocka_unit_test(test_uniforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
