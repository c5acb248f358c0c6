/* SPDX-License-Identifier: MIT
 * Tests calls that are replayed in a way of their own, when something about them is unusual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

struct handler_case {
    const char *calls, *log;
    const char *message; /* NULL: there is none */
};

static void expect(const struct handler_case *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        stub_gl_replay(NULL, cases[i].calls);
        stub_gl_expect(cases[i].log);
        assert_int_equal(stub_gl.failures, cases[i].message != NULL);
        if (cases[i].message == NULL)
            assert_string_equal(stub_gl.messages, "");
        else
            stub_gl_expect_message(cases[i].message);
    }
}
#define EXPECT(cases) expect(cases, sizeof(cases) / sizeof *(cases))

static void test_arrays(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glVertexPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\nglDrawArrays mode=4 first=0 "
         "count=1\n",
         "", "4: warning: glDrawArrays: the contents of a client array are not in the trace\n"},
        {"glBufferData target=37216 size=\"x\" data=null usage=0\n", "",
         "3: warning: glBufferData: argument 'size' has the wrong type\n"},
        {"glVertexPointer size=2 type=5126 stride=0 pointer=1.5\n", "",
         "3: warning: glVertexPointer: the pointer has the wrong type\n"},
        {"glVertexPointer size=2 type=5126 stride=0\n", "",
         "3: warning: glVertexPointer: the pointer has the wrong type\n"},
        {"glBindBuffer target=34962 buffer=1\nglVertexPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n",
         "glBindBuffer(0x8892, 1)\n",
         "4: warning: glVertexPointer: the pointer is client memory, but a buffer is bound\n"},
        /* the unit is the one of the call */
        {"glEnableClientStateiEXT array=32888 index=2\n",
         "glEnableClientStateiEXT(0x8078, 2)\nglClientActiveTexture(0x84c2)\nglClientActiveTexture(0x84c0)\n",
         NULL},
        {"glEnableClientState array=32888\n",
         "glClientActiveTexture(0x84c0)\nglClientActiveTexture(0x84c0)\n", NULL},
        {"glClientActiveTexture texture=33987\nglEnableClientState array=32888\n",
         "glClientActiveTexture(0x84c3)\nglClientActiveTexture(0x84c3)\nglClientActiveTexture(0x84c3)\n",
         NULL},
        {"glEnableClientState array=1\n", "", NULL},
    };
    EXPECT(cases);
}

/* The driver of such a context would take what is wrong. */
static void test_arrays_without_errors(void **state)
{
    (void)state;
#define REFUSED "glVertexPointer size=5 type=5126 stride=0 pointer=null\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 "
                         "attrib_list=[12723,1,0] = 0x50\n"
                         "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x50 = 1\n" REFUSED);
    stub_gl_expect_no_line("glVertexPointer");
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, REFUSED);
    stub_gl_expect("glVertexPointer(NULL)\n");
#undef REFUSED
}

/* The element buffer is that of the array object, however it changes. */
static void test_element_buffers(void **state)
{
    (void)state;
#define BUFFER  "glGenVertexArrays n=1 arrays=[2]\nglBindVertexArray array=2\nglGenBuffers n=1 buffers=[1]\n"
#define OFFSET  "glDrawElements mode=4 count=1 type=5125 indices=0x40\n"
#define INDICES "glDrawElements mode=4 count=1 type=5121 indices=#a\n"
    static const struct handler_case cases[] = {
        {BUFFER INDICES "glVertexArrayElementBuffer vaobj=2 buffer=1\n" OFFSET,
         "glBindVertexArray(101)\nglDrawElements(1, 'a' of 1)\nglDrawElements(1, offset 64)\n", NULL},
        {BUFFER "glBindBuffer target=34963 buffer=1\n" OFFSET "glDeleteVertexArrays n=1 arrays=[2]\n" INDICES,
         "glBindVertexArray(101)\nglBindBuffer(0x8893, 102)\nglDrawElements(1, offset "
         "64)\nglBindVertexArray(0)\n"
         "glDrawElements(1, 'a' of 1)\n",
         NULL},
    };
    EXPECT(cases);
#undef BUFFER
#undef OFFSET
#undef INDICES
}

/* Parameters of draws in the program's memory. A letter in each byte makes very many vertices. */
static void test_parameters_in_memory(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glVertexPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n"
         "glDrawArraysIndirect mode=4 indirect=#aaaaaaaaaaaaaaaa\n",
         "glVertexPointer(memory)\n",
         "glDrawArraysIndirect: a client array has fewer vertices than it reads"},
    };
    EXPECT(cases);
}

/* Each target has a binding of its own. Memory of the program is an error then, as an offset is expected. */
static void test_bindings(void **state)
{
    (void)state;
    static const struct {
        GLenum target;
        const char *call;
    } cases[] = {
        {GL_ARRAY_BUFFER, "glVertexPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n"},
        {GL_ELEMENT_ARRAY_BUFFER, "glDrawElements mode=4 count=1 type=5121 indices=#a\n"},
        {GL_PIXEL_PACK_BUFFER, "glReadPixels x=0 y=0 width=1 height=1 format=6408 type=5121 pixels=#abcd\n"},
        {GL_PIXEL_UNPACK_BUFFER, "glTexImage2D target=3553 level=0 internalformat=6408 width=1 height=1 "
                                 "border=0 format=6408 type=5121 "
                                 "pixels=#abcd\n"},
        {GL_DRAW_INDIRECT_BUFFER, "glDrawArraysIndirect mode=4 indirect=#aaaaaaaaaaaaaaaa\n"},
        {GL_QUERY_BUFFER, "glGetQueryObjectuiv id=5 pname=34918 params=[1]\n"},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    for (unsigned bound = 0; bound < CASES; ++bound)
        for (unsigned called = 0; called < CASES; ++called) {
            char calls[400];
            snprintf(calls, sizeof calls,
                     "glGenBuffers n=1 buffers=[1]\nglPushClientAttrib mask=1\nglIsBuffer buffer=1 = 1\n"
                     "glBindBuffer target=%u buffer=1\n%s",
                     cases[bound].target, cases[called].call);
            stub_gl_reset("4.6");
            stub_gl.last_name = 4;
            stub_gl_replay(NULL, calls);
            if (stub_gl.failures != (bound == called))
                fail_msg("%s%s", calls, stub_gl.messages);
        }
}

/* Strings end where the trace's do. */
static void test_strings(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glShaderSource shader=5 count=2 string=[\"abc\",\"\"] length=[9,1]\n",
         "glShaderSource(5, 'abc' of 3)\nglShaderSource(5, '' of 0)\n", NULL},
        {"glShaderSource shader=5 count=2 string=[\"abc\",\"de\"] length=[2,-1]\n",
         "glShaderSource(5, 'ab' of 2)\nglShaderSource(5, 'de' of 2)\n", NULL},
        {"glShaderSource shader=5 count=2 string=[\"abc\"] length=null\n", "",
         "glShaderSource: there are fewer strings than its count"},
        {"glShaderSource shader=5 count=1 string=[] length=null\n", "",
         "glShaderSource: there are fewer strings than its count"},
        {"glShaderSource shader=5 count=0 string=[] length=null\n", "", NULL},
        {"glShaderSource shader=5 count=1 string=[\"abc\"] length=null\n", "glShaderSource(5, 'abc' of 3)\n",
         NULL},
        {"glShaderSource shader=5 count=2 string=[null,\"abc\"] length=[7,2]\n",
         "glShaderSource(5, NULL)\nglShaderSource(5, 'ab' of 2)\n", NULL},
        {"glShaderSource shader=5 count=2 string=[null,\"abc\"] length=null\n",
         "glShaderSource(5, NULL)\nglShaderSource(5, 'abc' of 3)\n", NULL},
    };
    EXPECT(cases);
}

/* The driver does not say of what it has no function. */
static void test_unknown_sizes(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glGetBufferParameteriv";
    stub_gl.buffer_size = 8;
    stub_gl_replay(NULL, "glGenBuffers n=1 buffers=[2]\nglBindBuffer target=34962 buffer=2\n"
                         "glMapBuffer target=34962 access=35001 = 0x5000\n"
                         "memcpy dest=0x5000 src=#a n=1\n");
    stub_gl_expect_message("memcpy: 0x5000 is not in a mapped buffer");
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glGetNamedBufferParameteriv";
    stub_gl_replay(NULL, "glGenBuffers n=1 buffers=[2]\nglMapNamedBuffer buffer=2 access=35001 = 0x5000\n"
                         "memcpy dest=0x5000 src=#a n=1\n");
    stub_gl_expect_message("memcpy: 0x5000 is not in a mapped buffer");
    assert_int_equal(stub_gl.failures, 1);
}

/* A mode that there is not is an error: no primitive begins, and the driver can be asked. */
static void test_wrong_primitives(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glTexImage2D target=3553 level=0 internalformat=6408 width=1 height=2 border=0 format=6408 "
         "type=5121 "
         "pixels=#abcdefgh\n"
         "glBegin mode=99\nglPixelStorei pname=3314 param=99999999\n"
         "glTexImage2D target=3553 level=0 internalformat=6408 width=1 height=2 border=0 format=6408 "
         "type=5121 "
         "pixels=#abcdefgh\n",
         "glTexImage2D(1 x 2, 'abcdefgh' of 8)\nglPixelStorei(0xcf2, 99999999)\n",
         "6: warning: glTexImage2D: 'pixels' is too long\n"},
    };
    EXPECT(cases);
}

static void test_memory(void **state)
{
    (void)state;
#define MAP                                                                                                  \
    "glGenBuffers n=1 buffers=[2]\nglBindBuffer target=34962 buffer=2\n"                                     \
    "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x5000\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, MAP "memcpy dest=0x5000 src=7 n=2\n");
    stub_gl_expect_message("6: warning: memcpy: the source is not a blob\n");
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, MAP "memcpy dest=0x5004 src=#abcdef n=6\n");
    stub_gl_expect_message("6: warning: memcpy: 6 bytes do not fit into the mapped buffer\n");
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("4.6"); /* new storage for a buffer that no target of its own tells: this one stays */
    stub_gl_replay(NULL, MAP "glBufferData target=37216 size=2 data=#zz usage=35044\n"
                             "memcpy dest=0x5004 src=#abcd n=4\n"
                             "glUnmapBuffer target=34962 = 1\n");
    stub_gl_expect_line("glUnmapBuffer(101: '....abcd' of 8)");
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glBindBuffer";
    stub_gl_replay(NULL, "glBufferData target=37216 size=2 data=#zz usage=35044\n");
    stub_gl_expect("");
    assert_int_equal(stub_gl.rc, 0);
#undef MAP
}

/* Of the program's heap, there is what it has got and has not freed. */
static void test_heap(void **state)
{
    (void)state;
#define NEW(address)   "malloc size=8 = " address "\nmemcpy dest=" address " src=#abcdefgh n=8\n"
#define WRITE(address) "memcpy dest=" address " src=#z n=1\n"
#define SHOW(address)  "glBufferData target=34962 size=8 data=" address " usage=35044\n"
    static const struct handler_case cases[] = {
        {"malloc size=0 = 0x7f0000001000\n" WRITE("0x7f0000001000"), "",
         "memcpy: 0x7f0000001000 is not in a mapped buffer"},
        {"malloc size=8 = 0x0\n" WRITE("0x0"), "", "memcpy: 0x0 is not in a mapped buffer"},
        {NEW("0x7f0000001000") "realloc ptr=0x7f0000001000 size=4 = 0x7f0000002000\n" SHOW("0x7f0000002000"),
         "glBufferData(0x8892, 'abcd....' of 8)\n", NULL},
        {NEW("0x7f0000001000") "realloc ptr=0x7f0000001000 size=16 = 0x7f0000001000\n" SHOW("0x7f0000001000"),
         "glBufferData(0x8892, 'abcdefgh' of 8)\n", NULL},
        {NEW("0x7f0000001000") "realloc ptr=0x7f0000001004 size=8 = 0x7f0000002000\n" SHOW("0x7f0000002000"),
         "glBufferData(0x8892, 'efgh....' of 8)\n", NULL}, /* a damaged trace */
        {NEW("0x7f0000001000") "realloc ptr=0x7f0000001000 size=0 = 0x0\n" WRITE("0x7f0000001000"), "",
         "memcpy: 0x7f0000001000 is not in a mapped buffer"},
        {NEW("0x7f0000001000") "realloc ptr=0x7f0000001000 size=8 = 0x0\n" WRITE("0x7f0000001000"), "",
         "memcpy: 0x7f0000001000 is not in a mapped buffer"},
        {"realloc ptr=0x0 size=8 = 0x7f0000002000\n" SHOW("0x7f0000002000"),
         "glBufferData(0x8892, '........' of 8, zeros)\n", NULL},
    };
    EXPECT(cases);
#undef NEW
#undef WRITE
#undef SHOW
}

static void test_fences(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glClientWaitSync sync=0x0 flags=0 timeout=5 = 37146\n", "", "glClientWaitSync: no such fence"},
        {"glClientWaitSync sync=0x5 flags=0 timeout=5 = 37147\n", "", NULL}, /* it took too long */
    };
    EXPECT(cases);
}

/* What the program was not told is not asked for. */
static void test_binaries(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glGetProgramBinary program=3 bufSize=0 length=[0] binaryFormat=[0] binary=null\n", "", NULL},
        {"glGetProgramBinary program=3 bufSize=0 length=[0] binaryFormat=[0] binary=#\n", "", NULL},
        {"glProgramBinary program=3 binaryFormat=9 binary=null length=0\n", "glProgramBinary(3, 9, NULL)\n",
         NULL},
    };
    EXPECT(cases);
}

/* What has no effect in a replay is no failure either. */
static void test_ignored_calls(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glXSwapIntervalMESA interval=1 = 0\nglXWaitX\neglWaitGL = 1\nglFlush\n", "", NULL},
        {"glImportMemoryFdEXT memory=1 size=8 handleType=38278 fd=5\n", "",
         "it imports what another process or API has exported"},
    };
    EXPECT(cases);
}

/* Plain addresses are offsets, memory that the trace has, or what is only in the program. */
static void test_plain_addresses(void **state)
{
    (void)state;
#define COUNTED(address)                                                                                     \
    "glMultiDrawArraysIndirectCount mode=4 indirect=" address " drawcount=0 maxdrawcount=7 stride=0\n"
    static const struct handler_case cases[] = {
        {COUNTED("0x40"), "glMultiDrawArraysIndirectCount(offset 64, 7)\n", NULL},
        {COUNTED("64"), "glMultiDrawArraysIndirectCount(offset 64, 7)\n", NULL},
        {COUNTED("null"), "glMultiDrawArraysIndirectCount(offset 0, 7)\n", NULL},
        {COUNTED("#abcd"), "glMultiDrawArraysIndirectCount('abcd' of 4, 7)\n", NULL},
        {"malloc size=8 = 0x7f0000002000\nmemcpy dest=0x7f0000002000 src=#wxyz n=4\n" COUNTED(
             "0x7f0000002000"),
         "glMultiDrawArraysIndirectCount('wxyz' of 4, 7)\n", NULL},
        {COUNTED("0x7f0000002000"), "",
         "glMultiDrawArraysIndirectCount: 'indirect' is an address in the traced program"},
        {COUNTED("1.5"), "", "glMultiDrawArraysIndirectCount: argument 'indirect' has the wrong type"},
    };
    EXPECT(cases);
#undef COUNTED
}

/* Elements of arrays. */
static void test_wrong_elements(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glUniform2uiv location=1 count=1 value=[\"a\",\"b\"]\n", "",
         "glUniform2uiv: argument 'value' has the wrong type"},
        {"glUniform2uiv location=1 count=1 value=1.5\n", "",
         "glUniform2uiv: argument 'value' has the wrong type"},
        {"glShaderSource shader=5 count=2 string=[1,2] length=null\n", "",
         "glShaderSource: argument 'string' has the wrong type"},
        {"glShaderSource shader=5 count=2 string=[\"a\",1] length=null\n", "",
         "glShaderSource: argument 'string' has the wrong type"},
        {"glShaderSource shader=5 count=1 string=#abc length=null\n", "",
         "glShaderSource: argument 'string' has the wrong type"},
        {"glMultiDrawElements mode=4 count=[1] type=5121 indices=[\"a\"] drawcount=1\n", "",
         "glMultiDrawElements: argument 'indices' has the wrong type"},
        {"glMultiDrawElements mode=4 count=[1] type=5121 indices=#abc drawcount=1\n", "",
         "glMultiDrawElements: argument 'indices' has the wrong type"},
        {"glInterleavedArrays format=\"x\" stride=0 pointer=0x7f0000001000\n", "",
         "glInterleavedArrays: argument 'format' has the wrong type"},
        {"glGenBuffers n=1 buffers=null\n", "", NULL},
        {"glGetUniformLocation program=3 name=[97,98] = 1\n", "",
         "glGetUniformLocation: argument 'name' has the wrong type"},
        {"glUniform2uiv location=1 count=1 value=\"text\"\n", "",
         "glUniform2uiv: argument 'value' has the wrong type"},
        {"glBufferData target=34962 size=4 data=[1,2,3,4] usage=35044\n", "",
         "glBufferData: argument 'data' has the wrong type"},
        {"glMultiDrawElements mode=4 count=[1,1] type=5121 indices=[0x40,0x41] drawcount=2\n", "",
         "glMultiDrawElements: 'indices' holds addresses of the traced program"},
        {"glBufferStorageExternalEXT target=34962 offset=0 size=8 clientBuffer=0x5000 flags=0\n", "",
         "glBufferStorageExternalEXT: 'clientBuffer' is an address in the traced program"},
    };
    EXPECT(cases);
}

/* Where a pointer is an address of memory that the trace has, that is passed on, if it can be. */
static void test_arguments_in_memory(void **state)
{
    (void)state;
#define MEMORY "malloc size=8 = 0x7f0000002000\nmemcpy dest=0x7f0000002000 src=#wxyzWXYZ n=8\n"
    static const struct handler_case cases[] = {
        {MEMORY "glUniform2uiv location=1 count=1 value=0x7f0000002000\n",
         "glUniform2uiv(1, 1, 'wxyzWXYZ' of 8)\n", NULL},
        {MEMORY "glUniform2uiv location=1 count=1 value=0x7f0000002004\n", /* half of it is there */
         "glUniform2uiv(1, 1, 'WXYZ....' of 8)\n", NULL},
        {MEMORY "glBufferData target=34962 size=8 data=0x7f0000002004 usage=35044\n",
         "glBufferData(0x8892, 'WXYZ....' of 8)\n", NULL},
        {MEMORY "glShaderSource shader=5 count=1 string=0x7f0000002000 length=null\n", "",
         "glShaderSource: argument 'string' has the wrong type"},
        {MEMORY "glGetUniformLocation program=3 name=0x7f0000002000 = 1\n", "",
         "glGetUniformLocation: argument 'name' has the wrong type"},
        {MEMORY "glMultiDrawElements mode=4 count=[1] type=5121 indices=0x7f0000002000 drawcount=1\n", "",
         "glMultiDrawElements: argument 'indices' has the wrong type"},
    };
    EXPECT(cases);
#undef MEMORY
}

#define LONG                                                                                                 \
    "aaaaaaaabbbbbbbbccccccccddddddddeeeeeeeeffffffffgggggggghhhhhhhhiiiiiiiijjjjjjjj" /* 80 bytes           \
                                                                                        */

/* Values that are as long as what is behind short ones, and texts for bytes. */
static void test_long_arguments(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glBufferData target=34962 size=80 data=#" LONG " usage=35044\n",
         "glBufferData(0x8892, 'aaaaaaaabbbbbbbb' of 80)\n", NULL},
        {"glBufferData target=34962 size=82 data=#" LONG " usage=35044\n",
         "glBufferData(0x8892, 'aaaaaaaabbbbbbbb' of 82)\n", NULL},
        {"glBufferData target=34962 size=6 data=\"abcd\" usage=35044\n",
         "glBufferData(0x8892, 'abcd..' of 6)\n", NULL},
        {"glGetUniformLocation program=3 name=#" LONG " = 1\n", "location(3, " LONG ")\n", NULL},
        {"glShaderSource shader=5 count=1 string=[#" LONG "] length=null\n",
         "glShaderSource(5, 'aaaaaaaabbbbbbbb' of 80)\n", NULL},
        {"glMultiDrawElements mode=4 count=[80] type=5121 indices=[#" LONG "] drawcount=1\n",
         "glMultiDrawElements(80, 'aaaaaaaabbbbbbbb' of 80)\n", NULL},
        {"glMultiDrawElements mode=4 count=[82] type=5121 indices=[#" LONG "] drawcount=1\n",
         "glMultiDrawElements(82, 'aaaaaaaabbbbbbbb' of 82)\n", NULL},
    };
    EXPECT(cases);
}
#undef LONG

/* Offsets may be recorded as numbers. */
static void test_offsets(void **state)
{
    (void)state;
    static const struct handler_case cases[] = {
        {"glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34963 buffer=1\n"
         "glMultiDrawElements mode=4 count=[2] type=5125 indices=[64] drawcount=1\n",
         "glBindBuffer(0x8893, 101)\nglMultiDrawElements(2, offset 64)\n", NULL},
        {"glGenBuffers n=1 buffers=[1]\nglBindBuffer target=35051 buffer=1\n"
         "glReadPixels x=0 y=0 width=2 height=2 format=6408 type=5121 pixels=64\n",
         "glBindBuffer(0x88eb, 101)\nglReadPixels(2 x 2, offset 64)\n", NULL},
    };
    EXPECT(cases);
}

/* An output of a wrong type gets memory, too, and one whose length only the driver knows. */
static void test_outputs(void **state)
{
    (void)state;
    static const struct replay_options check = {.check = true};
    stub_gl_reset("4.6");
    stub_gl_replay_printing(&check, "glGetIntegerv pname=2967 params=1.5\n"
                                    "glGetIntegerv pname=2967 params=7\n");
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.differing_calls, 0);
    stub_gl_reset("4.6");
    stub_gl.texture_side = 512; /* a megabyte */
    stub_gl.timers.lacks = "glGetTexLevelParameteriv";
    stub_gl_replay_printing(
        &check, "glGetTexImage target=3553 level=0 format=6408 type=5121 pixels=0x7f0000001000\n");
    assert_int_equal(stub_gl.failures, 0);
    assert_int_equal(stub_gl.rc, 0);
}

/* Results of queries that are read. */
static void test_wrong_queries(void **state)
{
    (void)state;
#define RESULT(id, value) "glGetQueryObjectiv id=" id " pname=34918 params=[" value "]\n"
    static const struct replay_options checks = {.query_handling = QUERY_CHECK},
                                       runs = {.query_handling = QUERY_RUN};
    static const struct replay_options *const options[] = {&checks, &runs};
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(options[i], RESULT("\"x\"", "1"));
        stub_gl_expect_message("glGetQueryObjectiv: argument 'id' has the wrong type");
        assert_int_equal(stub_gl.failures, 1);
        stub_gl_reset("4.6");
        stub_gl.timers.lacks = "glGetQueryObjectiv";
        stub_gl_replay(options[i], "glGenQueries n=1 ids=[5]\nglBeginQuery target=35092 id=5\n"
                                   "glEndQuery target=35092\n" RESULT("5", "1"));
        stub_gl_expect_message("glGetQueryObjectiv: the driver does not have this function");
        assert_int_equal(stub_gl.failures, 1);
    }
#undef RESULT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays),           cmocka_unit_test(test_arrays_without_errors),
        cmocka_unit_test(test_element_buffers),  cmocka_unit_test(test_parameters_in_memory),
        cmocka_unit_test(test_wrong_primitives), cmocka_unit_test(test_bindings),
        cmocka_unit_test(test_strings),          cmocka_unit_test(test_unknown_sizes),
        cmocka_unit_test(test_memory),           cmocka_unit_test(test_fences),
        cmocka_unit_test(test_binaries),         cmocka_unit_test(test_ignored_calls),
        cmocka_unit_test(test_plain_addresses),  cmocka_unit_test(test_wrong_elements),
        cmocka_unit_test(test_wrong_queries),    cmocka_unit_test(test_arguments_in_memory),
        cmocka_unit_test(test_long_arguments),   cmocka_unit_test(test_heap),
        cmocka_unit_test(test_offsets),          cmocka_unit_test(test_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
