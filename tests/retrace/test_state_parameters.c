/* SPDX-License-Identifier: MIT
 * Tests the parameters of a state dump: of each kind of object, those that the driver has an answer for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "state/state_parameters.h"
#include "state_driver.h"

#define END                                                                                                  \
    {                                                                                                        \
        NULL, 0, 0, 0, {0}, NULL                                                                             \
    }
#define INTEGER(pname, ...)                                                                                  \
    {                                                                                                        \
        "glGetIntegerv", 0, 0, pname, {__VA_ARGS__}, NULL                                                    \
    }
#define ENABLED(capability)                                                                                  \
    {                                                                                                        \
        "glIsEnabled", 0, 0, capability, {1}, NULL                                                           \
    }
#define LABEL(identifier, name, text)                                                                        \
    {                                                                                                        \
        "glGetObjectLabel", identifier, name, 0, {0}, text                                                   \
    }

/* What a driver without anything has. */
#define BUFFERS                                                                                              \
    "\"GL_ARRAY_BUFFER\":{},\"GL_COPY_READ_BUFFER\":{},\"GL_COPY_WRITE_BUFFER\":{},"                         \
    "\"GL_DRAW_INDIRECT_BUFFER\":{},\"GL_DISPATCH_INDIRECT_BUFFER\":{},\"GL_ELEMENT_ARRAY_BUFFER\":{},"      \
    "\"GL_PIXEL_PACK_BUFFER\":{},\"GL_PIXEL_UNPACK_BUFFER\":{},\"GL_QUERY_BUFFER\":{},"                      \
    "\"GL_SHADER_STORAGE_BUFFER\":{},\"GL_TEXTURE_BUFFER\":{},\"GL_TRANSFORM_FEEDBACK_BUFFER\":{},"          \
    "\"GL_UNIFORM_BUFFER\":{},"
#define FACES "\"GL_FRONT\":{},\"GL_BACK\":{},"

static void expect(const struct state_answer *answers, const char *json, const char *log)
{
    state_driver_reset(answers);
    state_driver_expect(state_dump_parameters, json, log);
}

static void test_nothing(void **state)
{
    static const struct state_answer none[] = {END};
    (void)state;
    expect(none, "{\"parameters\":{" FACES BUFFERS "\"GL_TEXTURE0\":{}}}", "");
    state_driver_reset(none);
    state_driver.is_es = true;
    state_driver_expect(state_dump_parameters, "{\"parameters\":{" BUFFERS "\"GL_TEXTURE0\":{}}}", "");
}

/* --- the context ---------------------------------------------------------------------------------------- */

static void test_values_of_the_context(void **state)
{
    static const struct state_answer answers[] = {
        {"glGetString", 0, 0, GL_VENDOR, {0}, "us"},
        {"glGetString", 0, 0, GL_VERSION, {0}, NULL},
        {"glGetFloatv", 0, 0, GL_LINE_WIDTH, {1.5}, NULL},
        {"glGetFloatv", 0, 0, GL_CURRENT_COLOR, {0.25, 0.5, 0.75, 1}, NULL},
        {"glGetPointerv", 0, 0, GL_VERTEX_ARRAY_POINTER, {4096}, NULL},
        {"glGetBooleanv", 0, 0, GL_DEPTH_WRITEMASK, {1}, NULL},
        {"glGetBooleanv", 0, 0, GL_COLOR_WRITEMASK, {1, 0, 1, 1}, NULL},
        INTEGER(GL_CULL_FACE_MODE, GL_FRONT),
        INTEGER(GL_CULL_FACE, 1), /* a boolean is not asked for as a number */
        INTEGER(GL_STENCIL_REF, -3),
        INTEGER(GL_VIEWPORT, 1, 2, 300, 200),
        INTEGER(GL_NUM_COMPRESSED_TEXTURE_FORMATS, 2),
        INTEGER(GL_COMPRESSED_TEXTURE_FORMATS, GL_COMPRESSED_RED_RGTC1, GL_COMPRESSED_RG_RGTC2),
        END,
    };
    (void)state;
    expect(answers,
           "{\"parameters\":{\"GL_CURRENT_COLOR\":[0.25,0.5,0.75,1],\"GL_LINE_WIDTH\":1.5,"
           "\"GL_CULL_FACE_MODE\":\"GL_FRONT\",\"GL_DEPTH_WRITEMASK\":\"GL_TRUE\",\"GL_STENCIL_REF\":-3,"
           "\"GL_VIEWPORT\":[1,2,300,200],\"GL_COLOR_WRITEMASK\":[\"GL_TRUE\",\"GL_FALSE\",\"GL_TRUE\","
           "\"GL_TRUE\"],\"GL_VENDOR\":\"us\",\"GL_VERSION\":null,\"GL_VERTEX_ARRAY_POINTER\":4096,"
           "\"GL_NUM_COMPRESSED_TEXTURE_FORMATS\":2,"
           "\"GL_COMPRESSED_TEXTURE_FORMATS\":[\"GL_COMPRESSED_RED_RGTC1\",\"GL_COMPRESSED_RG_RGTC2\"]," FACES
               BUFFERS "\"GL_TEXTURE0\":{}}}",
           "");
    state_driver.lacks = "glGetBooleanv"; /* then, numbers are */
    state_driver_reset((const struct state_answer[]){INTEGER(GL_CULL_FACE, 1), END});
    state_driver.lacks = "glGetBooleanv";
    state_driver_expect(state_dump_parameters,
                        "{\"parameters\":{\"GL_CULL_FACE\":\"GL_TRUE\"," FACES BUFFERS "\"GL_TEXTURE0\":{}}}",
                        "");
}

/* A list may be empty, and so long that it is left out. */
/* Fails the test unless the text of the answers has this part. */
static void expect_part(const struct state_answer *answers, const char *part)
{
    state_driver_reset(answers);
    const char *text = state_driver_text(state_dump_parameters);
    if (strstr(text, part) == NULL)
        fail_msg("%s is not in %s", part, text);
}

static void test_pairs(void **state)
{
    static const struct state_answer answers[] = {
        {"glGetFloatv", 0, 0, GL_DEPTH_RANGE, {0.25, 0.75}, NULL},
        INTEGER(GL_MAX_VIEWPORT_DIMS, 4096, 2048),
        END,
    };
    (void)state;
    expect_part(answers, "\"GL_DEPTH_RANGE\":[0.25,0.75]");
    expect_part(answers, "\"GL_MAX_VIEWPORT_DIMS\":[4096,2048]");
}

static void test_lists(void **state)
{
    static const struct state_answer empty[] = {INTEGER(GL_NUM_COMPRESSED_TEXTURE_FORMATS, 0), END};
    static const struct state_answer huge[] = {
        INTEGER(GL_NUM_COMPRESSED_TEXTURE_FORMATS, 65537),
        INTEGER(GL_COMPRESSED_TEXTURE_FORMATS, GL_COMPRESSED_RED_RGTC1), END};
    (void)state;
    expect(empty,
           "{\"parameters\":{\"GL_NUM_COMPRESSED_TEXTURE_FORMATS\":0,"
           "\"GL_COMPRESSED_TEXTURE_FORMATS\":[]," FACES BUFFERS "\"GL_TEXTURE0\":{}}}",
           "");
    expect(huge,
           "{\"parameters\":{\"GL_NUM_COMPRESSED_TEXTURE_FORMATS\":65537," FACES BUFFERS
           "\"GL_TEXTURE0\":{}}}",
           "");
}

/* --- the fixed pipeline --------------------------------------------------------------------------------- */

static void test_the_fixed_pipeline(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_MAX_LIGHTS, 3),
        ENABLED(GL_LIGHT1),
        ENABLED(GL_LIGHT3), /* there is none */
        {"glGetLightfv", GL_LIGHT0, 0, GL_SPOT_CUTOFF, {90}, NULL},
        {"glGetLightfv", GL_LIGHT1, 0, GL_SPOT_CUTOFF, {180}, NULL},
        {"glGetLightfv", GL_LIGHT3, 0, GL_SPOT_CUTOFF, {45}, NULL},
        {"glGetMaterialfv", GL_FRONT, 0, GL_SHININESS, {5}, NULL},
        {"glGetMaterialfv", GL_BACK, 0, GL_SHININESS, {6}, NULL},
        ENABLED(GL_FRAGMENT_PROGRAM_ARB),
        ENABLED(GL_VERTEX_PROGRAM_ARB),
        {"glGetProgramivARB", GL_FRAGMENT_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {7}, NULL},
        {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {8}, NULL},
        END,
    };
    (void)state;
    expect(answers,
           "{\"parameters\":{\"GL_MAX_LIGHTS\":3,\"GL_FRONT\":{\"GL_SHININESS\":5},\"GL_BACK\":"
           "{\"GL_SHININESS\":6},\"GL_LIGHT1\":{\"GL_SPOT_CUTOFF\":180},"
           "\"GL_FRAGMENT_PROGRAM_ARB\":{\"GL_PROGRAM_LENGTH_ARB\":7},"
           "\"GL_VERTEX_PROGRAM_ARB\":{\"GL_PROGRAM_LENGTH_ARB\":8}," BUFFERS "\"GL_TEXTURE0\":{}}}",
           "");
}

/* --- arrays and buffers --------------------------------------------------------------------------------- */

static void test_vertex_attributes(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_MAX_VERTEX_ATTRIBS, 2),
        INTEGER(GL_MAX_LABEL_LENGTH, 9),
        {"glGetVertexAttribiv", 0, 0, GL_VERTEX_ATTRIB_ARRAY_SIZE, {3}, NULL},
        {"glGetVertexAttribiv", 1, 0, GL_VERTEX_ATTRIB_ARRAY_TYPE, {GL_FLOAT}, NULL},
        {"glGetVertexAttribiv", 1, 0, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, {7}, NULL},
        {"glGetVertexAttribfv", 1, 0, GL_CURRENT_VERTEX_ATTRIB, {1, 2, 3, 4}, NULL},
        {"glGetVertexAttribPointerv", 1, 0, GL_VERTEX_ATTRIB_ARRAY_POINTER, {64}, NULL},
        {"glGetVertexAttribiv", 2, 0, GL_VERTEX_ATTRIB_ARRAY_SIZE, {4}, NULL},
        LABEL(GL_BUFFER, 7, "seven"),
        END,
    };
    (void)state;
    expect(answers,
           "{\"parameters\":{\"GL_MAX_LABEL_LENGTH\":9,\"GL_MAX_VERTEX_ATTRIBS\":2," FACES
           "\"GL_VERTEX_ATTRIB_ARRAY0\":{\"GL_VERTEX_ATTRIB_ARRAY_SIZE\":3},"
           "\"GL_VERTEX_ATTRIB_ARRAY1\":{\"GL_VERTEX_ATTRIB_ARRAY_TYPE\":\"GL_FLOAT\","
           "\"GL_CURRENT_VERTEX_ATTRIB\":[1,2,3,4],\"GL_VERTEX_ATTRIB_ARRAY_POINTER\":64,"
           "\"GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING\":7,"
           "\"GL_VERTEX_ATTRIB_ARRAY_BUFFER_LABEL\":\"seven\"}," BUFFERS "\"GL_TEXTURE0\":{}}}",
           "");
}

static void test_buffers(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_UNIFORM_BUFFER_BINDING, 5),
        INTEGER(GL_MAX_UNIFORM_BUFFER_BINDINGS, 2),
        {"glGetBufferParameteriv", GL_UNIFORM_BUFFER, 0, GL_BUFFER_SIZE, {96}, NULL},
        {"glGetBufferParameteriv", GL_UNIFORM_BUFFER, 0, GL_BUFFER_MAPPED, {1}, NULL},
        {"glGetBufferPointerv", GL_UNIFORM_BUFFER, 0, GL_BUFFER_MAP_POINTER, {32}, NULL},
        {"glGetBufferParameteriv", GL_ARRAY_BUFFER, 0, GL_BUFFER_SIZE, {12}, NULL}, /* none is bound */
        {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_BINDING, {5}, NULL},
        {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_START, {16}, NULL},
        {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_SIZE, {80}, NULL},
        {"glGetIntegeri_v", 0, 1, GL_UNIFORM_BUFFER_BINDING, {0}, NULL},
        {"glGetIntegeri_v", 0, 2, GL_UNIFORM_BUFFER_BINDING, {6}, NULL},
        END,
    };
    (void)state;
    state_driver_reset(answers);
    state_driver_expect(
        state_dump_parameters,
        "{\"parameters\":{\"GL_UNIFORM_BUFFER_BINDING\":5,\"GL_MAX_UNIFORM_BUFFER_BINDINGS\":2," FACES
        "\"GL_ARRAY_BUFFER\":{},\"GL_COPY_READ_BUFFER\":{},\"GL_COPY_WRITE_BUFFER\":{},"
        "\"GL_DRAW_INDIRECT_BUFFER\":{},\"GL_DISPATCH_INDIRECT_BUFFER\":{},\"GL_ELEMENT_ARRAY_BUFFER\":{},"
        "\"GL_PIXEL_PACK_BUFFER\":{},\"GL_PIXEL_UNPACK_BUFFER\":{},\"GL_QUERY_BUFFER\":{},"
        "\"GL_SHADER_STORAGE_BUFFER\":{},\"GL_TEXTURE_BUFFER\":{},\"GL_TRANSFORM_FEEDBACK_BUFFER\":{},"
        "\"GL_UNIFORM_BUFFER\":{\"GL_BUFFER_SIZE\":96,\"GL_BUFFER_MAPPED\":\"GL_TRUE\","
        "\"GL_BUFFER_MAP_POINTER\":32,\"i\":[{\"GL_UNIFORM_BUFFER_BINDING\":5,\"GL_UNIFORM_BUFFER_START\":16,"
        "\"GL_UNIFORM_BUFFER_SIZE\":80},{\"GL_UNIFORM_BUFFER_BINDING\":0}]},\"GL_TEXTURE0\":{}}}",
        "");
}

/* --- textures ------------------------------------------------------------------------------------------- */

static const struct state_answer textures[] = {
    INTEGER(GL_ACTIVE_TEXTURE, GL_TEXTURE1),
    INTEGER(GL_MAX_TEXTURE_COORDS, 1),
    INTEGER(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 3),
    INTEGER(GL_MAX_LABEL_LENGTH, 9),
    ENABLED(GL_TEXTURE_3D),
    {"glGetIntegerv", 0, 0, GL_TEXTURE_BINDING_2D, {7}, NULL}, /* in unit 0 */
    {"glGetIntegerv", 1, 0, GL_TEXTURE_BINDING_CUBE_MAP, {8}, NULL},
    {"glGetIntegerv", 2, 0, GL_TEXTURE_BINDING_BUFFER, {9}, NULL},
    {"glGetIntegerv", 0, 0, GL_SAMPLER_BINDING, {0}, NULL},
    {"glGetIntegerv", 1, 0, GL_SAMPLER_BINDING, {4}, NULL},
    LABEL(GL_TEXTURE, 7, "a"),
    LABEL(GL_SAMPLER, 4, "s"),
    {"glGetTexParameteriv", GL_TEXTURE_2D, 0, GL_TEXTURE_MAG_FILTER, {GL_NEAREST}, NULL},
    {"glGetTexParameterfv", GL_TEXTURE_2D, 0, GL_TEXTURE_MIN_LOD, {-1000}, NULL},
    {"glGetTexLevelParameteriv", GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, {64}, NULL},
    {"glGetTexLevelParameteriv", GL_TEXTURE_2D, 1, GL_TEXTURE_WIDTH, {32}, NULL},
    {"glGetTexLevelParameteriv", GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, GL_TEXTURE_HEIGHT, {16}, NULL},
    {"glGetTexParameteriv", GL_TEXTURE_BUFFER, 0, GL_TEXTURE_MAG_FILTER, {GL_NEAREST}, NULL},
    {"glGetTexLevelParameteriv", GL_TEXTURE_BUFFER, 0, GL_TEXTURE_WIDTH, {99}, NULL},
    {"glGetSamplerParameteriv", 4, 0, GL_TEXTURE_WRAP_S, {GL_REPEAT}, NULL},
    {"glGetSamplerParameterfv", 4, 0, GL_TEXTURE_MAX_LOD, {2.5}, NULL},
    {"glGetTexEnviv", GL_TEXTURE_ENV, 0, GL_TEXTURE_ENV_MODE, {GL_MODULATE}, NULL},
    {"glGetTexEnvfv", GL_TEXTURE_ENV, 0, GL_RGB_SCALE, {2}, NULL},
    {"glGetTexEnvfv", GL_TEXTURE_FILTER_CONTROL, 0, GL_TEXTURE_LOD_BIAS, {3}, NULL},
    {"glGetTexEnviv", GL_POINT_SPRITE, 0, GL_COORD_REPLACE, {1}, NULL},
    END,
};

#define UNITS_LOG "glActiveTexture(0)\nglActiveTexture(1)\nglActiveTexture(2)\nglActiveTexture(1)\n"

static void test_textures(void **state)
{
    (void)state;
    state_driver_reset(textures);
    state_driver.unit = 1;
    state_driver_expect(
        state_dump_parameters,
        "{\"parameters\":{\"GL_MAX_LABEL_LENGTH\":9,\"GL_ACTIVE_TEXTURE\":\"GL_TEXTURE1\","
        "\"GL_MAX_TEXTURE_COORDS\":1,\"GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS\":3," FACES BUFFERS
        "\"GL_TEXTURE0\":{\"GL_TEXTURE_BINDING_2D\":7,\"GL_TEXTURE_2D\":\"GL_FALSE\",\"GL_TEXTURE_2D\":"
        "{\"GL_TEXTURE_LABEL\":\"a\",\"GL_TEXTURE_MAG_FILTER\":\"GL_NEAREST\",\"GL_TEXTURE_MIN_LOD\":-1000,"
        "\"GL_TEXTURE_WIDTH\":64},\"GL_TEXTURE_1D\":\"GL_FALSE\",\"GL_TEXTURE_RECTANGLE\":\"GL_FALSE\","
        "\"GL_TEXTURE_CUBE_MAP\":\"GL_FALSE\",\"GL_TEXTURE_3D\":\"GL_TRUE\",\"GL_TEXTURE_3D\":{},"
        "\"GL_SAMPLER_BINDING\":0,\"GL_TEXTURE_ENV\":{\"GL_TEXTURE_ENV_MODE\":\"GL_MODULATE\",\"GL_RGB_"
        "SCALE\":2},"
        "\"GL_TEXTURE_FILTER_CONTROL\":{\"GL_TEXTURE_LOD_BIAS\":3},"
        "\"GL_POINT_SPRITE\":{\"GL_COORD_REPLACE\":\"GL_TRUE\"}},"
        "\"GL_TEXTURE1\":{\"GL_TEXTURE_BINDING_CUBE_MAP\":8,\"GL_TEXTURE_CUBE_MAP\":{\"GL_TEXTURE_HEIGHT\":"
        "16},"
        "\"GL_SAMPLER_BINDING\":4,\"GL_SAMPLER\":{\"GL_SAMPLER_LABEL\":\"s\","
        "\"GL_TEXTURE_WRAP_S\":\"GL_REPEAT\",\"GL_TEXTURE_MAX_LOD\":2.5}},"
        "\"GL_TEXTURE2\":{\"GL_TEXTURE_BINDING_BUFFER\":9,\"GL_TEXTURE_BUFFER\":{\"GL_TEXTURE_WIDTH\":99}}}}",
        UNITS_LOG);
}

/* OpenGL ES has levels' parameters since 3.1. */
static void test_levels_of_es(void **state)
{
    static const struct {
        int version;
        const char *width;
    } cases[] = {{30, ""}, {31, "\"GL_TEXTURE_WIDTH\":64"}, {32, "\"GL_TEXTURE_WIDTH\":64"}};
    static const struct state_answer answers[] = {
        {"glGetIntegerv", 0, 0, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, {1}, NULL},
        {"glGetIntegerv", 0, 0, GL_TEXTURE_BINDING_2D, {7}, NULL},
        {"glGetTexLevelParameteriv", GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, {64}, NULL},
        END,
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char json[1000];
        state_driver_reset(answers);
        state_driver.is_es = true;
        state_driver.version = cases[i].version;
        snprintf(json, sizeof json,
                 "{\"parameters\":{\"GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS\":1," BUFFERS
                 "\"GL_TEXTURE0\":{\"GL_TEXTURE_BINDING_2D\":7,\"GL_TEXTURE_2D\":{%s}}}}",
                 cases[i].width);
        state_driver_expect(state_dump_parameters, json, NULL);
    }
}

/* --- framebuffers and labels ---------------------------------------------------------------------------- */

#define ATTACHED(point, type, name)                                                                          \
    {"glGetFramebufferAttachmentParameteriv",                                                                \
     GL_DRAW_FRAMEBUFFER,                                                                                    \
     point,                                                                                                  \
     GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE,                                                                  \
     {type},                                                                                                 \
     NULL},                                                                                                  \
    {                                                                                                        \
        "glGetFramebufferAttachmentParameteriv", GL_DRAW_FRAMEBUFFER, point,                                 \
            GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, {name}, NULL                                              \
    }

static void test_framebuffers(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_MAX_COLOR_ATTACHMENTS, 2),
        INTEGER(GL_MAX_LABEL_LENGTH, 9),
        LABEL(GL_FRAMEBUFFER, 3, "three"),
        LABEL(GL_TEXTURE, 12, "picture"),
        LABEL(GL_RENDERBUFFER, 13, "depths"),
        ATTACHED(GL_COLOR_ATTACHMENT0, GL_NONE, 0),
        ATTACHED(GL_COLOR_ATTACHMENT1, GL_TEXTURE, 12),
        ATTACHED(GL_COLOR_ATTACHMENT2, GL_TEXTURE, 12), /* beyond the last one */
        ATTACHED(GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 13),
        END,
    };
    (void)state;
    expect(answers,
           "{\"parameters\":{\"GL_MAX_LABEL_LENGTH\":9,\"GL_DRAW_FRAMEBUFFER_BINDING\":3,"
           "\"GL_MAX_COLOR_ATTACHMENTS\":2," FACES BUFFERS
           "\"GL_TEXTURE0\":{},\"GL_DRAW_FRAMEBUFFER\":{\"GL_FRAMEBUFFER_LABEL\":\"three\","
           "\"GL_COLOR_ATTACHMENT1\":{\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE\":\"GL_TEXTURE\","
           "\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME\":12,"
           "\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_LABEL\":\"picture\"},"
           "\"GL_DEPTH_ATTACHMENT\":{\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE\":\"GL_RENDERBUFFER\","
           "\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME\":13,"
           "\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_LABEL\":\"depths\"}},"
           "\"GL_DRAW_FRAMEBUFFER_LABEL\":\"three\"}}",
           "");
}

/* What is read may be another one. */
static void test_framebuffer_to_read(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_READ_FRAMEBUFFER_BINDING, 4),
        INTEGER(GL_MAX_COLOR_ATTACHMENTS, 1),
        INTEGER(GL_MAX_LABEL_LENGTH, 9),
        LABEL(GL_FRAMEBUFFER, 4, "four"),
        ATTACHED(GL_COLOR_ATTACHMENT0, GL_TEXTURE, 12),
        {"glGetFramebufferAttachmentParameteriv",
         GL_READ_FRAMEBUFFER,
         GL_COLOR_ATTACHMENT0,
         GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE,
         {GL_TEXTURE},
         NULL},
        {"glGetFramebufferAttachmentParameteriv",
         GL_READ_FRAMEBUFFER,
         GL_COLOR_ATTACHMENT0,
         GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
         {13},
         NULL},
        END,
    };
    (void)state;
    expect_part(answers, "\"GL_READ_FRAMEBUFFER\":{\"GL_FRAMEBUFFER_LABEL\":\"four\","
                         "\"GL_COLOR_ATTACHMENT0\":{"
                         "\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE\":\"GL_TEXTURE\","
                         "\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME\":13}}");
}

static void test_labels(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_MAX_LABEL_LENGTH, 9),
        INTEGER(GL_CURRENT_PROGRAM, 2),
        INTEGER(GL_VERTEX_ARRAY_BINDING, 3),
        INTEGER(GL_RENDERBUFFER_BINDING, 4),
        INTEGER(GL_PROGRAM_PIPELINE_BINDING, 5),
        INTEGER(GL_TRANSFORM_FEEDBACK_BINDING, 6),
        LABEL(GL_PROGRAM, 2, "program"),
        LABEL(GL_VERTEX_ARRAY, 3, "array"),
        LABEL(GL_RENDERBUFFER, 4, "image"),
        LABEL(GL_PROGRAM_PIPELINE, 5, "pipeline"),
        LABEL(GL_TRANSFORM_FEEDBACK, 6, "feedback"),
        END,
    };
    (void)state;
    expect(answers,
           "{\"parameters\":{\"GL_PROGRAM_PIPELINE_BINDING\":5,\"GL_MAX_LABEL_LENGTH\":9,"
           "\"GL_VERTEX_ARRAY_BINDING\":3,\"GL_CURRENT_PROGRAM\":2,\"GL_RENDERBUFFER_BINDING\":4,"
           "\"GL_TRANSFORM_FEEDBACK_BINDING\":6," FACES BUFFERS
           "\"GL_TEXTURE0\":{},\"GL_CURRENT_PROGRAM_LABEL\":\"program\","
           "\"GL_PROGRAM_PIPELINE_LABEL\":\"pipeline\",\"GL_RENDERBUFFER_LABEL\":\"image\","
           "\"GL_TRANSFORM_FEEDBACK_LABEL\":\"feedback\",\"GL_VERTEX_ARRAY_LABEL\":\"array\"}}",
           "");
}

/* The driver does not say how many there are. */
static void test_unknown_numbers(void **state)
{
    static const struct state_answer answers[] = {
        ENABLED(GL_LIGHT0),
        {"glGetVertexAttribiv", 0, 0, GL_VERTEX_ATTRIB_ARRAY_SIZE, {3}, NULL},
        {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_BINDING, {5}, NULL},
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_COMPRESSED_TEXTURE_FORMATS, GL_COMPRESSED_RED_RGTC1),
        ATTACHED(GL_COLOR_ATTACHMENT0, GL_TEXTURE, 12),
        ATTACHED(GL_COLOR_ATTACHMENT1, GL_TEXTURE, 13), /* there is one at least */
        END,
    };
    (void)state;
    expect(answers,
           "{\"parameters\":{\"GL_DRAW_FRAMEBUFFER_BINDING\":3," FACES BUFFERS
           "\"GL_TEXTURE0\":{},\"GL_DRAW_FRAMEBUFFER\":{"
           "\"GL_COLOR_ATTACHMENT0\":{\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE\":\"GL_TEXTURE\","
           "\"GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME\":12}}}}",
           "");
}

/* Each binding has a label. */
static void test_each_label(void **state)
{
    static const struct {
        GLenum identifier, binding;
        const char *member;
    } cases[] = {
        {GL_BUFFER, GL_ARRAY_BUFFER_BINDING, "ARRAY_BUFFER"},
        {GL_BUFFER, GL_COLOR_ARRAY_BUFFER_BINDING, "COLOR_ARRAY_BUFFER"},
        {GL_BUFFER, GL_EDGE_FLAG_ARRAY_BUFFER_BINDING, "EDGE_FLAG_ARRAY_BUFFER"},
        {GL_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING, "ELEMENT_ARRAY_BUFFER"},
        {GL_BUFFER, GL_FOG_COORDINATE_ARRAY_BUFFER_BINDING, "FOG_COORDINATE_ARRAY_BUFFER"},
        {GL_BUFFER, GL_INDEX_ARRAY_BUFFER_BINDING, "INDEX_ARRAY_BUFFER"},
        {GL_BUFFER, GL_NORMAL_ARRAY_BUFFER_BINDING, "NORMAL_ARRAY_BUFFER"},
        {GL_BUFFER, GL_SECONDARY_COLOR_ARRAY_BUFFER_BINDING, "SECONDARY_COLOR_ARRAY_BUFFER"},
        {GL_BUFFER, GL_TEXTURE_BUFFER, "TEXTURE_BUFFER"},
        {GL_BUFFER, GL_TEXTURE_COORD_ARRAY_BUFFER_BINDING, "TEXTURE_COORD_ARRAY_BUFFER"},
        {GL_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, "TRANSFORM_FEEDBACK_BUFFER"},
        {GL_BUFFER, GL_VERTEX_ARRAY_BUFFER_BINDING, "VERTEX_ARRAY_BUFFER"},
        {GL_BUFFER, GL_WEIGHT_ARRAY_BUFFER_BINDING, "WEIGHT_ARRAY_BUFFER"},
        {GL_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER_BINDING, "DRAW_FRAMEBUFFER"},
        {GL_FRAMEBUFFER, GL_READ_FRAMEBUFFER_BINDING, "READ_FRAMEBUFFER"},
        {GL_PROGRAM, GL_CURRENT_PROGRAM, "CURRENT_PROGRAM"},
        {GL_PROGRAM_PIPELINE, GL_PROGRAM_PIPELINE_BINDING, "PROGRAM_PIPELINE"},
        {GL_RENDERBUFFER, GL_RENDERBUFFER_BINDING, "RENDERBUFFER"},
        {GL_TRANSFORM_FEEDBACK, GL_TRANSFORM_FEEDBACK_BINDING, "TRANSFORM_FEEDBACK"},
        {GL_VERTEX_ARRAY, GL_VERTEX_ARRAY_BINDING, "VERTEX_ARRAY"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer answers[] = {INTEGER(GL_MAX_LABEL_LENGTH, 9), INTEGER(cases[i].binding, 7),
                                               LABEL(cases[i].identifier, 7, "seven"), END};
        char member[100];
        state_driver_reset(answers);
        snprintf(member, sizeof member, ",\"GL_%s_LABEL\":\"seven\"", cases[i].member);
        const char *text = state_driver_text(state_dump_parameters);
        if (strstr(text, member) == NULL)
            fail_msg("%s is not in %s", member, text);
    }
}

/* Targets of the fixed pipeline are enabled or not. */
static void test_targets(void **state)
{
    static const struct {
        GLenum target, binding;
        bool is_fixed;
        const char *name;
    } cases[] = {
        {GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D, true, "1D"},
        {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, true, "2D"},
        {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, true, "3D"},
        {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, true, "CUBE_MAP"},
        {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, true, "RECTANGLE"},
        {GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY, false, "1D_ARRAY"},
        {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, false, "2D_ARRAY"},
        {GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, false, "CUBE_MAP_ARRAY"},
        {GL_TEXTURE_BUFFER, GL_TEXTURE_BINDING_BUFFER, false, "BUFFER"},
        {GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE, false, "2D_MULTISAMPLE"},
        {GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY, false,
         "2D_MULTISAMPLE_ARRAY"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct state_answer bound[] = {INTEGER(cases[i].binding, 7), INTEGER(GL_MAX_TEXTURE_COORDS, 1),
                                             END};
        const struct state_answer enabled[] = {ENABLED(cases[i].target), INTEGER(GL_MAX_TEXTURE_COORDS, 1),
                                               END};
        char is_bound[100], is_enabled[100], is_disabled[100];
        snprintf(is_bound, sizeof is_bound, "\"GL_TEXTURE_%s\":{}", cases[i].name);
        snprintf(is_enabled, sizeof is_enabled, "\"GL_TEXTURE_%s\":\"GL_TRUE\"", cases[i].name);
        snprintf(is_disabled, sizeof is_disabled, "\"GL_TEXTURE_%s\":\"GL_FALSE\"", cases[i].name);
        state_driver_reset(bound);
        const char *text = strstr(state_driver_text(state_dump_parameters), "\"GL_TEXTURE0\":");
        assert_non_null(strstr(text, is_bound));
        assert_null(strstr(text, is_enabled));
        assert_int_equal(strstr(text, is_disabled) != NULL, cases[i].is_fixed);
        state_driver_reset(enabled);
        text = strstr(state_driver_text(state_dump_parameters), "\"GL_TEXTURE0\":");
        assert_int_equal(strstr(text, is_bound) != NULL, cases[i].is_fixed);
        assert_int_equal(strstr(text, is_enabled) != NULL, cases[i].is_fixed);
    }
}

static unsigned count_parts(const char *text, const char *part)
{
    unsigned count = 0;
    for (; (text = strstr(text, part)) != NULL; ++text)
        ++count;
    return count;
}

/* More than any driver has are left out. */
static void test_most(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_MAX_LIGHTS, 1000),
        ENABLED(GL_LIGHT0 + 255),
        ENABLED(GL_LIGHT0 + 256),
        INTEGER(GL_MAX_VERTEX_ATTRIBS, 1000),
        INTEGER(GL_MAX_UNIFORM_BUFFER_BINDINGS, 100000),
        {"glGetIntegeri_v", 0, 4095, GL_UNIFORM_BUFFER_BINDING, {4567}, NULL},
        {"glGetIntegeri_v", 0, 4096, GL_UNIFORM_BUFFER_BINDING, {7654}, NULL},
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        INTEGER(GL_MAX_COLOR_ATTACHMENTS, 1000),
        ATTACHED(GL_COLOR_ATTACHMENT31, GL_TEXTURE, 8901),
        ATTACHED(GL_DEPTH_ATTACHMENT, GL_TEXTURE, 9801), /* the next value */
        INTEGER(GL_ACTIVE_TEXTURE, GL_TEXTURE0),
        INTEGER(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 100000),
        END,
    };
    static const struct {
        const char *part;
        unsigned count;
    } cases[] = {
        {"\"GL_LIGHT255\":", 1},
        {"\"GL_LIGHT256\":", 0},
        {"_ARRAY255\":", 1},
        {"_ARRAY256\":", 0},
        {":4567", 1},
        {":7654", 0},
        {":8901", 1},
        {":9801", 1},
        {"\"GL_TEXTURE4095\":", 1},
        {"\"GL_TEXTURE4096\":", 0},
    };
    (void)state;
    state_driver_reset(answers);
    const char *text = state_driver_text(state_dump_parameters);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (count_parts(text, cases[i].part) != cases[i].count)
            fail_msg("%s", cases[i].part);
}

/* The longest list that is written. */
static void test_longest_list(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_NUM_COMPRESSED_TEXTURE_FORMATS, 65536),
        INTEGER(GL_COMPRESSED_TEXTURE_FORMATS, GL_COMPRESSED_RED_RGTC1), END};
    (void)state;
    state_driver_reset(answers);
    const char *text = state_driver_text(state_dump_parameters);
    assert_non_null(strstr(text, "\"GL_COMPRESSED_TEXTURE_FORMATS\":[\"GL_COMPRESSED_RED_RGTC1\","));
    assert_int_equal(count_parts(text, "\"GL_ZERO\""), 65535);
}

/* What the driver has no function for is left out, and nothing else. */
static void test_missing_functions(void **state)
{
    static const struct state_answer answers[] = {
        {"glGetFloatv", 0, 0, GL_LINE_WIDTH, {1.5}, NULL},
        {"glGetPointerv", 0, 0, GL_VERTEX_ARRAY_POINTER, {4096}, NULL},
        INTEGER(GL_MAX_LIGHTS, 1),
        ENABLED(GL_LIGHT0),
        {"glGetLightfv", GL_LIGHT0, 0, GL_SPOT_CUTOFF, {180}, NULL},
        {"glGetMaterialfv", GL_FRONT, 0, GL_SHININESS, {5}, NULL},
        ENABLED(GL_VERTEX_PROGRAM_ARB),
        {"glGetProgramivARB", GL_VERTEX_PROGRAM_ARB, 0, GL_PROGRAM_LENGTH_ARB, {8}, NULL},
        INTEGER(GL_MAX_VERTEX_ATTRIBS, 1),
        {"glGetVertexAttribiv", 0, 0, GL_VERTEX_ATTRIB_ARRAY_SIZE, {3}, NULL},
        {"glGetVertexAttribfv", 0, 0, GL_CURRENT_VERTEX_ATTRIB, {1, 2, 3, 4}, NULL},
        {"glGetVertexAttribPointerv", 0, 0, GL_VERTEX_ATTRIB_ARRAY_POINTER, {64}, NULL},
        INTEGER(GL_UNIFORM_BUFFER_BINDING, 5),
        INTEGER(GL_MAX_UNIFORM_BUFFER_BINDINGS, 1),
        {"glGetIntegeri_v", 0, 0, GL_UNIFORM_BUFFER_START, {16}, NULL},
        {"glGetBufferParameteriv", GL_UNIFORM_BUFFER, 0, GL_BUFFER_SIZE, {96}, NULL},
        {"glGetBufferPointerv", GL_UNIFORM_BUFFER, 0, GL_BUFFER_MAP_POINTER, {32}, NULL},
        INTEGER(GL_MAX_TEXTURE_COORDS, 1),
        INTEGER(GL_TEXTURE_BINDING_2D, 7),
        INTEGER(GL_SAMPLER_BINDING, 4),
        {"glGetTexParameteriv", GL_TEXTURE_2D, 0, GL_TEXTURE_MAG_FILTER, {GL_NEAREST}, NULL},
        {"glGetTexParameterfv", GL_TEXTURE_2D, 0, GL_TEXTURE_MIN_LOD, {-1000}, NULL},
        {"glGetTexLevelParameteriv", GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, {64}, NULL},
        {"glGetSamplerParameteriv", 4, 0, GL_TEXTURE_WRAP_S, {GL_REPEAT}, NULL},
        {"glGetSamplerParameterfv", 4, 0, GL_TEXTURE_MAX_LOD, {2.5}, NULL},
        {"glGetTexEnviv", GL_TEXTURE_ENV, 0, GL_TEXTURE_ENV_MODE, {GL_MODULATE}, NULL},
        {"glGetTexEnvfv", GL_TEXTURE_ENV, 0, GL_RGB_SCALE, {2}, NULL},
        INTEGER(GL_DRAW_FRAMEBUFFER_BINDING, 3),
        ATTACHED(GL_COLOR_ATTACHMENT0, GL_TEXTURE, 12),
        END,
    };
    static const struct {
        const char *function, *member;
    } cases[] = {
        {"glGetFloatv", "\"GL_LINE_WIDTH\":1.5"},
        {"glGetPointerv", "\"GL_VERTEX_ARRAY_POINTER\":4096"},
        {"glGetLightfv", "\"GL_SPOT_CUTOFF\":180"},
        {"glGetMaterialfv", "\"GL_SHININESS\":5"},
        {"glGetProgramivARB", "\"GL_PROGRAM_LENGTH_ARB\":8"},
        {"glGetVertexAttribiv", "\"GL_VERTEX_ATTRIB_ARRAY_SIZE\":3"},
        {"glGetVertexAttribfv", "\"GL_CURRENT_VERTEX_ATTRIB\":[1,2,3,4]"},
        {"glGetVertexAttribPointerv", "\"GL_VERTEX_ATTRIB_ARRAY_POINTER\":64"},
        {"glGetIntegeri_v", "\"i\":[{\"GL_UNIFORM_BUFFER_START\":16}]"},
        {"glGetBufferParameteriv", "\"GL_BUFFER_SIZE\":96"},
        {"glGetBufferPointerv", "\"GL_BUFFER_MAP_POINTER\":32"},
        {"glGetTexParameteriv", "\"GL_TEXTURE_MAG_FILTER\":\"GL_NEAREST\""},
        {"glGetTexParameterfv", "\"GL_TEXTURE_MIN_LOD\":-1000"},
        {"glGetTexLevelParameteriv", "\"GL_TEXTURE_WIDTH\":64"},
        {"glGetSamplerParameteriv", "\"GL_TEXTURE_WRAP_S\":\"GL_REPEAT\""},
        {"glGetSamplerParameterfv", "\"GL_TEXTURE_MAX_LOD\":2.5"},
        {"glGetTexEnviv", "\"GL_TEXTURE_ENV_MODE\":\"GL_MODULATE\""},
        {"glGetTexEnvfv", "\"GL_RGB_SCALE\":2"},
        {"glGetFramebufferAttachmentParameteriv", "\"GL_DRAW_FRAMEBUFFER\":{\"GL_COLOR_ATTACHMENT0\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        state_driver_reset(answers);
        state_driver.lacks = cases[i].function;
        const char *text = state_driver_text(state_dump_parameters);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
            bool goes_with = i == k || (strcmp(cases[i].function, "glGetSamplerParameteriv") == 0 &&
                                        strcmp(cases[k].function, "glGetSamplerParameterfv") == 0);
            char key[60];
            snprintf(key, sizeof key, "%.*s", (int)strcspn(cases[k].member, ":") + 1, cases[k].member);
            if (goes_with ? strstr(text, key) != NULL : strstr(text, cases[k].member) == NULL)
                fail_msg("without %s: %s in\n%s", cases[i].function, cases[k].member, text);
        }
    }
}

/* OpenGL ES has neither samplers nor environments in a dump, and a core profile no units of the fixed
 * pipeline, whatever the driver says. */
static void test_units_of_other_contexts(void **state)
{
    static const struct state_answer answers[] = {
        INTEGER(GL_CONTEXT_PROFILE_MASK, GL_CONTEXT_CORE_PROFILE_BIT),
        INTEGER(GL_MAX_TEXTURE_COORDS, 1),
        INTEGER(GL_SAMPLER_BINDING, 4),
        {"glGetSamplerParameteriv", 4, 0, GL_TEXTURE_WRAP_S, {GL_REPEAT}, NULL},
        {"glGetTexEnviv", GL_TEXTURE_ENV, 0, GL_TEXTURE_ENV_MODE, {GL_MODULATE}, NULL},
        END,
    };
    static const struct {
        int version;
        bool is_es, has_sampler, has_environment, has_targets;
    } cases[] = {
        {21, false, true, true, true}, {33, false, true, false, false}, {11, true, false, false, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        state_driver_reset(answers);
        state_driver.version = cases[i].version;
        state_driver.is_es = cases[i].is_es;
        const char *text = strstr(state_driver_text(state_dump_parameters), "\"GL_TEXTURE0\":");
        assert_int_equal(strstr(text, "\"GL_SAMPLER_BINDING\":4") != NULL, cases[i].has_sampler);
        assert_int_equal(strstr(text, "\"GL_TEXTURE_ENV\":{") != NULL, cases[i].has_environment);
        assert_int_equal(strstr(text, "\"GL_TEXTURE_2D\":\"GL_FALSE\"") != NULL, cases[i].has_targets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_values_of_the_context),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_framebuffer_to_read),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_the_fixed_pipeline),
        cmocka_unit_test(test_vertex_attributes),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_textures),
        cmocka_unit_test(test_levels_of_es),
        cmocka_unit_test(test_framebuffers),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_unknown_numbers),
        cmocka_unit_test(test_each_label),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_most),
        cmocka_unit_test(test_longest_list),
        cmocka_unit_test(test_missing_functions),
        cmocka_unit_test(test_units_of_other_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
