/* SPDX-License-Identifier: MIT
 * Tests what --driver sets in the environment, and which names of Mesa's drivers it knows.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "windows/driver_choice.h"

#include "base/error.h"

static void expect_variable(const char *name, const char *value)
{
    const char *is = getenv(name);
    if (value == NULL)
        assert_null(is);
    else
        assert_string_equal(is, value);
}

static enum driver_kind choose(const char *name)
{
    enum driver_kind kind = DRIVER_ANY;
    setenv("LIBGL_ALWAYS_SOFTWARE", "before", 1);
    setenv("GALLIUM_DRIVER", "before", 1);
    assert_int_equal(driver_choose(name, &kind), 0);
    return kind;
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(choose("hw"), DRIVER_HARDWARE);
    expect_variable("LIBGL_ALWAYS_SOFTWARE", NULL);
    expect_variable("GALLIUM_DRIVER", NULL);
    assert_int_equal(choose("sw"), DRIVER_SOFTWARE);
    expect_variable("LIBGL_ALWAYS_SOFTWARE", "1");
    expect_variable("GALLIUM_DRIVER", NULL);
    assert_int_equal(choose("ref"), DRIVER_SOFTWARE);
    expect_variable("GALLIUM_DRIVER", "softpipe");
    assert_int_equal(choose("null"), DRIVER_SOFTWARE);
    expect_variable("GALLIUM_NOOP", "1");
    assert_int_equal(choose("dgpu"), DRIVER_HARDWARE);
    expect_variable("DRI_PRIME", "1");
    expect_variable("__NV_PRIME_RENDER_OFFLOAD", "1");
    assert_int_equal(choose("igpu"), DRIVER_HARDWARE);
    expect_variable("DRI_PRIME", "0");
    expect_variable("__NV_PRIME_RENDER_OFFLOAD", NULL);
    assert_int_equal(choose("mesa"), DRIVER_ANY);
    expect_variable("__GLX_VENDOR_LIBRARY_NAME", "mesa");
}

static void refuse(const char *name, const char *directories)
{
    enum driver_kind kind;
    assert_int_equal(driver_choose(name, &kind), TRACE_ERR_USAGE);
    assert_non_null(strstr(trace_error_message(), directories));
}

/* Drivers are looked for in all directories, and nowhere else. */
static void test_drivers_of_mesa(void **state)
{
    (void)state;
    static const char *const names[] = {"zink_dri.so", "kms_swrast_dri.so", "foo_dri.so"};
    char directory[] = "/tmp/test_driver_choice.XXXXXX", path[100], search[200];
    assert_non_null(mkdtemp(directory));
    for (size_t i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    }
    snprintf(search, sizeof search, "/nonexistent::%s", directory);
    setenv("LIBGL_DRIVERS_PATH", search, 1);
    assert_int_equal(choose("zink"), DRIVER_ANY);
    assert_int_equal(choose("kms_swrast"), DRIVER_SOFTWARE);
    assert_int_equal(choose("foo"), DRIVER_HARDWARE);
    expect_variable("MESA_LOADER_DRIVER_OVERRIDE", "foo");
    refuse("fo", search);
    refuse("*", search);
    refuse("../foo", search);
    refuse("", search);
    setenv("LIBGL_DRIVERS_PATH", "", 1); /* as if it was not set */
    refuse("foo", "/usr/lib");
    unsetenv("LIBGL_DRIVERS_PATH");
    refuse("foo", "/usr/lib");
    for (size_t i = 0; i < 3; ++i) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void test_renderers(void **state)
{
    (void)state;
    assert_true(driver_is_software("llvmpipe (LLVM 15.0.6, 256 bits)"));
    assert_true(driver_is_software("softpipe"));
    assert_true(driver_is_software("Google SwiftShader"));
    assert_true(driver_is_software("NOOP"));
    assert_false(driver_is_software("NVIDIA H200/PCIe/SSE2"));
    assert_false(driver_is_software(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_drivers_of_mesa),
        cmocka_unit_test(test_renderers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
