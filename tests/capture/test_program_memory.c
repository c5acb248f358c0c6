/* SPDX-License-Identifier: MIT */
#include "cmocka_all.h"
#include "memory/program_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 8 };

static size_t page; /* size of a page */

/* Maps PAGES pages filled with 1. Those in `holes` (bits) are unreadable. */
static uint8_t *map_with_holes(unsigned holes)
{
    program_memory_forget(); /* earlier tests used the same addresses */
    uint8_t *m = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(m, MAP_FAILED);
    memset(m, 1, PAGES * page);
    for (unsigned i = 0; i < PAGES; ++i)
        if (holes >> i & 1)
            assert_int_equal(mprotect(m + i * page, page, PROT_NONE), 0);
    return m;
}

static void unmap(uint8_t *m)
{
    munmap(m, PAGES * page);
}

static void test_small_memory(void **unused)
{
    (void)unused;
    uint8_t *m = map_with_holes(1u << 0 | 1u << 2);
    for (unsigned i = 0; i < 1000; ++i) { /* more often than any cached answer lasts */
        assert_true(program_memory_readable(m + page, 1));
        assert_true(program_memory_readable(m + page, page));
        assert_true(program_memory_readable(m + 2 * page - 4, 4));
        assert_false(program_memory_readable(m + 2 * page - 4, 5));
        assert_false(program_memory_readable(m + page - 1, 1));
        assert_false(program_memory_readable(m + page - 1, 2));
        assert_true(program_memory_readable(&m, sizeof m));
    }
    unmap(m);
}

static void test_addresses_that_are_none(void **unused)
{
    (void)unused;
    uint8_t here = 0;
    assert_true(program_memory_readable(NULL, 0));
    assert_true(program_memory_readable((void *)(intptr_t)-1, 0));
    static const uintptr_t wild[] = {
        1, 8, 4095, 4096, 0xdeadbeef, 1ul << 47, 1ul << 63, ~(uintptr_t)4095, ~(uintptr_t)7, ~(uintptr_t)0};
    for (unsigned i = 0; i < sizeof wild / sizeof wild[0]; ++i) {
        const void *p = (const void *)wild[i];
        for (size_t size = 1; size != 0; size <<= 7) {
            assert_false(program_memory_readable(p, size));
            assert_int_equal(program_memory_extent(p, size), 0);
            assert_true(program_memory_gap(p, size < page ? size : page) >= 1);
        }
        assert_false(program_memory_readable(p, SIZE_MAX));
    }
    assert_false(program_memory_readable(&here, SIZE_MAX));
    assert_true(program_memory_extent(&here, SIZE_MAX) >= 1);
}

static void test_extent_of_every_pattern_of_holes(void **unused)
{
    (void)unused;
    for (unsigned holes = 0; holes < 1u << PAGES; holes += holes < 16 ? 1 : 7) {
        uint8_t *m = map_with_holes(holes);
        for (unsigned from = 0; from < PAGES; ++from) {
            unsigned to = from, next = from;
            while (to < PAGES && (holes >> to & 1) == 0)
                to++;
            while (next < PAGES && (holes >> next & 1) != 0)
                next++;
            size_t all = (PAGES - from) * page;
            assert_int_equal(program_memory_extent(m + from * page, all), (to - from) * page);
            assert_int_equal(program_memory_readable(m + from * page, all), to == PAGES);
            assert_int_equal(program_memory_gap(m + from * page, all), (next - from) * page);
            if (to > from)
                assert_int_equal(program_memory_extent(m + from * page + 3, all - 3), (to - from) * page - 3);
        }
        unmap(m);
    }
}

static void test_copy_has_zeros_for_what_is_not_there(void **unused)
{
    (void)unused;
    uint8_t *m = map_with_holes(1u << 0 | 1u << 3 | 1u << 4 | 1u << 6), *copy = malloc(PAGES * page + 1);
    memset(copy, 2, PAGES * page + 1);
    assert_int_equal(program_memory_copy(copy, m + 10, PAGES * page - 20), 4 * page - 10);
    for (size_t i = 0; i < PAGES * page - 20; ++i) {
        size_t n = (i + 10) / page;
        assert_int_equal(copy[i], n == 0 || n == 3 || n == 4 || n == 6 ? 0 : 1);
    }
    assert_int_equal(copy[PAGES * page - 20], 2); /* unreadable behind it */
    free(copy);
    unmap(m);
}

/* Pages that were used once or twice, and large ones, are checked again. */
static void test_unmapping_is_noticed(void **unused)
{
    (void)unused;
    uint8_t *m = map_with_holes(0);
    assert_true(program_memory_readable(m, 16));
    assert_true(program_memory_readable(m + 32, 16));
    assert_true(program_memory_readable(m, PAGES * page));
    unmap(m);
    assert_false(program_memory_readable(m, 16));
    assert_false(program_memory_readable(m, PAGES * page));
}

/* After a number of uses, a page is checked again. */
static void test_belief_ends(void **unused)
{
    (void)unused;
    uint8_t *m = map_with_holes(0);
    for (unsigned i = 0; i < 10000; ++i)
        assert_true(program_memory_readable(m, 16));
    assert_int_equal(mprotect(m, page, PROT_NONE), 0);
    unsigned believed = 0;
    while (believed < 1000 && program_memory_readable(m, 16))
        believed++;
    assert_true(believed <= 255);
    assert_int_equal(mprotect(m, page, PROT_READ), 0);
    for (unsigned i = 0; i < 100; ++i)
        assert_true(program_memory_readable(m, 16));
    assert_int_equal(mprotect(m, page, PROT_NONE), 0);
    program_memory_forget();
    assert_false(program_memory_readable(m, 16));
    unmap(m);
}

/* Reading a mapped file behind its end raises SIGBUS. */
static void test_end_of_a_file(void **unused)
{
    (void)unused;
    int fd = memfd_create("test", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, (off_t)page), 0);
    uint8_t *m = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, fd, 0);
    assert_int_equal(program_memory_extent(m, 2 * page), page);
    assert_false(program_memory_readable(m + page, 4));
    munmap(m, 2 * page);
    close(fd);
}

static void test_errno_is_kept(void **unused)
{
    (void)unused;
    errno = EDOM;
    (void)program_memory_readable((void *)16, 4);
    (void)program_memory_extent(&page, sizeof page);
    assert_int_equal(errno, EDOM);
}

int main(void)
{
    page = (size_t)sysconf(_SC_PAGESIZE);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_memory),
        cmocka_unit_test(test_addresses_that_are_none),
        cmocka_unit_test(test_extent_of_every_pattern_of_holes),
        cmocka_unit_test(test_copy_has_zeros_for_what_is_not_there),
        cmocka_unit_test(test_unmapping_is_noticed),
        cmocka_unit_test(test_belief_ends),
        cmocka_unit_test(test_end_of_a_file),
        cmocka_unit_test(test_errno_is_kept),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    program_memory_expect_filter(); /* the same with another system call */
    program_memory_forget();
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
