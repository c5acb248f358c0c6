/* SPDX-License-Identifier: MIT
 * Tests --check of answers of rare types, of several answers of a call, and the texts of the report.
 */
#include "check_expect.h"
#include "windows/window_system.h"

static void expect_text(const char *calls, unsigned compared, unsigned differing, const char *whole)
{
    stub_gl_reset("4.6");
    expect(&check, calls, compared, differing);
    assert_string_equal(stub_gl.printed, whole);
}

/* --- types ---------------------------------------------------------------------------------------------- */

static void test_large_numbers(void **state)
{
    (void)state;
#define GET_LARGE(first) "glGetVertexAttribLui64vARB index=2 pname=34342 params=[" first ",3,4,5]\n"
    expect_text(GET_LARGE("-5"), 1, 0, "Checked 1 answers\nNo differences\n");
    expect_text(GET_LARGE("-6"), 1, 1,
                "3: difference: glGetVertexAttribLui64vARB: params[0] is 18446744073709551611, but "
                "18446744073709551610 in the trace (1 of 4 differ)\n"
                "Checked 1 answers\n1 calls differ: glGetVertexAttribLui64vARB (1)\n");
#undef GET_LARGE
}

/* A tolerance is for floats. */
static void test_tolerance_of_numbers(void **state)
{
    static const struct replay_options large = {.check = true, .tolerance = 0.5};
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.integers[2967] = 4;
    expect(&large, GET(2967, 5) "glGetDoublev pname=2967 params=[5.0]\n", 2, 1);
    expect_printed("glGetIntegerv: data[0] is 4, but 5 in the trace (1 of 1 differ)");
    expect_printed("1 calls differ: glGetIntegerv (1)\n");
}

/* Results may be recorded as numbers of several types. What is no number is not compared. */
static void test_results(void **state)
{
    static const struct {
        const char *calls;
        unsigned compared, differing;
    } cases[] = {
        {"glGetPathLengthNV path=1 startSegment=0 numSegments=1 = 1.5\n", 1, 0},
        {"glGetPathLengthNV path=1 startSegment=0 numSegments=1 = 2.5\n", 1, 1},
        {"glGetPathLengthNV path=1 startSegment=0 numSegments=1 = 1\n", 1, 1},
        {"glIsEnabled cap=3553 = 0\n", 1, 0},
        {"glIsEnabled cap=3553 = false\n", 1, 0},
        {"glIsEnabled cap=3553 = true\n", 1, 1},
        {"glIsEnabled cap=3553 = -1\n", 1, 1},
        {"glIsEnabled cap=3553 = \"no\"\n", 0, 0},
        {"glIsEnabled cap=3553 = 0x0\n", 0, 0},
        {"glIsEnabled cap=3553 = [0]\n", 0, 0},
        {"glIsEnabled cap=3553\n", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        expect(&check, cases[i].calls, cases[i].compared, cases[i].differing);
        assert_int_equal(stub_gl.answers[CHECK_POINTER], i >= 7 && i < 10);
    }
    expect_text("glGetPathLengthNV path=1 startSegment=0 numSegments=1 = 2.5\n", 1, 1,
                "3: difference: glGetPathLengthNV: returned 1.5, but 2.5 in the trace\n"
                "Checked 1 answers\n1 calls differ: glGetPathLengthNV (1)\n");
}

/* Outputs are arrays of the right kind. There is nothing to compare in an empty one. */
static void test_odd_outputs(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, "glGetIntegerv pname=2967 params=[]\n", 0, 0);
    stub_gl_reset("4.6");
    expect(&check, GET(2967, 0) "glGetIntegerv pname=2967 params=null\n", 1, 0);
    stub_gl_reset("4.6");
    expect(&check, "glReadPixels x=0 y=0 width=1 height=1 format=6408 type=5121 pixels=[1,2,3,4]\n", 0, 0);
    stub_gl_reset("4.6");
    expect(&check, "glReadPixels x=0 y=0 width=1 height=1 format=6408 type=5121 pixels=null\n", 0, 0);
    stub_gl_reset("4.6");
    expect(&check,
           "glGetActiveAttrib program=0 index=0 bufSize=9 length=[3] size=[3] type=[5126] "
           "name=[97,98,99]\n",
           3, 0);
    stub_gl_reset("4.6"); /* each byte counts, unless there is a tolerance */
    stub_gl.pixel = 0x41;
    expect(&check, "glReadPixels x=0 y=0 width=1 height=1 format=6408 type=5123 pixels=#AAABAAAA\n", 1, 1);
    expect_printed("pixels: 1 of 8 bytes differ, the first at 3: 0x41, but 0x42 in the trace\n");
}

/* Integers may be recorded as fractions, or as the bytes of all of them. */
static void test_integers_of_other_types(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.integers[2967] = -5;
    expect(&check, GET(2967, -5.0), 1, 0);
    stub_gl_reset("4.6");
    stub_gl.integers[2967] = 5;
    expect(&check, "glGetIntegerv pname=2967 params=$05000000\n", 1, 0);
    expect_text("glGetIntegerv pname=2967 params=$00060000\n", 1, 1,
                "3: difference: glGetIntegerv: data: 1 of 4 bytes differ, the first at 1: 0x00, but 0x06 in "
                "the trace\nChecked 1 answers\n1 calls differ: glGetIntegerv (1)\n");
}

/* Names of shaders are those of the trace. */
static void test_names(void **state)
{
    (void)state;
#define GET_SHADERS(first, second)                                                                           \
    "glCreateShader type=35633 = 5\nglCreateShader type=35632 = 6\n"                                         \
    "glGetAttachedShaders program=0 maxCount=2 count=[2] shaders=[" first "," second "]\n"
    stub_gl_reset("4.6");
    expect(&check, GET_SHADERS("6", "5"), 2, 0);
    assert_int_equal(stub_gl.answers[CHECK_NAME], 2);
    expect_printed("Checked 2 answers; not compared: 2 new names\nNo differences\n");
    stub_gl_reset("4.6");
    expect(&check, GET_SHADERS("5", "5"), 2, 1);
    expect_printed("shaders[0] is 102, but 101 in the trace (1 of 2 differ)\n");
#undef GET_SHADERS
}

/* What is attached is a texture or a renderbuffer, as the driver says. */
static void test_names_of_attachments(void **state)
{
    static const char *const calls[] = {"glGetFramebufferAttachmentParameteriv target=36160",
                                        "glGetFramebufferAttachmentParameterivOES target=36160",
                                        "glGetNamedFramebufferAttachmentParameteriv framebuffer=0"};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        for (int is_texture = 0; is_texture < 2; ++is_texture) {
            char text[300];
            snprintf(text, sizeof text,
                     "glGenTextures n=2 textures=[21,22]\nglGenRenderbuffers n=2 renderbuffers=[22,21]\n"
                     "%s attachment=36064 pname=36049 params=[%d]\n",
                     calls[i], is_texture ? 21 : 22);
            stub_gl_reset("4.6");
            stub_gl.texture_target = is_texture ? GL_TEXTURE_2D : 0;
            stub_gl.integers[GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME] = is_texture ? 101 : 103;
            expect(&check, text, 1, 0);
            stub_gl_reset("4.6");
            stub_gl.texture_target = is_texture ? GL_TEXTURE_2D : 0;
            stub_gl.integers[GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME] = is_texture ? 102 : 104;
            expect(&check, text, 1, 1);
        }
}

/* What is neither has a number. Between glBegin() and glEnd(), the driver is not asked which it is. */
static void test_attachments_without_names(void **state)
{
    (void)state;
#define ASK "glGetFramebufferAttachmentParameteriv target=36009 attachment=36064 pname=36049 params=[8]\n"
    stub_gl_reset("4.6");
    stub_gl.has_window = true;
    stub_gl.window.red = 8;
    expect(&check, "glGenTextures n=1 textures=[8]\nglGenRenderbuffers n=1 renderbuffers=[8]\n" ASK, 1, 0);
    stub_gl_reset("4.6");
    expect(&check, "glBegin mode=4\n" ASK "glEnd\n", 1, 1);
    const char *first = strstr(stub_gl.log, "a question"); /* the program's */
    assert_non_null(first);
    assert_null(strstr(first + 1, "a question"));
#undef ASK
}

static void test_names_of_bindings(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check,
           "glGenProgramsARB n=1 programs=[31]\n"
           "glGetProgramivARB target=34336 pname=34423 params=[31]\n",
           1, 0);
    stub_gl_reset("4.6");
    stub_gl.integers[GL_TEXTURE_BUFFER] = 101; /* where its buffer is asked for, too */
    expect(&check, "glGenBuffers n=1 buffers=[31]\n" GET(35882, 31), 1, 0);
}

/* What another context has deleted stays bound: the answer is the name that it had, also if an object has the
 * name again. */
static void test_names_of_deleted_objects(void **state)
{
#define NAMES  "glGenRenderbuffers n=2 renderbuffers=[21,22]\n"
#define DELETE "glDeleteRenderbuffers n=1 renderbuffers=[22]\n"
#define AGAIN  "glGenRenderbuffers n=1 renderbuffers=[22]\n"
    static const struct {
        const char *calls;
        GLint answer;
        unsigned differing;
    } cases[] = {
        {NAMES GET(36007, 22), 102, 0},
        {NAMES GET(36007, 22), 101, 1},
        {NAMES DELETE GET(36007, 22), 102, 0},
        {NAMES DELETE GET(36007, 22), 101, 1},
        {NAMES DELETE AGAIN GET(36007, 22), 102, 0},
        {NAMES DELETE AGAIN GET(36007, 22), 103, 0},
        {NAMES DELETE AGAIN GET(36007, 22), 101, 1},
        {NAMES DELETE GET(36007, 21), 102, 1},
        {NAMES DELETE "glGetFloatv pname=36007 params=[22]\n", 10200, 0}, /* hundredths */
        {NAMES DELETE "glGetFloatv pname=36007 params=[22]\n", 10300, 1},
        {NAMES "glGetFloatv pname=36007 params=[-1.0]\n", 10200, 1}, /* no names */
        {NAMES "glGetFloatv pname=36007 params=[9000000000.0]\n", 10200, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_RENDERBUFFER_BINDING] = cases[i].answer;
        expect(&check, cases[i].calls, 1, cases[i].differing);
    }
#undef NAMES
#undef DELETE
#undef AGAIN
}

/* The driver is asked for the label of its own object. */
static void test_labels(void **state)
{
    static const char *const calls[] = {"glGetObjectLabel identifier=5890 name",
                                        "glGetObjectLabelKHR identifier=5890 name",
                                        "glGetObjectLabelEXT type=5890 object"};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        char text[200];
        snprintf(text, sizeof text,
                 "glGenTextures n=1 textures=[77]\n%s=77 bufSize=9 length=[3] label=\"101\"\n", calls[i]);
        stub_gl_reset("4.6");
        expect(&check, text, 2, 0);
    }
}

/* --- reports -------------------------------------------------------------------------------------------- */

/* A call with several differences is one that differs. */
static void test_several_answers(void **state)
{
    (void)state;
#define GET_ATTRIBUTE(length, size, name)                                                                    \
    "glGetActiveAttrib program=0 index=0 bufSize=9 length=[" length "] size=[" size                          \
    "] type=[5126] name=\"" name "\"\n"
    stub_gl_reset("4.6");
    expect(&check, GET_ATTRIBUTE("3", "3", "abc"), 4, 0);
    stub_gl_reset("4.6"); /* the number of a program is no question, though GL_TIMESTAMP is */
    expect(&check,
           "glGetActiveAttrib program=36392 index=0 bufSize=9 length=[3] size=[3] type=[5126] "
           "name=\"abc\"\n",
           4, 0);
    stub_gl_reset("4.6"); /* nor is it one for the offset of an array, whose index is another one's */
    expect(&check,
           "glGetActiveAttrib program=33495 index=0 bufSize=9 length=[3] size=[3] type=[5126] "
           "name=\"abc\"\n",
           4, 0);
    expect_text(GET_ATTRIBUTE("3", "4", "abd"), 4, 1,
                "3: difference: glGetActiveAttrib: size[0] is 3, but 4 in the trace (1 of 1 differ)\n"
                "3: difference: glGetActiveAttrib: name: 1 of 3 bytes differ, the first at 2: 0x63, but 0x64 "
                "in the trace\n"
                "Checked 4 answers\n1 calls differ: glGetActiveAttrib (1)\n");
#undef GET_ATTRIBUTE
}

/* Of several elements, the first one is told. */
static void test_first_difference(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, "glGetVertexAttribLui64vARB index=2 pname=34342 params=[-5,9,4,9]\n", 1, 1);
    expect_printed("params[1] is 3, but 9 in the trace (2 of 4 differ)\n");
}

static void test_summary(void **state)
{
    (void)state;
    expect_text("", 0, 0, "Checked 0 answers\nNothing was compared\n");
    expect_text("glGetString name=7938 = \"4.5\"\n" GET(36392, 77), 0, 0,
                "Checked 0 answers; not compared: 1 times, 1 properties of the driver\n"
                "Nothing was compared\n");
    stub_gl_reset("4.6");
    expect(&check, GET(2967, 5) "glIsEnabled cap=3553 = 1\n", 2, 2);
    const char *list = strstr(stub_gl.printed, "2 calls differ: ");
    assert_non_null(list);
    if (strcmp(list, "2 calls differ: glGetIntegerv (1), glIsEnabled (1)\n") != 0)
        assert_string_equal(list, "2 calls differ: glIsEnabled (1), glGetIntegerv (1)\n");
    stub_gl_reset("4.6");
    stub_windows.is_offscreen = true;
    expect(&check, GET(3074, 1028), 0, 0);
    assert_string_equal(stub_gl.printed,
                        "Checked 0 answers; not compared: 1 properties of windows\nNothing was compared\n");
}

/* Off-screen, the buffers of a window are not compared; those of a framebuffer object are. */
static void test_buffers_of_windows(void **state)
{
#define GET_DEPTH_SIZE(attachment)                                                                           \
    "glGetFramebufferAttachmentParameteriv target=36160 attachment=" attachment " pname=33302 params=[32]\n"
    static const char *const names[] = {"1024", "1025", "1026", "1029", "1036", "6144", "6145", "6146"};
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, GET_DEPTH_SIZE("6145"), 1, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char text[200];
        snprintf(text, sizeof text, GET_DEPTH_SIZE("%s"), names[i]);
        stub_gl_reset("4.6");
        stub_windows.is_offscreen = true;
        expect(&check, text, 0, 0);
    }
    static const char *const others[] = {"1023", "1037", "6143", "6147"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        char text[200];
        snprintf(text, sizeof text, GET_DEPTH_SIZE("%s"), others[i]);
        stub_gl_reset("4.6");
        stub_windows.is_offscreen = true;
        expect(&check, text, 1, 1);
    }
    stub_gl_reset("4.6");
    stub_windows.is_offscreen = true;
    expect(&check, GET_DEPTH_SIZE("36096"), 1, 1);
    expect_printed("params[0] is 9, but 32 in the trace (1 of 1 differ)\n");
#undef GET_DEPTH_SIZE
}

/* A context without drawables has none that could be the program's. */
static void test_no_window(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    expect(&check, GET(3073, 1028), 1, 1);
    stub_gl_reset("4.6");
    expect(&check, "glXMakeContextCurrent dpy=0x10 draw=0 read=0 ctx=0x30 = 1\n" GET(3073, 1028), 0, 0);
}

/* The offset of an array in client memory is its address. */
static void test_addresses_of_arrays(void **state)
{
    (void)state;
    for (int has_buffer = 0; has_buffer < 2; ++has_buffer) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_BINDING_BUFFER] = -2 + 5 * has_buffer; /* the index is added */
        expect(&check, "glGetIntegeri_v target=33495 index=2 data=[77]\n", (unsigned)has_buffer,
               (unsigned)has_buffer);
        assert_int_equal(stub_gl.answers[CHECK_POINTER], !has_buffer);
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_BINDING_BUFFER] = -2 + 5 * has_buffer;
        expect(&check, "glGetIntegeri_v target=33496 index=2 data=[77]\n", 1, 1); /* the stride */
    }
}

/* Also of array objects that are not bound. */
static void test_addresses_of_array_objects(void **state)
{
    (void)state;
    for (int has_buffer = 0; has_buffer < 2; ++has_buffer) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_BINDING_BUFFER] = -2 + 5 * has_buffer;
        expect(&check,
               "glGenVertexArrays n=1 arrays=[5]\n"
               "glGetVertexArrayIndexed64iv vaobj=5 index=2 pname=33495 param=[77]\n",
               (unsigned)has_buffer, (unsigned)has_buffer);
        stub_gl_expect("glBindVertexArray(101)\nglBindVertexArray(0)\n");
        assert_int_equal(stub_gl.answers[CHECK_POINTER], !has_buffer);
    }
    stub_gl_reset("4.6"); /* the bound one stays so */
    stub_gl.integers[GL_VERTEX_BINDING_BUFFER] = -2;
    expect(&check,
           "glGenVertexArrays n=1 arrays=[5]\nglBindVertexArray array=5\n"
           "glGetVertexArrayIndexed64iv vaobj=5 index=2 pname=33495 param=[77]\n",
           0, 0);
    stub_gl_expect("glBindVertexArray(101)\n");
}

/* Where the driver cannot be asked for the buffer, the offset is a number. */
static void test_offsets_of_arrays(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glBindVertexArray";
    stub_gl.integers[GL_VERTEX_BINDING_BUFFER] = -2;
    expect(&check, "glGetVertexArrayIndexed64iv vaobj=0 index=2 pname=33495 param=[77]\n", 1, 1);
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glGetIntegeri_v";
    expect(&check, "glGetVertexArrayIndexed64iv vaobj=0 index=2 pname=33495 param=[77]\n", 1, 1);
    stub_gl_reset("4.6");
    stub_gl.integers[GL_VERTEX_BINDING_BUFFER] = -2;
    expect(&check,
           "glGenVertexArrays n=1 arrays=[5]\nglBegin mode=4\n"
           "glGetVertexArrayIndexed64iv vaobj=5 index=2 pname=33495 param=[77]\nglEnd\n",
           1, 1);
    stub_gl_expect_no_line("glBindVertexArray");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_numbers),
        cmocka_unit_test(test_tolerance_of_numbers),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_odd_outputs),
        cmocka_unit_test(test_integers_of_other_types),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_names_of_attachments),
        cmocka_unit_test(test_attachments_without_names),
        cmocka_unit_test(test_offsets_of_arrays),
        cmocka_unit_test(test_names_of_bindings),
        cmocka_unit_test(test_names_of_deleted_objects),
        cmocka_unit_test(test_several_answers),
        cmocka_unit_test(test_first_difference),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_buffers_of_windows),
        cmocka_unit_test(test_no_window),
        cmocka_unit_test(test_addresses_of_arrays),
        cmocka_unit_test(test_addresses_of_array_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
