/* SPDX-License-Identifier: MIT
 * Tests replays of buffers: mappings, and whether a pointer is an offset.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <stdio.h>
#include <cmocka.h>

#include "buffer_bindings.h"
#include "stub_gl.h"

/* Copies never exceed the mapping, whatever the trace contains: the driver's memory ends with it. */
static void test_copies_that_do_not_fit(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffer=[1]\n"
                         "glBindBuffer target=34962 buffer=1\n"
                         "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x5000\n"
                         "memcpy dest=0x5004 src=#abcdefghijklmnopqrstuvwxyz n=26\n"
                         "memcpy dest=0x5000 src=#123456 n=4\n"
                         "memcpy dest=0x5008 src=#a n=1\n"
                         "memcpy dest=0x4fff src=#a n=1\n"
                         "glUnmapBuffer target=34962 = 1\n"
                         "memcpy dest=0x5000 src=#a n=1\n"
                         "glMapBufferRange target=34962 offset=0 length=9 access=2 = 0x5000\n"
                         "memcpy dest=0x5000 src=#ab n=8\n"
                         "memcpy dest=0x5008 src=#c n=1\n"
                         "glUnmapBuffer target=34962 = 1\n");
    stub_gl_expect("glBindBuffer(0x8892, 101)\n"
                   "glUnmapBuffer(101: '1234abcd' of 8)\n"
                   "glUnmapBuffer(101: 'ab......c' of 9)\n");
    stub_gl_expect_message("6: warning: memcpy: 26 bytes do not fit into the mapped buffer\n");
    stub_gl_expect_message("8: warning: memcpy: 0x5008 is not in a mapped buffer\n");
    stub_gl_expect_message("memcpy (3)");
}

/* Old traces declare memory of the program, which later calls fill and use. */
static void test_memory_of_old_traces(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "malloc size=16 = 0x5000\n"
                         "memcpy dest=0x5004 src=#abcdefgh n=8\n"
                         "glBufferData target=34962 size=12 data=0x5004 usage=35044\n"
                         "realloc ptr=0x5000 size=10 = 0x6000\n"
                         "glBufferData target=34962 size=6 data=0x6004 usage=35044\n"
                         "memcpy dest=0x5000 src=#a n=1\n"
                         "memcpy dest=0x6008 src=#xyz n=3\n"
                         "glBufferData target=34962 size=2 data=0x6008 usage=35044\n"
                         "free ptr=0x6000\n"
                         "glBufferData target=34962 size=2 data=0x6008 usage=35044\n"
                         "malloc size=99999999999 = 0x7000\n"
                         "malloc size=8 = 0x0\n"
                         "free\n"
                         "realloc ptr=0x0 size=2 = 0x8000\n"
                         "glBufferData target=34962 size=2 data=0x8000 usage=35044\n");
    stub_gl_expect("glBufferData(0x8892, 'abcdefgh....' of 12)\n"
                   "glBufferData(0x8892, 'abcdef' of 6)\n"
                   "glBufferData(0x8892, 'xy' of 2)\n"
                   "glBufferData(0x8892, '..' of 2, zeros)\n");
    stub_gl_expect_message("8: warning: memcpy: 0x5000 is not in a mapped buffer\n");
    stub_gl_expect_message("9: warning: memcpy: 3 bytes do not fit into the mapped buffer\n");
    stub_gl_expect_message("is an address in the traced program");
    stub_gl_expect_message("13: warning: the program's memory of 99999999999 more bytes is too much\n");
    assert_int_equal(stub_gl.failures, 3);
}

/* A trace cannot make the replay grow without end: blocks that are each small enough add up to a GiB at most.
 */
static void test_memory_of_many_blocks(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "malloc size=1073741820 = 0x100000000\n"
                         "malloc size=5 = 0x5000\n"
                         "malloc size=4 = 0x6000\n"
                         "malloc size=1 = 0x7000\n");
    stub_gl_expect_message("4: warning: the program's memory of 5 more bytes is too much\n");
    assert_int_equal(stub_gl.failures, 2);
}

/* What the program freed, or allocated again, does not count, and contains nothing when it is used again. */
static void test_memory_that_was_freed(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "malloc size=1073741800 = 0x100000000\n"
                         "free ptr=0x100000000\n"
                         "malloc size=1073741800 = 0x200000000\n"
                         "free ptr=0x200000000\n"
                         "malloc size=4 = 0x5000\n"
                         "memcpy dest=0x5000 src=#abcd n=4\n"
                         "realloc ptr=0x5000 size=6 = 0x5000\n"
                         "glBufferData target=34962 size=6 data=0x5000 usage=35044\n"
                         "malloc size=8 = 0x5000\n"
                         "glBufferData target=34962 size=8 data=0x5000 usage=35044\n"
                         "malloc size=1073741800 = 0x100000000\n");
    stub_gl_expect("glBufferData(0x8892, 'abcd..' of 6)\nglBufferData(0x8892, '........' of 8, zeros)\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* A deleted buffer is unmapped, and its memory is gone. */
static void test_deleted_while_mapped(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=3 buffer=[1,2,3]\n"
                         "glBindBuffer target=34962 buffer=1\n"
                         "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x5000\n"
                         "glBindBuffer target=34962 buffer=2\n"
                         "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x6000\n"
                         "glBindBuffer target=34962 buffer=3\n"
                         "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x7000\n"
                         "glDeleteBuffers n=2 buffers=[1,3]\n"
                         "memcpy dest=0x5000 src=#a n=1\n"
                         "memcpy dest=0x6000 src=#b n=1\n"
                         "memcpy dest=0x7000 src=#c n=1\n"
                         "glBindBuffer target=34962 buffer=2\n"
                         "glUnmapBuffer target=34962 = 1\n");
    stub_gl_expect_line("glUnmapBuffer(102: 'b.......' of 8)");
    stub_gl_expect_message("11: warning: memcpy: 0x5000 is not in a mapped buffer\n");
    stub_gl_expect_message("memcpy (2)");
}

/* Buffers end with the last context that shares them, and so do their mappings. */
static void test_mapped_when_contexts_end(void **state)
{
    static const char text[] = "glGenBuffers n=1 buffer=[1]\n"
                               "glBindBuffer target=34962 buffer=1\n"
                               "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x5000\n"
                               "glXCreateContext dpy=0x10 vis=0x0 shareList=%s direct=true = 0x31\n"
                               "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x31 = 1\n"
                               "glXDestroyContext dpy=0x10 ctx=0x30\n"
                               "memcpy dest=0x5000 src=#a n=1\n";
    (void)state;
    for (int shares = 0; shares < 2; ++shares) {
        char calls[900];
        snprintf(calls, sizeof calls, text, shares ? "0x30" : "0x0");
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        assert_int_equal(strstr(stub_gl.messages, "0x5000 is not in a mapped buffer") == NULL, shares);
    }
}

/* A mapping belongs to the buffer that is bound to the target: it ends with that one only. */
static void test_targets_of_mappings(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * BUFFER_BINDINGS; ++i) {
        char calls[600];
        unsigned target = buffer_bindings[i / 2].target;
        if (target == GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD)
            continue;
        snprintf(calls, sizeof calls,
                 "glGenBuffers n=2 buffer=[1,2]\n"
                 "glBindBuffer target=%u buffer=1\n"
                 "glMapBuffer target=%u access=35001 = 0x5000\n"
                 "glBindBuffer target=%u buffer=2\n"
                 "glMapBuffer target=%u access=35001 = 0x6000\n"
                 "glDeleteBuffers n=1 buffers=[1]\n"
                 "memcpy dest=0x5000 src=#a n=1\n"
                 "memcpy dest=0x6007 src=#bc n=2\n"
                 "glUnmapBuffer target=%u = 1\n"
                 "memcpy dest=0x6000 src=#d n=1\n",
                 target, target, target, target, target);
        stub_gl_reset("4.6");
        stub_gl.buffer_size = 8;
        for (size_t k = 0; k < BUFFER_BINDINGS; ++k)
            stub_gl.integers[buffer_bindings[k].binding] = i % 2 ? 101 : 0;
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line("glUnmapBuffer(102: '.......b' of 8)");
        stub_gl_expect_message("9: warning: memcpy: 0x5000 is not in a mapped buffer\n");
        stub_gl_expect_message("10: warning: memcpy: 2 bytes do not fit into the mapped buffer\n");
        stub_gl_expect_message("memcpy (2)");
    }
}

/* Named buffers are mapped and unmapped without being bound. Mappings of sizes that are none are ignored. */
static void test_named_buffers(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffer=[1]\n"
                         "glMapNamedBufferRange buffer=1 offset=0 length=8 access=2 = 0x5000\n"
                         "memcpy dest=0x5004 src=#abcd n=4\n"
                         "glUnmapNamedBuffer buffer=1 = 1\n"
                         "memcpy dest=0x5000 src=#abcd n=4\n"
                         "glMapNamedBuffer buffer=1 access=35001 = 0x6000\n"
                         "memcpy dest=0x6000 src=#efgh n=4\n"
                         "glNamedBufferData buffer=1 size=4 data=#xxxx usage=35044\n"
                         "memcpy dest=0x6000 src=#abcd n=4\n"
                         "glMapNamedBufferRange buffer=1 offset=0 length=0 access=2 = 0x7000\n"
                         "glMapNamedBufferRange buffer=1 offset=0 length=8 access=2 = 0x0\n"
                         "memcpy dest=0x7000 src=#abcd n=4\n");
    stub_gl_expect("glUnmapNamedBuffer(101: '....abcd' of 8)\n"
                   "glNamedBufferData(101: 'efgh....' of 8)\n");
    stub_gl_expect_message("memcpy (3)");
    assert_int_equal(stub_gl.failures, 3);
}

/* Without the memory of a mapping, nothing can be copied to it. */
static void test_refused_mappings(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.refuses_mappings = true;
    stub_gl_replay(NULL, "glGenBuffers n=1 buffer=[1]\n"
                         "glBindBuffer target=34962 buffer=1\n"
                         "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x5000\n"
                         "memcpy dest=0x5000 src=#abcd n=4\n");
    stub_gl_expect_message("5: warning: glMapBufferRange: the buffer cannot be mapped\n");
    assert_int_equal(stub_gl.failures, 2);
}

/* With an unpack buffer, pixels is an offset. Without one, an address has no meaning in a replay. */
static void test_unpack_buffer(void **state)
{
    (void)state;
#define IMAGE(pixels)                                                                                        \
    "glTexImage2D target=3553 level=0 internalformat=6408 width=2 height=2 border=0 format=6408 type=5121 "  \
    "pixels=" pixels "\n"
    stub_gl_reset("4.6");
    stub_gl_replay(
        NULL, IMAGE("#abcdefghijklmnop") "glGenBuffers n=1 buffer=[1]\n"
                                         "glBindBuffer target=35052 buffer=1\n" IMAGE(
                                             "0x40") "glBindBuffer target=35052 buffer=0\n" IMAGE("0x40"));
    stub_gl_expect("glTexImage2D(2 x 2, 'abcdefghijklmnop' of 16)\n"
                   "glBindBuffer(0x88ec, 101)\n"
                   "glTexImage2D(2 x 2, offset 64)\n"
                   "glBindBuffer(0x88ec, 0)\n");
    stub_gl_expect_message("'pixels' is an address in the traced program");
    assert_int_equal(stub_gl.failures, 1);
    /* The driver may have refused a name that no call has created. */
    stub_gl_reset("4.6");
    stub_gl.refused_buffer = 77;
    stub_gl_replay(NULL, "glBindBuffer target=35052 buffer=77\n" IMAGE("0x40"));
    stub_gl_expect("glBindBuffer(0x88ec, 77)\n");
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glBindBuffer target=35052 buffer=77\n" IMAGE("0x40"));
    stub_gl_expect("glBindBuffer(0x88ec, 77)\n"
                   "glTexImage2D(2 x 2, offset 64)\n");
#undef IMAGE
}

/* The same for a pack buffer. */
static void test_pack_buffer(void **state)
{
    (void)state;
#define READ "glReadPixels x=0 y=0 width=2 height=2 format=6408 type=5121 pixels=0x40\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffer=[1]\n" READ "glBindBuffer target=35051 buffer=1\n" READ);
    stub_gl_expect_line("glReadPixels(2 x 2, offset 64)");
#undef READ
}

/* Rows that are stored from the last to the first begin below the address, by those that are skipped. */
static void test_inverted_rows(void **state)
{
    (void)state;
    static const char *const parameters[] = {"34648", "37796"}; /* of Mesa, and of ANGLE */
    for (size_t i = 0; i < 2; ++i) {
        char calls[400];
        snprintf(calls, sizeof calls,
                 "glPixelStorei pname=%s param=1\n"
                 "glPixelStorei pname=3331 param=1048576\n"
                 "glReadPixels x=0 y=0 width=16 height=2 format=6408 type=5121 pixels=#abcdefgh\n"
                 "glReadPixels x=0 y=0 width=16 height=2 format=6408 type=5121 pixels=#abcdefgh\n",
                 parameters[i]);
        stub_gl_reset("4.6");
        stub_gl.pixel = 0x77;
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line("glReadPixels(16 x 2) of framebuffer 0, buffer 0x405, alignment 4, row length 0, "
                            "skips 1048576 and 0");
        assert_int_equal(stub_gl.failures, 0);
    }
}

/* The element buffer belongs to the vertex array. */
static void test_element_buffers_of_vertex_arrays(void **state)
{
    (void)state;
#define DRAW(indices) "glDrawElements mode=4 count=3 type=5123 indices=" indices "\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, DRAW("#abcdef") "glGenBuffers n=1 buffer=[1]\n"
                                         "glGenVertexArrays n=1 arrays=[2]\n"
                                         "glBindVertexArray array=2\n"
                                         "glBindBuffer target=34963 buffer=1\n" DRAW(
                                             "0x10") "glBindVertexArray array=0\n" DRAW("#ghijkl")
                                             DRAW("0x20") "glBindVertexArray array=2\n" DRAW("0x30"));
    stub_gl_expect("glDrawElements(3, 'abcdef' of 6)\n"
                   "glBindVertexArray(102)\n"
                   "glBindBuffer(0x8893, 101)\n"
                   "glDrawElements(3, offset 16)\n"
                   "glBindVertexArray(0)\n"
                   "glDrawElements(3, 'ghijkl' of 6)\n"
                   "glBindVertexArray(102)\n"
                   "glDrawElements(3, offset 48)\n");
    assert_int_equal(stub_gl.failures, 1);
#undef DRAW
}

/* Memory of the program that the driver was to use is copied. Other bindings stay. */
static void test_pinned_memory(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=2 buffers=[1,2]\n"
                         "glBindBuffer target=36663 buffer=2\n"
                         "glBindBuffer target=37216 buffer=1\n"
                         "glBufferData target=37216 size=4 data=#abcd usage=35044\n");
    stub_gl_expect("glBindBuffer(0x8f37, 102)\n"
                   "glBindBuffer(0x9160, 101)\n"
                   "glBindBuffer(0x8f37, 101)\n"
                   "glBufferData(0x8f37, 'abcd' of 4)\n"
                   "glBindBuffer(0x8f37, 102)\n");
    /* One that another context has deleted cannot be bound again. */
    stub_gl_reset("4.6");
    stub_gl.integers[GL_COPY_WRITE_BUFFER_BINDING] = stub_gl.gone = stub_gl.refused_buffer = 9;
    stub_gl_replay(NULL, "glGenBuffers n=1 buffers=[1]\n"
                         "glBindBuffer target=37216 buffer=1\n"
                         "glBufferData target=37216 size=4 data=#abcd usage=35044\n");
    stub_gl_expect_line("glBufferData(0x8f37, 'abcd' of 4)\nglBindBuffer(0x8f37, 0)");
    assert_int_equal(stub_gl.error, GL_NO_ERROR);
}

/* Draws from client arrays that the trace lacks are left out, unless the array is not enabled. */
static void test_missing_client_arrays(void **state)
{
    (void)state;
#define ARRAY "glVertexPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\n"
#define BLOB                                                                                                 \
    "glVertexPointer size=2 type=5126 stride=0 pointer=#000011110000111100001111000011110000111100001111\n"
#define DRAW    "glDrawArrays mode=4 first=0 count=1\n"
#define ELEMENT "glArrayElement i=5\n"
    static const struct {
        const char *calls, *log;
        unsigned failures;
    } cases[] = {
        {ARRAY ELEMENT DRAW, "", 2},
        {"glVertexPointer size=2 type=5126 stride=0 pointer=0x0\n" DRAW, "glVertexPointer(NULL)\n", 1},
        {ARRAY BLOB ELEMENT DRAW, "glVertexPointer(memory)\nglArrayElement(5)\nglDrawArrays(0, 1)\n", 0},
        {BLOB ARRAY DRAW, "glVertexPointer(memory)\n", 1},
        {ARRAY "glBegin mode=4\n" ELEMENT "glEnd\n" BLOB "glBegin mode=4\n" ELEMENT "glEnd\n",
         "glVertexPointer(memory)\nglArrayElement(5)\n", 1},
        {"glVertexPointer size=2 type=5126 stride=0 pointer=#0000111100001111\n"
         "glClientActiveTexture texture=33984\n" BLOB ELEMENT,
         "glVertexPointer(memory)\nglClientActiveTexture(0x84c0)\nglVertexPointer(memory)\nglArrayElement(5)"
         "\n",
         0},
        {"glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=0x7f0000001000\n" DRAW,
         "", 1},
        {"glVertexAttribPointer index=2 size=2 type=5126 normalized=0 stride=0 pointer=0x7f0000001000\n" DRAW,
         "glDrawArrays(0, 1)\n", 0},
        {"glGenBuffers n=1 buffers=[1]\n"
         "glBindBuffer target=34962 buffer=1\n"
         "glVertexPointer size=2 type=5126 stride=0 pointer=0x8\n" DRAW,
         "glBindBuffer(0x8892, 101)\nglVertexPointer(offset)\nglDrawArrays(0, 1)\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        stub_gl_replay(NULL, cases[i].calls);
        stub_gl_expect(cases[i].log);
        assert_int_equal(stub_gl.failures, cases[i].failures);
    }
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, ARRAY DRAW); /* disabled */
    stub_gl_expect("glDrawArrays(0, 1)\n");
    stub_gl_reset("4.6");
    stub_gl.attribute_buffer = 3; /* glBindVertexBuffer() has replaced the array */
    stub_gl_replay(NULL,
                   "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=0x0\n" DRAW);
    stub_gl_expect("glVertexAttribPointer(1, NULL)\nglDrawArrays(0, 1)\n");
    assert_int_equal(stub_gl.failures, 0);
#undef ARRAY
#undef BLOB
#undef DRAW
#undef ELEMENT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_client_arrays),
        cmocka_unit_test(test_copies_that_do_not_fit),
        cmocka_unit_test(test_memory_of_old_traces),
        cmocka_unit_test(test_memory_of_many_blocks),
        cmocka_unit_test(test_memory_that_was_freed),
        cmocka_unit_test(test_deleted_while_mapped),
        cmocka_unit_test(test_mapped_when_contexts_end),
        cmocka_unit_test(test_named_buffers),
        cmocka_unit_test(test_refused_mappings),
        cmocka_unit_test(test_unpack_buffer),
        cmocka_unit_test(test_pack_buffer),
        cmocka_unit_test(test_inverted_rows),
        cmocka_unit_test(test_element_buffers_of_vertex_arrays),
        cmocka_unit_test(test_pinned_memory),
        cmocka_unit_test(test_targets_of_mappings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
