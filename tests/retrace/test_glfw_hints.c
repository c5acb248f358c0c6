/* SPDX-License-Identifier: MIT
 * Tests which hints GLFW gets, which is made up.
 */
#include "windows/glfw_hints.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static char hints[1000];

static void reset(void)
{
    hints[0] = '\0';
}

void glfwDefaultWindowHints(void)
{
    strcat(hints, "default");
}

void glfwWindowHint(int hint, int value)
{
    size_t length = strlen(hints);
    snprintf(hints + length, sizeof hints - length, " %x=%x", (unsigned)hint, (unsigned)value);
}

static void test_hints_of_buffers(void **state)
{
    (void)state;
    const struct buffer_config b = {.colour = {1, 2, 3, 4},
                                    .depth = 5,
                                    .stencil = 6,
                                    .accumulation = {7, 8, 9, 10},
                                    .samples = 11,
                                    .auxiliary = 12,
                                    .srgb = true,
                                    .stereo = true,
                                    .single_buffered = true};
    reset();
    glfw_hint_buffers(&b);
    assert_string_equal(hints,
                        " 21001=1 21002=2 21003=3 21004=4 21005=5 21006=6 21007=7 21008=8 21009=9 2100a=a "
                        "2100d=b 2100b=c 2100e=1 2100c=1 21010=0");
    reset();
    glfw_hint_buffers(&(struct buffer_config){.depth = 0});
    assert_non_null(strstr(hints, " 2100e=0 2100c=0 21010=1"));
}

static void test_hints_of_contexts(void **state)
{
    (void)state;
    static const struct {
        struct context_config wanted;
        const char *expected; /* after those of buffers */
    } cases[] = {
        {{.api = CONTEXT_GL}, " 22001=30001 2200b=36002 22002=1 22003=0 22007=0 2200a=0"},
        {{.api = CONTEXT_ES, .major = 3, .minor = 2},
         " 22001=30002 2200b=36002 22002=3 22003=2 22007=0 2200a=0"},
        {{.major = 2, .minor = 1, .debug = true}, " 22001=30001 2200b=36002 22002=2 22003=1 22007=1 2200a=0"},
        {{.robust = true}, " 22001=30001 2200b=36002 22002=1 22003=0 22007=0 22005=31001 2200a=0"},
        {{.lose_on_reset = true}, " 22001=30001 2200b=36002 22002=1 22003=0 22007=0 22005=31002 2200a=0"},
        {{.no_error = true}, " 22001=30001 2200b=36002 22002=1 22003=0 22007=0 2200a=1"},
        {{.release_without_flush = true},
         " 22001=30001 2200b=36002 22002=1 22003=0 22007=0 2200a=0 22009=35002"},
        {{.major = 3, .minor = 1, .profile = PROFILE_CORE},
         " 22001=30001 2200b=36002 22002=3 22003=1 22007=0 2200a=0 22006=0"},
        {{.major = 3, .minor = 2, .profile = PROFILE_CORE},
         " 22001=30001 2200b=36002 22002=3 22003=2 22007=0 2200a=0 22008=32001 22006=0"},
        {{.major = 4, .profile = PROFILE_COMPATIBILITY, .forward_compatible = true},
         " 22001=30001 2200b=36002 22002=4 22003=0 22007=0 2200a=0 22008=32002 22006=1"},
        {{.major = 4, .minor = 1},
         " 22001=30001 2200b=36002 22002=4 22003=1 22007=0 2200a=0 22008=0 22006=0"},
        {{.api = CONTEXT_ES, .major = 3, .forward_compatible = true},
         " 22001=30002 2200b=36002 22002=3 22003=0 22007=0 2200a=0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset();
        glfw_hint_window(&cases[i].wanted);
        assert_ptr_equal(strstr(hints, "default 20004=0 2000c=0 21001="), hints);
        assert_string_equal(strstr(hints, " 22001="), cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hints_of_buffers),
        cmocka_unit_test(test_hints_of_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
