/* SPDX-License-Identifier: MIT */
#include "base/json_writer.h"

#include "cmocka_all.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct fixture {
    struct buf out;
    struct json_writer w;
};

static void expect(struct fixture *f, const char *text)
{
    assert_false(f->w.failed);
    assert_int_equal(buf_append_byte(&f->out, '\0'), 0);
    assert_string_equal((const char *)f->out.data, text);
    buf_clear(&f->out);
    json_writer_init(&f->w, &f->out);
}

static int set_up(void **state)
{
    static struct fixture f;
    f.out = BUF_INIT;
    json_writer_init(&f.w, &f.out);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    buf_fini(&((struct fixture *)*state)->out);
    return 0;
}

static void test_nesting(void **state)
{
    struct fixture *f = *state;
    json_begin(&f->w, '{');
    json_key(&f->w, "a");
    json_begin(&f->w, '[');
    json_end(&f->w, ']');
    json_key(&f->w, "b");
    json_begin(&f->w, '[');
    json_null(&f->w);
    json_bool(&f->w, true);
    json_begin(&f->w, '{');
    json_key(&f->w, "c");
    json_bool(&f->w, false);
    json_end(&f->w, '}');
    json_begin(&f->w, '{');
    json_raw(&f->w, "\"d\":1", 5);
    json_raw(&f->w, "\"e\":2", 5);
    json_end(&f->w, '}');
    json_end(&f->w, ']');
    json_end(&f->w, '}');
    expect(f, "{\"a\":[],\"b\":[null,true,{\"c\":false},{\"d\":1,\"e\":2}]}");
}

static void test_integers(void **state)
{
    struct fixture *f = *state;
    json_begin(&f->w, '[');
    json_uint(&f->w, 0);
    json_uint(&f->w, 9007199254740991u);
    json_uint(&f->w, 9007199254740992u);
    json_uint(&f->w, UINT64_MAX);
    json_sint(&f->w, -1);
    json_sint(&f->w, 7);
    json_sint(&f->w, -9007199254740991);
    json_sint(&f->w, -9007199254740992);
    json_sint(&f->w, INT64_MIN);
    json_end(&f->w, ']');
    expect(f, "[0,9007199254740991,\"9007199254740992\",\"18446744073709551615\",-1,7,-9007199254740991,"
              "\"-9007199254740992\",\"-9223372036854775808\"]");
}

static void test_reals(void **state)
{
    struct fixture *f = *state;
    const uint32_t odd_float = 0xffc00001;
    const uint64_t odd_double = UINT64_C(0x7ff0000000000001);
    float odd_f;
    double odd_d;
    memcpy(&odd_f, &odd_float, sizeof odd_f);
    memcpy(&odd_d, &odd_double, sizeof odd_d);
    json_begin(&f->w, '[');
    json_float(&f->w, 0.1f);
    json_float(&f->w, -0.0f);
    json_float(&f->w, FLT_MAX);
    json_float(&f->w, INFINITY);
    json_float(&f->w, -NAN);
    json_float(&f->w, odd_f);
    json_double(&f->w, 0.1);
    json_double(&f->w, 0.0);
    json_double(&f->w, -0.0);
    json_double(&f->w, (double)-INFINITY);
    json_double(&f->w, (double)NAN);
    json_double(&f->w, odd_d);
    json_end(&f->w, ']');
    expect(f, "[0.1,-0.0,3.4028235e+38,\"Infinity\",\"-NaN\",\"NaN(0xffc00001)\","
              "0.1,0,-0.0,\"-Infinity\",\"NaN\",\"NaN(0x7ff0000000000001)\"]");
}

static void test_strings(void **state)
{
    struct fixture *f = *state;
    static const char text[] = "\"q\\ /\b\t\n\f\r\1\x1f\x7f\xc3\xa9\0z";
    json_string(&f->w, text, sizeof text - 1);
    expect(f, "\"\\\"q\\\\ /\\b\\t\\n\\f\\r\\u0001\\u001f\x7f\xc3\xa9\\u0000z\"");
    json_text(&f->w, "", 0);
    expect(f, "\"\"");
    json_text(&f->w, "\xc3\xa9", 2);
    expect(f, "\"\xc3\xa9\"");
    json_text(&f->w, "\xe9", 1);
    expect(f, "{\"base64\":\"6Q==\"}");
}

/* The examples of RFC 4648, section 10. */
static void test_base64(void **state)
{
    struct fixture *f = *state;
    static const char *const encoded[] = {"\"\"",         "\"Zg==\"",     "\"Zm8=\"",    "\"Zm9v\"",
                                          "\"Zm9vYg==\"", "\"Zm9vYmE=\"", "\"Zm9vYmFy\""};
    for (size_t n = 0; n <= 6; ++n) {
        json_base64(&f->w, "foobar", n);
        expect(f, encoded[n]);
    }
    json_base64(&f->w, "\xff\xfb\xef", 3);
    expect(f, "\"//vv\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nesting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_base64, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
