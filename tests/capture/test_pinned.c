/* SPDX-License-Identifier: MIT
 * Tests the fake calls that make a trace independent of the driver: the locations chosen by a link, and the
 * contents of textures with external memory. Expectations come from the OpenGL 4.6 specification, sections
 * 7.3 and 7.6 (programs), 8.4.1 (pixel store) and 9.4.2 (framebuffers).
 */
#include "stub_driver.h"

#include "context/gl_enums.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/* --- programs ------------------------------------------------------------------------------------------- */

static struct {
    const char *name;
    int32_t location;
} attributes[4];
static int32_t attribute_count, longest_name, is_linked, uniform_count, longest_uniform;

static void get_program(uint32_t program, uint32_t pname, int32_t *value)
{
    assert_int_equal(program, 5);
    *value = pname == 0x8B82   ? is_linked
             : pname == 0x8B89 ? attribute_count
             : pname == 0x8B8A ? longest_name
             : pname == 0x8B86 ? uniform_count
             : pname == 0x8B87 ? longest_uniform
                               : -1;
}

static void get_attribute(uint32_t program, uint32_t index, int32_t room, int32_t *length, int32_t *size,
                          uint32_t *type, char *name)
{
    (void)program;
    (void)length;
    assert_in_range(index, 0, (uint64_t)attribute_count - 1);
    *size = 1;
    *type = 0x1406;
    if (attributes[index].name != NULL) {
        assert_in_range(strlen(attributes[index].name) + 1, 1, (uint64_t)room);
        strcpy(name, attributes[index].name);
    }
}

static int32_t get_location(uint32_t program, const char *name)
{
    (void)program;
    for (int32_t i = 0; i < attribute_count; ++i)
        if (attributes[i].name != NULL && strcmp(attributes[i].name, name) == 0)
            return attributes[i].location;
    return -1;
}

static uint8_t is_program(uint32_t program)
{
    stub.questions++;
    return program == 5;
}

static void get_resource_name(uint32_t program, uint32_t interface, uint32_t index, int32_t room,
                              int32_t *length, char *name)
{
    assert_int_equal(program, 5);
    assert_int_equal(interface, 0x92E1);
    assert_in_range(index, 0, (uint64_t)uniform_count - 1);
    assert_null(length);
    assert_in_range(room, longest_uniform, longest_uniform + 16);
    memset(name, 'u', (size_t)longest_uniform - 1);
    name[longest_uniform - 1] = '\0';
    name[0] = (char)('a' + index);
}

static capture_function find_program(uint32_t id)
{
    return id == SPEC_FN_glGetProgramiv             ? (capture_function)get_program
           : id == SPEC_FN_glGetActiveAttrib        ? (capture_function)get_attribute
           : id == SPEC_FN_glGetAttribLocation      ? (capture_function)get_location
           : id == SPEC_FN_glIsProgram              ? (capture_function)is_program
           : id == SPEC_FN_glGetProgramResourceName ? (capture_function)get_resource_name
                                                    : NULL;
}

static void set_attribute(unsigned i, const char *name, int32_t location)
{
    attributes[i].name = name;
    attributes[i].location = location;
}

static void link_program(void)
{
    STUB_MAKE(glLinkProgram, NULL, 5);
}

static void test_links(void **state)
{
    (void)state;
    stub_start("4.6");
    stub.more = find_program;
    is_linked = 1;
    attribute_count = longest_name = 0;
    link_program();
    stub_expect_calls("");
    attribute_count = 1;
    longest_name = 2;
    set_attribute(0, "p", 6);
    link_program();
    stub_expect_calls("glBindAttribLocation glLinkProgram ");
    assert_int_equal(stub_calls[0].args[1].u, 6);
    attribute_count = 4;
    longest_name = 12;
    set_attribute(0, "position", 3);
    set_attribute(1, "gl_VertexID", -1);
    set_attribute(2, "nowhere", -1);
    set_attribute(3, "eleven_char", 0);
    link_program();
    stub_expect_calls("glBindAttribLocation glBindAttribLocation glLinkProgram ");
    assert_int_equal(stub_calls[0].args[0].u, 5);
    assert_int_equal(stub_calls[0].args[1].u, 3);
    assert_string_equal((const char *)stub_calls[0].values, "position");
    assert_int_equal(stub_calls[1].args[1].u, 0);
    assert_string_equal((const char *)stub_calls[1].values, "eleven_char");
    assert_int_equal(stub_calls[2].args[0].u, 5);
    is_linked = 0;
    link_program();
    stub_expect_calls("");
    is_linked = 1;
    set_attribute(0, NULL, 3); /* the driver gives no answer */
    set_attribute(3, "gl_Vertex", 2);
    link_program();
    stub_expect_calls("");
    longest_name = 0;
    link_program();
    stub_expect_calls("");
    stub_stop();
}

/* Some drivers do not count the NUL in the length of the longest name. */
static void test_uncounted_nul(void **state)
{
    (void)state;
    stub_start("4.6");
    stub.more = find_program;
    is_linked = attribute_count = 1;
    longest_name = 1;
    set_attribute(0, "p", 6);
    link_program();
    stub_expect_calls("glBindAttribLocation glLinkProgram ");
    assert_string_equal((const char *)stub_calls[0].values, "p");
    stub_stop();
}

/* If the program queries a uniform by number, its name is recorded, provided that the driver can tell it
 * without an error. */
static void test_resources(void **state)
{
    (void)state;
    enum { UNIFORM = 0x92E1, INPUT = 0x92E3, TYPE = 0x92FA, LOCATION = 0x930E };
    static const uint32_t first[] = {LOCATION, TYPE}, last[] = {TYPE, LOCATION};
    static const struct {
        uint64_t program, interface, index, count;
        const uint32_t *properties;
        bool in_begin, told;
    } questions[] = {
        {5, UNIFORM, 0, 1, first, false, true},  {5, UNIFORM, 2, 2, first, false, true},
        {5, UNIFORM, 3, 1, first, false, false}, {5, UNIFORM, UINT32_MAX, 1, first, false, false},
        {5, UNIFORM, 1, 2, last, false, true},   {5, UNIFORM, 1, 1, last, false, false},
        {5, INPUT, 1, 1, first, false, false},   {6, UNIFORM, 1, 1, first, false, false},
        {5, UNIFORM, 1, 0, first, false, false}, {5, UNIFORM, 1, (uint64_t)-1, first, false, false},
        {5, UNIFORM, 1, 1, NULL, false, false},  {5, UNIFORM, 1, 1, (const void *)16, false, false},
        {5, UNIFORM, 1, 1, first, true, false},
    };
    uniform_count = 3;
    longest_uniform = 9;
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; ++i) {
        struct capture_thread *t = stub_start("4.6");
        stub.more = find_program;
        t->context->in_begin = questions[i].in_begin;
        unsigned before = stub.questions;
        const uint64_t args[8] = {questions[i].program, questions[i].interface, questions[i].index,
                                  questions[i].count, STUB_P(questions[i].properties)};
        stub_make(SPEC_FN_glGetProgramResourceiv, stub_arguments(args), NULL);
        stub_expect_calls(questions[i].told ? "glGetProgramResourceName " : "");
        if (questions[i].told) {
            assert_int_equal(stub_calls[0].args[0].u, 5);
            assert_int_equal(stub_calls[0].args[1].u, UNIFORM);
            assert_int_equal(stub_calls[0].args[2].u, questions[i].index);
            assert_in_range(stub_calls[0].args[3].u, longest_uniform, longest_uniform + 16);
            assert_null(stub_calls[0].args[4].p);
            const char expected[] = {(char)('a' + questions[i].index), 'u', 'u', 'u', 'u', 'u', 'u', 'u', 0};
            assert_string_equal((const char *)stub_calls[0].values, expected);
        }
        if (questions[i].in_begin)
            assert_int_equal(stub.questions, before);
        stub_stop();
    }
}

/* --- pictures ------------------------------------------------------------------------------------------- */

enum { TEXTURE_2D = 0x0DE1, RECTANGLE = 0x84F5, EXTERNAL = 0x8D65, INVERTED = 12, STORES = 13 };

static struct {
    int32_t width, height, kind;
    uint32_t status, framebuffer, attached;
    int32_t components, red; /* their type, and the bits of one */
    uint32_t format, type;   /* in which pixels are read */
    int32_t stores[STORES];  /* values in the driver, in the order of names[] */
    unsigned pack_buffer;
    unsigned reads, made, deleted;
} driver;

static const uint32_t names[STORES] = {0x0D05, 0x0D02, 0x0D03, 0x0D04, 0x806B, 0x806C, 0x0CF5,
                                       0x0CF2, 0x0CF3, 0x0CF4, 0x806D, 0x806E, 0x8758};

static bool is_silent; /* the driver gives no answers */

static void get_level(uint32_t target, int32_t level, uint32_t pname, int32_t *value)
{
    if (is_silent)
        return;
    assert_true(target == (driver.kind == 0x20DD ? RECTANGLE : TEXTURE_2D));
    assert_int_equal(level, 0);
    *value = pname == 0x805C ? driver.red : pname == 0x1000 ? driver.width : driver.height;
}

static void generate(int32_t count, uint32_t *out)
{
    assert_int_equal(count, 1);
    driver.made++;
    *out = 44;
}

static void delete_one(int32_t count, const uint32_t *of)
{
    assert_int_equal(count, 1);
    assert_int_equal(*of, 44);
    driver.deleted++;
}

static void bind_framebuffer(uint32_t target, uint32_t name)
{
    assert_int_equal(target, 0x8CA8);
    driver.framebuffer = name;
}

static void attach(uint32_t target, uint32_t point, uint32_t kind, uint32_t texture, int32_t level)
{
    assert_int_equal(target, 0x8CA8);
    assert_int_equal(point, 0x8CE0);
    assert_int_equal(kind, driver.kind == 0x20DD ? RECTANGLE : TEXTURE_2D);
    assert_int_equal(level, 0);
    driver.attached = texture;
}

static void get_attachment(uint32_t target, uint32_t point, uint32_t pname, int32_t *value)
{
    assert_int_equal(target, 0x8CA8);
    assert_int_equal(point, 0x8CE0);
    assert_int_equal(pname, 0x8211);
    *value = driver.components;
}

static uint32_t get_status(uint32_t target)
{
    (void)target;
    return driver.status;
}

static void store(uint32_t pname, int32_t value)
{
    for (unsigned i = 0; i < STORES; ++i)
        if (names[i] == pname)
            driver.stores[i] = value;
}

static void bind_buffer(uint32_t target, uint32_t buffer)
{
    assert_int_equal(target, 0x88EB);
    driver.pack_buffer = buffer;
}

/* Pixels are only packed tightly in the initial state. */
static void read_pixels(int32_t x, int32_t y, int32_t width, int32_t height, uint32_t format, uint32_t type,
                        void *pixels)
{
    assert_int_equal(x | y, 0);
    driver.format = format;
    driver.type = type;
    assert_int_equal(driver.framebuffer, 44);
    assert_int_equal(driver.pack_buffer, 0);
    for (unsigned i = 0; i < 6; ++i)
        assert_int_equal(driver.stores[i], i == 0 ? 4 : 0);
    assert_int_equal(driver.stores[INVERTED], 0);
    for (int32_t i = 0; i < width * height * (type == 0x1401 ? 4 : 16); ++i)
        ((uint8_t *)pixels)[i] = (uint8_t)(i + 1);
    driver.reads++;
}

static bool query_drawable(void *display, unsigned long drawable, uint32_t attribute, uint32_t *value)
{
    assert_int_equal((uintptr_t)display, 77);
    assert_int_equal(drawable, 88);
    assert_int_equal(attribute, 0x20D6);
    *value = (uint32_t)driver.kind;
    return true;
}

static capture_function find_image(uint32_t id)
{
    static const struct {
        uint32_t id;
        capture_function function;
    } functions[] = {{SPEC_FN_glGetTexLevelParameteriv, (capture_function)get_level},
                     {SPEC_FN_glGenFramebuffers, (capture_function)generate},
                     {SPEC_FN_glDeleteFramebuffers, (capture_function)delete_one},
                     {SPEC_FN_glBindFramebuffer, (capture_function)bind_framebuffer},
                     {SPEC_FN_glFramebufferTexture2D, (capture_function)attach},
                     {SPEC_FN_glCheckFramebufferStatus, (capture_function)get_status},
                     {SPEC_FN_glGetFramebufferAttachmentParameteriv, (capture_function)get_attachment},
                     {SPEC_FN_glPixelStorei, (capture_function)store},
                     {SPEC_FN_glBindBuffer, (capture_function)bind_buffer},
                     {SPEC_FN_glReadPixels, (capture_function)read_pixels}};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (functions[i].id == id)
            return functions[i].function;
    return NULL;
}

static struct capture_thread *start(const char *version)
{
    struct capture_thread *t = stub_start(version);
    memset(&driver, 0, sizeof driver);
    driver.width = 3;
    driver.height = 2;
    driver.status = 0x8CD5;
    driver.kind = 0x20DC;
    driver.components = 0x8C17;
    driver.framebuffer = 6;
    driver.stores[0] = driver.stores[6] = 4;
    stub.more = find_image;
    stub.glx_attribute = query_drawable;
    stub.integers[0x8069] = 11;
    stub.integers[0x84F6] = 12;
    stub.integers[0x8CAA] = 6;
    return t;
}

static void take_image(uint32_t target)
{
    STUB_MAKE(glEGLImageTargetTexture2DOES, NULL, target, 0x1234);
}

static void expect_picture(unsigned i, uint32_t target)
{
    const uint64_t expected[8] = {target, 0, 0x1908, 3, 2, 0, 0x1908, 0x1401};
    assert_string_equal(spec_string(stub_calls[i].function->name), "glTexImage2D");
    for (unsigned k = 0; k < 8; ++k)
        assert_int_equal(stub_calls[i].args[k].u, expected[k]);
    assert_int_equal(stub_calls[i].bytes, 24);
    for (unsigned k = 0; k < 24; ++k)
        assert_int_equal(stub_calls[i].values[k], k + 1);
    assert_int_equal(driver.framebuffer, 6); /* unchanged */
    assert_int_equal(driver.made, 1);
    assert_int_equal(driver.deleted, 1);
}

static void test_which_images(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        uint32_t target, status;
        int32_t width, height;
        bool recorded;
    } images[] = {
        {"3.0", TEXTURE_2D, 0x8CD5, 3, 2, true},
        {"2.1", TEXTURE_2D, 0x8CD5, 3, 2, false},
        {"4.6", TEXTURE_2D, 0x8CD5, 3, 2, true},
        {"OpenGL ES 3.1", TEXTURE_2D, 0x8CD5, 3, 2, true},
        {"OpenGL ES 3.0", TEXTURE_2D, 0x8CD5, 3, 2, false},
        {"4.6", EXTERNAL, 0x8CD5, 3, 2, false},
        {"4.6", TEXTURE_2D, 0x8CD6, 3, 2, false},
        {"4.6", TEXTURE_2D, 0x8CD5, 0, 2, false},
        {"4.6", TEXTURE_2D, 0x8CD5, 3, 0, false},
        {"4.6", TEXTURE_2D, 0x8CD5, -1, 2, false},
        {"4.6", TEXTURE_2D, 0x8CD5, 1 << 30, 2, false},
        {"4.6", TEXTURE_2D, 0x8CD5, 3, 1 << 30, false},
    };
    for (unsigned i = 0; i < sizeof images / sizeof images[0]; ++i) {
        start(images[i].version);
        driver.width = images[i].width;
        driver.height = images[i].height;
        driver.status = images[i].status;
        take_image(images[i].target);
        assert_int_equal(stub_call_count, images[i].recorded);
        assert_int_equal(driver.reads, images[i].recorded);
        assert_int_equal(driver.made, driver.deleted);
        assert_int_equal(driver.framebuffer, 6);
        if (images[i].recorded) {
            expect_picture(0, TEXTURE_2D);
            assert_int_equal(driver.attached, 11);
        }
        stub_stop();
    }
}

/* Each kind of components is read in a format that it has, and keeps its range. */
static void test_components(void **state)
{
    (void)state;
    static const struct {
        int32_t components, red, internal;
        uint32_t format, type;
    } kinds[] = {
        {0x8C17, 8, 0x1908, 0x1908, 0x1401},  /* GL_UNSIGNED_NORMALIZED */
        {0x1406, 16, 0x881A, 0x1908, 0x1406}, /* GL_FLOAT: GL_RGBA16F, GL_RGBA32F */
        {0x1406, 32, 0x8814, 0x1908, 0x1406}, {0x1404, 8, 0x8D82, 0x8D99, 0x1404}, /* GL_INT: GL_RGBA32I */
        {0x1405, 16, 0x8D70, 0x8D99, 0x1405}, /* GL_UNSIGNED_INT: GL_RGBA32UI */
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        start("OpenGL ES 3.2");
        driver.components = kinds[i].components;
        driver.red = kinds[i].red;
        take_image(TEXTURE_2D);
        stub_expect_calls("glTexImage2D ");
        assert_int_equal(stub_calls[0].args[2].i, kinds[i].internal);
        assert_int_equal(stub_calls[0].args[6].u, kinds[i].format);
        assert_int_equal(stub_calls[0].args[7].u, kinds[i].type);
        assert_int_equal(driver.format, kinds[i].format);
        assert_int_equal(driver.type, kinds[i].type);
        assert_int_equal(stub_calls[0].bytes, 3 * 2 * (i == 0 ? 4 : 16));
        stub_stop();
    }
    start("4.6");
    driver.components = 0x8F9C; /* GL_SIGNED_NORMALIZED */
    take_image(TEXTURE_2D);
    stub_expect_calls("");
    assert_int_equal(driver.reads, 0);
    assert_int_equal(driver.framebuffer, 6);
    stub_stop();
}

/* A pixmap's texture may have a rectangle target. */
static void test_pixmaps(void **state)
{
    (void)state;
    for (int32_t kind = 0x20DC; kind <= 0x20DD; ++kind) {
        start("3.1");
        driver.kind = kind;
        STUB_MAKE(glXBindTexImageEXT, NULL, 77, 88);
        assert_int_equal(stub_call_count, 1);
        expect_picture(0, kind == 0x20DD ? RECTANGLE : TEXTURE_2D);
        assert_int_equal(driver.attached, kind == 0x20DD ? 12 : 11);
        stub_stop();
    }
}

/* The program's whole pixel store is set aside while the picture is read and recorded. */
static void test_pixel_store(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STORES; ++i) {
        start("3.1");
        stub.extensions = "GL_MESA_pack_invert";
        int32_t value = i == INVERTED ? 1 : i % 6 == 0 ? 8 : 5;
        driver.stores[i] = value;
        STUB_MAKE(glPixelStorei, NULL, names[i], (uint64_t)value);
        take_image(TEXTURE_2D);
        assert_int_equal(driver.stores[i], value);
        if (i < 6 || i == INVERTED) {
            stub_expect_calls("glTexImage2D ");
        } else {
            stub_expect_calls("glPixelStorei glTexImage2D glPixelStorei ");
            expect_picture(1, TEXTURE_2D);
            for (unsigned k = 0; k < 3; k += 2) {
                assert_int_equal(stub_calls[k].args[0].u, names[i]);
                assert_int_equal(stub_calls[k].args[1].i, k == 2 ? value : i == 6 ? 4 : 0);
            }
        }
        stub_stop();
    }
}

static void test_pixel_buffers(void **state)
{
    (void)state;
    start("3.1");
    stub.integers[0x88ED] = 21;
    STUB_MAKE(glBindBuffer, NULL, 0x88EB, 21);
    driver.pack_buffer = 21;
    take_image(TEXTURE_2D);
    stub_expect_calls("glTexImage2D ");
    assert_int_equal(driver.pack_buffer, 21);
    stub.integers[0x88EF] = 22;
    STUB_MAKE(glBindBuffer, NULL, 0x88EC, 22);
    take_image(TEXTURE_2D);
    stub_expect_calls("glBindBuffer glTexImage2D glBindBuffer ");
    assert_int_equal(stub_calls[0].args[0].u, 0x88EC);
    assert_int_equal(stub_calls[0].args[1].u, 0);
    assert_int_equal(stub_calls[2].args[0].u, 0x88EC);
    assert_int_equal(stub_calls[2].args[1].u, 22);
    stub_stop();
    start("3.1");
    stub.integers[0x88ED] = stub.integers[0x88EF] = 1; /* the lowest name */
    STUB_MAKE(glBindBuffer, NULL, 0x88EB, 1);
    STUB_MAKE(glBindBuffer, NULL, 0x88EC, 1);
    driver.pack_buffer = 1;
    take_image(TEXTURE_2D);
    stub_expect_calls("glBindBuffer glTexImage2D glBindBuffer ");
    assert_int_equal(stub_calls[2].args[1].u, 1);
    assert_int_equal(driver.pack_buffer, 1);
    stub_stop();
}

static void get_no_integer(uint32_t pname, int32_t *value)
{
    (void)pname;
    (void)value;
}

static capture_function find_image_without_bindings(uint32_t id)
{
    return id == SPEC_FN_glGetIntegerv ? (capture_function)get_no_integer : find_image(id);
}

/* A driver without answers is not asked for pixels. If it does not say what is bound, nothing is recorded. */
static void test_silent_driver(void **state)
{
    (void)state;
    start("4.6");
    is_silent = true;
    take_image(TEXTURE_2D);
    is_silent = false;
    stub_expect_calls("");
    assert_int_equal(driver.reads, 0);
    stub_stop();
    start("4.6");
    stub.version = NULL;
    take_image(TEXTURE_2D);
    stub_expect_calls("");
    stub.version = "4.6";
    stub_stop();
    start("4.6");
    stub.more = find_image_without_bindings;
    driver.framebuffer = 0;
    driver.attached = 99;
    take_image(TEXTURE_2D);
    assert_int_equal(driver.attached, 0);
    assert_int_equal(driver.framebuffer, 0);
    stub_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uncounted_nul), cmocka_unit_test(test_resources),
        cmocka_unit_test(test_silent_driver), cmocka_unit_test(test_links),
        cmocka_unit_test(test_which_images),  cmocka_unit_test(test_pixmaps),
        cmocka_unit_test(test_components),    cmocka_unit_test(test_pixel_store),
        cmocka_unit_test(test_pixel_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
