/* SPDX-License-Identifier: MIT
 * Tests which file an address belongs to when mappings are added and overlap.
 */
#include "cmocka_all.h"
#include "trace/mapped_files.h"

static void add(struct mapped_files *files, uint64_t from, uint64_t to, uint64_t offset, const char *path)
{
    const struct trace_mapping mapping = {from, to, offset, path};
    assert_int_equal(mapped_files_add(files, &mapping), 0);
}

static void assert_found(const struct mapped_files *files, uint64_t address, const char *path)
{
    const struct trace_mapping *mapping = mapped_files_find(files, address);
    if (path == NULL) {
        assert_null(mapping);
        return;
    }
    assert_non_null(mapping);
    assert_string_equal(mapping->path, path);
}

static void test_bounds(void **state)
{
    struct mapped_files files = {0};
    (void)state;
    assert_found(&files, 0, NULL);
    add(&files, 0x3000, 0x4000, 0, "b");
    add(&files, 0x1000, 0x2000, 0, "a");
    assert_found(&files, 0xfff, NULL);
    assert_found(&files, 0x1000, "a");
    assert_found(&files, 0x1fff, "a");
    assert_found(&files, 0x2000, NULL);
    assert_found(&files, 0x3000, "b");
    assert_found(&files, 0x4000, NULL);
    mapped_files_fini(&files);
}

/* A mapping replaces those that it covers, or parts of them. */
static void test_covering(void **state)
{
    struct mapped_files files = {0};
    (void)state;
    add(&files, 0x1000, 0x9000, 0x100, "old");
    add(&files, 0x3000, 0x5000, 0, "hole");
    assert_found(&files, 0x2fff, "old");
    assert_found(&files, 0x3000, "hole");
    assert_found(&files, 0x4fff, "hole");
    assert_found(&files, 0x5000, "old");
    assert_int_equal(mapped_files_find(&files, 0x5000)->offset, 0x4100);
    add(&files, 0x2000, 0x6000, 0, "wide");
    assert_found(&files, 0x1fff, "old");
    assert_found(&files, 0x3000, "wide");
    assert_found(&files, 0x6000, "old");
    add(&files, 0, UINT64_MAX, 0, "all");
    assert_int_equal(files.count, 1);
    assert_found(&files, 0x1000, "all");
    mapped_files_fini(&files);
}

static void test_nothing_is_no_mapping(void **state)
{
    struct mapped_files files = {0};
    (void)state;
    add(&files, 0x1000, 0x1000, 0, "empty");
    add(&files, 0x2000, 0x1000, 0, "turned round");
    assert_int_equal(files.count, 0);
    mapped_files_fini(&files);
}

static void test_places(void **state)
{
    struct mapped_files files = {0};
    struct trace_frame in = {.line = -1, .offset = -1, .address = 0x1234};
    struct trace_frame out = {.line = -1, .offset = -1, .address = 0x99};
    struct trace_frame known = {.module = "m", .line = -1, .offset = 5, .address = 0x1234};
    (void)state;
    add(&files, 0x1000, 0x2000, TRACE_NO_OFFSET, "a");
    mapped_files_place(&files, &in);
    assert_string_equal(in.module, "a");
    assert_int_equal(in.offset, 0x234);
    mapped_files_place(&files, &out);
    assert_null(out.module);
    assert_int_equal(out.offset, 0x99);
    mapped_files_place(&files, &known);
    assert_string_equal(known.module, "m");
    assert_int_equal(known.offset, 5);
    add(&files, 0x1000, 0x2000, 0x7000, "a");
    in = (struct trace_frame){.line = -1, .offset = -1, .address = 0x1234};
    mapped_files_place(&files, &in);
    assert_int_equal(in.offset, 0x7234);
    in = (struct trace_frame){
        .line = -1, .offset = 0, .address = 0x1234}; /* offset 0 in a module is known, too */
    mapped_files_place(&files, &in);
    assert_int_equal(in.offset, 0);
    assert_null(in.module);
    mapped_files_fini(&files);
}

/* If a mapping has no known offset, its parts have none either. */
static void test_parts_without_offset(void **state)
{
    struct mapped_files files = {0};
    (void)state;
    add(&files, 0x1000, 0x9000, TRACE_NO_OFFSET, "old");
    add(&files, 0x3000, 0x5000, 0, "hole");
    assert_true(mapped_files_find(&files, 0x1000)->offset == TRACE_NO_OFFSET);
    assert_true(mapped_files_find(&files, 0x5000)->offset == TRACE_NO_OFFSET);
    mapped_files_fini(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_covering),
        cmocka_unit_test(test_nothing_is_no_mapping),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_parts_without_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
