/* SPDX-License-Identifier: MIT */
#include "state/state_parameter_table.h"

/* Only OpenGL ES has these. */
#ifndef GL_PRIMITIVE_BOUNDING_BOX_EXT
#define GL_PRIMITIVE_BOUNDING_BOX_EXT 0x92BE
#endif
#ifndef GL_TEXTURE_CROP_RECT_OES
#define GL_TEXTURE_CROP_RECT_OES 0x8B9D
#endif

/* Each macro makes the name itself, before GL/gl.h's macro of that name is expanded. */
#define BOOLEAN(n, value)          {.pname = (value), .type = STATE_BOOLEAN, .count = (n), .name = #value},
#define ENUM(n, value)             {.pname = (value), .type = STATE_ENUM, .count = (n), .name = #value},
#define INTEGER(n, value)          {.pname = (value), .type = STATE_INTEGER, .count = (n), .name = #value},
#define FLOAT(n, value)            {.pname = (value), .type = STATE_FLOAT, .count = (n), .name = #value},
#define POINTER(n, value)          {.pname = (value), .type = STATE_POINTER, .count = (n), .name = #value},
#define STRING(n, value)           {.pname = (value), .type = STATE_STRING, .count = (n), .name = #value},
#define LIST_OF_ENUMS(n, value)    {.pname = (value), .type = STATE_ENUM, .counter = (n), .name = #value},
#define LIST_OF_INTEGERS(n, value) {.pname = (value), .type = STATE_INTEGER, .counter = (n), .name = #value},

static const struct state_parameter context[] = {
#define STATE_CONTEXT
#include "state/parameters.inc"
#undef STATE_CONTEXT
};

static const struct state_parameter material[] = {
#define STATE_MATERIAL
#include "state/parameters.inc"
#undef STATE_MATERIAL
};

static const struct state_parameter light[] = {
#define STATE_LIGHT
#include "state/parameters.inc"
#undef STATE_LIGHT
};

static const struct state_parameter vertex_attrib[] = {
#define STATE_VERTEX_ATTRIB
#include "state/parameters.inc"
#undef STATE_VERTEX_ATTRIB
};

static const struct state_parameter arb_program[] = {
#define STATE_ARB_PROGRAM
#include "state/parameters.inc"
#undef STATE_ARB_PROGRAM
};

static const struct state_parameter buffer[] = {
#define STATE_BUFFER
#include "state/parameters.inc"
#undef STATE_BUFFER
};

static const struct state_parameter texture_unit[] = {
#define STATE_TEXTURE_UNIT
#include "state/parameters.inc"
#undef STATE_TEXTURE_UNIT
};

static const struct state_parameter texture[] = {
#define STATE_TEXTURE
#include "state/parameters.inc"
#undef STATE_TEXTURE
};

static const struct state_parameter texture_level[] = {
#define STATE_TEXTURE_LEVEL
#include "state/parameters.inc"
#undef STATE_TEXTURE_LEVEL
};

static const struct state_parameter sampler[] = {
#define STATE_SAMPLER
#include "state/parameters.inc"
#undef STATE_SAMPLER
};

static const struct state_parameter texture_environment[] = {
#define STATE_TEXTURE_ENVIRONMENT
#include "state/parameters.inc"
#undef STATE_TEXTURE_ENVIRONMENT
};

static const struct state_parameter texture_filter_control[] = {
#define STATE_TEXTURE_FILTER_CONTROL
#include "state/parameters.inc"
#undef STATE_TEXTURE_FILTER_CONTROL
};

static const struct state_parameter point_sprite[] = {
#define STATE_POINT_SPRITE
#include "state/parameters.inc"
#undef STATE_POINT_SPRITE
};

static const struct state_parameter attachment[] = {
#define STATE_ATTACHMENT
#include "state/parameters.inc"
#undef STATE_ATTACHMENT
};

const struct state_parameter_list state_parameter_lists[STATE_KIND_COUNT] = {
    [STATE_KIND_CONTEXT] = {context, sizeof context / sizeof *context},
    [STATE_KIND_MATERIAL] = {material, sizeof material / sizeof *material},
    [STATE_KIND_LIGHT] = {light, sizeof light / sizeof *light},
    [STATE_KIND_VERTEX_ATTRIB] = {vertex_attrib, sizeof vertex_attrib / sizeof *vertex_attrib},
    [STATE_KIND_ARB_PROGRAM] = {arb_program, sizeof arb_program / sizeof *arb_program},
    [STATE_KIND_BUFFER] = {buffer, sizeof buffer / sizeof *buffer},
    [STATE_KIND_TEXTURE_UNIT] = {texture_unit, sizeof texture_unit / sizeof *texture_unit},
    [STATE_KIND_TEXTURE] = {texture, sizeof texture / sizeof *texture},
    [STATE_KIND_TEXTURE_LEVEL] = {texture_level, sizeof texture_level / sizeof *texture_level},
    [STATE_KIND_SAMPLER] = {sampler, sizeof sampler / sizeof *sampler},
    [STATE_KIND_TEXTURE_ENVIRONMENT] = {texture_environment,
                                        sizeof texture_environment / sizeof *texture_environment},
    [STATE_KIND_TEXTURE_FILTER_CONTROL] = {texture_filter_control,
                                           sizeof texture_filter_control / sizeof *texture_filter_control},
    [STATE_KIND_POINT_SPRITE] = {point_sprite, sizeof point_sprite / sizeof *point_sprite},
    [STATE_KIND_ATTACHMENT] = {attachment, sizeof attachment / sizeof *attachment},
};
