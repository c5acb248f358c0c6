/* SPDX-License-Identifier: MIT
 * Tests how the wrapper tracks GL state. Expectations come from the OpenGL specification: pixel store
 * parameters from table 8.1 (ES 2.0: 3.1; ES 3.2: 8.2), buffer bindings from section 6.1.
 */
#include "stub_driver.h"

#include "context/gl_enums.h"

#include "cmocka_all.h"

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
    STUB_MAKE(glCallLists, NULL, 1, 0x1403, STUB_P(lists));
    assert_false(t->context->in_begin);
    stub.integers[0x0B32] = -65536 + 1000;
    STUB_MAKE(glCallLists, NULL, 3, 0x1403, STUB_P(lists));
    assert_true(t->context->in_begin);
    STUB_MAKE(glEnd, NULL, 0);
    stub.integers[0x0B32] = 999;
    static const uint16_t first[] = {(uint16_t)-998};
    STUB_MAKE(glCallLists, NULL, 0, 0x1403, STUB_P(first));
    assert_false(t->context->in_begin);
    stub.integers[0x0B32] = -65536 + 999;
    STUB_MAKE(glCallLists, NULL, 1, 0x1403, STUB_P(first));
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
        cmocka_unit_test(test_unbinding),
        cmocka_unit_test(test_what_begins),
        cmocka_unit_test(test_uniforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
