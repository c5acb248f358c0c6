/* SPDX-License-Identifier: MIT */
#include "state/state_programs.h"

const GLenum state_stages[STATE_STAGES] = {GL_VERTEX_SHADER,          GL_FRAGMENT_SHADER,
                                           GL_GEOMETRY_SHADER,        GL_TESS_CONTROL_SHADER,
                                           GL_TESS_EVALUATION_SHADER, GL_COMPUTE_SHADER};

/* A program goes before a pipeline. */
void state_programs_init(struct state_dump *d, struct state_programs *programs)
{
    *programs = (struct state_programs){0};
    if (!state_has_version(d, 20, 20) || d->gl.glGetProgramiv == NULL)
        return;
    programs->program = (GLuint)state_get_integer(d, GL_CURRENT_PROGRAM, 0);
    if (programs->program != 0 || d->gl.glGetProgramPipelineiv == NULL)
        return;
    GLint pipeline = state_get_integer(d, GL_PROGRAM_PIPELINE_BINDING, 0);
    programs->has_pipeline = pipeline != 0;
    for (int i = 0; pipeline != 0 && i < STATE_STAGES; ++i) {
        GLint program = 0;
        d->gl.glGetProgramPipelineiv((GLuint)pipeline, state_stages[i], &program);
        programs->by_stage[i] = state_no_error(d) ? (GLuint)program : 0;
    }
}

GLint state_program_integer(struct state_dump *d, GLuint program, GLenum pname)
{
    GLint value = 0;
    d->gl.glGetProgramiv(program, pname, &value);
    return state_no_error(d) ? value : 0;
}
