/* SPDX-License-Identifier: MIT */
/* gltrace.conf: what is read from it, and that nothing in it does harm. */
#include "cmocka_all.h"
#include "gl/gltrace_conf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char warnings[4096];

/* In place of the capture library's. */
void capture_log(const char *format, ...);
void capture_log(const char *format, ...)
{
    (void)format;
}

static void warn(const char *what, const char *key)
{
    size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s %s;", key, what);
}

static struct gltrace_conf parse(const char *text)
{
    static char *copy;
    struct gltrace_conf conf;
    free(copy); /* exactly as long as it is: a read behind it is found */
    copy = strdup(text);
    warnings[0] = '\0';
    gltrace_conf_parse(copy, &conf, warn);
    return conf;
}

static void test_values(void **state)
{
    (void)state;
    struct gltrace_conf c = parse("GL_VENDOR = \"A # B\" # more\n"
                                  "\tGL_RENDERER=\"two\n  lines\"\r\n"
                                  "GL_MAX_TEXTURE_SIZE=  64 # pixels\n"
                                  "GL_EXTENSIONS = \" GL_a\nGL_b  GL_c \"\n"
                                  "GL_CONTEXT_PROFILE_MASK = \"GL_CONTEXT_COMPATIBILITY_PROFILE_BIT\"");
    assert_string_equal(c.vendor, "A # B");
    assert_string_equal(c.renderer, "two lines");
    assert_string_equal(c.extensions, "GL_a GL_b GL_c");
    assert_int_equal(c.max_texture_size, 64);
    assert_int_equal(c.profile_mask, 2);
    assert_true(c.offer_extensions);
    assert_null(c.version);
    assert_string_equal(warnings, "");
}

static void test_versions(void **state)
{
    (void)state;
    struct gltrace_conf c = parse("GL_VERSION = \"OpenGL ES 3.2 Acme\"\n");
    assert_int_equal(c.major, 3);
    assert_int_equal(c.minor, 2);
    c = parse("GL_MINOR_VERSION = 0\nGL_MAJOR_VERSION = 4\n");
    assert_string_equal(c.version, "4.0");
    c = parse("GL_VERSION = \"what?\"");
    assert_int_equal(c.major, 0);
    assert_string_equal(c.version, "what?");
}

static void test_switch(void **state)
{
    (void)state;
    assert_false(parse("TRACE_CLI_OFFER_EXTENSIONS = no\n").offer_extensions);
    assert_false(parse("TRACE_CLI_OFFER_EXTENSIONS=0").offer_extensions);
    assert_true(parse("TRACE_CLI_OFFER_EXTENSIONS = yes").offer_extensions);
    assert_true(parse("TRACE_CLI_OFFER_EXTENSIONS = 1").offer_extensions);
    assert_string_equal(warnings, "");
    assert_true(parse("TRACE_CLI_OFFER_EXTENSIONS = perhaps").offer_extensions);
    assert_string_equal(warnings, "TRACE_CLI_OFFER_EXTENSIONS has no value that fits;");
}

static void test_what_is_wrong_is_passed_over(void **state)
{
    (void)state;
    static const char *const wrong[] = {"GL_VENDOR",
                                        "GL_VENDOR =",
                                        "GL_VENDOR = \"no end",
                                        "GL_VENDOR = bare",
                                        "GL_MAX_TEXTURE_SIZE",
                                        "GL_MAX_TEXTURE_SIZE = x",
                                        "GL_MAX_TEXTURE_SIZE = -1",
                                        "GL_MAX_TEXTURE_SIZE = 99999999999",
                                        "GL_MAX_TEXTURE_SIZE = \"64\""};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        struct gltrace_conf c = parse(wrong[i]);
        assert_null(c.vendor);
        assert_int_equal(c.max_texture_size, 0);
        assert_non_null(strstr(warnings, "has no value that fits;"));
    }
    struct gltrace_conf c = parse("what = is this\n=\n\"\nGL_MAX_TEXTURE_SIZE = 8\n");
    assert_int_equal(c.max_texture_size, 8);
    assert_non_null(strstr(warnings, "what is no key;"));
}

static void test_every_cut(void **state)
{
    (void)state;
    static const char text[] = "# c\nGL_VENDOR = \"V\"\nGL_MAX_TEXTURE_SIZE = 12 # x\nGL_VERSION = \"3.1\"\n";
    char part[sizeof text];
    for (size_t size = 0; size < sizeof text; ++size) {
        snprintf(part, size + 1, "%s", text);
        struct gltrace_conf c = parse(part);
        assert_true(c.vendor == NULL || strcmp(c.vendor, "V") == 0);
        assert_true(c.max_texture_size == 0 || c.max_texture_size == 1 || c.max_texture_size == 12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_versions),
        cmocka_unit_test(test_switch),    cmocka_unit_test(test_what_is_wrong_is_passed_over),
        cmocka_unit_test(test_every_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
