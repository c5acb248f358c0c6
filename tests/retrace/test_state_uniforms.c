/* SPDX-License-Identifier: MIT
 * Tests what a state dump says of programs: their sources, and the values of uniforms, in blocks and outside.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_shaders.h"
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
#define OF_PROGRAM(program, pname, value)                                                                    \
    {                                                                                                        \
        "glGetProgramiv", program, 0, pname, {value}, NULL                                                   \
    }
#define UNIFORM(program, index, name, count, type)                                                           \
    {                                                                                                        \
        "glGetActiveUniform", program, index, 0, {count, type}, name                                         \
    }
#define LOCATION(program, name, location)                                                                    \
    {                                                                                                        \
        "glGetUniformLocation", program, 0, 0, {location}, name                                              \
    }

/* --- uniforms of the program itself --------------------------------------------------------------------- */

static const struct state_answer plain[] = {
    CURRENT(3),
    OF_PROGRAM(3, GL_ACTIVE_UNIFORMS, 12),
    UNIFORM(3, 0, "one", 1, GL_FLOAT),
    LOCATION(3, "one", 0),
    {"glGetUniformfv", 3, 0, 0, {1.5}, NULL},
    UNIFORM(3, 1, "two", 1, GL_INT_VEC2),
    LOCATION(3, "two", 21),
    {"glGetUniformiv", 3, 0, 21, {-5, 6}, NULL},
    UNIFORM(3, 2, "three", 1, GL_UNSIGNED_INT),
    LOCATION(3, "three", 22),
    {"glGetUniformuiv", 3, 0, 22, {4e9}, NULL},
    UNIFORM(3, 3, "four", 1, GL_DOUBLE),
    LOCATION(3, "four", 23),
    {"glGetUniformdv", 3, 0, 23, {0.1}, NULL},
    UNIFORM(3, 4, "list[0]", 2, GL_FLOAT),
    LOCATION(3, "list", 24),
    LOCATION(3, "list[0]", 24),
    LOCATION(3, "list[1]", 25),
    {"glGetUniformfv", 3, 0, 24, {7}, NULL},
    {"glGetUniformfv", 3, 0, 25, {8}, NULL},
    UNIFORM(3, 5, "gl_Fog", 1, GL_FLOAT), /* of the fixed pipeline */
    LOCATION(3, "gl_Fog", 26),
    UNIFORM(3, 6, "silent", 1, GL_FLOAT), /* the driver does not tell its value */
    LOCATION(3, "silent", 27),
    UNIFORM(3, 7, "none", 1, GL_FLOAT),     /* without location */
    UNIFORM(3, 8, "odd", 1, GL_TEXTURE_2D), /* an unknown type */
    LOCATION(3, "odd", 28),
    UNIFORM(3, 9, "x[0]", 1, GL_SAMPLER_2D), /* no array */
    LOCATION(3, "x[0]", 29),
    {"glGetUniformiv", 3, 0, 29, {2}, NULL},
    UNIFORM(3, 10, "empty", 0, GL_FLOAT),
    LOCATION(3, "empty", 30),
    {"glGetUniformfv", 3, 0, 30, {3}, NULL},
    UNIFORM(3, 11, "long", 1048577, GL_FLOAT), /* beyond what a driver has */
    LOCATION(3, "long", 31),
    UNIFORM(3, 12, "beyond", 1, GL_FLOAT), /* the last one */
    LOCATION(3, "beyond", 32),
    END,
};

static void test_plain_uniforms(void **state)
{
    (void)state;
    state_driver_reset(plain);
    state_driver_expect(state_dump_uniforms,
                        "{\"uniforms\":{\"one\":1.5,\"two\":[-5,6],\"three\":4000000000,\"four\":0.1,"
                        "\"list\":[7,8],\"silent\":null,\"x[0]\":2}}",
                        "");
}

/* Integers are asked for as glGetUniformiv() has them if the driver has no other function. */
static void test_older_drivers(void **state)
{
    (void)state;
    state_driver_reset(plain);
    state_driver.lacks = "glGetActiveUniform";
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
    state_driver.lacks = "glGetUniformLocation";
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
    state_driver.lacks = NULL;
    state_driver.version = 15;
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
    static const struct state_answer unused[] = {
        OF_PROGRAM(1, GL_ACTIVE_UNIFORMS, 1),
        UNIFORM(1, 0, "one", 1, GL_FLOAT),
        LOCATION(1, "one", 0),
        {"glGetUniformfv", 1, 0, 0, {1.5}, NULL},
        END,
    };
    state_driver.answers = unused;
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
}

/* --- blocks --------------------------------------------------------------------------------------------- */

#define IN_BLOCK(index, block, offset, stride, matrix_stride, is_row_major)                                  \
    {"glGetActiveUniformsiv", 3, index, GL_UNIFORM_BLOCK_INDEX, {block}, NULL},                              \
        {"glGetActiveUniformsiv", 3, index, GL_UNIFORM_OFFSET, {offset}, NULL},                              \
        {"glGetActiveUniformsiv", 3, index, GL_UNIFORM_ARRAY_STRIDE, {stride}, NULL},                        \
        {"glGetActiveUniformsiv", 3, index, GL_UNIFORM_MATRIX_STRIDE, {matrix_stride}, NULL},                \
    {                                                                                                        \
        "glGetActiveUniformsiv", 3, index, GL_UNIFORM_IS_ROW_MAJOR, {is_row_major}, NULL                     \
    }

static const struct state_answer blocks[] = {
    CURRENT(3),
    OF_PROGRAM(3, GL_ACTIVE_UNIFORMS, 7),
    UNIFORM(3, 0, "a", 1, GL_FLOAT),
    IN_BLOCK(0, 1, 4, 0, 0, 0),
    UNIFORM(3, 1, "b[0]", 2, GL_FLOAT),
    IN_BLOCK(1, 1, 0, 8, 0, 0),
    UNIFORM(3, 2, "m", 1, GL_FLOAT_MAT2),
    IN_BLOCK(2, 1, 0, 0, 8, 0),
    UNIFORM(3, 3, "r", 1, GL_FLOAT_MAT2),
    IN_BLOCK(3, 1, 0, 0, 8, 1),
    UNIFORM(3, 4, "beyond", 1, GL_FLOAT),
    IN_BLOCK(4, 1, 16, 0, 0, 0),
    UNIFORM(3, 5, "unbound", 1, GL_FLOAT),
    IN_BLOCK(5, 2, 0, 0, 0, 0),
    UNIFORM(3, 6, "negative", 1, GL_FLOAT),
    IN_BLOCK(6, 1, -4, 0, 0, 0),
    {"glGetActiveUniformBlockiv", 3, 1, GL_UNIFORM_BLOCK_BINDING, {0}, NULL},
    {"glGetActiveUniformBlockiv", 3, 2, GL_UNIFORM_BLOCK_BINDING, {6}, NULL},
    {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_BINDING, {1}, NULL},
    {"glGetIntegeri_v", 0, 6, GL_UNIFORM_BUFFER_BINDING, {0}, NULL},
    {"glGetInteger64i_v", 0, 0, GL_UNIFORM_BUFFER_START, {12}, NULL},
    {"glGetInteger64i_v", 0, 6, GL_UNIFORM_BUFFER_START, {0}, NULL},
    {"glGetBufferParameteriv", 1, 0, GL_BUFFER_SIZE, {28}, NULL},
    END,
};

static void test_uniforms_in_blocks(void **state)
{
    static const GLfloat floats[] = {90, 91, 92, 1, 2, 3, 4, 80};
    (void)state;
    state_driver_reset(blocks);
    state_driver.bytes = (const uint8_t *)floats;
    state_driver.byte_count = sizeof floats;
    state_driver_run(state_dump_uniforms);
    state_driver.log[0] = '\0';
#define READ(offset, size)                                                                                   \
    "glBindBuffer(0x8f36, 1)\nglBindBuffer(0x8f36, 0)\nglBindBuffer(0x8f36, 1)\n"                            \
    "glGetBufferSubData(0x8f36, " offset ", " size ")\nglBindBuffer(0x8f36, 0)\n"
    state_driver_expect(state_dump_uniforms,
                        "{\"uniforms\":{\"a\":2,\"b\":[1,3],\"m\":[[1,2],[3,4]],\"r\":[[1,3],[2,4]]}}",
                        READ("16", "4") READ("12", "12") READ("12", "16")
                            READ("12", "16") "glBindBuffer(0x8f36, 1)\nglBindBuffer(0x8f36, 0)\n");
#undef READ
    state_driver.lacks = "glGetActiveUniformsiv";
    state_driver.log[0] = '\0';
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
}

/* Columns or rows of a matrix may have gaps between them, as those of std140 do. */
static void test_matrices_with_gaps(void **state)
{
    static const struct state_answer matrices[] = {
        CURRENT(3),
        OF_PROGRAM(3, GL_ACTIVE_UNIFORMS, 2),
        UNIFORM(3, 0, "m", 1, GL_FLOAT_MAT2),
        IN_BLOCK(0, 1, 0, 0, 16, 0),
        UNIFORM(3, 1, "r", 2, GL_FLOAT_MAT2),
        IN_BLOCK(1, 1, 0, 4, 16, 1),
        {"glGetActiveUniformBlockiv", 3, 1, GL_UNIFORM_BLOCK_BINDING, {0}, NULL},
        {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_BINDING, {1}, NULL},
        {"glGetInteger64i_v", 0, 0, GL_UNIFORM_BUFFER_START, {0}, NULL},
        {"glGetBufferParameteriv", 1, 0, GL_BUFFER_SIZE, {28}, NULL},
        END,
    };
    static const GLfloat floats[] = {1, 2, 90, 91, 3, 4, 92};
    (void)state;
    state_driver_reset(matrices);
    state_driver.bytes = (const uint8_t *)floats;
    state_driver.byte_count = sizeof floats;
    assert_string_equal(state_driver_text(state_dump_uniforms),
                        "{\"uniforms\":{\"m\":[[1,2],[3,4]],\"r\":[[[1,3],[2,4]],[[2,4],[90,92]]]}}");
}

/* --- pipelines, and assembly programs ------------------------------------------------------------------- */

static const struct state_answer pipeline[] = {
    CURRENT(0),
    {"glGetIntegerv", 0, 0, GL_PROGRAM_PIPELINE_BINDING, {4}, NULL},
    {"glGetProgramPipelineiv", 4, 0, GL_VERTEX_SHADER, {5}, NULL},
    {"glGetProgramPipelineiv", 4, 0, GL_FRAGMENT_SHADER, {6}, NULL},
    {"glGetProgramPipelineiv", 4, 0, GL_GEOMETRY_SHADER, {0}, NULL},
    OF_PROGRAM(5, GL_ACTIVE_UNIFORMS, 1),
    UNIFORM(5, 0, "a", 1, GL_FLOAT),
    LOCATION(5, "a", 1),
    {"glGetUniformfv", 5, 0, 1, {10}, NULL},
    OF_PROGRAM(6, GL_ACTIVE_UNIFORMS, 1),
    UNIFORM(6, 0, "a", 1, GL_FLOAT),
    LOCATION(6, "a", 1),
    {"glGetUniformfv", 6, 0, 1, {20}, NULL},
    {"glGetAttachedShaders", 5, 0, 0, {50, 60}, NULL},
    {"glGetAttachedShaders", 6, 0, 0, {60}, NULL},
    {"glGetShaderiv", 50, 0, GL_SHADER_TYPE, {GL_VERTEX_SHADER}, NULL},
    {"glGetShaderiv", 50, 0, GL_SHADER_SOURCE_LENGTH, {7}, NULL},
    {"glGetShaderSource", 50, 0, 0, {0}, "vertex"},
    {"glGetShaderiv", 60, 0, GL_SHADER_TYPE, {GL_FRAGMENT_SHADER}, NULL},
    {"glGetShaderiv", 60, 0, GL_SHADER_SOURCE_LENGTH, {9}, NULL},
    {"glGetShaderSource", 60, 0, 0, {0}, "fragment"},
    /* These count only without a pipeline. */
    {"glIsEnabled", 0, 0, GL_VERTEX_PROGRAM_ARB, {1}, NULL},
    {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {3}, NULL},
    {"glGetProgramStringARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_STRING_ARB, {0}, "old"},
    {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, {1}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_VERTEX_PROGRAM_ARB, 0, 0, {1}, NULL},
    END,
};

static void test_pipelines(void **state)
{
    (void)state;
    state_driver_reset(pipeline);
    state_driver_expect(state_dump_uniforms,
                        "{\"uniforms\":{\"GL_VERTEX_SHADER\":{\"a\":10},\"GL_FRAGMENT_SHADER\":{\"a\":20}}}",
                        "");
    /* Of a program in a pipeline, the shader of another stage is not used. */
    state_driver_expect(state_dump_shaders,
                        "{\"shaders\":{\"GL_VERTEX_SHADER\":\"vertex\",\"GL_FRAGMENT_SHADER\":\"fragment\"}}",
                        "");
    state_driver.lacks = "glGetProgramPipelineiv";
    state_driver_expect(state_dump_shaders, "{\"shaders\":{\"GL_VERTEX_PROGRAM_ARB\":\"old\"}}", "");
}

/* Each stage has a program. */
static void test_stages(void **state)
{
#define STAGE(stage, program, value)                                                                         \
    {"glGetProgramPipelineiv", 4, 0, stage, {program}, NULL}, OF_PROGRAM(program, GL_ACTIVE_UNIFORMS, 1),    \
        UNIFORM(program, 0, "a", 1, GL_FLOAT), LOCATION(program, "a", 1),                                    \
    {                                                                                                        \
        "glGetUniformfv", program, 0, 1, {value}, NULL                                                       \
    }
    static const struct state_answer stages[] = {
        {"glGetIntegerv", 0, 0, GL_PROGRAM_PIPELINE_BINDING, {4}, NULL},
        STAGE(GL_VERTEX_SHADER, 21, 1),
        STAGE(GL_FRAGMENT_SHADER, 22, 2),
        STAGE(GL_GEOMETRY_SHADER, 23, 3),
        STAGE(GL_TESS_CONTROL_SHADER, 24, 4),
        STAGE(GL_TESS_EVALUATION_SHADER, 25, 5),
        STAGE(GL_COMPUTE_SHADER, 26, 6),
        END,
    };
#undef STAGE
    (void)state;
    state_driver_reset(stages);
    state_driver_expect(state_dump_uniforms,
                        "{\"uniforms\":{\"GL_VERTEX_SHADER\":{\"a\":1},\"GL_FRAGMENT_SHADER\":{\"a\":2},"
                        "\"GL_GEOMETRY_SHADER\":{\"a\":3},\"GL_TESS_CONTROL_SHADER\":{\"a\":4},"
                        "\"GL_TESS_EVALUATION_SHADER\":{\"a\":5},\"GL_COMPUTE_SHADER\":{\"a\":6}}}",
                        "");
}

static const struct state_answer arb[] = {
    CURRENT(0),
    {"glIsEnabled", 0, 0, GL_FRAGMENT_PROGRAM_ARB, {1}, NULL},
    {"glIsEnabled", 0, 0, GL_VERTEX_PROGRAM_ARB, {1}, NULL},
    {"glGetProgramivARB", GL_FRAGMENT_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {8}, NULL},
    {"glGetProgramStringARB", GL_FRAGMENT_PROGRAM_ARB, 0, GL_PROGRAM_STRING_ARB, {0}, "fragment"},
    {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {6}, NULL},
    {"glGetProgramStringARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_STRING_ARB, {0}, "vertex"},
    {"glGetProgramivARB", GL_FRAGMENT_PROGRAM_ARB, 0, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, {6}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_FRAGMENT_PROGRAM_ARB, 0, 0, {0}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_FRAGMENT_PROGRAM_ARB, 0, 1, {0, 0, 0, 4}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_FRAGMENT_PROGRAM_ARB, 0, 2, {0, 0, 3, 0}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_FRAGMENT_PROGRAM_ARB, 0, 3, {0, 2, 0, 0}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_FRAGMENT_PROGRAM_ARB, 0, 4, {1, 0, 0, 0}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_FRAGMENT_PROGRAM_ARB, 0, 6, {9, 9, 9, 9}, NULL},
    {"glGetProgramivARB", GL_FRAGMENT_PROGRAM_ARB, 0, GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, {1}, NULL},
    {"glGetProgramEnvParameterdvARB", GL_FRAGMENT_PROGRAM_ARB, 0, 0, {5, 6, 7, 8}, NULL},
    {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, {1}, NULL},
    {"glGetProgramLocalParameterdvARB", GL_VERTEX_PROGRAM_ARB, 0, 0, {1, 1, 1, 1}, NULL},
    {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, {1}, NULL},
    {"glGetProgramEnvParameterdvARB", GL_VERTEX_PROGRAM_ARB, 0, 0, {2, 2, 2, 2}, NULL},
    END,
};

static void test_assembly_programs(void **state)
{
    (void)state;
    state_driver_reset(arb);
    state_driver_expect(
        state_dump_uniforms,
        "{\"uniforms\":{\"fp.program.local[1]\":[0,0,0,4],\"fp.program.local[2]\":[0,0,3,0],"
        "\"fp.program.local[3]\":[0,2,0,0],\"fp.program.local[4]\":[1,0,0,0],\"fp.program.env[0]\":[5,6,7,8],"
        "\"vp.program.local[0]\":[1,1,1,1],\"vp.program.env[0]\":[2,2,2,2]}}",
        "");
    state_driver_expect(state_dump_shaders,
                        "{\"shaders\":{\"GL_FRAGMENT_PROGRAM_ARB\":\"fragment\","
                        "\"GL_VERTEX_PROGRAM_ARB\":\"vertex\"}}",
                        "");
    static const struct state_answer empty[] = {
        {"glIsEnabled", 0, 0, GL_VERTEX_PROGRAM_ARB, {1}, NULL},
        {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {0}, NULL},
        {"glGetProgramStringARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_STRING_ARB, {0}, ""},
        END,
    };
    static const struct state_answer disabled[] = {
        {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {3}, NULL},
        {"glGetProgramStringARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_STRING_ARB, {0}, "old"},
        END,
    };
    state_driver.answers = empty;
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
    state_driver.answers = disabled;
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
    state_driver.answers = arb;
    state_driver.lacks = "glGetProgramLocalParameterdvARB";
    state_driver_expect(state_dump_uniforms,
                        "{\"uniforms\":{\"fp.program.env[0]\":[5,6,7,8],\"vp.program.env[0]\":[2,2,2,2]}}",
                        "");
    state_driver.lacks = "glGetProgramivARB";
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
    state_driver.lacks = "glGetProgramStringARB";
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
}

/* --- sources -------------------------------------------------------------------------------------------- */

#define SHADER(name, type, length, source)                                                                   \
    {"glGetShaderiv", name, 0, GL_SHADER_TYPE, {type}, NULL},                                                \
        {"glGetShaderiv", name, 0, GL_SHADER_SOURCE_LENGTH, {length}, NULL},                                 \
    {                                                                                                        \
        "glGetShaderSource", name, 0, 0, {0}, source                                                         \
    }

/* Several shaders of a stage are one text, in the order of their names. A program in use goes before a
 * pipeline and assembly programs. */
static void test_sources(void **state)
{
    static const struct state_answer sources[] = {
        CURRENT(3),
        {"glGetIntegerv", 0, 0, GL_PROGRAM_PIPELINE_BINDING, {4}, NULL},
        {"glIsEnabled", 0, 0, GL_VERTEX_PROGRAM_ARB, {1}, NULL},
        {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {3}, NULL},
        {"glGetProgramStringARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_STRING_ARB, {0}, "old"},
        {"glGetAttachedShaders", 3, 0, 0, {9, 8, 7, 6}, NULL},
        SHADER(9, GL_FRAGMENT_SHADER, 4, "//9"),
        SHADER(8, GL_FRAGMENT_SHADER, 5, "//8\n"),
        SHADER(7, GL_VERTEX_SHADER, 4, "//7"),
        SHADER(6, GL_COMPUTE_SHADER, 0, "//6"),
        END,
    };
    (void)state;
    state_driver_reset(sources);
    state_driver_expect(state_dump_shaders,
                        "{\"shaders\":{\"GL_VERTEX_SHADER\":\"//7\",\"GL_FRAGMENT_SHADER\":\"//8\\n//9\"}}",
                        "");
    static const struct state_answer ascending[] = {
        CURRENT(3),
        {"glGetAttachedShaders", 3, 0, 0, {6, 7, 8}, NULL},
        SHADER(6, GL_VERTEX_SHADER, 5, "//6\n"),
        SHADER(7, GL_VERTEX_SHADER, 5, "//7\n"),
        SHADER(8, GL_VERTEX_SHADER, 5, "//8\n"),
        END,
    };
    state_driver.answers = ascending;
    state_driver_expect(state_dump_shaders, "{\"shaders\":{\"GL_VERTEX_SHADER\":\"//6\\n//7\\n//8\\n\"}}",
                        "");
    state_driver.answers = sources;
    state_driver.lacks = "glGetShaderSource";
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
    state_driver.lacks = "glGetAttachedShaders";
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
}

/* --- odd drivers ---------------------------------------------------------------------------------------- */

/* An array may have a name without [0], and elements without location. Its name may be short, or only [0]. */
static void test_names_of_arrays(void **state)
{
    static const struct state_answer arrays[] = {
        CURRENT(3),
        OF_PROGRAM(3, GL_ACTIVE_UNIFORMS, 3),
        UNIFORM(3, 0, "plain", 2, GL_FLOAT),
        LOCATION(3, "plain", 1),
        LOCATION(3, "plain[0]", 1),
        LOCATION(3, "plain[1]", -1),
        {"glGetUniformfv", 3, 0, 1, {1}, NULL},
        {"glGetUniformfv", 3, 0, (GLenum)-1, {8}, NULL},
        UNIFORM(3, 1, "ab", 2, GL_FLOAT),
        LOCATION(3, "ab", 2),
        LOCATION(3, "ab[0]", 2),
        LOCATION(3, "ab[1]", 3),
        {"glGetUniformfv", 3, 0, 2, {2}, NULL},
        {"glGetUniformfv", 3, 0, 3, {3}, NULL},
        UNIFORM(3, 2, "[0]", 2, GL_FLOAT),
        LOCATION(3, "[0]", 4),
        LOCATION(3, "[0][0]", 4),
        LOCATION(3, "[0][1]", 5),
        {"glGetUniformfv", 3, 0, 4, {4}, NULL},
        {"glGetUniformfv", 3, 0, 5, {5}, NULL},
        END,
    };
    (void)state;
    state_driver_reset(arrays);
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{\"plain\":[1,null],\"ab\":[2,3],\"[0]\":[4,5]}}",
                        "");
}

/* What a driver without a function says of values. */
static void test_missing_functions(void **state)
{
    static const struct state_answer one[] = {CURRENT(3),
                                              OF_PROGRAM(3, GL_ACTIVE_UNIFORMS, 1),
                                              UNIFORM(3, 0, "three", 1, GL_UNSIGNED_INT),
                                              LOCATION(3, "three", 22),
                                              {"glGetUniformiv", 3, 0, 22, {-2}, NULL},
                                              END};
    static const GLfloat floats[] = {0, 5, 0, 0, 0, 0, 0};
    static const char *const functions[] = {"glGetActiveUniformBlockiv", "glGetIntegeri_v"};
    (void)state;
    state_driver_reset(one);
    state_driver.lacks = "glGetUniformuiv";
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{\"three\":4294967294}}", "");
    state_driver.lacks = "glGetProgramiv";
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        state_driver_reset(blocks);
        state_driver.lacks = functions[i];
        state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
    }
    state_driver_reset(blocks); /* a buffer begins at 0 then */
    state_driver.lacks = "glGetInteger64i_v";
    state_driver.bytes = (const uint8_t *)floats;
    state_driver.byte_count = sizeof floats;
    assert_non_null(strstr(state_driver_text(state_dump_uniforms), "{\"uniforms\":{\"a\":5,"));
    state_driver_reset(blocks); /* OpenGL ES has blocks since 3.0 */
    state_driver.is_es = true;
    state_driver.version = 20;
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
}

/* An array whose elements would be before the first one. */
static void test_negative_strides(void **state)
{
    static const struct state_answer answers[] = {
        CURRENT(3),
        OF_PROGRAM(3, GL_ACTIVE_UNIFORMS, 1),
        UNIFORM(3, 0, "b", 2, GL_FLOAT),
        IN_BLOCK(0, 1, 8, -4, 0, 0),
        {"glGetActiveUniformBlockiv", 3, 1, GL_UNIFORM_BLOCK_BINDING, {0}, NULL},
        {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_BINDING, {1}, NULL},
        {"glGetInteger64i_v", 0, 0, GL_UNIFORM_BUFFER_START, {0}, NULL},
        {"glGetBufferParameteriv", 1, 0, GL_BUFFER_SIZE, {28}, NULL},
        END,
    };
    (void)state;
    state_driver_reset(answers);
    state_driver_expect(state_dump_uniforms, "{\"uniforms\":{}}", "");
}

/* No more uniforms and parameters are asked for than any driver has. */
static void test_most(void **state)
{
    static const struct state_answer uniforms[] = {
        CURRENT(3),
        OF_PROGRAM(3, GL_ACTIVE_UNIFORMS, 70000),
        UNIFORM(3, 65535, "last", 1, GL_FLOAT),
        LOCATION(3, "last", 1),
        {"glGetUniformfv", 3, 0, 1, {1}, NULL},
        UNIFORM(3, 65536, "beyond", 1, GL_FLOAT),
        LOCATION(3, "beyond", 1),
        END,
    };
    static const struct state_answer parameters[] = {
        {"glIsEnabled", 0, 0, GL_VERTEX_PROGRAM_ARB, {1}, NULL},
        {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, {70000}, NULL},
        {"glGetProgramLocalParameterdvARB", GL_VERTEX_PROGRAM_ARB, 0, 65535, {1}, NULL},
        {"glGetProgramLocalParameterdvARB", GL_VERTEX_PROGRAM_ARB, 0, 65536, {2}, NULL},
        END,
    };
    (void)state;
    state_driver_reset(uniforms);
    assert_string_equal(state_driver_text(state_dump_uniforms), "{\"uniforms\":{\"last\":1}}");
    state_driver_reset(parameters);
    assert_string_equal(state_driver_text(state_dump_uniforms),
                        "{\"uniforms\":{\"vp.program.local[65535]\":[1,0,0,0]}}");
}

/* A source that is longer than the driver had said, or than any, is left out. */
static void test_odd_sources(void **state)
{
    static const struct state_answer sources[] = {
        CURRENT(3),
        {"glGetAttachedShaders", 3, 0, 0, {6, 7, 8}, NULL},
        SHADER(6, GL_VERTEX_SHADER, 3, "//longer"),
        SHADER(7, GL_VERTEX_SHADER, (1 << 26) + 1, "//7"),
        SHADER(8, GL_VERTEX_SHADER, 4, "//8"),
        END,
    };
    static const struct state_answer old[] = {
        {"glIsEnabled", 0, 0, GL_VERTEX_PROGRAM_ARB, {1}, NULL},
        {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {(1 << 26) + 1}, NULL},
        {"glGetProgramStringARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_STRING_ARB, {0}, "old"},
        END,
    };
    (void)state;
    state_driver_reset(sources);
    state_driver_expect(state_dump_shaders, "{\"shaders\":{\"GL_VERTEX_SHADER\":\"//8\"}}", "");
    state_driver.lacks = "glGetShaderiv";
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
    state_driver_reset(old);
    state_driver_expect(state_dump_shaders, "{\"shaders\":{}}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_uniforms),     cmocka_unit_test(test_older_drivers),
        cmocka_unit_test(test_uniforms_in_blocks), cmocka_unit_test(test_matrices_with_gaps),
        cmocka_unit_test(test_pipelines),          cmocka_unit_test(test_stages),
        cmocka_unit_test(test_assembly_programs),  cmocka_unit_test(test_sources),
        cmocka_unit_test(test_names_of_arrays),    cmocka_unit_test(test_missing_functions),
        cmocka_unit_test(test_negative_strides),   cmocka_unit_test(test_most),
        cmocka_unit_test(test_odd_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
