/* SPDX-License-Identifier: MIT
 * Tests each instruction of length programs, with tables of its own.
 */
#include "runtime/length.h"
#include "runtime/length_code.h"
#include "runtime/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>

enum { CODE_SIZE = 32, A = 0, B = 1, LIST = 2, DATA = 3, ODD = 4 };

uint16_t writable_code[CODE_SIZE];
extern const uint16_t spec_length_code[CODE_SIZE] __attribute__((alias("writable_code")));
const struct length_count spec_length_counts[] = {{5, 50, 0}, {7, 70, 0}, {9, 0, 0x1234}};
const struct length_table spec_length_tables[] = {{0, 3, -1}, {0, 3, 1}};
const unsigned spec_length_table_count = 2;

struct spec_param writable_params[ODD + 1] = {
    [A] = {.type = SPEC_I32, .length = SPEC_NO_INDEX, .items = SPEC_NO_INDEX},
    [B] = {.type = SPEC_I32, .length = SPEC_NO_INDEX, .items = SPEC_NO_INDEX},
    [LIST] = {.type = SPEC_I32, .form = SPEC_FORM_ARRAY, .length = SPEC_NO_INDEX, .items = SPEC_NO_INDEX},
    [DATA] = {.type = SPEC_U8, .form = SPEC_FORM_BLOB, .length = 0, .items = SPEC_NO_INDEX},
    [ODD] = {.form = SPEC_FORM_ARRAY, .length = SPEC_NO_INDEX, .items = SPEC_NO_INDEX},
};
extern const struct spec_param spec_params[ODD + 1] __attribute__((alias("writable_params")));
static const struct spec_function function = {.param_count = 5};

/* Runs a program with these values of a and b; list is {11, 22, 33}, and data not NULL. */
static int64_t run(const uint16_t *code, size_t words, int64_t a, int64_t b)
{
    static int32_t list[] = {11, 22, 33};
    static char data[4];
    const struct spec_state state = {.unpack.alignment = 4, .pack_buffer = true};
    static uint64_t odd[] = {7, 7};
    union spec_arg args[] = {{.i = a}, {.i = b}, {.p = list}, {.p = data}, {.p = odd}};
    assert_true(words <= CODE_SIZE);
    for (size_t i = 0; i < words; ++i)
        writable_code[i] = code[i];
    return spec_length(&function, args, DATA, &state);
}

#define RUN(a, b, ...)                                                                                       \
    run((const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), a, b)
#define BINARY(op, a, b) RUN(a, b, LENGTH_ARG, A, LENGTH_ARG, B, op, LENGTH_END)

static void test_constants_are_signed(void **unused)
{
    (void)unused;
    assert_int_equal(RUN(0, 0, LENGTH_CONST, 7, 0, LENGTH_END), 7);
    assert_int_equal(RUN(0, 0, LENGTH_CONST, 1, 2, LENGTH_END), 0x20001);
    /* 10 + -3 */
    assert_int_equal(RUN(10, 0, LENGTH_ARG, A, LENGTH_CONST, 0xfffd, 0xffff, LENGTH_ADD, LENGTH_END), 7);
}

/* Programs with a single operand take a faster way. */
static void test_a_single_operand(void **unused)
{
    (void)unused;
    for (int64_t a = -2; a < 3; ++a)
        assert_int_equal(RUN(a, 0, LENGTH_ARG, A, LENGTH_END), a > 0 ? a : 0);
    assert_int_equal(RUN(0, 0, LENGTH_CONST, 7, 0, LENGTH_CONST, 3, 0, LENGTH_ADD, LENGTH_END), 10);
    assert_int_equal(RUN(4, 0, LENGTH_CONST, 1, 0, LENGTH_ARG, A, LENGTH_SUB, LENGTH_END), 0);
    assert_int_equal(RUN(4, 3, LENGTH_ARG, A, LENGTH_ARG, B, LENGTH_SUB, LENGTH_END), 1);
}

/* Only integers count. */
static void test_types_of_elements(void **unused)
{
    (void)unused;
    for (int type = SPEC_VOID; type < SPEC_TYPE_COUNT; ++type) {
        writable_params[ODD].type = (uint8_t)type;
        bool is_integer = type >= SPEC_I8 && type <= SPEC_U64;
        assert_int_equal(RUN(0, 0, LENGTH_LOAD, ODD, LENGTH_END), is_integer ? 7 : SPEC_LENGTH_UNKNOWN);
    }
}

static void test_arithmetic(void **unused)
{
    (void)unused;
    assert_int_equal(BINARY(LENGTH_ADD, 7, 3), 10);
    assert_int_equal(BINARY(LENGTH_SUB, 7, 3), 4);
    assert_int_equal(BINARY(LENGTH_SUB, 3, 7), 0); /* negative: nothing */
    assert_int_equal(BINARY(LENGTH_MUL, 7, 3), 21);
    assert_int_equal(BINARY(LENGTH_DIV, 7, 3), 2);
    assert_int_equal(BINARY(LENGTH_MAX, 7, 3), 7);
    assert_int_equal(BINARY(LENGTH_MAX, 3, 7), 7);
    assert_int_equal(BINARY(LENGTH_MIN, 7, 3), 3);
    assert_int_equal(BINARY(LENGTH_MIN, 3, 7), 3);
}

static void test_comparison(void **unused)
{
    (void)unused;
    assert_int_equal(BINARY(LENGTH_EQ, 3, 3), 1);
    assert_int_equal(BINARY(LENGTH_EQ, 3, 4), 0);
    assert_int_equal(BINARY(LENGTH_NE, 3, 3), 0);
    assert_int_equal(BINARY(LENGTH_NE, 3, 4), 1);
    assert_int_equal(BINARY(LENGTH_LT, 2, 3), 1);
    assert_int_equal(BINARY(LENGTH_LT, 3, 3), 0);
    assert_int_equal(BINARY(LENGTH_LT, 4, 3), 0);
}

static void test_what_cannot_be_computed(void **unused)
{
    (void)unused;
    assert_int_equal(BINARY(LENGTH_ADD, INT64_MAX, 1), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(BINARY(LENGTH_SUB, INT64_MIN, 1), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(BINARY(LENGTH_MUL, INT64_MAX, 2), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(BINARY(LENGTH_DIV, 7, 0), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(BINARY(LENGTH_DIV, INT64_MIN, -1), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(RUN(0, 0, LENGTH_UNKNOWN), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(RUN(0, 0, LENGTH_OFFSET), SPEC_LENGTH_OFFSET);
}

static void test_jumps(void **unused)
{
    (void)unused;
    /* a ? b : 5 */
#define CHOICE                                                                                               \
    LENGTH_ARG, A, LENGTH_JUMP_IF_ZERO, 4, LENGTH_ARG, B, LENGTH_JUMP, 3, LENGTH_CONST, 5, 0, LENGTH_END
    assert_int_equal(RUN(1, 9, CHOICE), 9);
    assert_int_equal(RUN(-1, 9, CHOICE), 9);
    assert_int_equal(RUN(0, 9, CHOICE), 5);
}

static void test_elements(void **unused)
{
    (void)unused;
    assert_int_equal(RUN(0, 0, LENGTH_LOAD, LIST, LENGTH_END), 11);
    assert_int_equal(RUN(2, 0, LENGTH_ARG, A, LENGTH_ELEMENT, LIST, LENGTH_END), 33);
    assert_int_equal(RUN(0, 0, LENGTH_ARG, A, LENGTH_ELEMENT, LIST, LENGTH_END), 11);
    assert_int_equal(RUN(-1, 0, LENGTH_ARG, A, LENGTH_ELEMENT, LIST, LENGTH_END), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(RUN(0, 0, LENGTH_PRESENT, LIST, LENGTH_END), 1);
    assert_int_equal(RUN(0, 0, LENGTH_STATE, LENGTH_STATE_pack_buffer, LENGTH_END), 1);
    assert_int_equal(RUN(0, 0, LENGTH_STATE, LENGTH_STATE_unpack_buffer, LENGTH_END), 0);
}

static void test_count_tables(void **unused)
{
    (void)unused;
    assert_int_equal(RUN(5, 0, LENGTH_ARG, A, LENGTH_LOOKUP, 0, LENGTH_END), 50);
    assert_int_equal(RUN(7, 0, LENGTH_ARG, A, LENGTH_LOOKUP, 0, LENGTH_END), 70);
    assert_int_equal(RUN(6, 0, LENGTH_ARG, A, LENGTH_LOOKUP, 0, LENGTH_END), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(RUN(4, 0, LENGTH_ARG, A, LENGTH_LOOKUP, 0, LENGTH_END), SPEC_LENGTH_UNKNOWN);
    assert_int_equal(RUN(10, 0, LENGTH_ARG, A, LENGTH_LOOKUP, 1, LENGTH_END), 1);
    /* nobody to ask */
    assert_int_equal(RUN(9, 0, LENGTH_ARG, A, LENGTH_LOOKUP, 0, LENGTH_END), SPEC_LENGTH_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants_are_signed),
        cmocka_unit_test(test_a_single_operand),
        cmocka_unit_test(test_types_of_elements),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_what_cannot_be_computed),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_count_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
