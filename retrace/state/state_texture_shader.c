/* SPDX-License-Identifier: MIT */
#include "state/state_texture_shader.h"

#include <stdio.h>
#include <string.h>

#include "state/state_side_context.h"

enum texel_output texel_output_of(const struct state_dump *d, GLint internal_format,
                                  const struct state_read_format *read)
{
    const char *name = state_enum_name(d, (GLenum)internal_format);
    if (read->format == GL_STENCIL_INDEX)
        return TEXEL_UNSIGNED;
    if (read->format == GL_RGBA_INTEGER)
        return name != NULL && strstr(name, "UI") != NULL ? TEXEL_UNSIGNED : TEXEL_SIGNED;
    return read->type == GL_FLOAT ? TEXEL_FLOATS : TEXEL_BYTES;
}

/* --- text ------------------------------------------------------------------------------------------ */

/* place: where to look; p is the corner, from 0 to 1. A layer of a cube is a face. */
static const struct target_text {
    GLenum target;
    const char *sampler, *place, *fetch;
    const char *old_fetch; /* in OpenGL ES 2; NULL: it has no such textures */
    int version;           /* of the language: 100 × major + 10 x minor */
} target_texts[] = {
    {GL_TEXTURE_2D, "2D", "vec3(p, 0.0)", "textureLod(source, place.xy, 0.0)", "texture2D(source, place.xy)",
     300},
    {GL_TEXTURE_3D, "3D", "vec3(p, (float(layer) + 0.5) / float(layers))", "textureLod(source, place, 0.0)",
     NULL, 300},
    {GL_TEXTURE_2D_ARRAY, "2DArray", "vec3(p, float(layer))", "textureLod(source, place, 0.0)", NULL, 300},
    {GL_TEXTURE_CUBE_MAP, "Cube", "direction(layer)", "textureLod(source, place, 0.0)",
     "textureCube(source, place)", 300},
    {GL_TEXTURE_CUBE_MAP_ARRAY, "CubeArray", "direction(layer - layer / 6 * 6)",
     "textureLod(source, vec4(place, layer / 6), 0.0)", NULL, 320},
};

static const struct output_text {
    const char *prefix, *type, *value;
} output_texts[] = {
    [TEXEL_BYTES] = {"", "vec4", "FETCH"},
    [TEXEL_SIGNED] = {"i", "vec4", "vec4(clamp(FETCH, 0, 255)) / 255.0"},
    [TEXEL_UNSIGNED] = {"u", "vec4", "vec4(min(FETCH, 255u)) / 255.0"},
    [TEXEL_FLOATS] = {"", "uvec4", "floatBitsToUint(FETCH)"},
};

/* Directions are those of OpenGL ES 3.2, table 8.25. */
static const char vertex_text[] =
    "attribute vec2 corner;\n"
    "uniform int layer;\n"
    "uniform int layers;\n"
    "varying vec3 place;\n"
    "vec3 direction(int face) {\n"
    "  vec2 p = corner;\n"
    "  return face == 0 ? vec3(1.0, -p.y, -p.x) : face == 1 ? vec3(-1.0, -p.y, p.x) :\n"
    "    face == 2 ? vec3(p.x, 1.0, p.y) : face == 3 ? vec3(p.x, -1.0, -p.y) :\n"
    "    face == 4 ? vec3(p.x, -p.y, 1.0) : vec3(-p.x, -p.y, -1.0);\n"
    "}\n"
    "void main() {\n"
    "  vec2 p = 0.5 * corner + 0.5;\n"
    "  place = %s;\n"
    "  gl_Position = vec4(corner, 0.0, 1.0);\n"
    "}\n";

static const char fragment_text[] = "#define FETCH %s\n"
                                    "uniform %ssampler%s source;\n"
                                    "varying vec3 place;\n"
                                    "void main() { texel = %s; }\n";

static const char old_fragment_head[] = "#ifdef GL_FRAGMENT_PRECISION_HIGH\n"
                                        "precision highp float;\n"
                                        "#else\n"
                                        "precision mediump float;\n"
                                        "#endif\n"
                                        "#define texel gl_FragColor\n";

enum { TEXT_BYTES = TEXEL_SHADER_BYTES };

static void write_vertex_shader(char out[TEXT_BYTES], const struct target_text *t, bool is_old)
{
    int n = 0;
    if (!is_old)
        n = snprintf(out, TEXT_BYTES, "#version %d es\n#define attribute in\n#define varying out\n",
                     t->version);
    snprintf(out + n, TEXT_BYTES - (size_t)n, vertex_text, t->place);
}

static void write_fragment_shader(char out[TEXT_BYTES], const struct target_text *t,
                                  const struct output_text *o, bool is_old)
{
    int n = is_old ? snprintf(out, TEXT_BYTES, "%s", old_fragment_head)
                   : snprintf(out, TEXT_BYTES,
                              "#version %d es\n"
                              "precision highp float;\n"
                              "precision highp int;\n"
                              "precision highp %ssampler%s;\n"
                              "uniform int layer;\n"
                              "out highp %s texel;\n"
                              "#define varying in\n",
                              t->version, o->prefix, t->sampler, o->type);
    snprintf(out + n, TEXT_BYTES - (size_t)n, fragment_text, is_old ? t->old_fetch : t->fetch, o->prefix,
             t->sampler, o->value);
}

static const struct target_text *find_target(GLenum target)
{
    for (size_t i = 0; i < sizeof target_texts / sizeof *target_texts; ++i)
        if (target_texts[i].target == target)
            return &target_texts[i];
    return NULL;
}

/* --- programs -------------------------------------------------------------------------------------- */

static void attach(struct state_dump *d, GLuint program, GLenum type, const char *text)
{
    const struct state_functions *f = &d->gl;
    GLuint shader = f->glCreateShader(type);
    f->glShaderSource(shader, 1, &text, NULL);
    f->glCompileShader(shader);
    f->glAttachShader(program, shader);
    f->glDeleteShader(shader);
}

/* Returns 0 if that is not possible. */
static GLuint link(struct state_dump *d, const char *vertices, const char *fragments)
{
    const struct state_functions *f = &d->gl;
    GLuint program = f->glCreateProgram();
    GLint linked = 0;
    attach(d, program, GL_VERTEX_SHADER, vertices);
    attach(d, program, GL_FRAGMENT_SHADER, fragments);
    f->glLinkProgram(program);
    f->glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (state_no_error(d) && linked != 0)
        return program;
    f->glDeleteProgram(program);
    state_no_error(d);
    return 0;
}

bool texel_shader_prepare(struct state_dump *d, GLenum target, enum texel_output output)
{
    struct state_side *side = d->side;
    const struct target_text *t = find_target(target);
    bool is_old = !state_has_version(d, 0, 30);
    char vertices[TEXT_BYTES], fragments[TEXT_BYTES];
    if (t == NULL || (is_old && (t->old_fetch == NULL || output != TEXEL_BYTES)) ||
        !state_has_version(d, 0, is_old ? 20 : t->version / 10))
        return false;
    write_vertex_shader(vertices, t, is_old);
    write_fragment_shader(fragments, t, &output_texts[output], is_old);
    if (side->shaders != 0 && strcmp(fragments, side->text) == 0)
        return true;
    if (side->shaders != 0)
        d->gl.glDeleteProgram(side->shaders);
    side->shaders = link(d, vertices, fragments);
    memcpy(side->text, fragments, sizeof fragments);
    return side->shaders != 0;
}
