/* SPDX-License-Identifier: MIT
 * Tests what a receiver of traces believes: tokens, names, and where a trace that was cut off ends. The
 * protocol itself has a fuzz target.
 */
#include "run/network_address.h"
#include "run/remote_protocol.h"
#include "run/remote_token.h"
#include "run/snappy_end.h"

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_token(const struct remote_token *t, const char *text)
{
    return remote_token_is(t, (const uint8_t *)text, strlen(text));
}

static void test_tokens(void **state)
{
    (void)state;
    struct remote_token t;
    char path[] = "/tmp/test_remote.XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, "0123456789\nmore\n", 16), 16);
    assert_int_equal(remote_token_load(&t, path), 0);
    assert_int_equal(t.size, 10);
    assert_true(is_token(&t, "0123456789"));
    assert_false(is_token(&t, "012345678"));
    assert_false(is_token(&t, "0123456788"));
    assert_false(is_token(&t, "01234567890"));
    assert_false(is_token(&t, ""));
    const uint8_t longer[11] = "0123456789"; /* includes the NUL */
    assert_false(remote_token_is(&t, longer, sizeof longer));
    assert_int_equal(ftruncate(fd, 5), 0);
    assert_int_equal(remote_token_load(&t, path), TRACE_ERR_USAGE);
    assert_int_equal(t.size, 0);
    assert_false(is_token(&t, "")); /* nobody can have an empty token */
    close(fd);
    unlink(path);
    assert_int_equal(remote_token_load(&t, path), TRACE_ERR_IO);
    unsetenv(REMOTE_TOKEN_ENVIRONMENT);
    assert_int_equal(remote_token_load(&t, NULL), 0);
    assert_int_equal(t.size, 0);
    setenv(REMOTE_TOKEN_ENVIRONMENT, "environment", 1);
    assert_int_equal(remote_token_load(&t, NULL), 0);
    assert_true(is_token(&t, "environment"));
}

static void test_made_tokens(void **state)
{
    (void)state;
    struct remote_token a, b;
    assert_int_equal(remote_token_make(&a), 0);
    assert_int_equal(remote_token_make(&b), 0);
    assert_int_equal(strlen((const char *)a.bytes), 32);
    assert_true(is_token(&a, (const char *)a.bytes));
    assert_false(is_token(&b, (const char *)a.bytes));
}

static void test_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"glxgears", "glxgears"},
        {"a.b-c+d e", "a.b-c+d e"},
        {"app.trace", "app"},
        {".trace", "_trace"},
        {"/usr/bin/app", "app"},
        {"../../etc/passwd", "passwd"},
        {"..", "_."},
        {"dir/", "program"},
        {"", "program"},
        {"-rf", "_rf"},
        {"a\33[2J\n$(x)`y`", "a__2J___x__y_"},
        {"\xc3\xa4", "__"},
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char clean[REMOTE_NAME_MAX + 1];
        remote_clean_name(clean, names[i][0]);
        assert_string_equal(clean, names[i][1]);
    }
}

/* A file that was cut anywhere ends after its last complete chunk. */
static void test_snappy_end(void **state)
{
    (void)state;
    static const uint8_t file[] = "at\5\0\0\0abcde\0\0\0\0\3\0\0\0xyz";
    const size_t size = sizeof file - 1;
    for (size_t n = 0; n <= size; ++n) {
        struct snappy_end end = {.size = 0};
        struct stat st;
        int fd = memfd_create("end", MFD_CLOEXEC);
        size_t expected = n < 2 ? n : n < 11 ? 2 : n < size ? 11 : size;
        assert_int_equal(write(fd, file, n), n);
        snappy_end_follow(&end, file, n / 2);
        snappy_end_follow(&end, file + n / 2, n - n / 2);
        snappy_end_cut(&end, fd);
        assert_int_equal(fstat(fd, &st), 0);
        if (n >= 15 && n < size) /* with or without the empty chunk */
            assert_in_range(st.st_size, 11, 15);
        else
            assert_int_equal(st.st_size, expected);
        close(fd);
    }
}

static void test_addresses(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "7000",
                                      ":7000",
                                      "host",
                                      "host:",
                                      "::1:7000",
                                      "[]:7000",
                                      "127.0.0.1:65536",
                                      "127.0.0.1:99999",
                                      "127.0.0.1:18446744073709551616"};
    char name[NETWORK_NAME_SIZE];
    int fd;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        assert_int_equal(network_listen(&fd, bad[i], name), TRACE_ERR_USAGE);
    assert_int_equal(network_listen(&fd, "127.0.0.1:0", name), 0);
    assert_int_equal(strncmp(name, "127.0.0.1:", 10), 0);
    int connection, accepted, again;
    char other[NETWORK_NAME_SIZE];
    assert_int_equal(network_listen(&again, name, other), TRACE_ERR_IO); /* the address is in use */
    assert_int_equal(network_connect(&connection, name), 0);
    accepted = network_accept(fd, other);
    assert_true(accepted >= 0);
    close(accepted);
    close(connection);
    close(fd);
    assert_int_equal(network_connect(&connection, name), TRACE_ERR_IO);
    assert_non_null(strstr(trace_error_message(), "cannot connect"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),     cmocka_unit_test(test_made_tokens), cmocka_unit_test(test_names),
        cmocka_unit_test(test_snappy_end), cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
