/* SPDX-License-Identifier: MIT
 * Tests that a draw is replayed exactly if all enabled client arrays have the vertices that it reads: of
 * which size a vertex is, and which vertices a draw reads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "array_draws.h"

/* --- vertices ------------------------------------------------------------------------------------------- */

/* An array of three vertices suffices for three, but not if its last byte is missing. */
static void expect_size(const char *pointer, unsigned bytes)
{
    char blob[200], calls[400];
    for (unsigned missing = 0; missing < 2; ++missing) {
        memset(blob, 'a', 3 * bytes);
        blob[3 * bytes - missing] = '\0';
        snprintf(calls, sizeof calls, "%s pointer=#%s\n" DRAW("3"), pointer, blob);
        expect(calls, missing == 0);
    }
}

static void test_sizes_of_vertices(void **state)
{
    (void)state;
    static const struct {
        const char *pointer;
        unsigned bytes;
    } cases[] = {
        {"glVertexPointer size=2 type=5122 stride=0", 4},  /* GL_SHORT */
        {"glVertexPointer size=3 type=5131 stride=0", 6},  /* GL_HALF_FLOAT */
        {"glVertexPointer size=3 type=36193 stride=0", 6}, /* GL_HALF_FLOAT_OES */
        {"glVertexPointer size=4 type=5124 stride=0", 16}, /* GL_INT */
        {"glVertexPointer size=3 type=5126 stride=0", 12},
        {"glVertexPointer size=2 type=5130 stride=0", 16}, /* GL_DOUBLE */
        {"glNormalPointer type=5120 stride=0", 3},
        {"glNormalPointer type=5122 stride=0", 6},
        {"glNormalPointer type=5130 stride=0", 24},
        {"glEdgeFlagPointer stride=0", 1},
        {"glTexCoordPointer size=1 type=5126 stride=0", 4},
        {"glVertexAttribPointer index=1 size=4 type=5121 normalized=1 stride=0", 4},
        {"glVertexAttribPointer index=1 size=3 type=5123 normalized=1 stride=0", 6},
        {"glVertexAttribPointer index=1 size=32993 type=5121 normalized=1 stride=0", 4}, /* GL_BGRA */
        {"glVertexAttribPointer index=1 size=4 type=36255 normalized=1 stride=0", 4},    /* packed */
        {"glVertexAttribPointer index=1 size=4 type=33640 normalized=1 stride=0", 4},
        {"glVertexAttribPointer index=1 size=3 type=35899 normalized=0 stride=0", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        expect_size(cases[i].pointer, cases[i].bytes);
}

static void test_interleaved_formats(void **state)
{
    (void)state;
    /* GL_V2F, … GL_T4F_C4F_N3F_V4F, as their names say. After them, vertices have at least a number. */
    static const unsigned sizes[] = {8, 12, 12, 16, 24, 24, 40, 20, 32, 24, 32, 32, 48, 60, 4};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        char pointer[80];
        snprintf(pointer, sizeof pointer, "glInterleavedArrays format=%u stride=0", GL_V2F + i);
        expect_size(pointer, sizes[i]);
    }
    expect_size("glInterleavedArrays format=10783 stride=0", 4); /* before GL_V2F */
    /* glVertexPointer() replaces its part of the interleaved array. */
    expect("glInterleavedArrays format=10784 stride=0 pointer=#aaaabbbb\n" DRAW("4"), false);
    expect("glInterleavedArrays format=10784 stride=0 pointer=#aaaabbbb\n" POINTER(FOUR) DRAW("4"), true);
}

/* The driver keeps the array that it had, which is not known. */
static void test_wrong_arrays(void **state)
{
    (void)state;
    expect("glVertexPointer size=2 type=5126 stride=-1 pointer=#" FOUR "\n" DRAW("1"), false);
    expect("glVertexPointer size=0 type=5126 stride=0 pointer=#" FOUR "\n" DRAW("1"), false);
    expect("glVertexPointer size=5 type=5126 stride=0 pointer=#" FOUR "\n" DRAW("1"), false);
    expect("glVertexPointer size=4 type=5126 stride=0 pointer=#" FOUR "\n" DRAW("1"), true);
    expect(POINTER("aaaabbbb") DRAW("1"), true);
    expect(POINTER("aaaabbbb") DRAW("0"), true);
    expect(POINTER("aaaabbb") DRAW("1"), false);
}

/* --- draws ---------------------------------------------------------------------------------------------- */

static void test_indices(void **state)
{
    (void)state;
#define FROM(type, index, base)                                                                              \
    POINTER(FOUR)                                                                                            \
    "glDrawElementsBaseVertex mode=4 count=1 type=" type " indices=#" index " basevertex=" base "\n"
    expect(FROM("5121", "a", "-94"), true); /* 97 - 94 = 3 */
    expect(FROM("5121", "a", "-93"), false);
    expect(FROM("5123", "aa", "-24926"), true);
    expect(FROM("5123", "aa", "-24925"), false);
    expect(FROM("5125", "aaaa", "-1633771870"), true);
    expect(FROM("5125", "aaaa", "-1633771869"), false);
    expect(FROM("5126", "aaaa", "0"), true); /* the driver refuses the type */
    /* the second index is the wrong one */
    expect(POINTER(FOUR) "glDrawElementsBaseVertex mode=4 count=2 type=5121 indices=#ac basevertex=-95\n",
           false);
#undef FROM
}

/* A draw that reads no vertex does not need the arrays that are missing, or NULL. */
static void test_draws_of_nothing(void **state)
{
    (void)state;
    static const char *const missing[] = {"null", "0x7f0000001000"};
    static const struct {
        const char *draw;
        bool reads;
    } cases[] = {
        {DRAW("0"), false},
        {DRAW("1"), true},
        {"glDrawElements mode=4 count=0 type=5125 indices=0x0\n", false},
        {"glDrawElements mode=4 count=1 type=5121 indices=#a\n", true},
        {"glMultiDrawArrays mode=4 first=[0,4] count=[0,0] drawcount=2\n", false},
        {"glMultiDrawArrays mode=4 first=[0,4] count=[0,1] drawcount=2\n", true},
        {"glDrawArraysInstanced mode=4 first=0 count=3 instancecount=0\n", false},
        {"glDrawArraysInstanced mode=4 first=0 count=3 instancecount=1\n", true},
        {"glDrawArraysIndirect mode=4 indirect=0x0\n", true},
        {"glBegin mode=4\nglArrayElement i=0\nglEnd\n", true},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; ++i) {
        char calls[200];
        snprintf(calls, sizeof calls, "glVertexPointer size=2 type=5126 stride=0 pointer=%s\n%s",
                 missing[i % 2], cases[i / 2].draw);
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        stub_gl_replay(NULL, calls);
        if (stub_gl.failures != cases[i / 2].reads)
            fail_msg("%s%s", calls, stub_gl.messages);
        if (cases[i / 2].reads)
            stub_gl_expect_message("the contents of a client array are not in the trace");
    }
}

/* A buffer that is bound between glBegin() and glEnd() is not bound: the array after it is in memory. */
static void test_binds_inside_begin(void **state)
{
    (void)state;
    stub_gl_reset("2.1");
    assert_int_equal(
        replay(POINTER(FOUR) "glBegin mode=4\nglBindBuffer target=34962 buffer=77\nglEnd\n" POINTER(FOUR)
                   DRAW("4")),
        0);
}

/* What begins before the array is an error of its own, as far as that is known. */
static void test_negative_vertices(void **state)
{
    (void)state;
    expect(POINTER(FOUR) "glDrawArrays mode=4 first=-5 count=3\n", true);
    expect(POINTER(FOUR) "glDrawArrays mode=4 first=-3 count=3\n", true);
    expect(POINTER(FOUR) "glDrawArrays mode=4 first=-1 count=5\n", true);
    expect(POINTER(FOUR) "glDrawArrays mode=4 first=-1 count=6\n", false);
}

/* Replays calls with an element buffer and an indirect buffer that have these contents. */
static void replay_with_buffer(const uint32_t *contents, size_t size, const char *calls, bool is_drawn,
                               unsigned reads)
{
    char text[600];
    snprintf(text, sizeof text,
             "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34963 buffer=1\n"
             "glBindBuffer target=36671 buffer=1\n%s",
             calls);
    stub_gl_reset("4.6");
    stub_gl.integers[GL_VERTEX_ARRAY] = 1;
    stub_gl.buffer = contents;
    stub_gl.buffer_size = size;
    stub_gl_replay(NULL, text);
    assert_int_equal(strstr(stub_gl.log, "Draw") != NULL, is_drawn);
    assert_int_equal(stub_gl.failures, !is_drawn);
    assert_int_equal(stub_gl.buffer_reads, reads);
}

/* OpenGL ES has no function for that. Then the driver draws. */
static void test_buffers_that_cannot_be_read(const uint32_t *contents, size_t size, const char *calls)
{
    static const char *const lacks[] = {"glGetBufferSubData", "glGetBufferParameteriv", NULL};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        char text[300];
        snprintf(text, sizeof text, "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34963 buffer=1\n%s",
                 calls);
        stub_gl_reset(lacks[i] != NULL ? "4.6" : "OpenGL ES 3.2");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        stub_gl.timers.lacks = lacks[i];
        stub_gl.buffer = contents;
        stub_gl.buffer_size = size;
        stub_gl_replay(NULL, text);
        stub_gl_expect_line("glDrawElements(6, offset 0)");
        assert_int_equal(stub_gl.failures, 0);
        assert_int_equal(stub_gl.buffer_reads, 0);
    }
}

/* Indices and parameters in buffers count, too. They are only read if there is an array in memory. */
static void test_draws_from_buffers(void **state)
{
    (void)state;
    static const uint32_t low[] = {0, 3, 1, 2, 3, 3}, high[] = {0, 3, 1, 2, 3, 4};
    static const uint32_t four[] = {4, 1, 0, 0}, from_one[] = {4, 1, 1, 0}, none[] = {9, 0, 9, 0};
    /* the indices at the end: 0 and 1, twice, from base vertices 2 and 3 */
    static const uint32_t indexed[] = {2, 1, 10, 2, 0, 2, 1, 10, 3, 0, 0, 1};
    /* at the beginning: 2 and 1, from 1 and 3; a draw that is cut off reads nothing */
    static const uint32_t overlapping[] = {2, 1, 0, 1, 0, 2, 1, 0, 3, 0};
#define ELEMENTS(count, offset)                                                                              \
    POINTER(FOUR) "glDrawElements mode=4 count=" count " type=5125 indices=" offset "\n"
#define ARRAYS POINTER(FOUR) "glDrawArraysIndirect mode=4 indirect=0x0\n"
#define DRAWS(count)                                                                                         \
    POINTER(FOUR) "glMultiDrawElementsIndirect mode=4 type=5125 indirect=0x0 drawcount=" count " stride=0\n"
    replay_with_buffer(low, sizeof low, ELEMENTS("6", "0x0"), true, 1);
    replay_with_buffer(high, sizeof high, ELEMENTS("6", "0x0"), false, 1);
    replay_with_buffer(high, sizeof high, ELEMENTS("5", "0x0"), true, 1);
    replay_with_buffer(high, sizeof high, ELEMENTS("5", "0x4"), false, 1);
    replay_with_buffer(low, sizeof low, ELEMENTS("2000000000", "0x4"), true, 1);
    replay_with_buffer(low, sizeof low, ELEMENTS("6", "0x4000"), true, 0);
    replay_with_buffer(high, sizeof high, "glDrawElements mode=4 count=6 type=5125 indices=0x0\n", true, 0);
    replay_with_buffer(four, sizeof four, ARRAYS, true, 1);
    replay_with_buffer(from_one, sizeof from_one, ARRAYS, false, 1);
    replay_with_buffer(none, sizeof none, ARRAYS, true, 1);
    replay_with_buffer(indexed, sizeof indexed, DRAWS("1"), true, 2);
    replay_with_buffer(indexed, sizeof indexed, DRAWS("2"), false, 3);
    replay_with_buffer(indexed, sizeof indexed, DRAWS("0"), true, 0);
    replay_with_buffer(indexed, sizeof indexed, DRAWS("-1"), true, 0);
    replay_with_buffer(indexed, 0, ELEMENTS("6", "0x0"), true, 0);
    /* The second structure is not complete. */
    static const uint32_t cut[] = {0, 1, 0, 0, 0, 9, 1, 0, 0};
    replay_with_buffer(cut, sizeof cut, DRAWS("2"), true, 1);
    /* It is behind a gap. */
    static const uint32_t apart[] = {0, 0, 0, 0, 0, 0, 3, 1, 6, 0, 0, 4, 0, 1};
#define STRIDE(type, stride)                                                                                 \
    POINTER(FOUR)                                                                                            \
    "glMultiDrawElementsIndirect mode=4 type=" type " indirect=0x0 drawcount=2 stride=" stride "\n"
    replay_with_buffer(apart, sizeof apart, STRIDE("5125", "24"), false, 2);
    replay_with_buffer(apart, sizeof apart, STRIDE("5125", "20"), true, 1); /* no vertices */
    replay_with_buffer(apart, sizeof apart, STRIDE("5126", "24"), true, 1); /* no type of indices */
#undef STRIDE
    test_buffers_that_cannot_be_read(high, sizeof high, ELEMENTS("6", "0x0"));
    replay_with_buffer(overlapping, sizeof overlapping, DRAWS("2"), false, 3);
    replay_with_buffer(overlapping, sizeof overlapping - 1, DRAWS("2"), true, 2);
#undef ELEMENTS
#undef ARRAYS
#undef DRAWS
}

/* Draws whose structures are apart, and as many as there may be at most. A draw of memory that is cut off
 * reads nothing. */
static void test_many_indirect_draws(void **state)
{
    (void)state;
    /* indices 2 and 1, from 1; apart from them, what is between the structures would be too far */
    static const uint32_t apart[] = {2, 1, 0, 1, 0, 9, 2, 1, 0, 1, 0};
    static const uint32_t one_and_nine[] = {1, 1, 0, 0, 9, 1, 0, 0};
#define APART(stride)                                                                                        \
    POINTER(FOUR) "glMultiDrawElementsIndirect mode=4 type=5125 indirect=0x0 drawcount=2 stride=" stride "\n"
#define AT_MOST(count)                                                                                       \
    POINTER(FOUR)                                                                                            \
    "glMultiDrawArraysIndirectCount mode=4 indirect=0x0 drawcount=0 maxdrawcount=" count " stride=0\n"
    replay_with_buffer(apart, sizeof apart, APART("24"), true, 3);
    replay_with_buffer(apart, sizeof apart, APART("0"), false, 3);
    replay_with_buffer(one_and_nine, sizeof one_and_nine, AT_MOST("1"), true, 1);
    replay_with_buffer(one_and_nine, sizeof one_and_nine, AT_MOST("2"), false, 1);
    expect(POINTER(FOUR) "glDrawArraysIndirect mode=4 indirect=#aaaaaaaaaaaa\n", true);
#undef APART
#undef AT_MOST
}

static void test_multiple_draws(void **state)
{
    (void)state;
#define ARRAYS(first, count, draws)                                                                          \
    POINTER(FOUR) "glMultiDrawArrays mode=4 first=" first " count=" count " drawcount=" draws "\n"
#define ELEMENTS(indices, count, draws)                                                                      \
    POINTER(FOUR)                                                                                            \
    "glMultiDrawElementsBaseVertex mode=4 count=" count " type=5121 indices=" indices " drawcount=" draws    \
    " basevertex=[-94,-96]\n"
    expect(ARRAYS("[0,2]", "[1,2]", "2"), true);
    expect(ARRAYS("[0,3]", "[1,2]", "2"), false);
    expect(ARRAYS("[0,3]", "[1,2]", "1"), true);
    expect(ARRAYS("[9,0]", "[0,4]", "2"), true);
    expect(ELEMENTS("[#a,#bc]", "[1,2]", "2"), true);
    expect(ELEMENTS("[#a,#bd]", "[1,2]", "2"), false);
    expect(ELEMENTS("[#b,#b]", "[1,1]", "2"), false);
    expect(ELEMENTS("[#a,#bd]", "[1,2]", "1"), true);
    expect(POINTER(FOUR) "glMultiDrawElements mode=4 count=[1] type=5121 indices=[#a] drawcount=1\n", false);
#undef ARRAYS
#undef ELEMENTS
}

/* Indices that are shorter than the draws are padded; their memory ends there. */
static void test_short_indices(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glMultiDrawElements mode=4 count=[3,2] type=5123 indices=[#ab,#cdef] drawcount=2\n"
                         "glMultiDrawElements mode=4 count=[2] type=5125 indices=[0x0] drawcount=1\n"
                         "glMultiDrawElements mode=4 count=[2] type=5125 indices=[0x40] drawcount=1\n");
    stub_gl_expect("glMultiDrawElements(3, 'ab....' of 6)\n"
                   "glMultiDrawElements(2, 'cdef' of 4)\n");
    stub_gl_expect_message("'indices' holds addresses of the traced program");
    assert_int_equal(stub_gl.failures, 2);
    stub_gl_reset("4.6"); /* a draw of nothing needs none */
    stub_gl_replay(NULL, "glMultiDrawElements mode=4 count=[2,0] type=5121 indices=[#ab,0x0] drawcount=2\n");
    stub_gl_expect("glMultiDrawElements(2, 'ab' of 2)\nglMultiDrawElements(0, NULL)\n");
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("4.6"); /* there are fewer indices than draws */
    stub_gl_replay(NULL, "glMultiDrawElements mode=4 count=[1,1] type=5121 indices=[#a] drawcount=2\n");
    stub_gl_expect("");
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffer=[1]\n"
                         "glBindBuffer target=34963 buffer=1\n"
                         "glMultiDrawElements mode=4 count=[2] type=5125 indices=[0x40] drawcount=1\n"
                         "glMultiDrawElements mode=4 count=[2] type=5125 indices=[#aaaabbbb] drawcount=1\n");
    stub_gl_expect("glBindBuffer(0x8893, 101)\n"
                   "glMultiDrawElements(2, offset 64)\n");
    stub_gl_expect_message("'indices' is client memory, but a buffer is bound");
}

/* An array with a divisor has a vertex for so many instances. */
static void test_instances(void **state)
{
    (void)state;
#define ATTRIBUTE    "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=#" FOUR "\n"
#define INSTANCES(n) "glDrawArraysInstanced mode=4 first=0 count=9 instancecount=" n "\n"
#define FROM(n, base)                                                                                        \
    "glDrawArraysInstancedBaseInstance mode=4 first=0 count=9 instancecount=" n " baseinstance=" base "\n"
    static const struct {
        const char *calls;
        GLint divisor;
        bool replayed;
    } cases[] = {
        {ATTRIBUTE INSTANCES("8"), 2, true},
        {ATTRIBUTE INSTANCES("9"), 2, false},
        {ATTRIBUTE INSTANCES("4"), 1, true},
        {ATTRIBUTE INSTANCES("5"), 1, false},
        {ATTRIBUTE INSTANCES("1"), 0, false},
        {ATTRIBUTE INSTANCES("0"), 1, true},
        /* few vertices, but many instances */
        {ATTRIBUTE "glDrawArraysInstanced mode=4 first=0 count=1 instancecount=4\n", 1, true},
        {ATTRIBUTE "glDrawArraysInstanced mode=4 first=0 count=1 instancecount=5\n", 1, false},
        {POINTER(FOUR) INSTANCES("1"), 1, false}, /* arrays that are no attributes have none */
        {ATTRIBUTE FROM("1", "3"), 1, true},
        {ATTRIBUTE FROM("1", "4"), 1, false},
        {ATTRIBUTE DRAW("9"), 1, true},
        {ATTRIBUTE "glNewList list=1 mode=4864\n" DRAW("4") "glEndList\n" DRAW("9"), 1, true},
        {ATTRIBUTE "glNewList list=1 mode=4864\n" DRAW("5") "glEndList\n" DRAW("9"), 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.divisor = cases[i].divisor;
        stub_gl.divisor_of_0 = 1;
        if (replay(cases[i].calls) != (cases[i].replayed ? 0 : 1))
            fail_msg("case %zu:\n%s%s", i, cases[i].calls, stub_gl.messages);
    }
#undef ATTRIBUTE
#undef INSTANCES
#undef FROM
}

/* Attributes have the size, the type and the binding that the driver says, and this has the stride. */
static void test_bindings(void **state)
{
    (void)state;
#define ATTRIBUTE "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=#" FOUR "\n"
#define BIND      "glBindVertexBuffer bindingindex=1 buffer=0 offset=0 stride=16\n"
#define ARRAYS    "glGenVertexArrays n=1 arrays=[5]\nglBindVertexArray array=5\n"
    static const struct {
        const char *call;
        GLint size, binding, stride_of_0; /* the binding's number is added */
        unsigned vertices;
    } cases[] = {
        {"", 4, 0, 99, 4},
        {BIND, 2, 0, 8, 4},
        {BIND, 2, 1, 15, 2},
        {BIND, 2, 0, 0, 1000},
        {BIND, 2, 0, 4, 7},
        {BIND, 2, 0, -1, 4}, /* the driver does not say, so it is as before */
        {BIND, 0, 0, 8, 0},  /* an error that no driver has */
        {"glVertexAttribFormat attribindex=1 size=4 type=5126 normalized=0 relativeoffset=0\n", 4, 0, 8, 3},
        {"glVertexAttribBinding attribindex=1 bindingindex=5\n", 2, 5, 11, 2},
        {BIND "glPopClientAttrib\n", 2, 0, 16, 2},
        /* binding 0 gets another stride, which attribute 1 uses, too */
        {BIND "glVertexAttribPointer index=0 size=2 type=5126 normalized=0 stride=16 pointer=#" FOUR "\n", 2,
         0, 8, 2},
        {BIND ARRAYS "glBindVertexArray array=0\n", 2, 0, 16, 2},
        {BIND ARRAYS "glDeleteVertexArrays n=1 arrays=[5]\n", 2, 0, 16, 2},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; ++i) {
        char calls[400];
        snprintf(calls, sizeof calls, ATTRIBUTE "%s" DRAW("%u"), cases[i / 2].call,
                 cases[i / 2].vertices + (unsigned)(i % 2));
        stub_gl_reset("4.6");
        stub_gl.attribute_size = cases[i / 2].size;
        stub_gl.attribute_type = GL_FLOAT;
        stub_gl.attribute_binding = cases[i / 2].binding;
        stub_gl.integers[GL_VERTEX_BINDING_STRIDE] = cases[i / 2].stride_of_0;
        if (replay(calls) != (i % 2 == 0 || cases[i / 2].vertices == 1000 ? 0 : 1))
            fail_msg("case %zu:\n%s%s", i, calls, stub_gl.messages);
    }
    /* Another kind of array has no binding. */
    stub_gl_reset("4.6");
    stub_gl.attribute_size = 2;
    stub_gl.attribute_type = GL_FLOAT;
    assert_int_equal(replay(POINTER("aaaabbbb") BIND DRAW("2")), 1);
    /* An attribute that had an array in memory before is in a buffer. */
    stub_gl_reset("4.6");
    stub_gl.attribute_size = 2;
    stub_gl.attribute_type = GL_FLOAT;
    stub_gl.integers[GL_VERTEX_BINDING_STRIDE] = 8;
    assert_int_equal(
        replay(ATTRIBUTE "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34962 buffer=1\n"
                         "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=0x8\n"
                         "glBindBuffer target=34962 buffer=0\n" BIND DRAW("9")),
        0);
    /* Without a function that tells, or where nothing can be asked, it is as before. */
    static const char *const lacks[] = {"glGetIntegeri_v", "glGetVertexAttribiv", NULL};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        bool inside = lacks[i] == NULL;
        stub_gl_reset("4.6");
        stub_gl.attribute_size = 2;
        stub_gl.attribute_type = GL_FLOAT;
        stub_gl.timers.lacks = lacks[i];
        stub_gl.integers[GL_VERTEX_BINDING_STRIDE] = 16; /* for two vertices */
        unsigned failures =
            replay(inside ? ATTRIBUTE "glBegin mode=4\n" BIND "glEnd\n" DRAW("4") : ATTRIBUTE BIND DRAW("4"));
        assert_int_equal(failures, 0);
        stub_gl_expect_no_line("a question");
    }
#undef ATTRIBUTE
#undef BIND
#undef ARRAYS
}

/* An attribute has one array, whatever the function that sets it. */
static void test_integer_attributes(void **state)
{
    (void)state;
    expect("glVertexAttribIPointer index=1 size=2 type=5124 stride=0 pointer=#aaaabbbb\n"
           "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=#" FOUR
           "\n" DRAW("4"),
           true);
}

/* An index that starts a new primitive is not one of a vertex, whatever the base. */
static void test_restarts(void **state)
{
    (void)state;
    enum { RESTART_NV = 0x8558, RESTART_INDEX_NV = 0x8559 };
    static const struct {
        const char *type, *index;
        GLenum capability, pname;
        GLint value;
        bool replayed;
    } cases[] = {
        {"5121", "\xff", GL_PRIMITIVE_RESTART_FIXED_INDEX, 0, 0, true},
        {"5121", "\xfe", GL_PRIMITIVE_RESTART_FIXED_INDEX, 0, 0, false},
        {"5123", "\xff\xff", GL_PRIMITIVE_RESTART_FIXED_INDEX, 0, 0, true},
        {"5123", "\xff\xfe", GL_PRIMITIVE_RESTART_FIXED_INDEX, 0, 0, false},
        {"5125", "\xff\xff\xff\xff", GL_PRIMITIVE_RESTART_FIXED_INDEX, 0, 0, true},
        {"5121", "a", GL_PRIMITIVE_RESTART, GL_PRIMITIVE_RESTART_INDEX, 97, true},
        {"5121", "a", GL_PRIMITIVE_RESTART, GL_PRIMITIVE_RESTART_INDEX, 98, false},
        {"5121", "a", RESTART_NV, RESTART_INDEX_NV, 97, true},
        {"5121", "a", 0, GL_PRIMITIVE_RESTART_INDEX, 97, false},
        {"5125", "\xff\xff\xff\xff", GL_PRIMITIVE_RESTART, GL_PRIMITIVE_RESTART_INDEX, -1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[300];
        snprintf(calls, sizeof calls,
                 POINTER(FOUR) "glDrawElementsBaseVertex mode=4 count=1 type=%s indices=#%s basevertex=10\n",
                 cases[i].type, cases[i].index);
        stub_gl_reset("4.6");
        if (cases[i].capability != 0)
            stub_gl.integers[cases[i].capability] = 1;
        if (cases[i].pname != 0)
            stub_gl.integers[cases[i].pname] = cases[i].value;
        if (replay(calls) != (cases[i].replayed ? 0 : 1))
            fail_msg("case %zu:\n%s", i, stub_gl.messages);
    }
}

/* Without a restart, index 0 is one like others. */
static void test_no_restart(void **state)
{
    static const uint32_t zero[1];
    (void)state;
    replay_with_buffer(zero, sizeof zero,
                       POINTER(FOUR) "glDrawElementsBaseVertex mode=4 count=1 type=5125 indices=NULL "
                                     "basevertex=10\n",
                       false, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_of_vertices), cmocka_unit_test(test_interleaved_formats),
        cmocka_unit_test(test_wrong_arrays),      cmocka_unit_test(test_indices),
        cmocka_unit_test(test_draws_of_nothing),  cmocka_unit_test(test_binds_inside_begin),
        cmocka_unit_test(test_negative_vertices), cmocka_unit_test(test_draws_from_buffers),
        cmocka_unit_test(test_multiple_draws),    cmocka_unit_test(test_many_indirect_draws),
        cmocka_unit_test(test_short_indices),     cmocka_unit_test(test_instances),
        cmocka_unit_test(test_restarts),          cmocka_unit_test(test_no_restart),
        cmocka_unit_test(test_bindings),          cmocka_unit_test(test_integer_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
