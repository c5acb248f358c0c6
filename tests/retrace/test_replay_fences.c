/* SPDX-License-Identifier: MIT
 * Tests replays of sync objects of OpenGL: waits end as they did in the trace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stub_gl.h"

/* A wait that succeeded in the trace waits here, too. One that failed has the same error here. One that timed
 * out is not replayed. */
static void test_fences(void **state)
{
    (void)state;
#define WAIT "glClientWaitSync sync=0x900 flags=0 timeout=5 = "
    static const char calls[] = "glFenceSync condition=37143 flags=0 = 0x900\n" WAIT "37147\n" /* timed out */
        WAIT "37149\n"                                                                         /* failed */
        WAIT "37146\n" WAIT "37148\n";
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, calls);
    stub_gl_expect("glClientWaitSync(0x0, 0)\n" /* failed */
                   "glClientWaitSync(0x1, 10000000000)\n"
                   "glClientWaitSync(0x1, 10000000000)\n");
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("4.6");
    stub_gl.wait_result = GL_TIMEOUT_EXPIRED;
    stub_gl_replay(NULL, calls);
    stub_gl_expect_message("a fence that was signalled in the trace is not signalled after ten seconds");
#undef WAIT
}

/* The driver gets NULL for a sync object that does not exist, and reports the same errors. */
static void test_wrong_fences(void **state)
{
    (void)state;
    static const struct replay_options check = {.check = true};
    stub_gl_reset("4.6");
    stub_gl_replay_printing(&check, "glClientWaitSync sync=0xdeadbeef flags=1 timeout=7 = 37149\n"
                                    "glGetError = 1281\n"
                                    "glDeleteSync sync=0xdeadbeef\n"
                                    "glGetError = 1281\n"
                                    "glFenceSync condition=37143 flags=0 = 0x900\n"
                                    "glDeleteSync sync=0x900\n"
                                    "glDeleteSync sync=0x900\n"
                                    "glGetError = 1281\n"
                                    "glDeleteSync sync=0x0\n"
                                    "glGetError = 0\n");
    stub_gl_expect("glClientWaitSync(NULL, 0x1, 0)\n"
                   "glClientWaitSync(NULL, 0x0, 0)\n"
                   "glDeleteSync(a fence)\n"
                   "glClientWaitSync(NULL, 0x0, 0)\n"
                   "glDeleteSync(NULL)\n");
    assert_int_equal(stub_gl.failures, 0);
    assert_int_equal(stub_gl.differing_calls, 0);
}

/* A driver that cannot wait cannot have this error, and the program's wait fails. */
static void test_fences_without_waits(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glClientWaitSync";
    stub_gl_replay(NULL, "glDeleteSync sync=0xdeadbeef\n"
                         "glFenceSync condition=37143 flags=0 = 0x900\n"
                         "glClientWaitSync sync=0x900 flags=0 timeout=5 = 37146\n");
    stub_gl_expect("");
    stub_gl_expect_message("glClientWaitSync: no such fence");
    assert_int_equal(stub_gl.failures, 1);
}

/* Whether a fence is signalled depends on time. What else it is does not, nor do errors. */
static void test_properties_of_fences(void **state)
{
    (void)state;
    static const struct replay_options check = {.check = true};
    stub_gl_reset("4.6");
    stub_gl_replay_printing(
        &check, "glFenceSync condition=37143 flags=0 = 0x900\n"
                "glGetSynciv sync=0x900 pname=37140 count=1 length=[1] values=[37145]\n" /* signalled */
                "glGetSynciv sync=0x900 pname=37139 count=1 length=[1] values=[37143]\n"
                "glGetError = 0\n"
                "glGetSynciv sync=0x900 pname=1281 count=1 length=[1] values=[0]\n"
                "glGetError = 1280\n"
                "glGetSynciv sync=0xdeadbeef pname=37140 count=1 length=[1] values=[]\n"
                "glGetError = 1281\n");
    assert_int_equal(stub_gl.failures, 0);
    assert_int_equal(stub_gl.differing_calls, 0);
    stub_gl_reset("4.6");
    stub_gl_replay_printing(&check, "glFenceSync condition=37143 flags=0 = 0x900\n"
                                    "glGetSynciv sync=0x900 pname=37139 count=1 length=[1] values=[37144]\n");
    assert_int_equal(stub_gl.differing_calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_wrong_fences),
        cmocka_unit_test(test_fences_without_waits),
        cmocka_unit_test(test_properties_of_fences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
