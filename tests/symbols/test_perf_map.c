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
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static struct perf_map *read_text(const char *text)
{
    char path[] = "/tmp/perf_map_test.XXXXXX";
    struct perf_map *m = NULL;
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    assert_int_equal(perf_map_read(&m, path), 0);
    unlink(path);
    return m;
}

static void expect(const struct perf_map *m, uint64_t address, const char *name, uint64_t offset)
{
    uint64_t found = 0;
    const char *text = perf_map_find(m, address, &found);
    if (name == NULL) {
        assert_null(text);
        return;
    }
    assert_non_null(text);
    assert_string_equal(text, name);
    assert_int_equal(found, offset);
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

static void lines_without_sense_are_ignored(void **state)
{
    (void)state;
    struct perf_map *m =
        read_text("\nx\n1000\n1000 10\n1000 10 \n1000 zz name\n-5 10 name\n1000 0 empty\n"
                  "ffffffffffffffff 10 wraps\n11111111111111111 1 long\n2000 10 good\r\n3000 10 last");
    expect(m, 0x1000, NULL, 0);
    expect(m, UINT64_MAX, NULL, 0);
    expect(m, 0x2000, "good", 0);
    expect(m, 0x3008, "last", 8);
    perf_map_free(m);
}

static void other_files_are_refused(void **state)
{
    struct perf_map *m;
    char path[] = "/tmp/perf_map_pipe.XXXXXX";
    (void)state;
    assert_int_equal(perf_map_read(&m, "/nonexistent"), TRACE_ERR_IO);
    assert_int_equal(perf_map_read(&m, "/dev/zero"), TRACE_ERR_IO);
    assert_non_null(mkdtemp(path));
    assert_int_equal(perf_map_read(&m, path), TRACE_ERR_IO);
    rmdir(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(perf_map_read(&m, path), TRACE_ERR_IO); /* does not wait for a writer */
    unlink(path);
}

static void file_of_a_process_is_found(void **state)
{
    struct perf_map *m;
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("4000 10 compiled\n", out);
    fclose(out);
    int rc = perf_map_read_process(&m, getpid());
    unlink(path);
    assert_int_equal(rc, 0);
    expect(m, 0x4004, "compiled", 4);
    perf_map_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_have_their_names),
        cmocka_unit_test(later_code_takes_the_place_of_earlier),
        cmocka_unit_test(lines_without_sense_are_ignored),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(file_of_a_process_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
