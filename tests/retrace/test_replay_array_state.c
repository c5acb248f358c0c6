/* SPDX-License-Identifier: MIT
 * Tests which client arrays belong to a draw, and which are missing: those of units and array objects, those
 * that were never set, and those that a driver refuses.
 */
#include "array_draws.h"

#include "call/missing_arrays.h"

/* A recorded call with an error is made for the error. The array stays, also if a buffer is bound, unless
 * errors are not looked for. */
static void test_refused_arrays(void **state)
{
    (void)state;
#define REFUSED                                                                                              \
    "glVertexPointer size=5 type=5126 stride=0 pointer=0x7f0000001000\n"                                     \
    "glVertexPointer size=5 type=5126 stride=0 pointer=null\n"                                               \
    "glVertexPointer size=2 type=5126 stride=-4 pointer=0x7f0000001000\n"
    char memory[1];
    stub_gl_reset("4.6");
    stub_gl.array_pointer = memory;
    assert_int_equal(replay(POINTER(FOUR) REFUSED DRAW("4")), 0);
    stub_gl_expect("glVertexPointer(memory)\nglVertexPointer(memory)\nglVertexPointer(NULL)\n"
                   "glVertexPointer(memory)\nglDrawArrays(0, 4)\n");
    static const char *const longer[] = {POINTER(FOUR) REFUSED DRAW("5"),
                                         POINTER(FOUR) "glBindBuffer target=34962 buffer=77\n" REFUSED
                                                       "glBindBuffer target=34962 buffer=0\n" DRAW("5")};
    for (int i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl.array_pointer = memory;
        assert_int_equal(replay(longer[i]), 1);
    }
#undef REFUSED
    /* Between glBegin() and glEnd(), nothing is asked. */
    stub_gl_reset("2.1");
    stub_gl_replay(NULL,
                   "glBegin mode=4\n"
                   "glVertexAttribPointer index=16 size=4 type=5126 normalized=0 stride=0 pointer=null\n"
                   "glEnd\n");
    stub_gl_expect("glVertexAttribPointer(16, NULL)\n");
    /* An attribute that the driver does not have. Draws do not ask for it. */
    stub_gl_reset("4.6");
    stub_gl.integers[GL_MAX_VERTEX_ATTRIBS] = 16;
    stub_gl_replay(
        NULL,
        "glVertexAttribPointer index=16 size=4 type=5126 normalized=0 stride=0 pointer=null\n" DRAW("4"));
    stub_gl_expect("glVertexAttribPointer(16, NULL)\nglDrawArrays(0, 4)\n");
}

/* An attribute that the driver has, or of which it does not say so, is one without an array. */
static void test_attributes_of_drivers(void **state)
{
    (void)state;
    static const struct {
        GLint count;
        bool is_drawn;
    } cases[] = {{16, true}, {17, false}, {32, false}, {0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_MAX_VERTEX_ATTRIBS] = cases[i].count;
        stub_gl.enabled_attribute = 16;
        stub_gl_replay(
            NULL,
            "glVertexAttribPointer index=16 size=4 type=5126 normalized=0 stride=0 pointer=null\n" DRAW("4"));
        stub_gl_expect_line("glVertexAttribPointer(16, NULL)");
        assert_int_equal(stub_gl.failures, !cases[i].is_drawn);
    }
}

#define ATTRIBUTE(pointer)                                                                                   \
    "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=" pointer "\n"
#define MEMORY "malloc size=64 = 0x7f0000001000\n"

/* Where arrays are in buffers, an address is refused, but not NULL, or memory that the replay has. */
static void test_addresses_in_array_objects(void **state)
{
    (void)state;
#define OBJECT "glGenVertexArrays n=1 arrays=[2]\nglBindVertexArray array=2\n"
#define LIST   "glNewList list=1 mode=4864\n"
    static const struct {
        const char *calls;
        bool is_drawn;
    } cases[] = {
        {OBJECT ATTRIBUTE("0x7f0000001000") DRAW("1"), true}, /* as without the call: it may not be read */
        {OBJECT ATTRIBUTE("0x7f0000001000") LIST DRAW("1"), false},
        {OBJECT ATTRIBUTE("4096") DRAW("1"), true},
        {OBJECT ATTRIBUTE("null") DRAW("1"), false},
        {OBJECT ATTRIBUTE("0") DRAW("1"), false},
        {OBJECT MEMORY ATTRIBUTE("0x7f0000001000") LIST DRAW("1"), true},
        {MEMORY ATTRIBUTE("0x7f0000001000") LIST DRAW("1"), true},
        {ATTRIBUTE("0x7f0000001000") DRAW("1"), false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, cases[i].calls);
        if ((stub_gl.failures == 0) != cases[i].is_drawn)
            fail_msg("%zu: %s%s%s", i, cases[i].calls, stub_gl.log, stub_gl.messages);
    }
#undef OBJECT
#undef LIST
}

/* Arrays in memory that the trace has, of the size that it has. */
static void test_arrays_in_memory(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.integers[GL_VERTEX_ARRAY] = 1;
    stub_gl_replay(NULL, MEMORY "memcpy dest=0x7f0000001000 src=#abcdefgh n=8\n"
                                "glColorPointer size=4 type=5121 stride=0 pointer=0x7f0000001000\n"
                                "glInterleavedArrays format=10784 stride=0 pointer=0x7f0000001000\n"
                                "glDrawArrays mode=4 first=0 count=8193\n"
                                "glInterleavedArrays format=10784 stride=0 pointer=4096\n"
                                "glDrawArrays mode=4 first=0 count=8193\n");
    stub_gl_expect("glColorPointer('abcdefgh' of 8)\n"
                   "glInterleavedArrays(memory)\n"
                   "glDrawArrays(0, 8193)\n"
                   "glInterleavedArrays(memory)\n");
    assert_int_equal(stub_gl.failures, 1);
}

/* Between glBegin() and glEnd(), calls about arrays are errors or not; the driver says so, and nothing is
 * asked for them. */
static void test_arrays_inside_begin(void **state)
{
    (void)state;
    static const char *const calls[] = {
        POINTER(FOUR),
        "glVertexAttribPointer index=16 size=4 type=5126 normalized=0 stride=0 pointer=0x1000\n",
        "glVertexPointer size=2 type=5126 stride=4097 pointer=0x1000\n",
        "glEnableClientState array=32884\n",
        "glEnableClientStateiEXT array=32888 index=2\n",
        "glEnableVertexAttribArray index=1\n",
        "glBegin mode=4\n",
        "glPushClientAttrib mask=2\n",
        "glClientActiveTexture texture=33985\n",
        "glDeleteBuffers n=1 buffers=[1]\n",
        "glDeleteVertexArrays n=1 arrays=[2]\n",
        "~" ATTRIBUTE("#aaaabbbb"),
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        char text[500];
        snprintf(text, sizeof text,
                 "glGenVertexArrays n=1 arrays=[2]\nglBindVertexArray array=2\n"
                 "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34962 buffer=1\n"
                 "glVertexPointer size=2 type=5126 stride=0 pointer=0x123190\n"
                 "glBindBuffer target=34962 buffer=0\n" ATTRIBUTE("#aaaabbbb") "glBegin mode=4\n%sglEnd\n",
                 calls[i]);
        stub_gl_reset("4.6");
        stub_gl.integers[GL_MAX_VERTEX_ATTRIBS] = 16;
        stub_gl.integers[GL_MAX_VERTEX_ATTRIB_STRIDE] = 4096;
        stub_gl_replay(NULL, text);
        if (strstr(stub_gl.log, "a question") != NULL)
            fail_msg("%s%s", calls[i], stub_gl.log);
        if (i == 0)
            stub_gl_expect_line("glVertexPointer(memory)");
        assert_int_equal(stub_gl.rc, 0);
    }
    /* The unit is not another one then. */
    stub_gl_reset("2.1");
    stub_gl_replay(NULL, "glBegin mode=4\nglClientActiveTexture texture=33985\nglEnd\n"
                         "glEnableClientState array=32888\n");
    stub_gl_expect("glClientActiveTexture(0x84c1)\nglClientActiveTexture(0x84c0)\n"
                   "glClientActiveTexture(0x84c0)\n");
}
#undef ATTRIBUTE
#undef MEMORY

/* A stride that the driver does not have (OpenGL 4.6, section 10.3.1): the call is made for its error. */
static void test_refused_strides(void **state)
{
    (void)state;
    static const struct {
        const char *version, *stride;
        bool is_refused;
    } cases[] = {{"4.6", "4097", true},
                 {"4.6", "4096", false},
                 {"4.3", "4097", false},
                 {"OpenGL ES 3.2", "4097", false}};
    char memory[1], calls[400];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset(cases[i].version);
        stub_gl.array_pointer = memory;
        stub_gl.integers[GL_MAX_VERTEX_ATTRIB_STRIDE] = 4096;
        snprintf(calls, sizeof calls, "glVertexPointer size=2 type=5126 stride=%s pointer=0x7f0000001000\n",
                 cases[i].stride);
        stub_gl_replay(NULL, calls);
        stub_gl_expect(cases[i].is_refused ? "glVertexPointer(memory)\n" : "");
    }
}

/* A driver has no memory for an array that was enabled, but never set; or it has kept the pointer of a call
 * with an error. A later call may set it, or give it a buffer. */
static void test_unset_arrays(void **state)
{
    (void)state;
#define ENABLE    "glEnableClientState array=32884\n"
#define ATTRIBUTE "glEnableVertexAttribArray index=1\n"
    static const char set[] = {0};
    static const struct {
        const char *calls;
        const void *pointer; /* that the driver has */
        GLint buffer;
        bool is_drawn;
    } cases[] = {
        {ENABLE DRAW("1"), NULL, 0, true}, /* its shader may not need the array */
        {ENABLE "glNewList list=1 mode=4864\n" DRAW("1"), NULL, 0, false},
        {ENABLE "glNewList list=1 mode=4864\n" DRAW("0"), NULL, 0, true},
        {ENABLE "glBegin mode=4\nglArrayElement i=0\nglEnd\n", NULL, 0, false},
        {ENABLE POINTER(FOUR) DRAW("1"), NULL, 0, true},
        {ENABLE "glNewList list=1 mode=4864\n" DRAW("1"), set, 0, true},
        {ENABLE "glNewList list=1 mode=4864\n" DRAW("1"), NULL, 7, true},
        {ENABLE DRAW("1"), missing_arrays_nowhere, 0, false},
        {ATTRIBUTE DRAW("1"), NULL, 0, true},
        {ATTRIBUTE "glNewList list=1 mode=4864\n" DRAW("1"), NULL, 0, false},
        {ATTRIBUTE "glNewList list=1 mode=4864\n" DRAW("1"), set, 0, true},
        {ATTRIBUTE "glNewList list=1 mode=4864\n" DRAW("1"), NULL, 7, true},
        {"glVertexPointer size=5 type=5126 stride=0 pointer=0x7f0000001000\n" DRAW("1"),
         missing_arrays_nowhere, 0, false},
        {"glVertexPointer size=5 type=5126 stride=0 pointer=0x7f0000001000\n" DRAW("1"), set, 0, true},
        {"glVertexPointer size=5 type=5126 stride=0 pointer=4096\n" DRAW("1"), missing_arrays_nowhere, 0,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        memcpy(&stub_gl.array_pointer, &cases[i].pointer, sizeof(void *));
        stub_gl.attribute_buffer = stub_gl.integers[GL_VERTEX_ARRAY_BUFFER_BINDING] = cases[i].buffer;
        stub_gl_replay(NULL, cases[i].calls);
        if ((stub_gl.failures == 0) != cases[i].is_drawn)
            fail_msg("%zu: %s%s", i, cases[i].calls, stub_gl.messages);
        if (!cases[i].is_drawn)
            stub_gl_expect_message("the contents of a client array are not in the trace");
    }
    stub_gl_reset("4.6"); /* edge flags are always read */
    stub_gl.integers[GL_EDGE_FLAG_ARRAY] = 1;
    stub_gl.known_array = GL_EDGE_FLAG_ARRAY_POINTER;
    stub_gl_replay(NULL, "glEnableClientState array=32889\n" DRAW("1"));
    assert_int_equal(stub_gl.failures, 1);
#undef ENABLE
#undef ATTRIBUTE
}

/* The offset of an array that loses its buffer is no address. */
static void test_lost_buffers(void **state)
{
    (void)state;
#define BUFFER    "glGenBuffers n=1 buffers=[1]\nglBindBuffer target=34962 buffer=1\n"
#define VERTICES  "glVertexPointer size=2 type=5126 stride=0 pointer=0x123190\n"
#define ATTRIBUTE "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=0x123190\n"
#define OTHERS(index)                                                                                        \
    "glVertexAttribPointer index=" #index " size=2 type=5126 normalized=0 stride=0 pointer=0x1000\n"
#define ARRAYS "glGenVertexArrays n=1 arrays=[5]\nglBindVertexArray array=5\n"
#define UNBIND "glBindBuffer target=34962 buffer=0\n"
#define DELETE "glDeleteBuffers n=1 buffers=[1]\n"
#define BIND   "glBindVertexBuffer bindingindex=1 buffer=0 offset=0 stride=8\n"
    static const struct {
        const char *calls;
        GLint buffer; /* afterwards */
        bool is_drawn;
    } cases[] = {
        {BUFFER VERTICES DELETE, 0, false},
        {BUFFER VERTICES DELETE, 5, true}, /* Mesa keeps it for another array object */
        {BUFFER VERTICES DELETE POINTER(FOUR), 0, true},
        {BUFFER ATTRIBUTE DELETE, 0, false},
        {BUFFER OTHERS(1) ATTRIBUTE DELETE, 0, false},
        {BUFFER ATTRIBUTE OTHERS(2) DELETE, 0, false},
        {BUFFER BIND ARRAYS ATTRIBUTE DELETE, 0, false},
        {BUFFER ATTRIBUTE UNBIND BIND, 0, false},
        {BUFFER ATTRIBUTE UNBIND "glVertexAttribBinding attribindex=1 bindingindex=7\n", 0, false},
        {BUFFER ATTRIBUTE UNBIND BIND, 5, true},
        {BUFFER ATTRIBUTE UNBIND, 5, true},
        {BUFFER "glInterleavedArrays format=10784 stride=0 pointer=0x123184\n" DELETE, 0, false},
        {BUFFER "glInterleavedArrays format=10784 stride=0 pointer=0x321\n" UNBIND POINTER(FOUR) DELETE, 0,
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[400];
        snprintf(calls, sizeof calls, "%s" DRAW("1"), cases[i].calls);
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        stub_gl.attribute_buffer = stub_gl.integers[GL_VERTEX_ARRAY_BUFFER_BINDING] = cases[i].buffer;
        stub_gl.array_pointer = (char *)0x123190;
        stub_gl_replay(NULL, calls);
        if ((stub_gl.failures == 0) != cases[i].is_drawn)
            fail_msg("%zu: %s%s", i, calls, stub_gl.messages);
    }
    /* A driver that does not say is asked to draw; so it is for arrays of rare kinds. */
    static const char *const lacks[] = {"glGetVertexAttribiv", "glGetVertexAttribPointerv", "glGetPointerv"};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        stub_gl_reset("4.6");
        stub_gl.array_pointer = (char *)0x123190;
        stub_gl.timers.lacks = lacks[i];
        stub_gl_replay(NULL, BUFFER ATTRIBUTE VERTICES DELETE DRAW("1"));
        stub_gl_expect_line("glDrawArrays(0, 1)");
        assert_int_equal(stub_gl.failures, 0);
    }
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   BUFFER "glPointSizePointerOES type=5126 stride=0 pointer=0x123190\n" DELETE DRAW("1"));
    stub_gl_expect_line("glDrawArrays(0, 1)");
    assert_int_equal(stub_gl.rc, 0);
#undef BUFFER
#undef VERTICES
#undef ATTRIBUTE
#undef OTHERS
#undef ARRAYS
#undef UNBIND
#undef DELETE
#undef BIND
}

/* Each array has an address, a buffer and a state of its own. */
static void test_all_arrays(void **state)
{
    (void)state;
    static const struct {
        GLenum array, pointer, buffer;
    } cases[] = {
        {GL_VERTEX_ARRAY, GL_VERTEX_ARRAY_POINTER, GL_VERTEX_ARRAY_BUFFER_BINDING},
        {GL_NORMAL_ARRAY, GL_NORMAL_ARRAY_POINTER, GL_NORMAL_ARRAY_BUFFER_BINDING},
        {GL_COLOR_ARRAY, GL_COLOR_ARRAY_POINTER, GL_COLOR_ARRAY_BUFFER_BINDING},
        {GL_INDEX_ARRAY, GL_INDEX_ARRAY_POINTER, GL_INDEX_ARRAY_BUFFER_BINDING},
        {GL_EDGE_FLAG_ARRAY, GL_EDGE_FLAG_ARRAY_POINTER, GL_EDGE_FLAG_ARRAY_BUFFER_BINDING},
        {GL_TEXTURE_COORD_ARRAY, GL_TEXTURE_COORD_ARRAY_POINTER, GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING},
        {GL_FOG_COORD_ARRAY, GL_FOG_COORD_ARRAY_POINTER, GL_FOG_COORD_ARRAY_BUFFER_BINDING},
        {GL_SECONDARY_COLOR_ARRAY, GL_SECONDARY_COLOR_ARRAY_POINTER, GL_SECONDARY_COLOR_ARRAY_BUFFER_BINDING},
    };
    for (unsigned i = 0; i < 3 * sizeof cases / sizeof *cases; ++i) {
        char calls[200];
        unsigned variant = i % 3;
        snprintf(calls, sizeof calls, "glEnableClientState array=%u\nglNewList list=1 mode=4864\n" DRAW("1"),
                 cases[i / 3].array);
        stub_gl_reset("4.6");
        stub_gl.known_array = cases[i / 3].pointer;
        stub_gl.integers[cases[i / 3].array] = variant != 1; /* it may be disabled */
        stub_gl.integers[cases[i / 3].buffer] = variant == 2 ? 7 : 0;
        stub_gl_replay(NULL, calls);
        if (stub_gl.failures != (variant == 0))
            fail_msg("%u: %s%s", i, calls, stub_gl.messages);
    }
}

/* A driver that does not say where its arrays are is asked to draw. */
static void test_drivers_without_questions(void **state)
{
    (void)state;
    static const char *const lacks[] = {"glGetPointerv", "glGetVertexAttribPointerv", "glIsEnabled",
                                        "glGetVertexAttribiv"};
    static const char *const calls[] = {
        "glEnableClientState array=32884\nglNewList list=1 mode=4864\n" DRAW("1"),
        "glEnableVertexAttribArray index=1\nglNewList list=1 mode=4864\n" DRAW("1")};
    static const bool is_drawn[2][4] = {{true, true, true, false}, {true, true, false, true}};
    for (int kind = 0; kind < 2; ++kind)
        for (int i = 0; i < 4; ++i) {
            stub_gl_reset("4.6");
            stub_gl.integers[GL_VERTEX_ARRAY] = 1;
            stub_gl.timers.lacks = lacks[i];
            stub_gl_replay(NULL, calls[kind]);
            if (stub_gl.failures != !is_drawn[kind][i])
                fail_msg("%s without %s: %s", calls[kind], lacks[i], stub_gl.messages);
        }
    stub_gl_reset("4.6");
    stub_gl.timers.lacks = "glGetVertexAttribiv";
    stub_gl_replay(NULL, "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 "
                         "pointer=0x7f0000001000\n" DRAW("1"));
    assert_int_equal(stub_gl.failures, 0);
    stub_gl_reset("2.1"); /* it has one unit, and cannot select it */
    stub_gl.timers.lacks = "glClientActiveTexture";
    assert_int_equal(replay("glTexCoordPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n" DRAW("2")), 1);
}

/* A driver that does not say its version has the oldest one, and misses arrays as others do. */
static void test_drivers_without_versions(void **state)
{
    (void)state;
    stub_gl_reset(NULL);
    stub_gl.integers[GL_VERTEX_ARRAY] = 1;
    stub_gl_replay(NULL, "glVertexPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\n" DRAW("1"));
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("none"); /* of what is no version, nothing is known */
    stub_gl.integers[GL_VERTEX_ARRAY] = 1;
    stub_gl_replay(NULL, "glVertexPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\n" DRAW("1"));
    assert_int_equal(stub_gl.failures, 0);
}

/* Attributes of an array object have divisors, too. */
static void test_divisors_of_array_objects(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.divisor = 2;
    assert_int_equal(
        replay("glGenVertexArrays n=1 arrays=[2]\nglBindVertexArray array=2\n"
               "glVertexAttribPointer index=1 size=2 type=5126 normalized=0 stride=0 pointer=#" FOUR
               "\nglDrawArraysInstanced mode=4 first=0 count=9 instancecount=8\n"),
        0);
}

/* --- which arrays --------------------------------------------------------------------------------------- */

/* Each unit has texture coordinates of its own, and is asked whether they are enabled. */
static void test_texture_units(void **state)
{
    (void)state;
#define COORDS(bytes) "glTexCoordPointer size=2 type=5126 stride=0 pointer=#" bytes "\n"
    expect("glClientActiveTexture texture=33985\n" COORDS("aaaabbbb") "glClientActiveTexture "
                                                                      "texture=33984\n" COORDS(FOUR)
                                                                          DRAW("4"),
           false);
    stub_gl_expect_line("glClientActiveTexture(0x84c1)");
    expect("glClientActiveTexture texture=33985\n" COORDS("aaaabbbb") COORDS(FOUR) DRAW("4"), true);
    /* the program's unit is active again */
    stub_gl_reset("4.6");
    replay(COORDS("aaaabbbb") "glClientActiveTexture texture=33987\n" DRAW("4") DRAW("0"));
    stub_gl_expect("glTexCoordPointer(memory)\n"
                   "glClientActiveTexture(0x84c3)\n"
                   "glClientActiveTexture(0x84c0)\n"
                   "glClientActiveTexture(0x84c3)\n"
                   "glDrawArrays(0, 0)\n");
#undef COORDS
}

/* Arrays belong to the array object that was bound. */
static void test_array_objects(void **state)
{
    (void)state;
#define BIND(name) "glBindVertexArray array=" name "\n"
    static const char missing[] = "glVertexPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\n";
    char calls[400];
    expect("glGenVertexArrays n=1 arrays=[2]\n" POINTER("aaaabbbb") BIND("2") DRAW("4"), true);
    expect("glGenVertexArrays n=1 arrays=[2]\n" POINTER("aaaabbbb") BIND("2") BIND("0") DRAW("4"), false);
    expect("glGenVertexArrays n=1 arrays=[2]\n" POINTER("aaaabbbb") BIND("2") POINTER(FOUR) DRAW("4"), true);
    for (int same = 0; same < 2; ++same) {
        snprintf(calls, sizeof calls, "glGenVertexArrays n=1 arrays=[2]\n%s" BIND("2") "%s" DRAW("1"),
                 missing, same ? BIND("0") : "");
        stub_gl_reset("4.6");
        stub_gl.integers[GL_VERTEX_ARRAY] = 1;
        stub_gl_replay(NULL, calls);
        assert_int_equal(stub_gl.failures, same);
    }
    /* One of the same name has nothing of a deleted one, which may have been bound. */
    static const char *const ends[] = {BIND("2"), BIND("0") "glDeleteVertexArrays n=1 arrays=[2]\n",
                                       "glDeleteVertexArrays n=1 arrays=[2]\n"};
    for (int i = 0; i < 3; ++i) {
        snprintf(calls, sizeof calls,
                 "glGenVertexArrays n=1 arrays=[2]\n" BIND("2")
                     POINTER(FOUR) "%sglGenVertexArrays n=1 arrays=[2]\n" BIND("2") DRAW("5"),
                 ends[i]);
        expect(calls, i > 0);
    }
    /* Those of no object are not deleted, nor are any between glBegin() and glEnd(). */
    expect(POINTER("aaaabbbb") "glDeleteVertexArrays n=1 arrays=[0]\n" DRAW("4"), false);
    expect("glGenVertexArrays n=1 arrays=[2]\n" BIND("2")
               POINTER("aaaabbbb") "glBegin mode=4\nglDeleteVertexArrays n=1 arrays=[2]\nglEnd\n" DRAW("4"),
           false);
#undef BIND
}

/* The stack of the client's attributes has the bound array object, if it has arrays, and the active unit. */
static void test_client_attributes(void **state)
{
#define OBJECT  "glGenVertexArrays n=1 arrays=[2]\n" POINTER("aaaabbbb")
#define PUSH(m) "glPushClientAttrib mask=" m "\n"
#define BIND    "glBindVertexArray array=2\n" POINTER(FOUR)
#define POP     "glPopClientAttrib\n"
    (void)state;
    expect(OBJECT PUSH("2") BIND DRAW("4"), true);
    expect(OBJECT PUSH("2") BIND POP DRAW("4"), false);
    expect(OBJECT PUSH("1") BIND POP DRAW("4"), true);
    expect(OBJECT POP PUSH("2") BIND PUSH("1") POP POP DRAW("4"), false);
    expect(OBJECT PUSH("2") BIND PUSH("1") POP DRAW("4"), true);
    expect(OBJECT "glPushClientAttribDefaultEXT mask=2\n" BIND POP DRAW("4"), false);
    expect(OBJECT "glBegin mode=4\n" PUSH("2") "glEnd\n" BIND POP DRAW("4"), true); /* an error */
    /* The stack has room for 16. */
#define FOUR_TIMES(call)    call call call call
#define FIFTEEN_TIMES(call) FOUR_TIMES(call) FOUR_TIMES(call) FOUR_TIMES(call) call call call
    expect(OBJECT FIFTEEN_TIMES(PUSH("1")) PUSH("1") PUSH("2") BIND POP DRAW("4"), true);
    expect(OBJECT FIFTEEN_TIMES(PUSH("1")) PUSH("2") BIND POP DRAW("4"), false);
    expect(OBJECT PUSH("2") FIFTEEN_TIMES(PUSH("1")) PUSH("1") POP BIND FIFTEEN_TIMES(POP) DRAW("4"), false);
#undef FIFTEEN_TIMES
#undef FOUR_TIMES
    stub_gl_reset("4.6");
    stub_gl.integers[GL_CLIENT_ACTIVE_TEXTURE] = GL_TEXTURE0 + 2; /* after the last call */
    replay("glClientActiveTexture texture=33987\n" PUSH("2") POP
           "glTexCoordPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n" DRAW("4"));
    stub_gl_expect_line("glClientActiveTexture(0x84c2)");
#undef OBJECT
#undef PUSH
#undef BIND
#undef POP
}

/* Between glBegin() and glEnd(), nothing can be asked, so it is known before. */
static void test_elements_of_arrays(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    unsigned left_out = replay(POINTER(FOUR) "glNormalPointer type=5126 stride=0 pointer=#aaaabbbbcccc\n"
                                             "glBegin mode=4\n"
                                             "glArrayElement i=0\n"
                                             "glArrayElement i=1\n"
                                             "glEnd\n");
    assert_int_equal(left_out, 1);
    stub_gl_expect("glVertexPointer(memory)\nglNormalPointer(memory)\nglArrayElement(0)\n");
    stub_gl_reset("4.6"); /* without normals */
    stub_gl.integers[GL_VERTEX_ARRAY] = 1;
    stub_gl_replay(NULL, POINTER(FOUR) "glNormalPointer type=5126 stride=0 pointer=#aaaabbbbcccc\n"
                                       "glBegin mode=4\n"
                                       "glArrayElement i=3\n"
                                       "glArrayElement i=4\n"
                                       "glEnd\n");
    stub_gl_expect("glVertexPointer(memory)\nglNormalPointer(memory)\nglArrayElement(3)\n");
}

/* Only those of the bound array object. */
static void test_elements_of_array_objects(void **state)
{
    (void)state;
    stub_gl_reset("4.6"); /* without normals */
    stub_gl.integers[GL_VERTEX_ARRAY] = 1;
    stub_gl_replay(
        NULL, "glGenVertexArrays n=1 arrays=[2]\n" POINTER("aaaabbbb") "glBindVertexArray array=2\n" POINTER(
                  FOUR) "glNormalPointer type=5126 stride=0 pointer=#aaaabbbbcccc\n"
                        "glBegin mode=4\nglArrayElement i=3\nglEnd\n");
    assert_int_equal(stub_gl.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_arrays),
        cmocka_unit_test(test_refused_strides),
        cmocka_unit_test(test_attributes_of_drivers),
        cmocka_unit_test(test_addresses_in_array_objects),
        cmocka_unit_test(test_arrays_in_memory),
        cmocka_unit_test(test_arrays_inside_begin),
        cmocka_unit_test(test_unset_arrays),
        cmocka_unit_test(test_all_arrays),
        cmocka_unit_test(test_lost_buffers),
        cmocka_unit_test(test_drivers_without_versions),
        cmocka_unit_test(test_drivers_without_questions),
        cmocka_unit_test(test_divisors_of_array_objects),
        cmocka_unit_test(test_texture_units),
        cmocka_unit_test(test_array_objects),
        cmocka_unit_test(test_client_attributes),
        cmocka_unit_test(test_elements_of_arrays),
        cmocka_unit_test(test_elements_of_array_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
