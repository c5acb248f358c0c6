/* SPDX-License-Identifier: MIT
 * Tests replays of display lists, whose names may be sums of a base and an offset of any type; and of calls
 * that write to the program's memory later, or to a buffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

/* The trace's lists 3, 4, … are 101, 102, … here. */
#define LISTS "glGenLists range=3 = 3\n"

static void test_ranges(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, LISTS "glGenLists range=2 = 1\n"
                               "glCallList list=5\n"
                               "glCallList list=2\n"
                               "glDeleteLists list=3 range=2\n"
                               "glCallList list=4\n" /* deleted */
                               "glCallList list=5\n"
                               "glDeleteLists list=0 range=9\n"
                               "glCallList list=1\n");
    stub_gl_expect("glCallList(103)\n"
                   "glCallList(105)\n"
                   "glDeleteLists(101, 2)\n"
                   "glCallList(4)\n"
                   "glCallList(103)\n"
                   "glDeleteLists(0, 1)\n"
                   "glDeleteLists(104, 2)\n"
                   "glDeleteLists(3, 2)\n"
                   "glDeleteLists(103, 1)\n"
                   "glDeleteLists(6, 3)\n"
                   "glCallList(104)\n");
}

/* Ranges of the trace need not be ranges here. */
static void test_deletions_of_ranges(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenLists range=1 = 10\n"
                         "glGenLists range=1 = 9\n"
                         "glGenLists range=2 = 11\n"
                         "glDeleteLists list=10 range=3\n"
                         "glCallList list=12\n"
                         "glCallList list=9\n"
                         "glDeleteLists list=9 range=-1\n"
                         "glDeleteLists list=9 range=2000000000\n");
    stub_gl_expect("glDeleteLists(101, 1)\n"
                   "glDeleteLists(103, 2)\n"
                   "glCallList(12)\n"
                   "glCallList(102)\n"
                   "glDeleteLists(102, -1)\n"
                   "glDeleteLists(102, 2000000000)\n");
}

/* None were created in the program, or here. */
static void test_ranges_that_failed(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenLists range=3 = 0\n"
                         "glCallList list=1\n"
                         "glGenLists range=9999999 = 3\n"
                         "glCallList list=3\n");
    stub_gl_expect("glCallList(1)\n"
                   "glCallList(3)\n");
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenLists range=99999999 = 3\nglCallList list=3\n");
    stub_gl_expect("glCallList(3)\n");
}

/* Offsets of all types. Together with the base, each makes list 1000, which is 101 here. */
static void test_offsets(void **state)
{
    (void)state;
    static const struct {
        const char *offset;
        GLenum type;
        long long value;
    } cases[] = {
        {"\xff", GL_BYTE, -1},
        {"\xff", GL_UNSIGNED_BYTE, 255},
        {"\xfe\xff", GL_SHORT, -2},
        {"\xfe\xff", GL_UNSIGNED_SHORT, 65534},
        {"\xfe\xff\xff\xff", GL_INT, -2},
        {"abcd", GL_UNSIGNED_INT, 0x64636261},
        {"AAAA", GL_FLOAT, 12},            /* 12.08 */
        {"~~~~", GL_FLOAT, 0},             /* far too large */
        {"\x5e\xd0\x32\x4f", GL_FLOAT, 0}, /* 3e9 */
        {"\x5e\xd0\x32\xcf", GL_FLOAT, 0},
        {"\x28\x6b\xee\x4e", GL_FLOAT, 0}, /* 2e9 */
        {"\x28\x6b\xee\xce", GL_FLOAT, 0},
        {"ab", GL_2_BYTES, 0x6162},
        {"abc", GL_3_BYTES, 0x616263},
        {"abcd", GL_4_BYTES, 0x61626364},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[300], expected[300];
        uint32_t base = (uint32_t)(1000 - cases[i].value);
        snprintf(calls, sizeof calls,
                 "glGenLists range=1 = 1000\nglListBase base=%u\nglCallLists n=2 type=%u lists=#%s%s\n", base,
                 cases[i].type, cases[i].offset, cases[i].offset);
        snprintf(expected, sizeof expected, "glListBase(%u)\nglCallLists: %u\nglCallLists: %u\n", base,
                 101 - base, 101 - base);
        if (cases[i].value == 0) /* the base itself is mapped */
            strcpy(expected, "glListBase(101)\nglCallLists(2, 0x1406)\n");
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect(expected);
        assert_int_equal(stub_gl.failures, 0);
    }
}

/* Every name is mapped, also behind those that are the same, and the last one. */
static void test_several_lists(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, LISTS "glListBase base=4294967200\n"
                               "glCallLists n=3 type=5121 lists=#\x61\x63\x65\n"
                               "glCallLists n=2 type=5121 lists=#\x61\x62\n"
                               "glCallLists n=1 type=99 lists=#\x63\n"
                               "glCallLists n=0 type=5121 lists=#\x63\n"
                               "glCallLists n=2 type=5123 lists=null\n");
    stub_gl_expect("glListBase(4294967200)\n"
                   "glCallLists: 97\n"
                   "glCallLists: 197\n"
                   "glCallLists: 199\n"
                   "glCallLists(2, 0x1401)\n" /* names that are the same */
                   "glCallLists(1, 0x63)\n"   /* the driver reports the error */
                   "glCallLists(0, 0x1401)\n"
                   "glCallLists(2, 0x1403)\n"); /* the driver knows what that is */
}

/* List 0 is an error: no list is made, and what follows is not a part of it. */
static void test_list_0(void **state)
{
    (void)state;
    stub_gl_reset("2.1");
    stub_gl_replay(NULL, "glNewList list=0 mode=4864\nglViewport x=0 y=0 width=40 height=50\n");
    stub_gl_expect("resize 2: 40 x 50\nglViewport(0, 0, 40, 50)\n");
}

/* The base that the program has is that of its last call, before which its lists may be unknown. It is saved
 * with other attributes. The driver's own stays. */
static void test_bases(void **state)
{
    (void)state;
#define CALL(offset) "glCallLists n=1 type=5121 lists=$" #offset "\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glListBase base=3\n" LISTS CALL(01) /* list 4 */
                   "glPushAttrib mask=131072\n"
                   "glListBase base=0\n" CALL(03) /* 3 */
                   "glPushAttrib mask=1\n"
                   "glListBase base=2\n" CALL(03) /* 5 */
                   "glPopAttrib\n" CALL(03)       /* 5 */
                   "glPopAttrib\n" CALL(02)       /* 5 */
                   "glPopAttrib\n" CALL(02)       /* 5 */
                   "glBegin mode=0\n"
                   "glListBase base=9\n"
                   "glPushAttrib mask=131072\n"
                   "glPopAttrib\n" CALL(00) /* 3 */
                   "glEnd\n");
    stub_gl_expect("glListBase(3)\n"
                   "glCallLists: 99\n"
                   "glPushAttrib(0x20000)\n"
                   "glListBase(0)\n"
                   "glCallLists: 101\n"
                   "glPushAttrib(0x1)\n"
                   "glListBase(2)\n"
                   "glCallLists: 101\n"
                   "glPopAttrib()\n"
                   "glCallLists: 101\n"
                   "glPopAttrib()\n"
                   "glCallLists: 100\n"
                   "glPopAttrib()\n"
                   "glCallLists: 100\n"
                   "glListBase(9)\n"
                   "glPushAttrib(0x20000)\n"
                   "glPopAttrib()\n"
                   "glCallLists: 98\n");
}

/* A list that is only compiled changes the base and the saved ones when it is called. */
static void test_bases_in_lists(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, LISTS "glListBase base=1\n"
                               "glPushAttrib mask=131072\n"
                               "glNewList list=3 mode=4864\n"
                               "glPopAttrib\n"
                               "glPushAttrib mask=131072\n"
                               "glListBase base=2\n" CALL(02) /* 4 */
                   "glEndList\n" CALL(03)                     /* 4 */
                   "glListBase base=0\n"
                   "glPopAttrib\n" CALL(02) /* 3 */
                   "glNewList list=3 mode=4865\n"
                   "glListBase base=2\n"
                   "glEndList\n" CALL(02) /* 4 */);
    stub_gl_expect("glListBase(1)\n"
                   "glPushAttrib(0x20000)\n"
                   "glPopAttrib()\n"
                   "glPushAttrib(0x20000)\n"
                   "glListBase(2)\n"
                   "glCallLists: 100\n"
                   "glCallLists: 101\n"
                   "glListBase(0)\n"
                   "glPopAttrib()\n"
                   "glCallLists: 100\n"
                   "glListBase(2)\n"
                   "glCallLists: 100\n");
#undef CALL
}

/* What a driver has no room to save, it does not put back. */
static void test_too_many_attributes(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        static const GLint depths[] = {16, 20, 99};
        int saved = depths[i] < 64 ? depths[i] : 64;
        char calls[5000] = LISTS "glPushAttrib mask=131072\nglListBase base=100000\n";
        size_t length = strlen(calls);
        for (int k = 1; k < (depths[i] < 64 ? 70 : 64); ++k)
            length += (size_t)snprintf(calls + length, sizeof calls - length, "glPushAttrib mask=131072\n");
        for (int k = 0; k < saved; ++k)
            length += (size_t)snprintf(calls + length, sizeof calls - length, "glPopAttrib\n");
        snprintf(calls + length, sizeof calls - length, "glCallLists n=1 type=5121 lists=$03\n");
        stub_gl_reset("4.6");
        stub_gl.integers[GL_MAX_ATTRIB_STACK_DEPTH] = depths[i];
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line("glPopAttrib()\nglCallLists: 101");
    }
}

/* --- memory that is written later ----------------------------------------------------------------------- */

/* Selection and feedback have memory of their own, as large as the program's. */
static void test_selection_and_feedback(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glSelectBuffer size=64 buffer=0x5000\n"
                         "glFeedbackBuffer size=32 type=1536 buffer=0x6000\n"
                         "glRenderMode mode=7170 = 0\n"
                         "glRenderMode mode=7169 = 3\n"
                         "glSelectBuffer size=5000 buffer=0x5000\n"
                         "glSelectBuffer size=-1 buffer=0x5000\n"
                         "glSelectBuffer size=268435457 buffer=0x5000\n"
                         "glRenderMode mode=7168 = 3\n");
    stub_gl_expect("glSelectBuffer(64)\n"
                   "glFeedbackBuffer(32, 0x600)\n"
                   "glRenderMode(0x1c02)\n"
                   "glRenderMode(0x1c01)\n"
                   "glSelectBuffer(5000)\n"
                   "glRenderMode(0x1c00)\n");
    stub_gl_expect_message("8: warning: glSelectBuffer: the buffer size -1 is out of range");
    assert_int_equal(stub_gl.failures, 2);
}

/* glInterleavedArrays() enables arrays, so it is called with zeros if the contents come later. */
static void test_interleaved_arrays(void **state)
{
    (void)state;
#define ARRAYS "glInterleavedArrays format=10784 stride=0 pointer=0x7f0000001000\n"
    stub_gl_reset("4.6");
    stub_gl.integers[GL_VERTEX_ARRAY] = 1;
    stub_gl_replay(NULL, ARRAYS "glDrawArrays mode=4 first=0 count=8192\n"
                                "glDrawArrays mode=4 first=0 count=8193\n"
                                "glGenBuffers n=1 buffers=[1]\n"
                                "glBindBuffer target=34962 buffer=1\n"
                                "glInterleavedArrays format=10784 stride=0 pointer=0x8\n");
    stub_gl_expect("glInterleavedArrays(memory)\n"
                   "glDrawArrays(0, 8192)\n"
                   "glBindBuffer(0x8892, 101)\n"
                   "glInterleavedArrays(offset)\n");
    assert_int_equal(stub_gl.failures, 1);
#undef ARRAYS
}

/* A texture is only read if it goes to a buffer. */
static void test_textures_that_are_read(void **state)
{
    (void)state;
#define GET "glGetTexImage target=3553 level=0 format=6408 type=5121 pixels=0x40\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   GET "glGenBuffers n=1 buffers=[1]\n"
                       "glBindBuffer target=35051 buffer=1\n" GET "glBindBuffer target=35051 buffer=0\n" GET);
    stub_gl_expect("glBindBuffer(0x88eb, 101)\n"
                   "glGetTexImage(offset 64)\n"
                   "glBindBuffer(0x88eb, 0)\n");
#undef GET
}

/* Likewise, whatever else is packed. */
static void test_other_packed_results(void **state)
{
    (void)state;
    static const struct {
        const char *call, *log;
    } cases[] = {
        {"glGetMultiTexImageEXT texunit=33984 target=3553 level=0 format=6408 type=5121 pixels=0x40\n",
         "glGetMultiTexImageEXT(offset 64)\n"},
        {"glGetCompressedMultiTexImageEXT texunit=33984 target=3553 lod=0 img=0x40\n",
         "glGetCompressedMultiTexImageEXT(offset 64)\n"},
        {"glGetPixelMapfv map=3184 values=0x40\n", "glGetPixelMapfv(offset 64)\n"},
        {"glGetPolygonStipple mask=0x40\n", "glGetPolygonStipple(offset 64)\n"},
        {"glGetColorTable target=32976 format=6408 type=5121 table=0x40\n", "glGetColorTable(offset 64)\n"},
        {"glGetMinmax target=32814 reset=0 format=6408 type=5121 values=0x40\n",
         "glGetMinmax(0, offset 64)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[1000], expected[1000];
        snprintf(calls, sizeof calls,
                 "%sglGenBuffers n=1 buffers=[1]\nglBindBuffer target=35051 buffer=1\n%s", cases[i].call,
                 cases[i].call);
        snprintf(expected, sizeof expected, "glBindBuffer(0x88eb, 101)\n%s", cases[i].log);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect(expected);
        assert_int_equal(stub_gl.failures, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_deletions_of_ranges),
        cmocka_unit_test(test_ranges_that_failed),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_several_lists),
        cmocka_unit_test(test_list_0),
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_bases_in_lists),
        cmocka_unit_test(test_too_many_attributes),
        cmocka_unit_test(test_selection_and_feedback),
        cmocka_unit_test(test_interleaved_arrays),
        cmocka_unit_test(test_textures_that_are_read),
        cmocka_unit_test(test_other_packed_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
