/* SPDX-License-Identifier: MIT */
#include "runtime/length.h"

#include "spec_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* Values of enums in the calls below. */
enum {
    UNSIGNED_BYTE = 0x1401,
    UNSIGNED_SHORT = 0x1403,
    UNSIGNED_INT = 0x1405,
    RGB = 0x1907,
    RGBA = 0x1908,
    TEXTURE_2D = 0x0de1,
    DIFFUSE = 0x1201,
    SHININESS = 0x1601,
    MODELVIEW_MATRIX = 0x0ba6,
    COMPRESSED_TEXTURE_FORMATS = 0x86a3,
    NUM_COMPRESSED_TEXTURE_FORMATS = 0x86a2,
    THREE_BYTES = 0x1408,
    MAP1_VERTEX_3 = 0x0d97,
    COLOR = 0x1800,
    DEPTH = 0x1801,
};

static char memory[64]; /* what pointers that are not dereferenced point at */

static struct spec_state initial_state(void)
{
    return (struct spec_state){.unpack.alignment = 4, .pack.alignment = 4};
}

static int64_t length(unsigned function, const union spec_arg *args, unsigned index,
                      const struct spec_state *state)
{
    return spec_length(&spec_functions[function], args, index, state);
}

static void test_counts_come_from_parameters(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg textures[] = {{.i = 3}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glDeleteTextures, textures, 1, &state), 3);
    union spec_arg matrix[] = {{.i = 7}, {.i = 2}, {.u = 0}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glUniformMatrix4fv, matrix, 3, &state), 32);
    union spec_arg load[] = {{.p = memory}};
    assert_int_equal(length(SPEC_FN_glLoadMatrixf, load, 0, &state), 16);
}

static void test_negative_counts_and_null_mean_nothing(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg negative[] = {{.i = -1}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glDeleteTextures, negative, 1, &state), 0);
    union spec_arg null[] = {{.i = 5}, {.p = NULL}};
    assert_int_equal(length(SPEC_FN_glDeleteTextures, null, 1, &state), 0);
}

static void test_overflow_is_unknown(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg huge[] = {{.i = INT64_MAX}, {.u = UNSIGNED_INT}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glCallLists, huge, 2, &state), SPEC_LENGTH_UNKNOWN);
}

static void test_pname_decides(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg material[] = {{.u = 0x404}, {.u = DIFFUSE}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glMaterialfv, material, 2, &state), 4);
    material[1].u = SHININESS;
    assert_int_equal(length(SPEC_FN_glMaterialfv, material, 2, &state), 1);
    union spec_arg get[] = {{.u = MODELVIEW_MATRIX}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glGetFloatv, get, 1, &state), 16);
}

static int64_t answer_7(void *context, uint32_t pname)
{
    *(uint32_t *)context = pname;
    return 7;
}

static void test_driver_is_asked_for_list_lengths(void **unused)
{
    (void)unused;
    uint32_t asked = 0;
    struct spec_driver driver = {.context = &asked, .get_integer = answer_7};
    struct spec_state state = initial_state();
    union spec_arg args[] = {{.u = COMPRESSED_TEXTURE_FORMATS}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glGetIntegerv, args, 1, &state), SPEC_LENGTH_UNKNOWN);
    state.driver = &driver;
    assert_int_equal(length(SPEC_FN_glGetIntegerv, args, 1, &state), 7);
    assert_int_equal(asked, NUM_COMPRESSED_TEXTURE_FORMATS);
}

static int64_t answer_blocks(void *context, uint32_t pname)
{
    static const int64_t answers[] = {4, 4, 1, 8}; /* width, height, depth, size */
    ++*(unsigned *)context;
    return pname >= 0x9127 && pname <= 0x912a ? answers[pname - 0x9127] : -1;
}

/* The driver is only asked for blocks if a part of an image may be read. */
static void test_compressed_images(void **unused)
{
    (void)unused;
    unsigned asked = 0;
    struct spec_driver driver = {.context = &asked, .get_integer = answer_blocks};
    struct spec_state state = {.driver = &driver};
    const uint64_t upload[] = {0x0de1, 0, 0x83f0, 8, 8, 0, 32, 0};
    union spec_arg args[8];
    for (int i = 0; i < 8; ++i)
        args[i].u = upload[i];
    args[7] = spec_arg_ptr("");
    const struct spec_function *f = &spec_functions[SPEC_FN_glCompressedTexImage2D];
    assert_int_equal(spec_length(f, args, 7, &state), 32);
    assert_int_equal(asked, 0);
    state.unpack = (struct spec_pixel_store){.row_length = 16, .skip_pixels = 4, .skip_rows = 4};
    assert_int_equal(spec_length(f, args, 7, &state), 2 * 32 + 3 * 8);
    assert_int_equal(asked, 4);
    state.unpack_buffer = true;
    assert_int_equal(spec_length(f, args, 7, &state), SPEC_LENGTH_OFFSET);
}

static void test_bound_buffers_make_offsets(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg draw[] = {{.u = 4}, {.i = 6}, {.u = UNSIGNED_SHORT}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glDrawElements, draw, 3, &state), 12);
    state.element_buffer = true;
    assert_int_equal(length(SPEC_FN_glDrawElements, draw, 3, &state), SPEC_LENGTH_OFFSET);

    union spec_arg image[] = {{.u = TEXTURE_2D}, {.i = 0},   {.i = RGB},           {.i = 3},     {.i = 2},
                              {.i = 0},          {.u = RGB}, {.u = UNSIGNED_BYTE}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glTexImage2D, image, 8, &state), 12 + 9);
    state.unpack_buffer = true;
    assert_int_equal(length(SPEC_FN_glTexImage2D, image, 8, &state), SPEC_LENGTH_OFFSET);
}

static void test_proxies_are_not_read(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg image[] = {{.u = 0x8064 /* GL_PROXY_TEXTURE_2D */},
                              {.i = 0},
                              {.i = RGB},
                              {.i = 3},
                              {.i = 2},
                              {.i = 0},
                              {.u = RGB},
                              {.u = UNSIGNED_BYTE},
                              {.p = memory}};
    assert_int_equal(length(SPEC_FN_glTexImage2D, image, 8, &state), 0);
}

static void test_of_an_unknown_type_nothing_is_read(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg draw[] = {{.u = 4}, {.i = 6}, {.u = 0xbad}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glDrawElements, draw, 3, &state), 0);
}

static void test_call_lists_multiply_by_type(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg args[] = {{.i = 4}, {.u = THREE_BYTES}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glCallLists, args, 2, &state), 12);
}

static void test_evaluators_count_strides(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg map[] = {{.u = MAP1_VERTEX_3}, spec_arg_f32(0), spec_arg_f32(1), {.i = 5}, {.i = 4},
                            {.p = memory}};
    assert_int_equal(length(SPEC_FN_glMap1f, map, 5, &state), 3 * 5 + 3);
    map[4].i = 0;
    assert_int_equal(length(SPEC_FN_glMap1f, map, 5, &state), 0);
}

static void test_clear_buffer_depends_on_buffer(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg args[] = {{.u = COLOR}, {.i = 0}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glClearBufferfv, args, 2, &state), 4);
    args[0].u = DEPTH;
    assert_int_equal(length(SPEC_FN_glClearBufferfv, args, 2, &state), 1);
}

static void test_attribute_lists_include_their_terminator(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    static const int32_t config[] = {0x8012, 1, 0x8010, 1, 0};
    union spec_arg choose[] = {{.p = memory}, {.i = 0}, {.p = (void *)(uintptr_t)config}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glXChooseFBConfig, choose, 2, &state), 5);

    /* GLX_RGBA and GLX_DOUBLEBUFFER stand alone here; GLX_RED_SIZE has a value that could be taken for a key.
     */
    static const int32_t visual[] = {4, 5, 8, 4, 12, 0, 0};
    union spec_arg choose_visual[] = {{.p = memory}, {.i = 0}, {.p = (void *)(uintptr_t)visual}};
    assert_int_equal(length(SPEC_FN_glXChooseVisual, choose_visual, 2, &state), 7);
    const struct spec_param *list = spec_param(&spec_functions[SPEC_FN_glXChooseVisual], 2);
    assert_int_equal(spec_attrib_width(list, 4), 1);
    assert_int_equal(spec_attrib_width(list, 8), 2);
    assert_int_equal(spec_attrib_width(list, 0), 1);

    static const intptr_t attribs[] = {0x30d2, 5, 0x3038};
    union spec_arg image[] = {
        {.p = memory}, {.p = NULL}, {.u = 0}, {.p = NULL}, {.p = (void *)(uintptr_t)attribs}};
    assert_int_equal(length(SPEC_FN_eglCreateImage, image, 4, &state), 3);
}

static void test_outputs_use_what_the_call_returned(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    int32_t written = 2;
    union spec_arg args[] = {{.p = memory}, {.p = NULL}, {.p = memory}, {.i = 10}, {.p = &written}};
    assert_int_equal(length(SPEC_FN_eglChooseConfig, args, 2, &state), 2);
    written = 20;
    assert_int_equal(length(SPEC_FN_eglChooseConfig, args, 2, &state), 10);
    args[4].p = NULL;
    assert_int_equal(length(SPEC_FN_eglChooseConfig, args, 2, &state), SPEC_LENGTH_UNKNOWN);

    int32_t count = 3;
    union spec_arg ret = {.p = memory};
    union spec_arg configs[] = {{.p = memory}, {.i = 0}, {.p = &count}};
    assert_int_equal(spec_return_length(&spec_functions[SPEC_FN_glXGetFBConfigs], configs, &ret, &state), 3);
}

static void test_optional_counts(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    int32_t written = 2;
    union spec_arg args[] = {{.u = 1}, {.i = 8}, {.p = &written}, {.p = memory}};
    assert_int_equal(length(SPEC_FN_glGetAttachedShaders, args, 3, &state), 2);
    args[2].p = NULL;
    assert_int_equal(length(SPEC_FN_glGetAttachedShaders, args, 3, &state), 8);
}

static void test_structs_are_one(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg args[] = {{.p = memory}, {.i = 0}, {.p = memory}};
    union spec_arg ret = {.p = memory};
    const struct spec_function *f = &spec_functions[SPEC_FN_glXChooseVisual];
    assert_int_equal(spec_return_length(f, args, &ret, &state), 1);
    ret.p = NULL;
    assert_int_equal(spec_return_length(f, args, &ret, &state), 0);
}

static void test_strings(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    union spec_arg name[] = {{.u = 1}, {.p = (void *)(uintptr_t) "position"}};
    assert_int_equal(length(SPEC_FN_glGetAttribLocation, name, 1, &state), 8);

    char log[16] = "ok";
    union spec_arg info[] = {{.u = 1}, {.i = sizeof log}, {.p = NULL}, {.p = log}};
    assert_int_equal(length(SPEC_FN_glGetShaderInfoLog, info, 3, &state), 2);

    char label[] = "abcdef";
    union spec_arg object[] = {{.u = 1}, {.u = 1}, {.i = 3}, {.p = label}};
    assert_int_equal(length(SPEC_FN_glObjectLabel, object, 3, &state), 3);
    object[2].i = -1;
    assert_int_equal(length(SPEC_FN_glObjectLabel, object, 3, &state), 6);

    union spec_arg ret = {.p = (void *)(uintptr_t) "1.4"};
    union spec_arg query[] = {{.u = 0x1f02}};
    assert_int_equal(spec_return_length(&spec_functions[SPEC_FN_glGetString], query, &ret, &state), 3);
}

static void test_string_arrays(void **unused)
{
    (void)unused;
    const char *sources[] = {"void main()", "{}\n// not this", NULL, "nothing of this", ""};
    int32_t lengths[] = {-1, 3, 0, 0, -1};
    union spec_arg args[] = {{.u = 1}, {.i = 5}, {.p = sources}, {.p = lengths}};
    const struct spec_function *f = &spec_functions[SPEC_FN_glShaderSource];
    struct spec_state state = initial_state();
    assert_int_equal(spec_length(f, args, 2, &state), 5);
    assert_int_equal(spec_string_length(f, args, 2, 0, sources[0], &state), 11);
    assert_int_equal(spec_string_length(f, args, 2, 1, sources[1], &state), 3);
    assert_int_equal(spec_string_length(f, args, 2, 2, sources[2], &state), -1);
    assert_int_equal(spec_string_length(f, args, 2, 3, sources[3], &state), 0);
    assert_int_equal(spec_string_length(f, args, 2, 4, sources[4], &state), 0);
    args[3].p = NULL;
    assert_int_equal(spec_string_length(f, args, 2, 1, sources[1], &state), 14);
}

static void test_blob_arrays(void **unused)
{
    (void)unused;
    static const uint16_t first[] = {0, 1, 2}, second[] = {0};
    const void *indices[] = {first, NULL, second};
    int32_t counts[] = {3, 0, 1};
    union spec_arg args[] = {{.u = 4}, {.p = counts}, {.u = 0x1403}, {.p = indices}, {.i = 3}};
    const struct spec_function *f = &spec_functions[SPEC_FN_glMultiDrawElements];
    struct spec_state state = initial_state();
    assert_int_equal(spec_length(f, args, 3, &state), 3);
    assert_int_equal(spec_item_length(f, args, 3, 0, &state), 6);
    assert_int_equal(spec_item_length(f, args, 3, 1, &state), 0);
    assert_int_equal(spec_item_length(f, args, 3, 2, &state), 2);
    args[2].u = 0x1406; /* GL_FLOAT is not a type of indices */
    state.element_buffer = true;
    assert_int_equal(spec_item_length(f, args, 3, 0, &state), SPEC_LENGTH_OFFSET);
    state.element_buffer = false;
    args[1].p = NULL;
    assert_int_equal(spec_item_length(f, args, 3, 0, &state), SPEC_LENGTH_UNKNOWN);
}

/* --- what cannot be read ---------------------------------------------------------------------------- */

static const char *readable_end; /* end of the readable memory */

static bool is_before_end(const void *at, size_t size)
{
    return (uintptr_t)at + size <= (uintptr_t)readable_end;
}

static const struct spec_driver memory_driver = {.is_readable = is_before_end};

static void test_attribute_lists_have_an_end(void **unused)
{
    (void)unused;
    static int32_t list[3 * SPEC_MAX_ATTRIBS];
    struct spec_state state = initial_state();
    union spec_arg args[] = {{.p = memory}, {.i = 0}, {.p = list}};
    const struct spec_function *f = &spec_functions[SPEC_FN_glXChooseFBConfig];
    for (unsigned i = 0; i < 3 * SPEC_MAX_ATTRIBS; ++i)
        list[i] = 8; /* GLX_RED_SIZE */
    assert_int_equal(spec_length(f, args, 2, &state), SPEC_LENGTH_UNKNOWN);
    list[10] = 0;
    assert_int_equal(spec_length(f, args, 2, &state), 11);
    state.driver = &memory_driver;
    readable_end = (const char *)(list + 11);
    assert_int_equal(spec_length(f, args, 2, &state), 11);
    readable_end = (const char *)(list + 10);
    assert_int_equal(spec_length(f, args, 2, &state), SPEC_LENGTH_UNKNOWN);
    list[10] = 8;
    list[SPEC_MAX_ATTRIBS - 2] = 0;
    readable_end = (const char *)(list + SPEC_MAX_ATTRIBS);
    assert_int_equal(spec_length(f, args, 2, &state), SPEC_MAX_ATTRIBS - 1);
    list[SPEC_MAX_ATTRIBS - 2] = 8;
    list[SPEC_MAX_ATTRIBS] = 0; /* one too far */
    readable_end = (const char *)(list + 3 * SPEC_MAX_ATTRIBS);
    assert_int_equal(spec_length(f, args, 2, &state), SPEC_LENGTH_UNKNOWN);
}

static void test_strings_end_with_the_memory(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    static char text[10000];
    union spec_arg args[] = {{.u = 1}, {.p = text}};
    const struct spec_function *f = &spec_functions[SPEC_FN_glGetUniformLocation];
    memset(text, 'x', sizeof text);
    text[9000] = '\0';
    assert_int_equal(spec_length(f, args, 1, &state), 9000);
    state.driver = &memory_driver;
    readable_end = text + sizeof text;
    readable_end -= (uintptr_t)readable_end % 4096; /* readable memory ends with a page */
    int64_t left = readable_end - text;
    assert_int_equal(spec_length(f, args, 1, &state), left < 9000 ? left : 9000);
    text[5] = '\0';
    assert_int_equal(spec_length(f, args, 1, &state), 5);
    readable_end = text;
    assert_int_equal(spec_length(f, args, 1, &state), SPEC_LENGTH_UNKNOWN);
    const char *strings[] = {text};
    union spec_arg sources[] = {{.u = 1}, {.i = 1}, {.p = strings}, {.p = NULL}};
    const struct spec_function *source = &spec_functions[SPEC_FN_glShaderSource];
    assert_int_equal(spec_string_length(source, sources, 2, 0, text, &state), SPEC_LENGTH_UNKNOWN);
    int32_t lengths[2] = {4, 0};
    sources[3].p = lengths;
    readable_end = (const char *)(lengths + 1);
    assert_int_equal(spec_string_length(source, sources, 2, 0, text, &state), 4);
    assert_int_equal(spec_string_length(source, sources, 2, 1, text, &state), SPEC_LENGTH_UNKNOWN);
}

/* Strings on three aligned pages, not all of which are readable. */
static void test_strings_of_several_pages(void **unused)
{
    (void)unused;
    static _Alignas(4096) char pages[3 * 4096];
    struct spec_state state = initial_state();
    union spec_arg log[] = {{.u = 1}, {.i = 5000}, {.p = NULL}, {.p = pages + 4086}};
    union spec_arg name[] = {{.u = 1}, {.p = pages + 4095}};
    memset(pages, 'x', sizeof pages);
    state.driver = &memory_driver;
    readable_end = pages + sizeof pages;
    assert_int_equal(length(SPEC_FN_glGetShaderInfoLog, log, 3, &state), 5000);
    log[1].i = 11;
    assert_int_equal(length(SPEC_FN_glGetShaderInfoLog, log, 3, &state), 11);
    assert_int_equal(length(SPEC_FN_glGetAttribLocation, name, 1, &state), 1 + 2 * 4096);
    readable_end = pages + 4096;
    assert_int_equal(length(SPEC_FN_glGetShaderInfoLog, log, 3, &state), 10);
    assert_int_equal(length(SPEC_FN_glGetAttribLocation, name, 1, &state), 1);
    readable_end = pages;
    assert_int_equal(length(SPEC_FN_glGetAttribLocation, name, 1, &state), SPEC_LENGTH_UNKNOWN);
    state.driver = NULL;
    pages[3 * 4096 - 1] = '\0';
    union spec_arg marker[] = {{.i = 0}, {.p = pages}};
    assert_int_equal(length(SPEC_FN_glStringMarkerGREMEDY, marker, 1, &state), 3 * 4096 - 1);
}

static void test_unreadable_counts_are_unknown(void **unused)
{
    (void)unused;
    struct spec_state state = initial_state();
    state.driver = &memory_driver;
    static const uint16_t indices[] = {0, 1};
    const void *items[] = {indices, indices};
    int32_t counts[2] = {2, 2};
    union spec_arg args[] = {{.u = 4}, {.p = counts}, {.u = UNSIGNED_SHORT}, {.p = items}, {.i = 2}};
    const struct spec_function *f = &spec_functions[SPEC_FN_glMultiDrawElements];
    readable_end = (const char *)(counts + 1);
    assert_int_equal(spec_item_length(f, args, 3, 0, &state), 4);
    assert_int_equal(spec_item_length(f, args, 3, 1, &state), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(spec_item_length(f, args, 3, SIZE_MAX / 2, &state), SPEC_LENGTH_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attribute_lists_have_an_end),
        cmocka_unit_test(test_strings_end_with_the_memory),
        cmocka_unit_test(test_strings_of_several_pages),
        cmocka_unit_test(test_unreadable_counts_are_unknown),
        cmocka_unit_test(test_counts_come_from_parameters),
        cmocka_unit_test(test_negative_counts_and_null_mean_nothing),
        cmocka_unit_test(test_overflow_is_unknown),
        cmocka_unit_test(test_pname_decides),
        cmocka_unit_test(test_driver_is_asked_for_list_lengths),
        cmocka_unit_test(test_compressed_images),
        cmocka_unit_test(test_bound_buffers_make_offsets),
        cmocka_unit_test(test_proxies_are_not_read),
        cmocka_unit_test(test_of_an_unknown_type_nothing_is_read),
        cmocka_unit_test(test_call_lists_multiply_by_type),
        cmocka_unit_test(test_evaluators_count_strides),
        cmocka_unit_test(test_clear_buffer_depends_on_buffer),
        cmocka_unit_test(test_attribute_lists_include_their_terminator),
        cmocka_unit_test(test_outputs_use_what_the_call_returned),
        cmocka_unit_test(test_optional_counts),
        cmocka_unit_test(test_structs_are_one),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_string_arrays),
        cmocka_unit_test(test_blob_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
