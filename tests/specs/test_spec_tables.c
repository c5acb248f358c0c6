/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/call_flags.h"
#include "runtime/length.h"
#include "runtime/length_code.h"
#include "runtime/spec.h"
#include "runtime/tables.h"
#include "trace/model.h"

#include "spec_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* The generated tables refer to each other by index: every index must be in range, and whatever is searched
 * must be sorted. */

static unsigned failures;

#define CHECK(f, condition)                                                                                  \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s: %s\n", spec_string((f)->name), #condition);                                          \
            failures++;                                                                                      \
        }                                                                                                    \
    } while (0)

/* Words of the instruction at code[0] without its opcode; -1 when there is no such instruction. */
static int operand_words(const uint16_t *code)
{
    switch (code[0]) {
    case LENGTH_CONST:
        return 2;
    case LENGTH_ARG:
    case LENGTH_LOAD:
    case LENGTH_ELEMENT:
    case LENGTH_PRESENT:
    case LENGTH_STATE:
    case LENGTH_LOOKUP:
    case LENGTH_CALL:
    case LENGTH_JUMP_IF_ZERO:
    case LENGTH_JUMP:
        return 1;
    case LENGTH_ATTRIBS:
        return 1 + code[1];
    default:
        return code[0] < LENGTH_OP_COUNT ? 0 : -1;
    }
}

static unsigned operand_limit(const struct spec_function *f, unsigned op)
{
    switch (op) {
    case LENGTH_ARG:
    case LENGTH_LOAD:
    case LENGTH_ELEMENT:
    case LENGTH_PRESENT:
        return f->param_count;
    case LENGTH_STATE:
        return LENGTH_STATE_COUNT;
    case LENGTH_LOOKUP:
        return spec_length_table_count;
    case LENGTH_CALL:
        return LENGTH_CALL_COUNT;
    default:
        return UINT16_MAX;
    }
}

static void check_code(const struct spec_function *f, unsigned offset)
{
    for (unsigned at = offset;;) {
        const uint16_t *code = spec_length_code + at;
        CHECK(f, at < spec_length_code_count);
        if (at >= spec_length_code_count || code[0] == LENGTH_END)
            return;
        int words = operand_words(code);
        CHECK(f, words >= 0);
        if (words < 0)
            return;
        CHECK(f, words == 0 || code[1] < operand_limit(f, code[0]));
        bool is_jump = code[0] == LENGTH_JUMP || code[0] == LENGTH_JUMP_IF_ZERO;
        CHECK(f, !is_jump || at + 2 + code[1] < spec_length_code_count);
        at += 1 + (unsigned)words;
    }
}

static void check_param(const struct spec_function *f, const struct spec_param *p, bool is_return)
{
    bool named = p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK);
    CHECK(f, spec_string(p->name) != NULL && (spec_string(p->name)[0] == '\0') == is_return);
    CHECK(f, p->type < SPEC_TYPE_COUNT);
    CHECK(f, p->form <= SPEC_FORM_BLOBS);
    CHECK(f, p->object < spec_object_count);
    CHECK(f, p->key == SPEC_NO_INDEX || p->key < f->param_count);
    CHECK(f, p->symbols == SPEC_NO_INDEX || p->symbols < spec_symbol_table_count);
    CHECK(f, p->selector == SPEC_NO_INDEX || (p->symbols != SPEC_NO_INDEX && p->selector < f->param_count));
    CHECK(f, p->symbols == SPEC_NO_INDEX || p->selector != SPEC_NO_INDEX || (p->flags & SPEC_PARAM_ATTRIBS));
    const unsigned roles =
        p->flags & (SPEC_PARAM_CREATE | SPEC_PARAM_DELETE | SPEC_PARAM_BIND | SPEC_PARAM_SHARE);
    CHECK(f, roles == 0 || p->object != 0);
    CHECK(f, (roles & (roles - 1)) == 0); /* at most one */
    CHECK(f, (p->flags & SPEC_PARAM_DELETE) == 0 || spec_object_kinds[p->object].scope != SPEC_SCOPE_NONE);
    CHECK(f, (p->flags & SPEC_PARAM_SHARE) == 0 || p->object == SPEC_OBJECT_context);
    CHECK(f, p->range == SPEC_NO_INDEX || (p->object != 0 && p->range < f->param_count));
    CHECK(f, !named || p->group < spec_group_count);
    CHECK(f, !named || spec_groups[p->group].bitmask == !!(p->flags & SPEC_PARAM_BITMASK));
    CHECK(f, (p->flags & SPEC_PARAM_BITMASK) == 0 || (p->flags & SPEC_PARAM_ENUM) == 0);
    /* The group is that of its keys; arrays that are not captured need none. */
    CHECK(f, (p->flags & SPEC_PARAM_ATTRIBS) == 0 || (p->flags & SPEC_PARAM_ENUM) || f->api == SPEC_API_C);
    CHECK(f, p->form != SPEC_FORM_STRUCT || p->group < spec_struct_count);
    CHECK(f, (p->flags & SPEC_PARAM_OUT) == 0 || (p->form != SPEC_FORM_VALUE && p->form != SPEC_FORM_OPAQUE));
    CHECK(f, p->form != SPEC_FORM_ARRAY || (p->length != SPEC_NO_INDEX && spec_type_size(p->type) > 0));
    CHECK(f, p->form != SPEC_FORM_BLOB || p->length != SPEC_NO_INDEX);
    CHECK(f, p->form != SPEC_FORM_BLOBS || p->items != SPEC_NO_INDEX);
    CHECK(f, (p->form != SPEC_FORM_STRINGS && p->form != SPEC_FORM_BLOBS) ||
                 (p->length != SPEC_NO_INDEX && p->type == SPEC_PTR));
    CHECK(f, p->form != SPEC_FORM_VALUE || p->length == SPEC_NO_INDEX);
    if (p->length != SPEC_NO_INDEX)
        check_code(f, p->length);
    if (p->items != SPEC_NO_INDEX)
        check_code(f, p->items);
    if (p->flags & SPEC_PARAM_ATTRIBS)
        CHECK(f, spec_length_code[p->length] == LENGTH_ATTRIBS);
}

/* What the table says about a function's only array agrees with the length program. */
static void check_array(const struct spec_function *f)
{
    const struct spec_state state = {.driver = NULL};
    static const double memory[1];
    union spec_arg args[64] = {{.u = 0}};
    const struct spec_param *array = spec_param(f, f->array);
    CHECK(f, array->form == SPEC_FORM_ARRAY && f->array_size == spec_type_size(array->type));
    args[f->array].p = (void *)(uintptr_t)memory;
    for (unsigned i = 0; i < f->param_count; ++i)
        CHECK(f, i == f->array || spec_param(f, i)->form == SPEC_FORM_VALUE ||
                     spec_param(f, i)->form == SPEC_FORM_OPAQUE);
    for (int64_t n = 0; n < 5 && f->array_unit != 0; ++n) {
        int64_t expected = f->array_unit;
        if (f->array_count != SPEC_NO_PARAM) {
            CHECK(f, f->array_count < f->param_count && f->array_count != f->array);
            args[f->array_count].i = n;
            expected *= n;
        }
        CHECK(f, spec_length(f, args, f->array, &state) == expected);
    }
}

static void test_functions_are_well_formed(void **unused)
{
    (void)unused;
    failures = 0;
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const struct spec_function *f = &spec_functions[i];
        bool scalar = true, has_out = false;
        CHECK(f, f->id == i);
        CHECK(f, f->alias < spec_function_count && spec_functions[f->alias].alias == f->alias);
        CHECK(f, f->shape < spec_shape_count);
        for (unsigned k = 0; k < f->param_count; ++k) {
            check_param(f, spec_param(f, k), false);
            scalar &= spec_param(f, k)->form == SPEC_FORM_VALUE || spec_param(f, k)->form == SPEC_FORM_OPAQUE;
            has_out |= spec_param(f, k)->flags & SPEC_PARAM_OUT;
        }
        check_param(f, &f->ret, true);
        CHECK(f, scalar == !!(f->flags & SPEC_FUNCTION_SCALAR));
        CHECK(f, has_out == !!(f->flags & SPEC_FUNCTION_HAS_OUT));
        bool returns_scalar = f->ret.form == SPEC_FORM_VALUE || f->ret.form == SPEC_FORM_OPAQUE;
        bool more = f->before != 0 || f->after != 0 ||
                    (f->flags & (SPEC_FUNCTION_END_FRAME | SPEC_FUNCTION_READS_BUFFERS)) != 0;
        CHECK(f, (scalar && !has_out && returns_scalar && !more) == !!(f->flags & SPEC_FUNCTION_PLAIN));
        if (f->flags & SPEC_FUNCTION_ONE_ARRAY) {
            CHECK(f, !scalar && !has_out && returns_scalar && !more);
            check_array(f);
        }
    }
    assert_int_equal(failures, 0);
}

/* Functions with arrays that are copied the fast way, with arrays whose lengths need a program, and with
 * others. */
static void test_only_arrays(void **unused)
{
    (void)unused;
    static const struct {
        unsigned id;
        bool is_one;
        uint8_t array, size, unit, count;
    } cases[] = {
        {SPEC_FN_glLoadMatrixf, true, 0, 4, 16, SPEC_NO_PARAM},
        {SPEC_FN_glVertex3fv, true, 0, 4, 3, SPEC_NO_PARAM},
        {SPEC_FN_glVertex2dv, true, 0, 8, 2, SPEC_NO_PARAM},
        {SPEC_FN_glColor4ubv, true, 0, 1, 4, SPEC_NO_PARAM},
        {SPEC_FN_glUniform1iv, true, 2, 4, 1, 1},
        {SPEC_FN_glUniform4fv, true, 2, 4, 4, 1},
        {SPEC_FN_glUniformMatrix4fv, true, 3, 4, 16, 1},
        {SPEC_FN_glLightfv, true, 2, 4, 0, SPEC_NO_PARAM},
        {SPEC_FN_glColor4f, false, 0, 0, 0, 0},
        {SPEC_FN_glGetFloatv, false, 0, 0, 0, 0},          /* an output */
        {SPEC_FN_glPrioritizeTextures, false, 0, 0, 0, 0}, /* two arrays */
        {SPEC_FN_glVertexPointer, false, 0, 0, 0, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const struct spec_function *f = &spec_functions[cases[i].id];
        assert_int_equal((f->flags & SPEC_FUNCTION_ONE_ARRAY) != 0, cases[i].is_one);
        assert_int_equal(f->array, cases[i].array);
        assert_int_equal(f->array_size, cases[i].size);
        assert_int_equal(f->array_unit, cases[i].unit);
        assert_int_equal(f->array_count, cases[i].count);
    }
}

static void test_functions_are_found_by_name(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < spec_function_count; ++i) {
        assert_ptr_equal(spec_find_function(spec_string(spec_functions[i].name)), &spec_functions[i]);
        if (i > 0)
            assert_true(strcmp(spec_string(spec_functions[spec_functions_by_name[i - 1]].name),
                               spec_string(spec_functions[spec_functions_by_name[i]].name)) < 0);
    }
    assert_null(spec_find_function(""));
    assert_null(spec_find_function("glNoSuchFunction"));
    assert_null(spec_find_function("zzz"));
    assert_ptr_equal(spec_find_function("memcpy"), &spec_functions[0]);
}

static void test_every_command_is_there(void **unused)
{
    (void)unused;
    static const char *const names[] = {
        "glBegin",     "glXSwapBuffers",       "eglSwapBuffers",          "glTexImage3DOES",
        "glGetString", "glXGetProcAddressARB", "glFrameTerminatorGREMEDY"};
    unsigned by_api[SPEC_API_C + 1] = {0};
    for (unsigned i = 0; i < spec_function_count; ++i)
        by_api[spec_functions[i].api]++;
    assert_true(by_api[SPEC_API_GL] > 3000);
    assert_true(by_api[SPEC_API_GLX] > 130);
    assert_true(by_api[SPEC_API_EGL] > 150);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        assert_non_null(spec_find_function(names[i]));
}

static void test_groups_are_sorted(void **unused)
{
    (void)unused;
    failures = 0;
    for (unsigned i = 0; i < spec_group_count; ++i) {
        const struct spec_group *g = &spec_groups[i];
        CHECK(g, g->count >= g->value_count);
        for (unsigned k = 1; k < g->value_count; ++k)
            CHECK(g, spec_values[g->values + k - 1] < spec_values[g->values + k]);
        for (unsigned k = 0; k < g->count; ++k)
            CHECK(g, spec_group_has(g, spec_group_name(g, k)->value));
        CHECK(g, !spec_group_has(g, 0x7eadbeef));
    }
    assert_int_equal(failures, 0);
}

static void test_symbol_tables_are_sorted(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < spec_symbol_table_count; ++i) {
        const struct spec_symbol_table *table = &spec_symbol_tables[i];
        for (unsigned k = 0; k < table->count; ++k) {
            assert_true(spec_symbols[table->entries + k].group < spec_group_count);
            assert_true(k == 0 || spec_symbols[table->entries + k - 1].selector <
                                      spec_symbols[table->entries + k].selector);
        }
    }
}

static void test_count_tables_are_sorted(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < spec_length_table_count; ++i) {
        const struct length_count *counts = &spec_length_counts[spec_length_tables[i].entries];
        for (unsigned k = 1; k < spec_length_tables[i].entry_count; ++k)
            assert_true(counts[k - 1].value < counts[k].value);
    }
}

static void test_values_are_named_by_their_selector(void **unused)
{
    (void)unused;
    enum { TEXTURE_MIN_FILTER = 0x2801, TEXTURE_BASE_LEVEL = 0x813c, NEAREST = 0x2600 };
    const struct spec_param *p = spec_param(&spec_functions[SPEC_FN_glTexParameteri], 2);
    assert_int_equal(p->selector, 1);
    assert_ptr_equal(spec_symbol_group(p, TEXTURE_MIN_FILTER, NEAREST), &spec_groups[SPEC_GROUP_GLenum]);
    assert_null(spec_symbol_group(p, TEXTURE_MIN_FILTER, 7));
    assert_null(spec_symbol_group(p, TEXTURE_BASE_LEVEL, 0));

    enum { SURFACE_TYPE = 0x3033, WINDOW_OR_PBUFFER = 5, DEPTH_SIZE = 0x3025 };
    p = spec_param(&spec_functions[SPEC_FN_eglChooseConfig], 1);
    assert_int_equal(p->selector, SPEC_NO_INDEX);
    assert_ptr_equal(spec_symbol_group(p, SURFACE_TYPE, WINDOW_OR_PBUFFER),
                     &spec_groups[SPEC_GROUP_EGLSurfaceTypeMask]);
    assert_ptr_equal(spec_symbol_group(p, SURFACE_TYPE, 0), &spec_groups[SPEC_GROUP_EGLSurfaceTypeMask]);
    assert_ptr_equal(spec_symbol_group(p, SURFACE_TYPE, 0x40000000),
                     &spec_groups[SPEC_GROUP_EGLSurfaceTypeMask]);
    assert_null(spec_symbol_group(p, SURFACE_TYPE, -1)); /* EGL_DONT_CARE */
    assert_null(spec_symbol_group(p, DEPTH_SIZE, 24));
}

static const char *first_name(unsigned group, int64_t value)
{
    const struct spec_group *g = &spec_groups[group];
    for (unsigned i = 0; i < g->count; ++i)
        if (spec_group_name(g, i)->value == value)
            return spec_string(spec_group_name(g, i)->name);
    return NULL;
}

static void test_core_names_come_first(void **unused)
{
    (void)unused;
    assert_string_equal(spec_string(spec_groups[0].name), "GLenum");
    assert_string_equal(first_name(0, 0x8d40), "GL_FRAMEBUFFER");
    assert_string_equal(first_name(0, 0x84c0), "GL_TEXTURE0");
    assert_string_equal(first_name(0, 0x0de1), "GL_TEXTURE_2D");
    assert_string_equal(first_name(SPEC_GROUP_Bool, 1), "True");
    assert_string_equal(first_name(SPEC_GROUP_Boolean, 1), "GL_TRUE");
    assert_string_equal(spec_string(spec_group_name(&spec_groups[SPEC_GROUP_AttribMask], 0)->name),
                        "GL_ALL_ATTRIB_BITS");
    assert_string_equal(first_name(SPEC_GROUP_ClearBufferMask, 0x4000), "GL_COLOR_BUFFER_BIT");
}

static void test_structs_are_laid_out_as_c_does(void **unused)
{
    (void)unused;
    struct x_visual_info { /* Xutil.h */
        void *visual;
        unsigned long visualid;
        int screen, depth, class;
        unsigned long red_mask, green_mask, blue_mask;
        int colormap_size, bits_per_rgb;
    };
    const struct spec_struct *s = &spec_structs[SPEC_STRUCT_XVisualInfo];
    assert_int_equal(s->sizes[SPEC_ABI_OWN], sizeof(struct x_visual_info));
    assert_int_equal(s->sizes[SPEC_ABI_32], 40);
    assert_int_equal(spec_members[s->members + 5].offsets[SPEC_ABI_32], 20);
    assert_int_equal(s->count, 10);
    assert_string_equal(spec_string(spec_members[s->members + 5].name), "red_mask");
    assert_int_equal(spec_members[s->members + 5].offsets[SPEC_ABI_OWN],
                     offsetof(struct x_visual_info, red_mask));
    assert_int_equal(spec_members[s->members + 9].offsets[SPEC_ABI_OWN],
                     offsetof(struct x_visual_info, bits_per_rgb));
}

static void test_values_load_and_store(void **unused)
{
    (void)unused;
    unsigned char bytes[32];
    union spec_arg out;
    for (int type = SPEC_I8; type < SPEC_PTR; ++type) {
        union spec_arg in = {.i = -2};
        if (type == SPEC_F32)
            in = spec_arg_f32(-2.5f);
        else if (type == SPEC_F64)
            in.f64 = -2.5;
        memset(bytes, 0x55, sizeof bytes);
        spec_store((enum spec_type)type, bytes + 1, 1, in); /* not aligned */
        spec_load((enum spec_type)type, bytes + 1, 1, &out);
        size_t size = spec_type_size((enum spec_type)type);
        bool is_unsigned = type == SPEC_U8 || type == SPEC_U16 || type == SPEC_U32;
        uint64_t expected = is_unsigned ? in.u & ((UINT64_C(1) << size * 8) - 1) : in.u;
        assert_int_equal(out.u, expected);
        assert_int_equal(bytes[size], 0x55);
        assert_int_equal(bytes[1 + 2 * size], 0x55);
    }
}

static void test_kinds(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < spec_object_count; ++i) {
        assert_true(spec_object_kinds[i].names < spec_object_count);
        assert_int_equal(spec_object_kinds[spec_object_kinds[i].names].names, spec_object_kinds[i].names);
    }
    assert_int_equal(spec_object_kinds[SPEC_OBJECT_none].scope, SPEC_SCOPE_NONE);
    assert_int_equal(spec_object_kinds[SPEC_OBJECT_texture].scope, SPEC_SCOPE_SHARED);
    assert_int_equal(spec_object_kinds[SPEC_OBJECT_texture].names, SPEC_OBJECT_texture);
    assert_int_equal(spec_object_kinds[SPEC_OBJECT_shader].names, SPEC_OBJECT_program);
    assert_int_equal(spec_object_kinds[SPEC_OBJECT_framebuffer].scope, SPEC_SCOPE_CONTEXT);
    assert_int_equal(spec_object_kinds[SPEC_OBJECT_context].scope, SPEC_SCOPE_DISPLAY);
    assert_int_equal(spec_object_kinds[SPEC_OBJECT_location].scope, SPEC_SCOPE_PROGRAM);
    assert_true(spec_object_kinds[SPEC_OBJECT_location].zero_is_name);
    assert_true(spec_object_kinds[SPEC_OBJECT_location].consecutive);
    assert_int_equal(spec_identified_kind(0x1702), SPEC_OBJECT_texture);
    assert_int_equal(spec_identified_kind(0x9151), SPEC_OBJECT_buffer);
    assert_int_equal(spec_identified_kind(0x1703), SPEC_OBJECT_none);
}

static void test_roles(void **unused)
{
    (void)unused;
    const struct spec_param *p = spec_param(&spec_functions[SPEC_FN_glGenTextures], 1);
    assert_int_equal(p->object, SPEC_OBJECT_texture);
    assert_int_equal(p->flags, SPEC_PARAM_OUT | SPEC_PARAM_CREATE);
    p = spec_param(&spec_functions[SPEC_FN_glDeleteProgram], 0);
    assert_int_equal(p->object, SPEC_OBJECT_program);
    assert_int_equal(p->flags, SPEC_PARAM_DELETE);
    p = &spec_functions[SPEC_FN_glCreateShader].ret;
    assert_int_equal(p->object, SPEC_OBJECT_shader);
    assert_int_equal(p->flags, SPEC_PARAM_CREATE);
    p = spec_param(&spec_functions[SPEC_FN_glDeleteLists], 0);
    assert_int_equal(p->flags, SPEC_PARAM_DELETE);
    assert_int_equal(p->range, 1);
    assert_int_equal(spec_param(&spec_functions[SPEC_FN_glBindFramebuffer], 1)->flags, SPEC_PARAM_BIND);
    assert_int_equal(spec_param(&spec_functions[SPEC_FN_glXCreateContextAttribsARB], 2)->flags,
                     SPEC_PARAM_SHARE);
    assert_int_equal(spec_functions[SPEC_FN_eglReleaseThread].flags & SPEC_FUNCTION_UNBINDS_CONTEXT,
                     SPEC_FUNCTION_UNBINDS_CONTEXT);
    p = spec_param(&spec_functions[SPEC_FN_glProgramUniform1f], 1);
    assert_int_equal(p->object, SPEC_OBJECT_location);
    assert_int_equal(p->key, 0);
    assert_int_equal(spec_functions[SPEC_FN_glXSwapBuffers].flags & SPEC_FUNCTION_END_FRAME,
                     SPEC_FUNCTION_END_FRAME);
    assert_int_equal(spec_functions[SPEC_FN_glGetError].flags & SPEC_FUNCTION_NO_REPLAY,
                     SPEC_FUNCTION_NO_REPLAY);
    assert_int_equal(spec_functions[SPEC_FN_glGetUniformLocation].flags & SPEC_FUNCTION_NO_REPLAY, 0);
}

/* Calls that end a frame by the annotations, while it is recorded, also end one in a file, by apitrace's
 * names. */
static void test_frames_end_as_in_files(void **unused)
{
    (void)unused;
    unsigned ends = 0;
    for (uint32_t i = 0; i < spec_function_count; ++i) {
        const char *name = spec_string(spec_functions[i].name);
        bool recorded = (spec_functions[i].flags & SPEC_FUNCTION_END_FRAME) != 0;
        bool read = (trace_call_flags(name) & TRACE_CALL_END_FRAME) != 0;
        if (recorded != read)
            fail_msg("%s: %d by the annotations, %d by apitrace's names", name, recorded, read);
        ends += recorded;
    }
    assert_true(ends >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_end_as_in_files),
        cmocka_unit_test(test_functions_are_well_formed),
        cmocka_unit_test(test_only_arrays),
        cmocka_unit_test(test_functions_are_found_by_name),
        cmocka_unit_test(test_every_command_is_there),
        cmocka_unit_test(test_groups_are_sorted),
        cmocka_unit_test(test_core_names_come_first),
        cmocka_unit_test(test_structs_are_laid_out_as_c_does),
        cmocka_unit_test(test_values_load_and_store),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_symbol_tables_are_sorted),
        cmocka_unit_test(test_count_tables_are_sorted),
        cmocka_unit_test(test_values_are_named_by_their_selector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
