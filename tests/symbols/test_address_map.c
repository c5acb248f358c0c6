/* SPDX-License-Identifier: MIT
 * Tests common/symbols/address_map.
 */
#include "symbols/address_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define NONE UINT32_MAX

static uint32_t find(const struct address_map *m, uint64_t address)
{
    uint32_t value;
    return address_map_find(m, address, &value) ? value : NONE;
}

static void empty_map_finds_nothing(void **state)
{
    struct address_map m = {0};
    (void)state;
    assert_int_equal(address_map_finish(&m), 0);
    assert_int_equal(find(&m, 0), NONE);
    address_map_fini(&m);
}

static void innermost_range_wins(void **state)
{
    struct address_map m = {0};
    (void)state;
    address_map_add(&m, 20, 30, 2);
    address_map_add(&m, 10, 50, 1);
    address_map_add(&m, 25, 26, 3);
    address_map_add(&m, 30, 40, 4);
    address_map_add(&m, 60, 60, 9); /* an empty range */
    assert_int_equal(address_map_finish(&m), 0);
    static const struct {
        uint64_t address;
        uint32_t value;
    } expected[] = {{9, NONE}, {10, 1}, {19, 1}, {20, 2}, {24, 2},    {25, 3},    {26, 2},           {29, 2},
                    {30, 4},   {39, 4}, {40, 1}, {49, 1}, {50, NONE}, {60, NONE}, {UINT64_MAX, NONE}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
        assert_int_equal(find(&m, expected[i].address), expected[i].value);
    address_map_fini(&m);
}

static void later_of_equal_ranges_wins(void **state)
{
    struct address_map m = {0};
    (void)state;
    address_map_add(&m, 10, 20, 1);
    address_map_add(&m, 10, 20, 2);
    assert_int_equal(address_map_finish(&m), 0);
    assert_int_equal(find(&m, 15), 2);
    assert_int_equal(find(&m, 20), NONE);
    address_map_fini(&m);
}

/* Nested ranges: the narrowest one is found. Overlapping ranges: any that contains the address. */
static void agrees_with_a_search_through_all(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 300; ++round) {
        struct address_map m = {0};
        uint64_t low[20], high[20];
        for (uint32_t i = 0; i < 20; ++i) {
            low[i] = (uint64_t)(rand() % 100);
            high[i] = low[i] + (uint64_t)(rand() % 40);
            assert_int_equal(address_map_add(&m, low[i], high[i], i), 0);
        }
        assert_int_equal(address_map_finish(&m), 0);
        for (uint64_t address = 0; address < 150; ++address) {
            uint32_t value = find(&m, address);
            bool covered = false;
            for (uint32_t i = 0; i < 20; ++i)
                covered = covered || (low[i] <= address && address < high[i]);
            assert_int_equal(value != NONE, covered);
            if (value != NONE)
                assert_true(low[value] <= address && address < high[value]);
        }
        address_map_fini(&m);
    }
}

static void last_address_is_an_address(void **state)
{
    struct address_map m = {0};
    (void)state;
    address_map_add(&m, 5, UINT64_MAX, 1);
    assert_int_equal(address_map_finish(&m), 0);
    assert_int_equal(find(&m, UINT64_MAX - 1), 1);
    assert_int_equal(find(&m, UINT64_MAX), NONE);
    address_map_fini(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_map_finds_nothing),    cmocka_unit_test(innermost_range_wins),
        cmocka_unit_test(later_of_equal_ranges_wins), cmocka_unit_test(agrees_with_a_search_through_all),
        cmocka_unit_test(last_address_is_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
