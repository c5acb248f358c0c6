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
    assert_int_equal(driver_choose(name, &kind), 0);
    return kind;
}

static const char *const variables[] = {
    "LIBGL_ALWAYS_SOFTWARE",     "GALLIUM_DRIVER", "DRI_PRIME",
    "__NV_PRIME_RENDER_OFFLOAD", "GALLIUM_NOOP",   "__GLX_VENDOR_LIBRARY_NAME"};

/* values: of all variables; "as before" for those that stay. */
static void expect_choice(const char *name, enum driver_kind kind, const char *const *values)
{
    for (int v = 0; v < 6; ++v)
        setenv(variables[v], "as before", 1);
    assert_int_equal(choose(name), kind);
    for (int v = 0; v < 6; ++v)
        expect_variable(variables[v], values[v]);
}

static void test_names(void **state)
{
    (void)state;
#define SAME "as before"
    static const struct {
        const char *name;
        enum driver_kind kind;
        const char *values[6];
    } cases[] = {
        {"hw", DRIVER_HARDWARE, {NULL, NULL, SAME, SAME, SAME, SAME}},
        {"dgpu", DRIVER_HARDWARE, {NULL, SAME, "1", "1", SAME, SAME}},
        {"igpu", DRIVER_HARDWARE, {NULL, SAME, "0", NULL, SAME, SAME}},
        {"sw", DRIVER_SOFTWARE, {"1", NULL, SAME, SAME, SAME, "mesa"}},
        {"ref", DRIVER_SOFTWARE, {"1", "softpipe", SAME, SAME, SAME, "mesa"}},
        {"null", DRIVER_SOFTWARE, {"1", SAME, SAME, SAME, "1", "mesa"}},
        {"llvmpipe", DRIVER_SOFTWARE, {"1", "llvmpipe", SAME, SAME, SAME, SAME}},
        {"softpipe", DRIVER_SOFTWARE, {"1", "softpipe", SAME, SAME, SAME, SAME}},
        {"mesa", DRIVER_ANY, {SAME, SAME, SAME, SAME, SAME, "mesa"}},
        {"nvidia", DRIVER_HARDWARE, {SAME, SAME, SAME, SAME, SAME, "nvidia"}},
    };
#undef SAME
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        expect_choice(cases[i].name, cases[i].kind, cases[i].values);
}

static void refuse(const char *name, const char *directories)
{
    enum driver_kind kind;
    char expected[400];
    snprintf(expected, sizeof expected,
             "--driver=%s: this is none of hw, dgpu, igpu, sw, ref, null, llvmpipe, softpipe, mesa, nvidia; "
             "nor has "
             "Mesa such a driver: there is no %s_dri.so in %s",
             name, name, directories);
    assert_int_equal(driver_choose(name, &kind), TRACE_ERR_USAGE);
    assert_string_equal(trace_error_message(), expected);
}

/* Drivers are looked for in all directories, and nowhere else. */
static void test_drivers_of_mesa(void **state)
{
    (void)state;
    static const char *const names[] = {"zink_dri.so", "kms_swrast_dri.so", "foo_dri.so", "d3d12_dri.so",
                                        "virtio_gpu_dri.so"};
    enum { NAMES = sizeof names / sizeof *names };
    static const char usual[] =
        "/usr/lib/*/dri:/usr/lib/dri:/usr/lib64/dri:/usr/local/lib/dri:/usr/local/lib/*/dri";
    char directory[] = "/tmp/test_driver_choice.XXXXXX", path[100], search[200];
    assert_non_null(mkdtemp(directory));
    for (size_t i = 0; i < NAMES; ++i) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    }
    snprintf(search, sizeof search, "/nonexistent::%s", directory);
    setenv("LIBGL_DRIVERS_PATH", search, 1);
    assert_int_equal(choose("zink"), DRIVER_ANY);
    assert_int_equal(choose("d3d12"), DRIVER_ANY);
    assert_int_equal(choose("virtio_gpu"), DRIVER_ANY);
    assert_int_equal(choose("kms_swrast"), DRIVER_SOFTWARE);
    assert_int_equal(choose("foo"), DRIVER_HARDWARE);
    expect_variable("MESA_LOADER_DRIVER_OVERRIDE", "foo");
    refuse("fo", search);
    refuse("*", search);
    refuse("../foo", search);
    refuse("", search);
    setenv("LIBGL_DRIVERS_PATH", "", 1); /* as if it was not set */
    refuse("foo", usual);
    unsetenv("LIBGL_DRIVERS_PATH");
    refuse("foo", usual);
    for (size_t i = 0; i < NAMES; ++i) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
}

/* A path that is too long is not looked at, and not cut. */
static void test_long_paths(void **state)
{
    enum { LENGTH = 1023 - (int)sizeof "/foo_d" + 1 };
    char directory[] = "/tmp/test_driver_choice.XXXXXX", path[100], search[LENGTH + 1];
    enum driver_kind kind;
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/foo_d", directory);
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    memset(search, '/', LENGTH);
    search[LENGTH] = '\0';
    memcpy(search, directory, strlen(directory));
    setenv("LIBGL_DRIVERS_PATH", search, 1);
    assert_int_equal(driver_choose("foo", &kind), TRACE_ERR_USAGE);
    unsetenv("LIBGL_DRIVERS_PATH");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void test_renderers(void **state)
{
    (void)state;
    assert_true(driver_is_software("llvmpipe (LLVM 15.0.6, 256 bits)"));
    assert_true(driver_is_software("softpipe"));
    assert_true(driver_is_software("Software Rasterizer"));
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
        cmocka_unit_test(test_long_paths),
        cmocka_unit_test(test_renderers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
