/* SPDX-License-Identifier: MIT
 * common/symbols/perf_map.
 */
#include "symbols/perf_map.h"

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char path[] = "/tmp/perf_map_test.XXXXXX";

static int make_path(void **state)
{
    (void)state;
    strcpy(path + sizeof path - sizeof "XXXXXX", "XXXXXX");
    int file = mkstemp(path);
    if (file >= 0)
        close(file);
    return file < 0;
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* mode: of fopen(). */
static void write_text(const char *mode, const char *text)
{
    FILE *out = fopen(path, mode);
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static struct perf_map *read_text(const char *text)
{
    struct perf_map *m;
    write_text("w", text);
    assert_int_equal(perf_map_new(&m, path, geteuid()), 0);
    assert_int_equal(perf_map_update(m), 0);
    return m;
}

static void expect(const struct perf_map *m, uint64_t address, const char *name, uint64_t offset)
{
    const struct perf_function *f = perf_map_find(m, address);
    if (name == NULL) {
        assert_null(f);
        return;
    }
    assert_non_null(f);
    assert_string_equal(f->name, name);
    assert_int_equal(address - f->start, offset);
}

static void functions_have_their_names(void **state)
{
    (void)state;
    struct perf_map *m = read_text("7f0000001000 20 first\n0x7f0000001020 8 LazyCompile:~second file.js:3\n");
    expect(m, 0x7f0000000fff, NULL, 0);
    expect(m, 0x7f0000001000, "first", 0);
    expect(m, 0x7f000000101f, "first", 0x1f);
    expect(m, 0x7f0000001020, "LazyCompile:~second file.js:3", 0);
    expect(m, 0x7f0000001028, NULL, 0);
    perf_map_free(m);
}

static void later_code_takes_the_place_of_earlier(void **state)
{
    (void)state;
    struct perf_map *m = read_text("1000 100 old\n1010 10 new\n");
    expect(m, 0x100f, "old", 0xf);
    expect(m, 0x1010, "new", 0);
    expect(m, 0x1020, "old", 0x20);
    perf_map_free(m);
}

static void functions_of_many_pages_are_found(void **state)
{
    (void)state;
    struct perf_map *m =
        read_text("10000 5000 some\n20000 800000 many\n30000 10 in_many\n40000 3000000 more\n");
    expect(m, 0x14fff, "some", 0x4fff);
    expect(m, 0x2ffff, "many", 0xffff);
    expect(m, 0x30000, "in_many", 0);
    expect(m, 0x30010, "many", 0x10010);
    expect(m, 0x40000, "more", 0);
    perf_map_free(m);
}

static void lines_without_sense_are_ignored(void **state)
{
    (void)state;
    struct perf_map *m =
        read_text("\nx\n1000\n1000 10\n1000 10 \n1000 zz name\n-5 10 name\n1000 0 empty\n"
                  "ffffffffffffffff 10 wraps\n11111111111111111 1 long\n2000 10 good\r\n3000 10 last\n");
    expect(m, 0x1000, NULL, 0);
    expect(m, UINT64_MAX, NULL, 0);
    expect(m, 0x2000, "good", 0);
    expect(m, 0x3008, "last", 8);
    perf_map_free(m);
}

static void long_lines_are_ignored(void **state)
{
    (void)state;
    static char text[300000];
    int used = sprintf(text, "1000 10 ");
    memset(text + used, 'x', 200000);
    strcpy(text + used + 200000, "\n2000 10 short\n");
    struct perf_map *m = read_text(text);
    expect(m, 0x1000, NULL, 0);
    expect(m, 0x2000, "short", 0);
    perf_map_free(m);
}

static void what_is_added_is_read(void **state)
{
    (void)state;
    struct perf_map *m = read_text("1000 10 first\n2000 10 sec");
    expect(m, 0x1000, "first", 0);
    expect(m, 0x2000, NULL, 0); /* the line is incomplete */
    write_text("a", "ond\n1000 10 again\n");
    assert_int_equal(perf_map_update(m), 0);
    expect(m, 0x2000, "second", 0);
    expect(m, 0x1000, "again", 0);
    unlink(path); /* what was read before stays known */
    assert_int_equal(perf_map_update(m), 0);
    expect(m, 0x2000, "second", 0);
    perf_map_free(m);
}

static void another_file_is_read_anew(void **state)
{
    (void)state;
    struct perf_map *m = read_text("1000 10 first\n2000 10 second\n");
    write_text("w", "1000 10 third\n");
    assert_int_equal(perf_map_update(m), 0);
    expect(m, 0x1000, "third", 0);
    expect(m, 0x2000, NULL, 0);
    char other[] = "/tmp/perf_map_other.XXXXXX";
    int file = mkstemp(other);
    assert_int_equal(write(file, "1000 10 fourth\n", 15), 15);
    close(file);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(perf_map_update(m), 0);
    expect(m, 0x1000, "fourth", 0);
    perf_map_free(m);
}

static void a_file_may_come_later(void **state)
{
    (void)state;
    struct perf_map *m;
    unlink(path);
    assert_int_equal(perf_map_new(&m, path, geteuid()), 0);
    assert_int_equal(perf_map_update(m), 0);
    expect(m, 0x1000, NULL, 0);
    write_text("w", "1000 10 first\n");
    assert_int_equal(perf_map_update(m), 0);
    expect(m, 0x1000, "first", 0);
    perf_map_free(m);
}

static void expect_refusal(const char *refused)
{
    struct perf_map *m;
    assert_int_equal(perf_map_new(&m, refused, geteuid()), 0);
    assert_int_equal(perf_map_update(m), TRACE_ERR_IO);
    assert_null(perf_map_find(m, 0x1000));
    perf_map_free(m);
}

static void other_files_are_refused(void **state)
{
    char other[] = "/tmp/perf_map_pipe.XXXXXX";
    (void)state;
    expect_refusal("/dev/zero");
    assert_non_null(mkdtemp(other));
    expect_refusal(other);
    rmdir(other);
    assert_int_equal(mkfifo(other, 0600), 0);
    expect_refusal(other); /* does not wait for a writer of the FIFO */
    unlink(other);
    write_text("w", "1000 10 first\n");
    assert_int_equal(symlink(path, other), 0);
    expect_refusal(other);
    unlink(other);
}

/* Files with many functions at one address, or that are too long, take little time and memory. */
static void hostile_files_are_bounded(void **state)
{
    (void)state;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (unsigned i = 0; i < 2000000; ++i)
        fprintf(out, "%x 4000 f\n", i % 3 == 0 ? 0x1000 : i);
    fputs("9000000 10 behind\n", out);
    fclose(out);
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    struct perf_map *m;
    assert_int_equal(perf_map_new(&m, path, geteuid()), 0);
    assert_int_equal(perf_map_update(m), 0);
    assert_int_equal(perf_map_update(m), 0);
    expect(m, 0x9000000, NULL, 0);
    assert_non_null(perf_map_find(m, 0x1000));
    perf_map_free(m);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_path, remove_path)
    const struct CMUnitTest tests[] = {
        TEST(functions_have_their_names),
        TEST(later_code_takes_the_place_of_earlier),
        TEST(functions_of_many_pages_are_found),
        TEST(lines_without_sense_are_ignored),
        TEST(long_lines_are_ignored),
        TEST(what_is_added_is_read),
        TEST(another_file_is_read_anew),
        TEST(a_file_may_come_later),
        TEST(other_files_are_refused),
        TEST(hostile_files_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
