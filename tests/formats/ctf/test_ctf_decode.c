/* SPDX-License-Identifier: MIT
 * Integers of any size at any bit, against a reader that goes bit by bit.
 */
#include "cmocka_all.h"

#include "formats/ctf/ctf_bits.h"
#include "base/error.h"
#include "formats/ctf/decode/ctf_decode.h"
#include "formats/ctf/decode/ctf_compile.h"
#include "formats/ctf/decode/ctf_floats.h"
#include "formats/ctf/decode/ctf_layout.h"

#include <math.h>

#define BYTES 24

static unsigned bit_of(const uint8_t *data, uint64_t at, bool is_big)
{
    unsigned shift = is_big ? 7 - (unsigned)(at % 8) : (unsigned)(at % 8);
    return data[at / 8] >> shift & 1u;
}

static uint64_t naive(const uint8_t *data, uint64_t at, unsigned size, bool is_big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
        if (is_big)
            value = value << 1 | bit_of(data, at + i, true);
        else
            value |= (uint64_t)bit_of(data, at + i, false) << i;
    return value;
}

static void fill(uint8_t *data, uint32_t seed)
{
    for (int i = 0; i < BYTES; ++i) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (uint8_t)(seed >> 24);
    }
}

static void test_bits(void **state)
{
    uint8_t data[BYTES];
    (void)state;
    for (uint32_t seed = 0; seed < 20; ++seed) {
        fill(data, seed);
        for (unsigned at = 0; at < 64; ++at)
            for (unsigned size = 1; size <= 64; ++size) {
                assert_true(ctf_bits_little(data, at, size) == naive(data, at, size, false));
                assert_true(ctf_bits_big(data, at, size) == naive(data, at, size, true));
            }
    }
}

/* Decodes an integer of this class after some padding bits, and compares it. */
static void check_integer(const uint8_t *data, unsigned before, unsigned size, uint32_t align, bool is_big,
                          bool is_signed)
{
    struct ctf_trace trace;
    struct ctf_program program = {.ops = NULL};
    struct ctf_compiler compiler = {.trace = &trace, .programs = {[CTF_PAYLOAD] = &program}};
    ctf_trace_init(&trace);
    trace.order = is_big ? CTF_BIG_ENDIAN : CTF_LITTLE_ENDIAN;
    struct ctf_class *structure = ctf_trace_new_class(&trace, CTF_STRUCT, 1);
    struct ctf_class *integer = ctf_trace_new_class(&trace, CTF_INTEGER, align);
    integer->u.integer = (struct ctf_integer){.size = (uint8_t)size, .base = 10, .is_signed = is_signed};
    const struct ctf_member member = {"v", "v", integer};
    assert_int_equal(ctf_struct_set_members(&trace, structure, &member, 1), 0);
    assert_int_equal(ctf_program_compile(&compiler, CTF_PAYLOAD, structure), 0);
    struct ctf_told told = {.mask = 0};
    struct ctf_decoder d = {.data = data,
                            .at = before,
                            .end = BYTES * 8,
                            .limit = BYTES * 8,
                            .told = &told,
                            .arena = &trace.arena};
    struct trace_value v;
    uint64_t at = (before + align - 1) / align * align, wanted = naive(data, at, size, is_big);
    if (is_signed && (wanted >> (size - 1) & 1) != 0 && size < 64)
        wanted |= ~UINT64_C(0) << size;
    assert_int_equal(ctf_decode(&d, &program, &v), 0);
    assert_true(v.u.items[0].u.uint == wanted);
    assert_int_equal(v.u.items[0].type, is_signed && (int64_t)wanted < 0 ? TRACE_SINT : TRACE_UINT);
    assert_int_equal(d.at, at + size);
    d.at = before;
    d.end = at + size - 1;
    assert_int_equal(ctf_decode(&d, &program, &v), CTF_MORE);
    d.limit = d.end;
    assert_int_equal(ctf_decode(&d, &program, &v), TRACE_ERR_DAMAGED);
    ctf_program_fini(&program);
    ctf_trace_fini(&trace);
}

static void test_integers(void **state)
{
    uint8_t data[BYTES];
    (void)state;
    fill(data, 7);
    for (unsigned before = 0; before < 17; before += 3)
        for (unsigned size = 1; size <= 64; ++size)
            for (uint32_t align = 1; align <= 64; align *= 2)
                for (unsigned kind = 0; kind < 4; ++kind)
                    check_integer(data, before, size, align, kind % 2 != 0, kind / 2 != 0);
}

static void test_times(void **state)
{
    (void)state;
    assert_int_equal(ctf_time_scale(7, 3), 2333333333);
    assert_true(ctf_time_scale(UINT64_MAX, 1) == INT64_MAX);
    assert_true(ctf_time_scale(UINT64_C(30000000000) * 5, UINT64_C(30000000000)) == 5000000000);
    const struct ctf_time time = {.frequency = 1000000000, .offset = -5};
    assert_int_equal(ctf_time_of(&time, 3), -2);
}

/* Numbers of 16 and 128 bits, with the nearest number of C. */
static void test_floats(void **state)
{
    static const struct {
        uint16_t bits;
        float value;
    } halves[] = {{0x3c00, 1.0f},     {0xc000, -2.0f},    {0x7bff, 65504.0f},
                  {0x0400, 0x1p-14f}, {0x0001, 0x1p-24f}, {0x83ff, -0x3ffp-24f},
                  {0x8000, -0.0f},    {0x7c00, INFINITY}, {0x3555, 0x1.554p-2f}};
    static const struct {
        uint64_t high, low;
        double value;
    } quads[] = {{0x3fff000000000000, 0, 1.0},
                 {0xc000921fb54442d1, 0x8469898cc51701b8, -3.141592653589793},
                 {0x3fff000000000000, 0x0800000000000000, 1.0}, /* half: to the even one */
                 {0x3fff000000000000, 0x0800000000000001, 0x1.0000000000001p0},
                 {0x3fff000000000000, 0x1800000000000000, 0x1.0000000000002p0},
                 {0x3fffffffffffffff, 0xffffffffffffffff, 2.0},
                 {0x43feffffffffffff, 0xf000000000000000, 0x1.fffffffffffffp1023},
                 {0x43feffffffffffff, 0xf800000000000000, INFINITY},
                 {0x7ffe000000000000, 0, INFINITY},
                 {0x7fff000000000000, 0, INFINITY},
                 {0x3bcd000000000000, 0, 0x1p-1074},
                 {0x3bcc000000000000, 0, 0.0}, /* half of the smallest: to the even one */
                 {0x3bcc000000000000, 1, 0x1p-1074},
                 {0x3c00ffffffffffff, 0xffffffffffffffff, 0x1p-1022},
                 {0x3b00000000000000, 0, 0.0},
                 {0x8000000000000000, 7, -0.0}};
    (void)state;
    for (size_t i = 0; i < sizeof halves / sizeof *halves; ++i) {
        float got = ctf_float_from_half(halves[i].bits);
        assert_memory_equal(&got, &halves[i].value, sizeof got);
    }
    for (size_t i = 0; i < sizeof quads / sizeof *quads; ++i) {
        double got = ctf_float_from_quad(quads[i].high, quads[i].low);
        assert_memory_equal(&got, &quads[i].value, sizeof got);
    }
    assert_true(isnan(ctf_float_from_half(0x7c01)));
    assert_true(isnan(ctf_float_from_quad(0x7fff000000000000, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_integers),
                                       cmocka_unit_test(test_times), cmocka_unit_test(test_floats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
