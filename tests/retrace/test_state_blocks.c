/* SPDX-License-Identifier: MIT
 * Tests what a state dump says of the storage blocks of a program, and of blocks with more variables than
 * most.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_uniforms.h"
#include "state_driver.h"

#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, 0, {0}, NULL                                                                             \
    }
#define CURRENT(program)                                                                                     \
    {                                                                                                        \
        "glGetIntegerv", 0, 0, GL_CURRENT_PROGRAM, {program}, NULL                                           \
    }
#define BLOCK_COUNT(count)                                                                                   \
    {                                                                                                        \
        "glGetProgramInterfaceiv", 3, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, {count}, NULL            \
    }
#define RESOURCE(interface, index, pname, ...)                                                               \
    {                                                                                                        \
        "glGetProgramResourceiv", interface, index, pname, {__VA_ARGS__}, NULL                               \
    }
#define NAME(interface, index, name)                                                                         \
    {                                                                                                        \
        "glGetProgramResourceName", interface, index, 0, {0}, name                                           \
    }
#define BLOCK(index, pname, ...) RESOURCE(GL_SHADER_STORAGE_BLOCK, index, pname, __VA_ARGS__)

/* Every property of variable i is 100 × i + its place. */
#define VARIABLE(i)                                                                                          \
    NAME(GL_BUFFER_VARIABLE, i, "variable" #i), RESOURCE(GL_BUFFER_VARIABLE, i, GL_TYPE, 100 * i),           \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_ARRAY_SIZE, 100 * i + 1),                                         \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_OFFSET, 100 * i + 2),                                             \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_BLOCK_INDEX, 100 * i + 3),                                        \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_ARRAY_STRIDE, 100 * i + 4),                                       \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_MATRIX_STRIDE, 100 * i + 5),                                      \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_IS_ROW_MAJOR, 100 * i + 6),                                       \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_TOP_LEVEL_ARRAY_SIZE, 100 * i + 7),                               \
        RESOURCE(GL_BUFFER_VARIABLE, i, GL_TOP_LEVEL_ARRAY_STRIDE, 100 * i + 8)
#define VARIABLE_TEXT(number)                                                                                \
    "\"variable" #number "\":{\"GL_TYPE\":" #number "00,\"GL_ARRAY_SIZE\":" #number                          \
    "01,\"GL_OFFSET\":" #number "02,\"GL_BLOCK_INDEX\":" #number "03,\"GL_ARRAY_STRIDE\":" #number           \
    "04,\"GL_MATRIX_STRIDE\":" #number "05,\"GL_IS_ROW_MAJOR\":" #number                                     \
    "06,\"GL_TOP_LEVEL_ARRAY_SIZE\":" #number "07,\"GL_TOP_LEVEL_ARRAY_STRIDE\":" #number "08}"

static const struct state_answer blocks[] = {
    CURRENT(3),
    BLOCK_COUNT(2),
    NAME(GL_SHADER_STORAGE_BLOCK, 0, "first"),
    BLOCK(0, GL_BUFFER_BINDING, 9),
    BLOCK(0, GL_BUFFER_DATA_SIZE, 10),
    BLOCK(0, GL_REFERENCED_BY_VERTEX_SHADER, 1),
    BLOCK(0, GL_REFERENCED_BY_TESS_CONTROL_SHADER, 0),
    BLOCK(0, GL_REFERENCED_BY_COMPUTE_SHADER, 1),
    BLOCK(0, GL_NUM_ACTIVE_VARIABLES, 2),
    BLOCK(0, GL_ACTIVE_VARIABLES, 4, 7),
    VARIABLE(4),
    VARIABLE(7),
    NAME(GL_SHADER_STORAGE_BLOCK, 1, "second"),
    BLOCK(1, GL_BUFFER_BINDING, 109),
    BLOCK(1, GL_BUFFER_DATA_SIZE, 110),
    BLOCK(1, GL_REFERENCED_BY_TESS_CONTROL_SHADER, 1),
    BLOCK(1, GL_REFERENCED_BY_TESS_EVALUATION_SHADER, 1),
    BLOCK(1, GL_REFERENCED_BY_GEOMETRY_SHADER, 1),
    BLOCK(1, GL_REFERENCED_BY_FRAGMENT_SHADER, 1),
    BLOCK(1, GL_NUM_ACTIVE_VARIABLES, 0),
    NAME(GL_SHADER_STORAGE_BLOCK, 2, "beyond"),
    END,
};

static void expect(const char *json)
{
    state_driver_expect(state_dump_storage_blocks, json, "");
}

#define NONE "{\"shaderstoragebufferblocks\":{}}"

static void test_blocks(void **state)
{
    static const char *const functions[] = {"glGetProgramInterfaceiv", "glGetProgramResourceiv",
                                            "glGetProgramResourceName"};
    static const struct state_answer unused[] = {CURRENT(0), BLOCK_COUNT(2), END};
    (void)state;
    state_driver_reset(blocks);
    expect("{\"shaderstoragebufferblocks\":{\"first\":{\"GL_BUFFER_BINDING\":9,\"GL_BUFFER_DATA_SIZE\":10,"
           "\"GL_REFERENCED_BY_VERTEX_SHADER\":true,\"GL_REFERENCED_BY_COMPUTE_SHADER\":true,"
           "\"activeVariables\":{" VARIABLE_TEXT(4) "," VARIABLE_TEXT(
               7) "}},"
                  "\"second\":{\"GL_BUFFER_BINDING\":109,\"GL_BUFFER_DATA_SIZE\":110,"
                  "\"GL_REFERENCED_BY_TESS_CONTROL_SHADER\":true,"
                  "\"GL_REFERENCED_BY_TESS_EVALUATION_SHADER\":true,"
                  "\"GL_REFERENCED_BY_GEOMETRY_SHADER\":true,\"GL_REFERENCED_BY_FRAGMENT_SHADER\":true}}}");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver.lacks = functions[i];
        expect(NONE);
    }
    state_driver_reset(unused);
    expect(NONE);
}

/* Of a name that is too long, the beginning is written. */
static void test_long_names(void **state)
{
    static char name[600], json[700];
    const struct state_answer answers[] = {CURRENT(3), BLOCK_COUNT(1), NAME(GL_SHADER_STORAGE_BLOCK, 0, name),
                                           END};
    (void)state;
    memset(name, 'a', sizeof name - 1);
    snprintf(json, sizeof json,
             "{\"shaderstoragebufferblocks\":{\"%.511s\":{\"GL_BUFFER_BINDING\":0,"
             "\"GL_BUFFER_DATA_SIZE\":0}}}",
             name);
    state_driver_reset(answers);
    expect(json);
}

/* No more blocks are asked for than any driver has. */
static void test_most_blocks(void **state)
{
    static const struct state_answer answers[] = {CURRENT(3), BLOCK_COUNT(100000),
                                                  NAME(GL_SHADER_STORAGE_BLOCK, 4095, "last"),
                                                  NAME(GL_SHADER_STORAGE_BLOCK, 4096, "beyond"), END};
    (void)state;
    state_driver_reset(answers);
    assert_string_equal(state_driver_text(state_dump_storage_blocks),
                        "{\"shaderstoragebufferblocks\":{\"last\":{\"GL_BUFFER_BINDING\":0,"
                        "\"GL_BUFFER_DATA_SIZE\":0}}}");
}

/* A driver may say that it has written more indices than there is room for. */
static void test_most_variables(void **state)
{
    static struct state_answer answers[] = {CURRENT(3),
                                            BLOCK_COUNT(1),
                                            NAME(GL_SHADER_STORAGE_BLOCK, 0, "first"),
                                            BLOCK(0, GL_NUM_ACTIVE_VARIABLES, 5000),
                                            BLOCK(0, GL_ACTIVE_VARIABLES, 4),
                                            VARIABLE(4),
                                            END};
    unsigned count = 0;
    (void)state;
    for (struct state_answer *a = answers; a->function != NULL; ++a)
        if (a->pname == GL_ACTIVE_VARIABLES)
            a->text = "more than there is room for";
    state_driver_reset(answers);
    for (const char *at = state_driver_text(state_dump_storage_blocks);
         (at = strstr(at, "\"variable4\":")) != NULL; ++at)
        ++count;
    assert_int_equal(count, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_most_blocks),
        cmocka_unit_test(test_most_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
