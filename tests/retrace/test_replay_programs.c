/* SPDX-License-Identifier: MIT
 * Tests which program is in use, whose locations a call means: in lists, and after errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

/* Two programs: the locations 1 are 11 and 12. */
#define PROGRAMS                                                                                             \
    "glCreateProgram = 3\n"                                                                                  \
    "glCreateProgram = 4\n"                                                                                  \
    "glGetUniformLocation program=3 name=\"a\" = 1\n"                                                        \
    "glGetUniformLocation program=4 name=\"a\" = 1\n"
#define FOUND           "location(101, a)\nlocation(102, a)\n"
#define USE(program)    "glUseProgram program=" program "\n"
#define SET             "glUniform1i location=1 v0=8\n"
#define LIST(number)    "glNewList list=" number " mode=4864\n"
#define EXECUTE(number) "glNewList list=" number " mode=4865\n"
#define END_LIST        "glEndList\n"
#define CALL(number)    "glCallList list=" number "\n"

/* What is only compiled is used when the list is called, but what follows it in the list means it. */
static void test_programs_in_lists(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAMS USE("3") LIST("1") SET USE("4") SET END_LIST SET CALL("1") SET);
    stub_gl_expect(FOUND "glUseProgram(101)\n"
                         "glUniform1i(11, 8)\n"
                         "glUseProgram(102)\n"
                         "glUniform1i(12, 8)\n"
                         "glUniform1i(11, 8)\n"
                         "glCallList(1)\n"
                         "glUniform1i(12, 8)\n");
}

static void test_programs_in_executed_lists(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAMS USE("3") EXECUTE("1") USE("4") SET END_LIST SET USE("3") CALL("1") SET);
    stub_gl_expect(FOUND "glUseProgram(101)\n"
                         "glUseProgram(102)\n"
                         "glUniform1i(12, 8)\n"
                         "glUniform1i(12, 8)\n"
                         "glUseProgram(101)\n"
                         "glCallList(1)\n"
                         "glUniform1i(12, 8)\n");
}

/* A list has the effect of those that it calls. One that is made again has that of its new calls. */
static void test_lists_of_lists(void **state)
{
    (void)state;
    static const char used[] = FOUND "glUseProgram(102)\n"
                                     "glUseProgram(101)\n"
                                     "glCallList(1)\n";
    char expected[400];
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAMS LIST("1") USE("4") END_LIST USE("3") LIST("2") CALL("1") SET END_LIST //
                             SET "glCallLists n=1 type=5121 lists=#\x02\n" SET LIST("1") END_LIST USE("3")
                                 CALL("1") SET);
    snprintf(expected, sizeof expected, "%s%s", used,
             "glUniform1i(12, 8)\n"
             "glUniform1i(11, 8)\n"
             "glCallLists(1, 0x1401)\n"
             "glUniform1i(12, 8)\n"
             "glUseProgram(101)\n"
             "glCallList(1)\n"
             "glUniform1i(11, 8)\n");
    stub_gl_expect(expected);
}

/* Of an array of lists, those are called that are counted, and no more. */
static void test_count_of_lists(void **state)
{
    (void)state;
    stub_gl_reset("4.6"); /* behind the name, there are zeros: the base, list 1 */
    stub_gl_replay(NULL, PROGRAMS USE("4") USE("3") LIST("1") USE("4") END_LIST LIST("3") END_LIST
                   "glListBase base=1\nglCallLists n=1 type=5121 lists=#\x02\n" SET);
    stub_gl_expect_line("glCallLists(1, 0x1401)\nglUniform1i(11, 8)");
}

/* The program stays that was in use before. */
static void test_programs_that_cannot_be_used(void **state)
{
    (void)state;
    static const struct replay_options slow = {.benchmark = false}, fast = {.benchmark = true};
    static const struct replay_options *const options[] = {&slow, &fast};
    for (unsigned i = 0; i < 2; ++i) {
        stub_gl_reset("4.6");
        stub_gl.refused_program = 102;
        stub_gl_replay(options[i], PROGRAMS USE("3") SET USE("4") SET);
        stub_gl_expect(FOUND "glUseProgram(101)\n"
                             "glUniform1i(11, 8)\n"
                             "glUseProgram(102)\n"
                             "glUniform1i(11, 8)\n");
        assert_string_equal(stub_gl.messages,
                            i == 1 ? "" : "9: warning: glGetError(glUseProgram) = GL_INVALID_OPERATION\n");
    }
    stub_gl_reset("4.6");
    stub_gl.refused_program = 102;
    stub_gl_replay(NULL, PROGRAMS USE("3") LIST("1") USE("4") END_LIST CALL("1") SET);
    stub_gl_expect(FOUND "glUseProgram(101)\nglUseProgram(102)\nglCallList(1)\nglUniform1i(11, 8)\n");
    stub_gl_expect_message("11: warning: glGetError(glCallList) = GL_INVALID_OPERATION\n");
    stub_gl_reset("4.6");
    stub_gl.refused_program = 102;
    stub_gl_replay(NULL, PROGRAMS USE("3") LIST("1") USE("4") END_LIST LIST("2") USE("4") END_LIST
                   "glCallLists n=2 type=5121 lists=#\x01\x02\n");
    stub_gl_expect_message(": warning: glGetError(glCallLists) = GL_INVALID_OPERATION\n");
}

/* A driver is asked once, and again when a program may have become another one. */
static void test_when_drivers_are_asked(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "glLinkProgram program=4\n",
        "glProgramBinary program=4 binaryFormat=77 binary=#theirs length=6\n",
        "glDeleteProgram program=4\n",
    };
    stub_gl_reset("4.6");
    stub_gl_replay(NULL, PROGRAMS USE("4") USE("3") USE("4") USE("3") USE("0") USE("4") SET);
    assert_int_equal(stub_gl.program_questions, 2);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        char calls[600];
        stub_gl_reset("4.6");
        snprintf(calls, sizeof calls, "%s%s%s", PROGRAMS USE("4") USE("3"), changes[i], USE("4") SET);
        stub_gl_replay(NULL, calls);
        assert_int_equal(stub_gl.program_questions, 3);
        stub_gl_expect_line("glUniform1i(12, 8)");
    }
    /* A new program that reuses the name of one whose deletion the trace does not have. */
    stub_gl_reset("4.6");
    stub_gl.refused_program = 103;
    stub_gl_replay(NULL, PROGRAMS USE("4") USE("3") "glCreateProgram = 4\n" USE("4") SET);
    stub_gl_expect(FOUND "glUseProgram(102)\nglUseProgram(101)\nglUseProgram(103)\nglUniform1i(11, 8)\n");
    assert_int_equal(stub_gl.program_questions, 3);
}

/* A driver that does not tell which program it uses has taken it. */
static void test_drivers_that_do_not_tell(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.unknown_pname = GL_CURRENT_PROGRAM;
    stub_gl_replay(NULL, PROGRAMS USE("3") USE("4") SET);
    stub_gl_expect(FOUND "glUseProgram(101)\nglUseProgram(102)\nglUniform1i(12, 8)\n");
}

/* Between glBegin() and glEnd(), it is an error, and the driver cannot be asked. */
static void test_programs_in_primitives(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.refused_program = 102;
    stub_gl_replay(NULL, PROGRAMS USE("3") "glBegin mode=4\n" USE("4") "glEnd\n" SET);
    stub_gl_expect(FOUND "glUseProgram(101)\nglUseProgram(102)\nglUniform1i(11, 8)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_in_lists),
        cmocka_unit_test(test_programs_in_executed_lists),
        cmocka_unit_test(test_lists_of_lists),
        cmocka_unit_test(test_count_of_lists),
        cmocka_unit_test(test_programs_that_cannot_be_used),
        cmocka_unit_test(test_when_drivers_are_asked),
        cmocka_unit_test(test_drivers_that_do_not_tell),
        cmocka_unit_test(test_programs_in_primitives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
