/* SPDX-License-Identifier: MIT
 * Tests UTF-8 against the table in chapter 3.9 of Unicode.
 */
#include "base/utf8.h"

#include "cmocka_all.h"

#include <string.h>

/* Every character is what encodes it, and nothing shorter. */
static void test_characters(void **state)
{
    (void)state;
    char text[UTF8_MAX_BYTES];
    for (uint32_t c = 0; c <= 0x10ffff; ++c) {
        if (!utf8_is_character(c))
            continue;
        size_t size = utf8_encode(text, c);
        assert_int_equal(utf8_character_size(text, size), size);
        assert_int_equal(utf8_decode(text, size), c);
        assert_int_equal(utf8_character_size(text, size - 1 > 0 ? size - 1 : 1), size == 1 ? 1 : 0);
    }
    assert_false(utf8_is_character(0xd800));
    assert_false(utf8_is_character(0xdfff));
    assert_false(utf8_is_character(0x110000));
}

/* All pairs of bytes, and what makes longer ones invalid. */
static void test_invalid(void **state)
{
    static const char *const bad[] = {
        "\x80",         "\xbf",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff",         "\xe2\x82",     "\xe2\x28\xa1",     "\xf0\x9f\x92",     "\xc3("};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        if (utf8_character_size(bad[i], strlen(bad[i])) != 0)
            fail_msg("%zu is taken as a character", i);
        assert_false(utf8_is_valid(bad[i], strlen(bad[i])));
    }
    for (unsigned lead = 0x80; lead < 0x100; ++lead)
        for (unsigned next = 0; next < 0x100; ++next) {
            const char pair[2] = {(char)lead, (char)next};
            bool valid = lead >= 0xc2 && lead <= 0xdf && next >= 0x80 && next <= 0xbf;
            assert_int_equal(utf8_is_valid(pair, 2), valid);
        }
}

static void test_strings(void **state)
{
    (void)state;
    static const char text[] = "0123456789abcdef \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 0123456\xc3\xa9";
    assert_true(utf8_is_valid(text, sizeof text - 1));
    assert_false(utf8_is_valid(text, sizeof text - 2));
    assert_true(utf8_is_valid("", 0));
    assert_true(utf8_is_valid("a\0b", 3));
    assert_false(utf8_is_valid("01234567\xff", 9));
    assert_false(utf8_is_valid("0123456\xff", 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
