/* SPDX-License-Identifier: MIT
 * Tests replays of objects: to which program the locations of a call belong, and names that are reused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

/* Locations of two kinds in one program have the same numbers in the trace, but not in the replay. */
static void test_kinds_of_locations(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glCreateProgram = 3\n"
                         "glGetUniformLocation program=3 name=\"a\" = 1\n"
                         "glGetUniformBlockIndex program=3 uniformBlockName=\"b\" = 1\n"
                         "glUseProgram program=3\n"
                         "glUniform1i location=1 v0=5\n"
                         "glUniformBlockBinding program=3 uniformBlockIndex=1 uniformBlockBinding=7\n");
    stub_gl_expect("location(101, a)\n"
                   "location(101, b)\n"
                   "glUseProgram(101)\n"
                   "glUniform1i(11, 5)\n"
                   "glUniformBlockBinding(101, 12, 7)\n");
}

/* A program whose binary was not loaded has its uniforms as soon as it is linked. */
static void test_locations_after_linking(void **state)
{
    (void)state;
#define FIND                                                                                                 \
    "glCreateProgram = 3\n"                                                                                  \
    "glGetUniformLocation program=3 name=\"a\" = 5\n"
#define LINK                                                                                                 \
    "glLinkProgram program=3\n"                                                                              \
    "glUseProgram program=3\n"                                                                               \
    "glUniform1i location=5 v0=8\n"
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, FIND LINK LINK);
    stub_gl_expect("location(101, a)\n"
                   "glLinkProgram(101)\n"
                   "location(101, a)\n"
                   "glUseProgram(101)\n"
                   "glUniform1i(0, 8)\n"
                   "glLinkProgram(101)\n"
                   "glUseProgram(101)\n"
                   "glUniform1i(0, 8)\n");
    /* Another program with the same name does not have them. */
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, FIND "glDeleteProgram program=3\nglCreateProgram = 3\n" LINK);
    stub_gl_expect("location(101, a)\n"
                   "glDeleteProgram(101)\n"
                   "glLinkProgram(102)\n"
                   "glUseProgram(102)\n"
                   "glUniform1i(5, 8)\n");
#undef FIND
#undef LINK
}

/* An import would close the descriptor, which belongs to something else in a replay. */
static void test_descriptors_are_not_imported(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glImportMemoryFdEXT memory=1 size=4096 handleType=38278 fd=1\n"
                         "glImportSemaphoreFdEXT semaphore=1 handleType=38278 fd=1\n");
    stub_gl_expect("");
}

/* If no program is in use, the active program of the bound pipeline counts. */
static void test_pipelines(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glCreateProgram = 3\n"
                         "glCreateProgram = 4\n"
                         "glGetUniformLocation program=3 name=\"a\" = 1\n"
                         "glGetUniformLocation program=4 name=\"a\" = 1\n"
                         "glGenProgramPipelines n=2 pipelines=[5,6]\n"
                         "glActiveShaderProgram pipeline=5 program=3\n"
                         "glActiveShaderProgram pipeline=6 program=4\n"
                         "glBindProgramPipeline pipeline=5\n"
                         "glUniform1i location=1 v0=0\n"
                         "glBindProgramPipeline pipeline=6\n"
                         "glUniform1i location=1 v0=1\n"
                         "glUseProgram program=3\n"
                         "glUniform1i location=1 v0=2\n"
                         "glUseProgram program=0\n"
                         "glUniform1i location=1 v0=3\n");
    stub_gl_expect("location(101, a)\n"
                   "location(102, a)\n"
                   "glActiveShaderProgram(103, 101)\n"
                   "glActiveShaderProgram(104, 102)\n"
                   "glBindProgramPipeline(103)\n"
                   "glUniform1i(11, 0)\n"
                   "glBindProgramPipeline(104)\n"
                   "glUniform1i(12, 1)\n"
                   "glUseProgram(101)\n"
                   "glUniform1i(11, 2)\n"
                   "glUseProgram(0)\n"
                   "glUniform1i(12, 3)\n");
}

/* A new program that reuses a name has none of the old one's locations. */
static void test_a_program_name_used_again(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glCreateProgram = 3\n"
                         "glGetUniformLocation program=3 name=\"a\" = 1\n"
                         "glDeleteProgram program=3\n"
                         "glCreateProgram = 3\n"
                         "glGetUniformLocation program=3 name=\"b\" = 2\n"
                         "glUseProgram program=3\n"
                         "glUniform1i location=1 v0=5\n"
                         "glUniform1i location=2 v0=6\n");
    stub_gl_expect("location(101, a)\n"
                   "glDeleteProgram(101)\n"
                   "location(102, b)\n"
                   "glUseProgram(102)\n"
                   "glUniform1i(1, 5)\n"
                   "glUniform1i(12, 6)\n");
}

/* A program that is deleted while in use keeps its name. Other objects do not. */
static void test_a_program_deleted_in_use(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glCreateProgram = 3\n"
                         "glGetUniformLocation program=3 name=\"a\" = 1\n"
                         "glUseProgram program=3\n"
                         "glDeleteProgram program=3\n"
                         "glUniform1i location=1 v0=5\n"
                         "glLinkProgram program=3\n"
                         "glGenTextures n=1 textures=[8]\n"
                         "glBindTexture target=3553 texture=8\n"
                         "glDeleteTextures n=1 textures=[8]\n"
                         "glBindTexture target=3553 texture=8\n");
    stub_gl_expect("location(101, a)\n"
                   "glUseProgram(101)\n"
                   "glDeleteProgram(101)\n"
                   "glUniform1i(11, 5)\n"
                   "glLinkProgram(101)\n"
                   "glBindTexture(0xde1, 102)\n"
                   "glDeleteTextures(102)\n"
                   "glBindTexture(0xde1, 8)\n");
}

/* SPIR-V, and binaries in a driver's own format, go to the driver as they are. */
static void test_shader_binaries(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glCreateShader type=35633 = 3\n"
                         "glCreateShader type=35632 = 4\n"
                         "glShaderBinary count=2 shaders=[3,4] binaryformat=38225 binary=#spirv length=5\n"
                         "glSpecializeShader shader=4 pEntryPoint=\"main\" numSpecializationConstants=2 "
                         "pConstantIndex=[5,6] pConstantValue=[7,8]\n"
                         "glShaderBinary count=1 shaders=[3] binaryformat=36800 binary=#own length=3\n");
    stub_gl_expect("glShaderBinary(101, 0x9551, 'spirv' of 5)\n"
                   "glShaderBinary(102, 0x9551, 'spirv' of 5)\n"
                   "glSpecializeShader(102, main)\n"
                   "constant 5: 7\n"
                   "constant 6: 8\n"
                   "glShaderBinary(101, 0x8fc0, 'own' of 3)\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* Arrays and strings that are shorter than what the driver reads are padded with zeros. */
static void test_short_memory(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glCreateProgram = 3\n"
                         "glUseProgram program=3\n"
                         "glUniform4fv location=1 count=3 value=[1.0,2.0]\n"
                         "glUniform4fv location=1 count=1 value=#abcde\n"
                         "glGetUniformLocation program=3 name=#abcdefgh = 1\n"
                         "glTexImage2D target=3553 level=0 internalformat=6408 width=64 height=64 border=0 "
                         "format=6408 type=5121 pixels=#abcd\n"
                         "glCreateShader type=35633 = 5\n"
                         "glShaderSource shader=5 count=2 string=[#ab,\"cd\"] length=[3000,-1]\n"
                         "glShaderSource shader=5 count=2 string=[#ef,#gh] length=0x0\n"
                         "glShaderSource shader=5 count=2 string=[\"ab\"] length=0x0\n");
    stub_gl_expect("glUseProgram(101)\n"
                   "glUniform4fv(1, 3, '.._?...@........' of 48)\n"
                   "glUniform4fv(1, 1, 'abcd............' of 16)\n"
                   "location(101, abcdefgh)\n"
                   "glTexImage2D(64 x 64, 'abcd............' of 16384)\n"
                   "glShaderSource(102, 'ab' of 2)\n"
                   "glShaderSource(102, 'cd' of 2)\n"
                   "glShaderSource(102, 'ef' of 2)\n"
                   "glShaderSource(102, 'gh' of 2)\n");
    stub_gl_expect_message("fewer strings than its count");
}

/* Handles of textures and of images are other ones in the replay; a uniform takes both. */
static void test_bindless_handles(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenTextures n=2 textures=[1,2]\n"
                         "glGetTextureHandleARB texture=1 = 5000000001\n"
                         "glGetImageHandleARB texture=2 level=0 layered=0 layer=0 format=32856 = 5000000002\n"
                         "glUniformHandleui64ARB location=-1 value=5000000001\n"
                         "glUniformHandleui64ARB location=-1 value=5000000002\n"
                         "glUniformHandleui64ARB location=-1 value=5000000003\n");
    stub_gl_expect("glUniformHandleui64ARB(-1, 0x700000065)\n"
                   "glUniformHandleui64ARB(-1, 0x900000066)\n"
                   "glUniformHandleui64ARB(-1, 0x12a05f203)\n");
}

/* They are also found in buffers and in numbers, unless they are so small that other numbers look like them.
 */
static void test_bindless_handles_in_memory(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(
        NULL, "glGenTextures n=2 textures=[1,2]\n"
              "glBufferData target=34962 size=8 data=#bbbbaaaa usage=35044\n"
              "glGetTextureHandleARB texture=1 = 7016996765310280290\n"
              "glGetImageHandleARB texture=2 level=0 layered=0 layer=0 format=32856 = 7161677110986433636\n"
              "glBufferData target=34962 size=12 data=#ddddcccczzzz usage=35044\n"
              "glBufferSubData target=34962 offset=4 size=13 data=#yyyybbbbaaaaz\n"
              "glBufferSubData target=34962 offset=4 size=9 data=#yybbbbaaa\n"
              "glGenBuffers n=1 buffer=[7]\n"
              "glBindBuffer target=34962 buffer=7\n"
              "glMapBufferRange target=34962 offset=0 length=16 access=2 = 0x5000\n"
              "~memcpy dest=0x5004 src=#bbbbaaaa n=8\n"
              "glUnmapBuffer target=34962 = 1\n"
              "glUniform2ui location=-1 v0=1650614882 v1=1633771873\n"
              "glUniform2ui location=-1 v0=1650614882 v1=7\n"
              "glUniform2uiv location=-1 count=1 value=[1650614882,1633771873]\n"
              "glVertexAttribL1ui64ARB index=3 x=7016996765310280290\n");
    stub_gl_expect("glBufferData(0x8892, 'bbbbaaaa' of 8)\n"
                   "glBufferData(0x8892, 'f..._...zzzz' of 12)\n"
                   "glBufferSubData(0x8892, 4, 'yyyye..._...z' of 13)\n"
                   "glBufferSubData(0x8892, 4, 'yybbbbaaa' of 9)\n"
                   "glBindBuffer(0x8892, 103)\n"
                   "glUnmapBuffer(103: '....e..._.......' of 16)\n"
                   "glUniform2ui(-1, 0x65, 0x7)\n"
                   "glUniform2ui(-1, 0x62626262, 0x7)\n"
                   "glUniform2uiv(-1, 1, 'e..._...' of 8)\n"
                   "glVertexAttribL1ui64ARB(3, 0x700000065)\n");
    /* What the program's memory has was mapped when it was written, and what is NULL has none. */
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   "glGenTextures n=2 textures=[1,2]\n"
                   "glGetTextureHandleARB texture=1 = 7016996765310280290\n"
                   "glGetImageHandleARB texture=2 level=0 layered=0 layer=0 format=32856 = 30064771173\n"
                   "malloc size=8 = 0x7f0000001000\n"
                   "memcpy dest=0x7f0000001000 src=#bbbbaaaa n=8\n"
                   "glBufferData target=34962 size=8 data=0x7f0000001000 usage=35044\n"
                   "glBufferData target=34962 size=8 data=null usage=35044\n");
    stub_gl_expect("glBufferData(0x8892, 'e..._...' of 8)\nglBufferData(0x8892, NULL)\n");
    stub_gl_reset("4.6"); /* the lowest number that only a handle has, and the one before */
    stub_gl_replay(NULL, "glGenTextures n=2 textures=[1,2]\n"
                         "glGetTextureHandleARB texture=1 = 4294967296\n"
                         "glGetTextureHandleARB texture=2 = 4294967295\n"
                         "glBufferData target=34962 size=8 data=$0000000001000000 usage=35044\n"
                         "glBufferData target=34962 size=8 data=$ffffffff00000000 usage=35044\n");
    stub_gl_expect("glBufferData(0x8892, 'e..._...' of 8)\nglBufferData(0x8892, '____....' of 8)\n");
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenTextures n=1 textures=[1]\n"
                         "glGetTextureHandleARB texture=1 = 5\n"
                         "glUniformHandleui64ARB location=-1 value=5\n"
                         "glUniform2ui location=-1 v0=5 v1=0\n");
    stub_gl_expect("glUniformHandleui64ARB(-1, 0x700000065)\n"
                   "glUniform2ui(-1, 0x5, 0)\n");
}

/* A binary that the trace's driver gave is loaded as the one that this driver gives for the same program. */
static void test_program_binaries(void **state)
{
    (void)state;
#define GET "glGetProgramBinary program=3 bufSize=99 length=[6] binaryFormat=[77] binary=#theirs\n"
    static const char load[] = "glProgramBinary program=4 binaryFormat=77 binary=#theirs length=6\n"
                               "glProgramBinary program=4 binaryFormat=77 binary=#theirz length=6\n";
    static const char programs[] = "glCreateProgram = 3\nglCreateProgram = 4\nglCreateProgram = 5\n";
    char text[600];
    stub_gl_reset("4.6");
    stub_gl.binary_length = 10;
    snprintf(text, sizeof text, "%s" GET GET "%s", programs, load);
    stub_gl_replay(NULL, text);
    stub_gl_expect("glProgramBinary(102, 9, '101' of 3)\n"
                   "glProgramBinary(102, 77, 'theirz' of 6)\n");
    stub_gl_expect_message("9: warning: the driver does not load this binary of program 4");
    assert_null(strstr(stub_gl.messages, "8: warning"));
    stub_gl_reset("4.6"); /* the driver has no binaries */
    snprintf(text, sizeof text, "%s" GET "%s", programs, load);
    stub_gl_replay(NULL, text);
    stub_gl_expect("glProgramBinary(102, 77, 'theirs' of 6)\n"
                   "glProgramBinary(102, 77, 'theirz' of 6)\n");
    stub_gl_expect_message("7: warning: the driver does not load this binary of program 4");
    stub_gl_reset("4.6"); /* a shorter one is another one, though it begins the same */
    stub_gl.binary_length = 10;
    snprintf(text, sizeof text, "%s" GET "glProgramBinary program=4 binaryFormat=77 binary=#their length=5\n",
             programs);
    stub_gl_replay(NULL, text);
    stub_gl_expect("glProgramBinary(102, 77, 'their' of 5)\n");
    snprintf(text, sizeof text, "%s" GET "%s", programs, load);
    for (GLint length = 2; length <= 3; ++length) { /* the binary has three bytes */
        stub_gl_reset("4.6");
        stub_gl.binary_length = length;
        stub_gl_replay(NULL, text);
        assert_int_equal(strstr(stub_gl.log, "glProgramBinary(102, 9, ") != NULL, length == 3);
    }
#undef GET
}

#define GET_BINARY  "glGetProgramBinary program=3 bufSize=99 length=[6] binaryFormat=[77] binary=#theirs\n"
#define LOAD_BINARY "glProgramBinary program=4 binaryFormat=77 binary=#theirs length=6\n"

static void replay_binary(const char *lacks, bool gives_no_binaries)
{
    stub_gl_reset("4.6");
    stub_gl.binary_length = 10;
    stub_gl.gives_no_binaries = gives_no_binaries;
    stub_gl.timers.lacks = lacks;
    stub_gl_replay(NULL, "glCreateProgram = 3\nglCreateProgram = 4\n" GET_BINARY LOAD_BINARY);
}

/* Where the driver gives none, the program's is loaded, of which the driver may not tell the status. */
static void test_drivers_without_binaries(void **state)
{
    static const char refused[] = "6: warning: the driver does not load this binary of program 4";
    static const char *const lacks[] = {NULL, "glGetProgramBinary", "glGetProgramiv"};
    (void)state;
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        replay_binary(lacks[i], true);
        stub_gl_expect("glProgramBinary(102, 77, 'theirs' of 6)\n");
        stub_gl_expect_message(refused);
    }
    replay_binary("glProgramBinary", false);
    stub_gl_expect("");
    assert_string_equal(stub_gl.messages,
                        "6: warning: glProgramBinary: the driver does not have this function\n"
                        "warning: 1 calls could not be replayed: glProgramBinary (1)\n");
}

/* Between glBegin() and glEnd(), the driver is not asked whether it has loaded a binary. */
static void test_binaries_in_primitives(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glCreateProgram = 4\nglBegin mode=4\n" LOAD_BINARY "glEnd\n");
    stub_gl_expect("glProgramBinary(101, 77, 'theirs' of 6)\n");
    assert_null(strstr(stub_gl.messages, "does not load"));
}

/* Vertex attributes are at the locations that the trace has, or a warning says so. */
static void test_locations_of_attributes(void **state)
{
    (void)state;
#define ASK(name, location) "glGetAttribLocation program=3 name=\"" name "\" = " location "\n"
    stub_gl_reset("4.6");
    stub_gl.next_location = 0;
    stub_gl_replay(NULL, "glCreateProgram = 3\n" ASK("a", "0") ASK("b", "0") ASK("c", "-1") ASK("d", "3"));
    assert_string_equal(stub_gl.messages, "5: warning: b is at location 1, but at 0 in the trace\n");
#undef ASK
}

/* The kind of an object is an argument. Names of unknown kinds are not translated: the driver refuses them.
 */
static void test_labels(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenBuffers n=1 buffers=[7]\n"
                         "glObjectLabel identifier=33504 name=7 length=1 label=\"x\"\n"
                         "glObjectLabel identifier=5 name=7 length=1 label=\"y\"\n");
    stub_gl_expect("label of 0x82e0, 101: x\n"
                   "label of 0x5, 7: y\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* As many names at once as a program may have, and no more. */
static void test_many_names(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenLists range=1048576 = 5000000\n"
                         "glCallList list=5000000\n"
                         "glCallList list=6048575\n"
                         "glGenLists range=1048577 = 8000000\n");
    stub_gl_expect("glCallList(101)\nglCallList(1048676)\n");
    stub_gl_expect_message("6: warning: glGenLists: too many objects at once: 1048577\n");
}

/* Those of EXT_framebuffer_object are shared, also with contexts that do not exist any more. A context that
 * has made one with this name has that. */
static void test_framebuffers_of_other_contexts(void **state)
{
    (void)state;
#define NEW(name, shared) "glXCreateContext dpy=0x10 vis=0x0 shareList=" #shared " direct=true = " #name "\n"
#define CURRENT(name)     "glXMakeCurrent dpy=0x10 drawable=77 ctx=" #name " = 1\n"
#define GENERATE          "glGenFramebuffers n=1 framebuffers=[5]\n"
#define BIND              "glBindFramebuffer target=36160 framebuffer=5\n"
#define DELETE            "glDeleteFramebuffers n=1 framebuffers=[5]\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, GENERATE NEW(0x31, 0x30) NEW(0x32, 0x30) NEW(0x33, 0x0) CURRENT(0x31)
                             BIND GENERATE BIND CURRENT(0x30) BIND CURRENT(0x33) BIND CURRENT(0x32)
                                 BIND CURRENT(0x31) "glXDestroyContext dpy=0x10 ctx=0x31\n" CURRENT(0x32)
                                     BIND DELETE BIND CURRENT(0x30) BIND);
    static const GLuint bound[] = {101, 102, 101, 5, 102, 102, 5, 101};
    const char *at = stub_gl.log;
    for (size_t i = 0; i < sizeof bound / sizeof *bound; ++i) {
        char line[100];
        snprintf(line, sizeof line, "glBindFramebuffer(0x8d40, %u)\n", bound[i]);
        at = strstr(at, "glBindFramebuffer(");
        if (at == NULL || strncmp(at, line, strlen(line)) != 0)
            fail_msg("binding %zu is not that of %u:\n%s", i, bound[i], stub_gl.log);
        at++;
    }
#undef NEW
#undef CURRENT
#undef GENERATE
#undef BIND
#undef DELETE
}

/* A name that was not generated is not that of an object that has the same number here. */
static void test_names_of_others(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenTextures n=1 textures=[2]\n"
                         "glBindTexture target=3553 texture=2\n"
                         "glDeleteTextures n=1 textures=[101]\n"
                         "glBindTexture target=3553 texture=101\n"
                         "glBindTexture target=3553 texture=1048575\n"
                         "glBindTexture target=3553 texture=102\n"
                         "glBindTexture target=3553 texture=2\n"
                         "glBindTexture target=3553 texture=101\n"
                         "glDeleteTextures n=1 textures=[101]\n"
                         "glDeleteTextures n=1 textures=[2]\n"
                         "glBindTexture target=3553 texture=101\n"
                         "glGenTextures n=1 textures=[101]\n"
                         "glBindTexture target=3553 texture=101\n");
    stub_gl_expect("glBindTexture(0xde1, 101)\n"
                   "glDeleteTextures(1048575)\n"
                   "glBindTexture(0xde1, 1048575)\n"
                   "glBindTexture(0xde1, 1048574)\n"
                   "glBindTexture(0xde1, 102)\n"
                   "glBindTexture(0xde1, 101)\n"
                   "glBindTexture(0xde1, 1048575)\n"
                   "glDeleteTextures(1048575)\n"
                   "glDeleteTextures(101)\n"
                   "glBindTexture(0xde1, 101)\n"
                   "glBindTexture(0xde1, 102)\n");
}

/* Calls that fail, as between glBegin() and glEnd(), neither make nor delete objects. */
static void test_failed_calls(void **state)
{
    static const struct replay_options check = {.check = true};
    (void)state;
    for (int checks = 0; checks < 2; ++checks) {
        stub_gl_reset("4.6");
        stub_gl_replay_printing(checks ? &check : NULL, "glGenTextures n=2 textures=[5,6]\n"
                                                        "glBegin mode=0\n"
                                                        "glGenTextures n=2 textures=[5,6]\n"
                                                        "glDeleteTextures n=1 textures=[6]\n"
                                                        "glEnd\n"
                                                        "glBindTexture target=3553 texture=5\n"
                                                        "glBindTexture target=3553 texture=6\n");
        stub_gl_expect("glDeleteTextures(102)\n"
                       "glBindTexture(0xde1, 101)\n"
                       "glBindTexture(0xde1, 102)\n");
    }
}

/* A name is one of a texture or of a renderbuffer, as its target says. */
static void test_copied_images(void **state)
{
    static const struct {
        const char *call;
        GLenum from, to;
        GLuint from_name, to_name;
    } cases[] = {
        {"glCopyImageSubData", GL_TEXTURE_2D, GL_RENDERBUFFER, 101, 104},
        {"glCopyImageSubDataEXT", GL_RENDERBUFFER, GL_TEXTURE_2D, 103, 102},
        {"glCopyImageSubDataOES", GL_RENDERBUFFER, GL_RENDERBUFFER, 103, 104},
        {"glCopyImageSubDataNV", GL_TEXTURE_2D, GL_TEXTURE_3D, 101, 102},
        {"glMulticastCopyImageSubDataNV srcGpu=5 dstGpuMask=6", GL_TEXTURE_2D, GL_RENDERBUFFER, 101, 104},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[500], log[100];
        snprintf(calls, sizeof calls,
                 "glGenTextures n=2 textures=[5,6]\nglGenRenderbuffers n=2 renderbuffers=[5,6]\n"
                 "%s srcName=5 srcTarget=%u srcLevel=1 srcX=0 srcY=0 srcZ=0 dstName=6 dstTarget=%u "
                 "dstLevel=2 dstX=0 dstY=0 dstZ=0 srcWidth=7 srcHeight=8 srcDepth=1\n",
                 cases[i].call, cases[i].from, cases[i].to);
        snprintf(log, sizeof log, "image of 0x%x, %u, 1 to 0x%x, %u, 2: 7 x 8 x 1\n", cases[i].from,
                 cases[i].from_name, cases[i].to, cases[i].to_name);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect(log);
    }
}

/* The kind of the object is the one that another argument identifies. */
static void test_identified_objects(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, "glGenTextures n=1 textures=[5]\nglGenBuffers n=1 buffers=[5]\n"
                         "glObjectLabel identifier=5890 name=5 length=-1 label=\"sky\"\n"
                         "glObjectLabel identifier=33504 name=5 length=-1 label=\"vertices\"\n"
                         "glObjectPurgeableAPPLE objectType=5890 name=5 option=35357 = 35357\n"
                         "glObjectPurgeableAPPLE objectType=34227 name=5 option=35357 = 35357\n");
    stub_gl_expect("label of 0x1702, 101: sky\n"
                   "label of 0x82e0, 102: vertices\n"
                   "purged 0x1702, 101: 0x8a1d\n"
                   "purged 0x85b3, 102: 0x8a1d\n");
}

/* A context that deletes its own framebuffer object leaves that of another one, which has the same name. */
static void test_deleted_framebuffers(void **state)
{
    (void)state;
#define SHARING(name) "glXCreateContext dpy=0x10 vis=0x20 shareList=0x30 direct=1 = " name "\n"
#define CURRENT(name) "glXMakeCurrent dpy=0x10 drawable=77 ctx=" name " = 1\n"
#define MAKE          "glGenFramebuffers n=1 framebuffers=[2]\n"
#define DELETE        "glDeleteFramebuffers n=1 framebuffers=[2]\n"
#define BIND          "glBindFramebuffer target=36160 framebuffer=2\n"
    static const struct {
        const char *calls;
        unsigned bound;
    } cases[] = {
        {MAKE CURRENT("0x40") MAKE CURRENT("0x30") DELETE CURRENT("0x50") BIND, 102},
        {MAKE CURRENT("0x40") MAKE DELETE CURRENT("0x30") BIND, 101},
        {MAKE DELETE CURRENT("0x50") BIND, 2},
        {MAKE CURRENT("0x40") DELETE CURRENT("0x50") BIND, 2},
        {MAKE CURRENT("0x40") MAKE CURRENT("0x50") DELETE CURRENT("0x40") BIND, 102},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[800], line[100];
        snprintf(calls, sizeof calls, SHARING("0x40") SHARING("0x50") "%s", cases[i].calls);
        snprintf(line, sizeof line, "glBindFramebuffer(0x8d40, %u)", cases[i].bound);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line(line);
    }
#undef SHARING
#undef CURRENT
#undef MAKE
#undef DELETE
#undef BIND
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_of_locations),
        cmocka_unit_test(test_locations_after_linking),
        cmocka_unit_test(test_descriptors_are_not_imported),
        cmocka_unit_test(test_pipelines),
        cmocka_unit_test(test_a_program_name_used_again),
        cmocka_unit_test(test_a_program_deleted_in_use),
        cmocka_unit_test(test_bindless_handles),
        cmocka_unit_test(test_bindless_handles_in_memory),
        cmocka_unit_test(test_program_binaries),
        cmocka_unit_test(test_drivers_without_binaries),
        cmocka_unit_test(test_binaries_in_primitives),
        cmocka_unit_test(test_shader_binaries),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_locations_of_attributes),
        cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_framebuffers_of_other_contexts),
        cmocka_unit_test(test_names_of_others),
        cmocka_unit_test(test_deleted_framebuffers),
        cmocka_unit_test(test_failed_calls),
        cmocka_unit_test(test_copied_images),
        cmocka_unit_test(test_identified_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
