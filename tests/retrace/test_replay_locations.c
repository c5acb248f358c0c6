/* SPDX-License-Identifier: MIT
 * Tests replays of locations and indices in programs, which a driver chooses: the trace's are known by name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#define PROGRAM                                                                                              \
    "glCreateProgram = 3\n"                                                                                  \
    "glUseProgram program=3\n"

/* Programs may ask for resources of any interface by name. */
static void test_resources_by_name(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL,
                   PROGRAM "glGetProgramResourceLocation program=3 programInterface=37601 name=\"a\" = 5\n"
                           "glGetProgramResourceIndex program=3 programInterface=37602 name=\"b\" = 5\n"
                           "glGetProgramResourceIndex program=3 programInterface=37606 name=\"s\" = 5\n"
                           "glUniform1i location=5 v0=8\n"
                           "glUniformBlockBinding program=3 uniformBlockIndex=5 uniformBlockBinding=7\n"
                           "glShaderStorageBlockBinding program=3 storageBlockIndex=5 "
                           "storageBlockBinding=6\n");
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, a)\n"
                   "location(101, b)\n"
                   "location(101, s)\n"
                   "glUniform1i(11, 8)\n"
                   "glUniformBlockBinding(101, 12, 7)\n"
                   "glShaderStorageBlockBinding(101, 13, 6)\n");
}

/* Numbers of other interfaces mean something else, and what the program did not have has none. */
static void test_other_resources(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAM
                   "glGetProgramResourceLocation program=3 programInterface=37603 name=\"in\" = 5\n"
                   "glGetProgramResourceLocation program=3 programInterface=37604 name=\"out\" = 5\n"
                   "glGetProgramResourceIndex program=3 programInterface=37601 name=\"a\" = 5\n"
                   "glGetProgramResourceLocation program=3 programInterface=37601 name=\"b\" = -1\n"
                   "glGetProgramResourceIndex program=3 programInterface=37602 name=\"c\" = 4294967295\n"
                   "glUniform1i location=5 v0=8\n"
                   "glUniform1i location=-1 v0=8\n"
                   "glUniformBlockBinding program=3 uniformBlockIndex=5 uniformBlockBinding=7\n"
                   "glUniformBlockBinding program=3 uniformBlockIndex=4294967295 uniformBlockBinding=7\n");
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, in)\n"
                   "location(101, out)\n"
                   "location(101, a)\n"
                   "location(101, b)\n"
                   "location(101, c)\n"
                   "glUniform1i(5, 8)\n"
                   "glUniform1i(-1, 8)\n"
                   "glUniformBlockBinding(101, 5, 7)\n"
                   "glUniformBlockBinding(101, 4294967295, 7)\n");
    assert_string_equal(stub_gl.messages, "5: warning: in is at location 11, but at 5 in the trace\n");
}

/* A warning tells of attributes that are elsewhere, and of no outputs, and none if they are where they were.
 */
static void test_inputs(void **state)
{
    (void)state;
#define INPUT(interface, location)                                                                           \
    "glGetProgramResourceLocation program=3 programInterface=" interface " name=\"in\" = " location "\n"
    static const struct {
        const char *call;
        bool warns;
    } cases[] = {{INPUT("37603", "5"), true},
                 {INPUT("37603", "11"), false},
                 {INPUT("37603", "-1"), false},
                 {INPUT("37604", "5"), false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, cases[i].call);
        assert_int_equal(strstr(stub_gl.messages, "in is at location 11, but at") != NULL, cases[i].warns);
    }
#undef INPUT
}

/* A name that the trace lacks, and properties that are no lists, tell nothing. */
static void test_damaged_questions(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "glGetProgramResourceLocation program=3 programInterface=37601 name=null = 5\n",
        "glGetProgramResourceName program=3 programInterface=37601 index=4 bufSize=9 length=[1] name=\"a\"\n"
        "glGetProgramResourceiv program=3 programInterface=37601 index=4 propCount=1 props=37646 count=1 "
        "length=[1] params=[5]\n",
        "glGetProgramResourceName program=3 programInterface=37601 index=4 bufSize=9 length=[1] name=\"a\"\n"
        "glGetProgramResourceiv program=3 programInterface=37601 index=4 propCount=1 props=[37646] count=1 "
        "length=[1] params=5\n",
        "glGetActiveUniform program=3 index=0 bufSize=9 length=[1] size=[4] type=[5124] name=null\n",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        char text[600];
        snprintf(text, sizeof text, PROGRAM "%sglUniform1i location=5 v0=8\n", calls[i]);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, text);
        stub_gl_expect_line("glUniform1i(5, 8)");
        assert_int_equal(stub_gl.rc, 0);
    }
}

/* Interfaces beside those of subroutines have none, and stages that there are not. */
static void test_neighbours_of_subroutines(void **state)
{
    (void)state;
    static const unsigned interfaces[] = {GL_VERTEX_SUBROUTINE - 1, GL_VERTEX_SUBROUTINE_UNIFORM,
                                          GL_COMPUTE_SUBROUTINE_UNIFORM + 1};
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; ++i) {
        char calls[500];
        snprintf(calls, sizeof calls,
                 PROGRAM "glGetProgramResourceIndex program=3 programInterface=%u name=\"a\" = 5\n"
                         "glGetProgramResourceLocation program=3 programInterface=%u name=\"a\" = 6\n"
                         "glUniformSubroutinesuiv shadertype=35633 count=1 indices=[5]\n"
                         "glGetActiveSubroutineName program=3 shadertype=99 index=7 bufsize=9 length=[1] "
                         "name=\"c\"\n",
                 interfaces[i], i == 1 ? interfaces[2] : interfaces[i]);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nlocation(101, a)\n"
                       "glUniformSubroutinesuiv(0x8b31): 5\n");
        assert_int_equal(stub_gl.failures, 0);
    }
}

/* A trace may lack the answer, which is not the first location then. */
static void test_no_answer(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAM "glGetProgramResourceLocation program=3 programInterface=37601 name=\"a\"\n"
                                 "glUniform1i location=0 v0=8\n");
    stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nglUniform1i(0, 8)\n");
    static const char *const calls[] = {
        "glGetUniformLocation program=3 name=\"a\"\nglUniform1i location=0 v0=8\n",
        "glGetUniformBlockIndex program=3 uniformBlockName=\"a\"\n"
        "glUniformBlockBinding program=3 uniformBlockIndex=0 uniformBlockBinding=7\n",
    };
    static const char *const lines[] = {"glUniform1i(0, 8)", "glUniformBlockBinding(101, 0, 7)"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        char text[300];
        snprintf(text, sizeof text, PROGRAM "%s", calls[i]);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, text);
        stub_gl_expect_line(lines[i]);
    }
}

/* A program whose binary was not loaded has its uniforms as soon as it is linked. */
static void test_a_resource_after_linking(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL,
                   PROGRAM "glGetProgramResourceLocation program=3 programInterface=37601 name=\"a\" = 5\n"
                           "glLinkProgram program=3\n"
                           "glUniform1i location=5 v0=8\n");
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, a)\n"
                   "glLinkProgram(101)\n"
                   "location(101, a)\n"
                   "glUniform1i(0, 8)\n");
}

/* Older drivers have functions for blocks and subroutines, newer ones for all interfaces. */
static void test_functions_for_indices(void **state)
{
    (void)state;
#define NAMED(interface)                                                                                     \
    "glGetProgramResourceName program=3 programInterface=" interface " index=4 bufSize=9 length=[1] "        \
    "name=\"b\"\n"
    static const struct {
        const char *lacks, *calls, *log;
    } cases[] = {
        {"glGetUniformBlockIndex",
         NAMED("37602") "glUniformBlockBinding program=3 uniformBlockIndex=4 uniformBlockBinding=7\n",
         "location(101, b)\nglUniformBlockBinding(101, 11, 7)\n"},
        {"glGetSubroutineIndex",
         NAMED("37608") "glUniformSubroutinesuiv shadertype=35633 count=1 indices=[4]\n",
         "location(101, b)\nglUniformSubroutinesuiv(0x8b31): 11\n"},
        {"glGetProgramResourceIndex",
         NAMED("37606") "glShaderStorageBlockBinding program=3 storageBlockIndex=4 storageBlockBinding=6\n",
         "glShaderStorageBlockBinding(101, 4294967295, 6)\n"}, /* there is none */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[500], expected[300];
        snprintf(calls, sizeof calls, PROGRAM "%s", cases[i].calls);
        snprintf(expected, sizeof expected, "glUseProgram(101)\n%s", cases[i].log);
        stub_gl_reset("4.6");
        stub_gl.timers.lacks = cases[i].lacks;
        stub_gl_replay(NULL, calls);
        stub_gl_expect(expected);
    }
}

/* Between glBegin() and glEnd(), the driver is asked nothing but what the program asks. */
static void test_names_inside_begin(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        unsigned questions;
    } cases[] = {
        {NAMED("37602"), 0},
        {"glGetUniformLocation program=3 name=\"a\" = 5\n", 1},
        {"glGetProgramResourceiv program=3 programInterface=37601 index=4 propCount=1 props=[37646] count=1 "
         "length=[1] params=[5]\n",
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[500];
        unsigned questions = 0;
        snprintf(calls, sizeof calls,
                 PROGRAM "%s"
                         "glBegin mode=4\n%sglEnd\n",
                 NAMED("37601"), cases[i].call);
        stub_gl_reset("4.6");
        stub_gl.uniform_size = 4;
        stub_gl_replay(NULL, calls);
        for (const char *at = stub_gl.log; (at = strstr(at, "a question")) != NULL; ++at)
            questions++;
        assert_int_equal(questions, cases[i].questions);
        assert_int_equal(stub_gl.failures, 0);
    }
}
#undef NAMED

/* Programs that enumerate get names by number. The driver's numbers of those names are asked for instead. */
static void test_names_by_number(void **state)
{
    (void)state;
#define NAME(interface, index, name)                                                                         \
    "glGetProgramResourceName program=3 programInterface=" interface " index=" index                         \
    " bufSize=9 length=[1] name=\"" name "\"\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAM NAME("37602", "0", "b") NAME("37606", "0", "s") //
                   "glGetActiveUniformBlockName program=3 uniformBlockIndex=1 bufSize=9 length=[1] "
                   "uniformBlockName=\"c\"\n"
                   "glUniformBlockBinding program=3 uniformBlockIndex=0 uniformBlockBinding=7\n"
                   "glUniformBlockBinding program=3 uniformBlockIndex=1 uniformBlockBinding=7\n"
                   "glShaderStorageBlockBinding program=3 storageBlockIndex=0 storageBlockBinding=6\n");
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, b)\n"
                   "location(101, s)\n"
                   "location(101, c)\n"
                   "glUniformBlockBinding(101, 11, 7)\n"
                   "glUniformBlockBinding(101, 13, 7)\n"
                   "glShaderStorageBlockBinding(101, 12, 6)\n");
}

/* A name that was cut, or that the program did not get, says nothing. A block that the driver lacks does. */
static void test_names_that_are_not_found(void **state)
{
    (void)state;
#define BLOCK_NAME(size, name)                                                                               \
    "glGetActiveUniformBlockName program=3 uniformBlockIndex=1 bufSize=" size " length=[1] "                 \
    "uniformBlockName=" name "\n"
#define BIND_BLOCK "glUniformBlockBinding program=3 uniformBlockIndex=1 uniformBlockBinding=7\n"
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, PROGRAM BLOCK_NAME("2", "\"c\"") BIND_BLOCK);
    stub_gl_expect("glUseProgram(101)\nlocation(101, c)\nglUniformBlockBinding(101, 1, 7)\n");
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAM BLOCK_NAME("0", "null") BLOCK_NAME("9", "\"\"") BIND_BLOCK);
    stub_gl_expect("glUseProgram(101)\nglUniformBlockBinding(101, 1, 7)\n");
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, PROGRAM BLOCK_NAME("9", "\"c\"") BIND_BLOCK);
    stub_gl_expect("glUseProgram(101)\nlocation(101, c)\nglUniformBlockBinding(101, 4294967295, 7)\n");
}

/* With --check, the driver is asked for the same block. */
static void test_names_are_checked(void **state)
{
    (void)state;
    const struct replay_options check = {.check = true};
    stub_gl_reset("4.6");
    stub_gl_replay(&check, PROGRAM BLOCK_NAME("9", "\"n\"") NAME("37602", "2", "n"));
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, n)\n"
                   "glGetProgramResourceName(101, 0x92e2, 11)\n"
                   "location(101, n)\n"
                   "glGetProgramResourceName(101, 0x92e2, 12)\n");
    assert_int_equal(stub_gl.differing_calls, 0);
}

/* The location of a uniform by its number: a tracer records its name directly before. */
static void test_locations_by_number(void **state)
{
    (void)state;
#define VALUES_OF(interface, program, index, props, params)                                                  \
    "glGetProgramResourceiv program=" program " programInterface=" interface " index=" index                 \
    " propCount=2 props=" props " count=2 length=[2] params=" params "\n"
#define VALUES(...)   VALUES_OF("37601", __VA_ARGS__)
#define SET(location) "glUniform1i location=" location " v0=8\n"
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAM NAME("37601", "4", "a") VALUES("3", "4", "[37626,37646]", "[9,5]") SET("5")
                             SET("3"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nglUniform1i(11, 8)\nglUniform1i(3, 8)\n");
    stub_gl_reset("4.6"); /* of another uniform, or another question */
    stub_gl_replay(NULL,
                   PROGRAM NAME("37601", "4", "a") VALUES("3", "3", "[37626,37646]", "[9,5]")
                       VALUES("2", "4", "[37626,37646]", "[9,5]") VALUES("3", "4", "[37626,37647]", "[9,5]")
                           VALUES("3", "4", "[37626,37646]", "[9]") SET("5"));
    stub_gl_expect("glUseProgram(101)\nglUniform1i(5, 8)\n");
    stub_gl_reset("4.6"); /* the location of an input that has the uniform's number */
    stub_gl_replay(NULL, PROGRAM NAME("37601", "4", "a")
                             VALUES_OF("37603", "3", "4", "[37626,37646]", "[9,5]") SET("5"));
    stub_gl_expect("glUseProgram(101)\nglUniform1i(5, 8)\n");
    stub_gl_reset("4.6"); /* it got no name of the next one */
    stub_gl_replay(NULL, PROGRAM NAME("37601", "4", "a") NAME("37601", "5", "")
                             VALUES("3", "4", "[37626,37646]", "[9,5]") SET("5"));
    stub_gl_expect("glUseProgram(101)\nglUniform1i(5, 8)\n");
    stub_gl_reset("4.6"); /* in a block */
    stub_gl_replay(NULL,
                   PROGRAM NAME("37601", "4", "a") VALUES("3", "4", "[37626,37646]", "[9,-1]") SET("-1"));
    stub_gl_expect("glUseProgram(101)\nglUniform1i(-1, 8)\n");
}

#define FIND(name, location) "glGetUniformLocation program=3 name=\"" name "\" = " location "\n"
#define TELL(name, size)                                                                                     \
    "glGetActiveUniform program=3 index=0 bufSize=9 length=[1] size=[" size "] type=[5124] name=\"" name     \
    "\"\n"

/* Locations that follow that of an array belong to it as long as it has elements. What is behind them was
 * chosen by the program, and is not asked for. */
static void test_elements_of_arrays(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.uniform_size = 4;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") SET("5") SET("8") SET("9"));
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, a)\n"
                   "index(101, a)\n"
                   "glUniform1i(11, 8)\n"
                   "glUniform1i(14, 8)\n"
                   "glUniform1i(9, 8)\n");
    stub_gl_reset("4.6");
    stub_gl.uniform_size = 4;
    stub_gl_replay(NULL, PROGRAM FIND("b[1].a[2]", "5") SET("6") SET("7"));
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, b[1].a[2])\n"
                   "index(101, b[1].a)\n"
                   "glUniform1i(12, 8)\n"
                   "glUniform1i(7, 8)\n");
}

/* A program may ask for a location again and again. The driver's answer is the same. */
static void test_sizes_are_asked_for_once(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.uniform_size = 4;
    stub_gl.same_location = true;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") FIND("a", "5") SET("7"));
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, a)\n"
                   "index(101, a)\n"
                   "location(101, a)\n"
                   "glUniform1i(13, 8)\n");
}

/* Elements of arrays that the driver does not have go nowhere. The trace may tell how many there are. */
static void test_elements_of_lost_arrays(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, PROGRAM TELL("a[0]", "4") FIND("a", "5") SET("8") SET("9"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nglUniform1i(-1, 8)\nglUniform1i(9, 8)\n");
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl.same_location = true;
    stub_gl_replay(NULL, PROGRAM FIND("", "4") FIND("a[0]", "5") SET("6"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, )\nlocation(101, a[0])\nglUniform1i(-1, 8)\n");
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") SET("6"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nglUniform1i(6, 8)\n");
    stub_gl_reset("4.6"); /* of one element */
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, PROGRAM TELL("a[0]", "1") FIND("a[0]", "5") SET("6"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, a[0])\nglUniform1i(6, 8)\n");
}

/* What is known of one uniform says nothing about another one. */
static void test_several_uniforms(void **state)
{
    static const char *const sizes[] = {TELL("a", "4") FIND("b", "5"), TELL("b", "4") FIND("a", "5")};
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl.same_location = true;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") FIND("b", "9") SET("5") SET("9"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nlocation(101, b)\n"
                   "glUniform1i(-1, 8)\nglUniform1i(-1, 8)\n");
    for (size_t i = 0; i < 2; ++i) { /* the other one has no size */
        char calls[400];
        snprintf(calls, sizeof calls, PROGRAM "%s" SET("10"), sizes[i]);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line("glUniform1i(16, 8)");
    }
}

/* An array of one has no other elements. What is no array tells nothing, nor does a size that none has. A
 * member of a structure in an array is no array. */
static void test_sizes_that_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *calls, *last;
    } cases[] = {
        {TELL("a[0]", "1") FIND("a[0]", "5") SET("6"), "glUniform1i(6, 8)"},
        {TELL("a[0]", "2") FIND("a[0]", "5") SET("6"), "glUniform1i(-1, 8)"},
        {TELL("a[0]", "2") FIND("a[0]", "5") SET("7"), "glUniform1i(7, 8)"},
        {TELL("a", "1") FIND("a[0]", "5") SET("6"), "glUniform1i(-1, 8)"},
        {TELL("a[0]", "0") FIND("a[0]", "5") SET("6"), "glUniform1i(-1, 8)"},
        {TELL("a[0]", "2147483647") FIND("a[0]", "5") SET("4000"), "glUniform1i(-1, 8)"},
        {FIND("a[0].b", "5") SET("6"), "glUniform1i(6, 8)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char calls[600];
        snprintf(calls, sizeof calls, PROGRAM "%s", cases[i].calls);
        stub_gl_reset("4.6");
        stub_gl.next_location = -1;
        stub_gl_replay(NULL, calls);
        stub_gl_expect_line(cases[i].last);
    }
    stub_gl_reset("4.6");
    stub_gl.uniform_size = 4;
    stub_gl_replay(NULL, PROGRAM FIND("a[2].b", "5") SET("8") SET("9"));
    stub_gl_expect_line("index(101, a[2].b)");
    stub_gl_expect_line("glUniform1i(14, 8)\nglUniform1i(9, 8)");
}

/* Without functions that tell sizes, what follows a location is a part of the array. */
static void test_drivers_without_sizes(void **state)
{
    (void)state;
    static const char *const lacks[] = {"glGetUniformIndices", "glGetActiveUniformsiv"};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        stub_gl_reset("4.6");
        stub_gl.uniform_size = 4;
        stub_gl.timers.lacks = lacks[i];
        stub_gl_replay(NULL, PROGRAM FIND("a", "5") SET("99"));
        stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nglUniform1i(105, 8)\n");
    }
    stub_gl_reset("4.6"); /* nor can it be asked for the location */
    stub_gl.timers.lacks = "glGetUniformLocation";
    stub_gl_replay(NULL, PROGRAM NAME("37601", "4", "a") VALUES("3", "4", "[37626,37646]", "[9,5]") SET("5"));
    stub_gl_expect("glUseProgram(101)\nglUniform1i(-1, 8)\n");
}

/* A driver may leave out the last elements of an array. */
static void test_elements_that_were_left_out(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.uniform_size = 2;
    stub_gl_replay(NULL, PROGRAM TELL("a[0]", "4") FIND("a", "5") SET("6") SET("7") SET("9"));
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, a)\n"
                   "index(101, a)\n"
                   "glUniform1i(12, 8)\n"
                   "glUniform1i(-1, 8)\n"
                   "glUniform1i(9, 8)\n");
}

/* A new program that reuses a name has none of the old one's arrays. */
static void test_arrays_of_old_programs(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, PROGRAM TELL("a[0]", "4") PROGRAM FIND("a", "5") SET("6"));
    stub_gl_expect("glUseProgram(101)\nglUseProgram(102)\nlocation(102, a)\nglUniform1i(6, 8)\n");
}

/* Programs of old versions do not choose locations, and drivers are not asked about arrays. */
static void test_arrays_of_old_versions(void **state)
{
    (void)state;
    stub_gl_reset("2.1");
    stub_gl.uniform_size = 4;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") SET("99"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nglUniform1i(105, 8)\n");
    stub_gl_reset("2.1");
    stub_gl.next_location = -1;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") SET("99"));
    stub_gl_expect("glUseProgram(101)\nlocation(101, a)\nglUniform1i(-1, 8)\n");
    stub_gl_reset("OpenGL ES 2.0");
    stub_gl.uniform_size = 4;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") SET("99"));
    stub_gl_expect_line("glUniform1i(105, 8)");
    stub_gl_reset("OpenGL ES 3.0");
    stub_gl.uniform_size = 4;
    stub_gl_replay(NULL, PROGRAM FIND("a", "5") SET("99"));
    stub_gl_expect_line("glUniform1i(99, 8)");
}

/* Uniforms that the driver still lacks after linking are asked for again; those of others are not. */
static void test_locations_that_stay_lost(void **state)
{
    (void)state;
#define LOST "location(102, b)\nlocation(102, a)\n"
    stub_gl_reset("2.1");
    stub_gl.next_location = -1;
    stub_gl.same_location = true;
    stub_gl_replay(NULL,
                   "glCreateProgram = 4\nglGetUniformLocation program=4 name=\"other\" = 5\n" PROGRAM FIND(
                       "a", "5") FIND("a", "5") FIND("b", "6") //
                   "glLinkProgram program=3\nglLinkProgram program=3\n" SET("5"));
    stub_gl_expect("location(101, other)\n"
                   "glUseProgram(102)\n"
                   "location(102, a)\nlocation(102, a)\nlocation(102, b)\n"
                   "glLinkProgram(102)\n" LOST "glLinkProgram(102)\n" LOST "glUniform1i(-1, 8)\n");
#undef LOST
    /* One that is deleted loses them, and no other one does. */
    stub_gl_reset("2.1");
    stub_gl.next_location = -1;
    stub_gl.same_location = true;
    stub_gl_replay(NULL,
                   "glCreateProgram = 4\nglGetUniformLocation program=4 name=\"other\" = 5\n" PROGRAM FIND(
                       "a", "5") "glDeleteProgram program=3\nglCreateProgram = 3\n"
                                 "glLinkProgram program=3\nglLinkProgram program=4\n");
    stub_gl_expect("location(101, other)\nglUseProgram(102)\nlocation(102, a)\nglDeleteProgram(102)\n"
                   "glLinkProgram(103)\nglLinkProgram(101)\nlocation(101, other)\n");
}

#define VERTEX                             "shadertype=35633"
#define FRAGMENT                           "shadertype=35632"
#define ASK(function, stage, name, number) function " program=3 " stage " name=\"" name "\" = " number "\n"

/* Subroutines of each stage have numbers of their own. */
static void test_subroutines(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAM ASK("glGetSubroutineIndex", VERTEX, "a", "0") //
                   ASK("glGetSubroutineIndex", FRAGMENT, "b", "0")             //
                   ASK("glGetSubroutineUniformLocation", VERTEX, "c", "0")     //
                   ASK("glGetSubroutineUniformLocation", FRAGMENT, "d", "0")   //
                   "glUniformSubroutinesuiv " VERTEX " count=2 indices=[0,5]\n"
                   "glUniformSubroutinesuiv " FRAGMENT " count=1 indices=[0]\n"
                   "glUniformSubroutinesuiv shadertype=36313 count=1 indices=[0]\n");
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, a)\n"
                   "location(101, b)\n"
                   "location(101, c)\n"
                   "location(101, d)\n"
                   "glUniformSubroutinesuiv(0x8b31): 11\n"
                   "glUniformSubroutinesuiv(0x8b31): 5\n"
                   "glUniformSubroutinesuiv(0x8b30): 12\n"
                   "glUniformSubroutinesuiv(0x8dd9): 0\n");
}

/* OpenGL 4.0 has subroutines, but no interfaces of programs. */
static void test_subroutines_without_interfaces(void **state)
{
    (void)state;
    stub_gl_reset("4.0");
    stub_gl.timers.lacks = "glGetProgramResourceIndex";
    stub_gl_replay(NULL,
                   PROGRAM "glGetActiveSubroutineName program=3 " VERTEX " index=6 bufsize=9 length=[1] "
                           "name=\"c\"\n"
                           "glUniformSubroutinesuiv " VERTEX " count=1 indices=[6]\n");
    stub_gl_expect_line("location(101, c)");
    stub_gl_expect_line("glUniformSubroutinesuiv(0x8b31): 11");
}

/* The stage of a resource is in its interface. */
static void test_resources_of_stages(void **state)
{
    (void)state;
    static const struct {
        unsigned interface, stage;
    } stages[] = {{GL_VERTEX_SUBROUTINE, GL_VERTEX_SHADER},
                  {GL_TESS_CONTROL_SUBROUTINE, GL_TESS_CONTROL_SHADER},
                  {GL_TESS_EVALUATION_SUBROUTINE, GL_TESS_EVALUATION_SHADER},
                  {GL_GEOMETRY_SUBROUTINE, GL_GEOMETRY_SHADER},
                  {GL_FRAGMENT_SUBROUTINE, GL_FRAGMENT_SHADER},
                  {GL_COMPUTE_SUBROUTINE, GL_COMPUTE_SHADER}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; ++i) {
        char calls[900], expected[300];
        unsigned interface = stages[i].interface, stage = stages[i].stage;
        snprintf(calls, sizeof calls,
                 PROGRAM "glGetProgramResourceIndex program=3 programInterface=%u name=\"a\" = 4\n"
                         "glGetProgramResourceName program=3 programInterface=%u index=5 bufSize=9 "
                         "length=[1] name=\"b\"\n"
                         "glGetActiveSubroutineName program=3 shadertype=%u index=6 bufsize=9 length=[1] "
                         "name=\"c\"\n"
                         "glGetProgramResourceLocation program=3 programInterface=%u name=\"d\" = 4\n"
                         "glUniformSubroutinesuiv shadertype=%u count=3 indices=[4,5,6]\n"
                         "glGetUniformSubroutineuiv shadertype=%u location=4 params=[7]\n",
                 interface, interface, stage, interface + 6, stage, stage);
        snprintf(expected, sizeof expected,
                 "glUseProgram(101)\n"
                 "location(101, a)\n"
                 "location(101, b)\n"
                 "location(101, c)\n"
                 "location(101, d)\n"
                 "glUniformSubroutinesuiv(0x%x): 11\n"
                 "glUniformSubroutinesuiv(0x%x): 12\n"
                 "glUniformSubroutinesuiv(0x%x): 13\n",
                 stage, stage, stage);
        stub_gl_reset("4.6");
        stub_gl_replay(NULL, calls);
        stub_gl_expect(expected);
    }
}

/* With --check, the driver is asked about the same subroutines. */
static void test_subroutines_are_checked(void **state)
{
    (void)state;
    const struct replay_options check = {.check = true};
    stub_gl_reset("4.6");
    stub_gl_replay(&check, PROGRAM ASK("glGetSubroutineUniformLocation", VERTEX, "c", "4") //
                   ASK("glGetSubroutineUniformLocation", FRAGMENT, "d", "4")               //
                   "glGetUniformSubroutineuiv " VERTEX " location=4 params=[11]\n"
                   "glGetProgramResourceLocation program=3 programInterface=37618 name=\"e\" = 8\n" //
                   "glGetUniformSubroutineuiv " FRAGMENT " location=8 params=[13]\n"
                   "glGetActiveSubroutineName program=3 " VERTEX
                   " index=6 bufsize=9 length=[1] name=\"n\"\n" NAME("37608", "7", "n"));
    stub_gl_expect("glUseProgram(101)\n"
                   "location(101, c)\n"
                   "location(101, d)\n"
                   "glGetUniformSubroutineuiv(0x8b31, 11)\n"
                   "location(101, e)\n"
                   "glGetUniformSubroutineuiv(0x8b30, 13)\n"
                   "location(101, n)\n"
                   "glGetProgramResourceName(101, 0x8b31, 14)\n"
                   "location(101, n)\n"
                   "glGetProgramResourceName(101, 0x92e8, 15)\n");
    assert_int_equal(stub_gl.differing_calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resources_by_name),
        cmocka_unit_test(test_other_resources),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_damaged_questions),
        cmocka_unit_test(test_neighbours_of_subroutines),
        cmocka_unit_test(test_functions_for_indices),
        cmocka_unit_test(test_names_inside_begin),
        cmocka_unit_test(test_sizes_that_are_told),
        cmocka_unit_test(test_drivers_without_sizes),
        cmocka_unit_test(test_locations_that_stay_lost),
        cmocka_unit_test(test_no_answer),
        cmocka_unit_test(test_a_resource_after_linking),
        cmocka_unit_test(test_names_by_number),
        cmocka_unit_test(test_names_that_are_not_found),
        cmocka_unit_test(test_names_are_checked),
        cmocka_unit_test(test_locations_by_number),
        cmocka_unit_test(test_elements_of_arrays),
        cmocka_unit_test(test_sizes_are_asked_for_once),
        cmocka_unit_test(test_elements_of_lost_arrays),
        cmocka_unit_test(test_several_uniforms),
        cmocka_unit_test(test_elements_that_were_left_out),
        cmocka_unit_test(test_arrays_of_old_programs),
        cmocka_unit_test(test_arrays_of_old_versions),
        cmocka_unit_test(test_subroutines),
        cmocka_unit_test(test_subroutines_without_interfaces),
        cmocka_unit_test(test_resources_of_stages),
        cmocka_unit_test(test_subroutines_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
