/* SPDX-License-Identifier: MIT
 * common/symbols/symbolizer on the test's own program, and common/symbols/symbol_demangle.
 */
#include "symbols/symbolizer.h"

#include "base/error.h"
#include "symbols/symbol_demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <cmocka.h>

/* Two functions with known addresses, at some distance. */
__attribute__((noinline, visibility("default"))) int symbolizer_test_function(int x);
__attribute__((noinline, visibility("default"))) int symbolizer_test_function(int x)
{
    return x * 31 + (int)getpid();
}

static int find_bias(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_addr; /* of the program, which comes first */
    return 1;
}

static uint64_t own_address(void)
{
    uint64_t bias = 0;
    dl_iterate_phdr(find_bias, &bias);
    return (uint64_t)(uintptr_t)symbolizer_test_function - bias;
}

static struct symbolizer *new_symbolizer(void)
{
    struct symbolizer *s;
    assert_int_equal(symbolizer_new(&s), 0);
    return s;
}

static void expect_function(struct symbolizer *s, const char *path, uint64_t address, const char *name)
{
    const struct symbol_module module = {.path = path};
    const struct symbol_frame *frames;
    size_t count;
    assert_int_equal(symbolizer_find(s, &module, address, &frames, &count), 0);
    assert_int_equal(count, name != NULL);
    if (name != NULL)
        assert_string_equal(frames[0].function, name);
}

static void own_function_is_found(void **state)
{
    struct symbolizer *s = new_symbolizer();
    const struct symbol_module module = {.path = "/proc/self/exe"};
    uint64_t address = 0;
    (void)state;
    expect_function(s, "/proc/self/exe", own_address(), "symbolizer_test_function");
    expect_function(s, "/proc/self/exe", own_address() + 1, "symbolizer_test_function");
    expect_function(s, "/proc/self/exe", 0, NULL);
    expect_function(s, "/proc/self/exe", UINT64_MAX, NULL);
    assert_true(symbolizer_address_of_function(s, &module, "symbolizer_test_function", &address));
    assert_int_equal(address, own_address());
    assert_false(symbolizer_address_of_function(s, &module, "no such function", &address));
    assert_true(symbolizer_module_base(s, &module, &address));
    assert_true(address <= own_address());
    symbolizer_free(s);
}

static void copy_self(const char *path)
{
    char bytes[65536];
    ssize_t n;
    int in = open("/proc/self/exe", O_RDONLY), out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(in >= 0 && out >= 0);
    while ((n = read(in, bytes, sizeof bytes)) > 0)
        assert_int_equal(write(out, bytes, (size_t)n), n);
    close(in);
    close(out);
}

/* As if a linker overwrote the file in place. */
static void file_that_shrinks_harms_nobody(void **state)
{
    char path[] = "/tmp/symbolizer_test.XXXXXX";
    struct symbolizer *s = new_symbolizer();
    (void)state;
    int file = mkstemp(path);
    assert_true(file >= 0);
    copy_self(path);
    expect_function(s, path, own_address(), "symbolizer_test_function");
    assert_int_equal(ftruncate(file, 0), 0);
    expect_function(s, path, own_address(), "symbolizer_test_function"); /* had been read before */
    expect_function(s, path, 0, NULL);
    symbolizer_free(s);
    close(file);
    unlink(path);
}

static void note_warning(void *context, const char *module, const char *message)
{
    (void)module;
    snprintf(context, 600, "%s", message);
}

static void warnings_come_once(void **state)
{
    char warning[600] = "";
    struct symbolizer *s = new_symbolizer();
    (void)state;
    symbolizer_set_warning(s, note_warning, warning);
    expect_function(s, "/nonexistent/module", 1, NULL);
    assert_non_null(strstr(warning, "/nonexistent/module: cannot be opened"));
    warning[0] = '\0';
    expect_function(s, "/nonexistent/module", 2, NULL);
    assert_string_equal(warning, "");
    expect_function(s, "/dev/zero", 1, NULL);
    assert_non_null(strstr(warning, "not a regular file"));
    symbolizer_free(s);
}

static void expect_demangled(const char *name, const char *text)
{
    char *demangled = symbol_demangle(name);
    if (text == NULL) {
        assert_null(demangled);
        return;
    }
    assert_non_null(demangled);
    assert_string_equal(demangled, text);
    free(demangled);
}

static void names_are_demangled(void **state)
{
    (void)state;
    expect_demangled("_ZN8geometry3boxIiEC1Eii", "geometry::box<int>::box(int, int)");
    expect_demangled("_ZNK3foo3barEv", "foo::bar() const");
    expect_demangled("_RNvC7mycrate3foo", "mycrate::foo");
    expect_demangled("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
    expect_demangled("main", NULL);
    expect_demangled("i", NULL); /* a mangled type */
    expect_demangled("_Z", NULL);
    expect_demangled("_ZN", NULL);
    expect_demangled("", NULL);
}

/* f(P<int, int>, P<P<int, int>, P<int, int>>, …): each argument is twice as long as the previous one. */
static void names_do_not_grow_without_end(void **state)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char name[1000] = "_Z1f1PIiiE";
    (void)state;
    for (size_t i = 0; i < 36; ++i)
        snprintf(name + strlen(name), sizeof name - strlen(name), "S_IS%c_S%c_E", digits[i], digits[i]);
    expect_demangled(name, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_function_is_found),
        cmocka_unit_test(file_that_shrinks_harms_nobody),
        cmocka_unit_test(warnings_come_once),
        cmocka_unit_test(names_are_demangled),
        cmocka_unit_test(names_do_not_grow_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
