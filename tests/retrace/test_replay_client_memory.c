/* SPDX-License-Identifier: MIT
 * Tests that arrays in the program's memory keep what they contained, and that draws are left out whose
 * arrays the trace does not contain.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#ifndef GL_SECONDARY_COLOR_ARRAY
#define GL_SECONDARY_COLOR_ARRAY 0x845E
#endif

static void test_contents(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glColorPointer size=4 type=5121 stride=0 pointer=#aaaabbbb\n"
                         "glColorPointer size=4 type=5121 stride=0 pointer=#ccccddddeeee\n"
                         "glColorPointer size=4 type=5121 stride=0 pointer=0x0\n");
    stub_gl_expect(
        "glColorPointer('aaaabbbb' of 8)\nglColorPointer('ccccdddd' of 8)\nglColorPointer(NULL)\n");
}

/* A pointer that is memory cannot be an offset into a buffer. */
static void test_memory_with_a_buffer(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34962 buffer=1\n"
                         "glColorPointer size=4 type=5121 stride=0 pointer=#aaaabbbb\n");
    stub_gl_expect_no_line("glColorPointer");
    assert_string_equal(strchr(stub_gl.messages, ':'),
                        ": warning: glColorPointer: the pointer is client memory, but a buffer is bound\n"
                        "warning: 1 calls could not be replayed: glColorPointer (1)\n");
}

/* In a buffer, it is one. */
static void test_offsets(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34962 buffer=1\n"
                         "glVertexPointer size=2 type=5126 stride=0 pointer=0x18\n");
    assert_ptr_equal(stub_gl.last_pointer, 0x18);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34962 buffer=1\n"
                         "glNormalPointer type=5126 stride=0 pointer=40\n");
    assert_ptr_equal(stub_gl.last_pointer, 40);
}

/* The array counts if it is enabled, and no other one. */
static void test_missing_arrays(void **state)
{
    static const struct {
        const char *call;
        GLenum array;
    } cases[] = {
        {"glVertexPointer size=2 type=5126", GL_VERTEX_ARRAY},
        {"glNormalPointer type=5126", GL_NORMAL_ARRAY},
        {"glColorPointer size=4 type=5121", GL_COLOR_ARRAY},
        {"glIndexPointer type=5126", GL_INDEX_ARRAY},
        {"glEdgeFlagPointer", GL_EDGE_FLAG_ARRAY},
        {"glTexCoordPointer size=2 type=5126", GL_TEXTURE_COORD_ARRAY},
        {"glFogCoordPointer type=5126", GL_FOG_COORD_ARRAY},
        {"glSecondaryColorPointer size=3 type=5121", GL_SECONDARY_COLOR_ARRAY},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    (void)state;
    for (size_t i = 0; i < COUNT; ++i) {
        for (size_t enabled = 0; enabled <= COUNT; ++enabled) {
            char calls[200];
            stub_gl_reset("4.6");
            if (enabled < COUNT)
                stub_gl.integers[cases[enabled].array] = 1;
            snprintf(calls, sizeof calls,
                     "%s stride=0 pointer=0x7f0000001000\nglDrawArrays mode=4 first=0 count=3\n",
                     cases[i].call);
            stub_gl_replay(NULL, calls);
            if ((strstr(stub_gl.log, "glDrawArrays(0, 3)") == NULL) != (enabled == i))
                fail_msg("%s, %zu:\n%s", calls, enabled, stub_gl.log);
        }
    }
}

/* Attribute 1 is enabled. */
static void test_missing_attributes(void **state)
{
    static const char *const functions[][2] = {{"glVertexAttribPointer", "size=2 type=5126 normalized=false"},
                                               {"glVertexAttribIPointer", "size=2 type=5124"},
                                               {"glVertexAttribLPointer", "size=2 type=5130"}};
    (void)state;
    for (size_t i = 0; i < 6; ++i) {
        char calls[300];
        snprintf(calls, sizeof calls,
                 "%s index=%zu %s stride=0 pointer=0x7f0000001000\nglDrawArrays mode=4 first=0 count=3\n",
                 functions[i / 2][0], i % 2 + 1, functions[i / 2][1]);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        if ((strstr(stub_gl.log, "glDrawArrays(0, 3)") == NULL) != (i % 2 == 0))
            fail_msg("%s:\n%s%s", calls, stub_gl.log, stub_gl.messages);
    }
}

/* A draw without vertices reads nothing, however many instances it has. */
static void test_indirect_draws_of_nothing(void **state)
{
    static const struct {
        uint32_t words[5]; /* also the indices */
        bool is_indexed, is_replayed;
    } cases[] = {{{0, 1000, 0, 0}, false, true},  {{3, 0, 0, 1000}, false, true},
                 {{3, 1000, 0, 0}, false, false}, {{1, 1, 0, 0}, false, true},
                 {{1, 1, 0, 1}, false, false},    {{1, 1, 0, 1, 0}, true, true},
                 {{1, 1, 0, 0, 1}, true, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.divisor = 1;
        stub_gl.buffer = cases[i].words;
        stub_gl.buffer_size = sizeof cases[i].words;
#define CALLS(draw)                                                                                          \
    "glVertexAttribPointer index=1 size=2 type=5126 normalized=false stride=0 pointer=#aaaabbbb\n"           \
    "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=36671 buffer=1\n"                                     \
    "glBindBuffer target=34963 buffer=1\n" draw "\n"
        stub_gl_replay(
            NULL,
            cases[i].is_indexed
                ? CALLS("glMultiDrawElementsIndirect mode=4 type=5125 indirect=0x0 drawcount=1 stride=0")
                : CALLS("glDrawArraysIndirect mode=4 indirect=0x0"));
#undef CALLS
        if ((stub_gl.failures == 0) != cases[i].is_replayed)
            fail_msg("%zu:\n%s%s", i, stub_gl.log, stub_gl.messages);
    }
}

/* Contexts without arrays in memory keep the array that they had. */
static void test_core_profiles(void **state)
{
    static const struct {
        const char *attributes, *version;
        bool is_called; /* with the address, which no driver uses */
    } cases[] = {
        {"[8337,3,8338,2,37158,1,0]", "3.2", true},  /* core */
        {"[8337,3,8338,2,37158,2,0]", "3.2", false}, /* compatibility */
        {"[8337,3,8338,1,8340,2,0]", "3.1", true},   /* forward-compatible */
        {"[8337,3,8338,0,8340,2,0]", "3.0", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[600];
        snprintf(calls, sizeof calls,
                 "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 attrib_list=%s "
                 "= 0x31\n"
                 "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x31 = 1\n"
                 "glVertexAttribPointer index=1 size=2 type=5126 normalized=false stride=0 "
                 "pointer=0x7f0000001000\n",
                 cases[i].attributes);
        stub_gl_reset(cases[i].version);
        stub_gl_replay(NULL, calls);
        bool is_called = strstr(stub_gl.log, "glVertexAttribPointer(1, memory)") != NULL;
        if (is_called != cases[i].is_called)
            fail_msg("%s:\n%s%s", calls, stub_gl.log, stub_gl.messages);
    }
}

/* The tracer tells what an array has that the driver has taken in spite of its error: in an array object,
 * from memory. That error is not the program's. */
static void test_arrays_of_tracers(void **state)
{
#define ARRAY "glVertexPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n"
    static const struct {
        const char *array;
        unsigned result;
    } cases[] = {{"~" ARRAY, 0}, {ARRAY, GL_INVALID_OPERATION}};
    (void)state;
    for (int i = 0; i < 2; ++i)
        for (int is_bound = 0; is_bound < 2; ++is_bound) {
            char calls[300];
            stub_gl_reset("4.6");
            stub_gl.question_error = 0;
            snprintf(calls, sizeof calls, "glGenVertexArrays n=1 arrays=[2]\n%s%sglGetError = %u\n",
                     is_bound ? "glBindVertexArray array=2\n" : "", cases[i].array, cases[i].result);
            stub_gl.array_error = is_bound ? GL_INVALID_OPERATION : GL_NO_ERROR;
            stub_gl_replay_printing(&(struct replay_options){.check = true}, calls);
            assert_int_equal(stub_gl.differing_calls, !is_bound && i == 1);
        }
#undef ARRAY
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_of_tracers),
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_missing_arrays),
        cmocka_unit_test(test_missing_attributes),
        cmocka_unit_test(test_indirect_draws_of_nothing),
        cmocka_unit_test(test_core_profiles),
        cmocka_unit_test(test_memory_with_a_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
