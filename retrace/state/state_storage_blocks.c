/* SPDX-License-Identifier: MIT */
#include "state/state_programs.h"
#include "state/state_uniforms.h"

enum { MOST_BLOCKS = 4096, MOST_VARIABLES = 4096, NAME_BYTES = 512 };

struct property {
    GLenum pname;
    const char *name;
};

static GLint get_property(struct state_dump *d, GLuint program, GLenum interface, GLuint index, GLenum pname)
{
    GLint value = 0;
    d->gl.glGetProgramResourceiv(program, interface, index, 1, &pname, 1, NULL, &value);
    return state_no_error(d) ? value : 0;
}

static bool get_name(struct state_dump *d, GLuint program, GLenum interface, GLuint index, char *out)
{
    out[0] = '\0';
    d->gl.glGetProgramResourceName(program, interface, index, NAME_BYTES, NULL, out);
    out[NAME_BYTES - 1] = '\0';
    return state_no_error(d);
}

static void write_variable(struct state_dump *d, GLuint program, GLuint index)
{
    static const struct property properties[] = {
#define PROPERTY(name) {name, #name}
        PROPERTY(GL_TYPE),         PROPERTY(GL_ARRAY_SIZE),           PROPERTY(GL_OFFSET),
        PROPERTY(GL_BLOCK_INDEX),  PROPERTY(GL_ARRAY_STRIDE),         PROPERTY(GL_MATRIX_STRIDE),
        PROPERTY(GL_IS_ROW_MAJOR), PROPERTY(GL_TOP_LEVEL_ARRAY_SIZE), PROPERTY(GL_TOP_LEVEL_ARRAY_STRIDE),
#undef PROPERTY
    };
    char name[NAME_BYTES];
    if (!get_name(d, program, GL_BUFFER_VARIABLE, index, name))
        return;
    state_key(&d->w, name);
    state_begin_object(&d->w);
    for (size_t i = 0; i < sizeof properties / sizeof *properties; ++i) {
        state_key(&d->w, properties[i].name);
        state_integer(&d->w, get_property(d, program, GL_BUFFER_VARIABLE, index, properties[i].pname));
    }
    state_end_object(&d->w);
}

static void write_variables(struct state_dump *d, GLuint program, GLuint block)
{
    const GLenum pname = GL_ACTIVE_VARIABLES;
    GLint indices[MOST_VARIABLES];
    GLsizei written = 0;
    GLint count = get_property(d, program, GL_SHADER_STORAGE_BLOCK, block, GL_NUM_ACTIVE_VARIABLES);
    if (count <= 0)
        return;
    d->gl.glGetProgramResourceiv(program, GL_SHADER_STORAGE_BLOCK, block, 1, &pname, MOST_VARIABLES, &written,
                                 indices);
    state_key(&d->w, "activeVariables");
    state_begin_object(&d->w);
    for (GLsizei i = 0; state_no_error(d) && i < written && i < MOST_VARIABLES; ++i)
        write_variable(d, program, (GLuint)indices[i]);
    state_end_object(&d->w);
}

static void write_block(struct state_dump *d, GLuint program, GLuint block)
{
    static const struct property stages[] = {
#define STAGE(name) {name, #name}
        STAGE(GL_REFERENCED_BY_VERTEX_SHADER),          STAGE(GL_REFERENCED_BY_TESS_CONTROL_SHADER),
        STAGE(GL_REFERENCED_BY_TESS_EVALUATION_SHADER), STAGE(GL_REFERENCED_BY_GEOMETRY_SHADER),
        STAGE(GL_REFERENCED_BY_FRAGMENT_SHADER),        STAGE(GL_REFERENCED_BY_COMPUTE_SHADER),
#undef STAGE
    };
    const GLenum interface = GL_SHADER_STORAGE_BLOCK;
    char name[NAME_BYTES];
    if (!get_name(d, program, interface, block, name))
        return;
    state_key(&d->w, name);
    state_begin_object(&d->w);
    state_key(&d->w, "GL_BUFFER_BINDING");
    state_integer(&d->w, get_property(d, program, interface, block, GL_BUFFER_BINDING));
    state_key(&d->w, "GL_BUFFER_DATA_SIZE");
    state_integer(&d->w, get_property(d, program, interface, block, GL_BUFFER_DATA_SIZE));
    for (size_t i = 0; i < sizeof stages / sizeof *stages; ++i) {
        if (get_property(d, program, interface, block, stages[i].pname) == 0)
            continue;
        state_key(&d->w, stages[i].name);
        state_bool(&d->w, true);
    }
    write_variables(d, program, block);
    state_end_object(&d->w);
}

void state_dump_storage_blocks(struct state_dump *d)
{
    struct state_programs programs;
    GLint count = 0;
    state_programs_init(d, &programs);
    if (programs.program != 0 && d->gl.glGetProgramInterfaceiv != NULL &&
        d->gl.glGetProgramResourceiv != NULL && d->gl.glGetProgramResourceName != NULL)
        d->gl.glGetProgramInterfaceiv(programs.program, GL_SHADER_STORAGE_BLOCK, GL_ACTIVE_RESOURCES, &count);
    if (!state_no_error(d))
        count = 0;
    state_key(&d->w, "shaderstoragebufferblocks");
    state_begin_object(&d->w);
    for (GLint i = 0; i < count && i < MOST_BLOCKS; ++i)
        write_block(d, programs.program, (GLuint)i);
    state_end_object(&d->w);
}
