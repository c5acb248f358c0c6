/* SPDX-License-Identifier: MIT
 * The programs that a context uses, for a state dump.
 */
#ifndef RETRACE_STATE_PROGRAMS_H
#define RETRACE_STATE_PROGRAMS_H

#include "state/state_query.h"

enum { STATE_STAGES = 6 };

struct state_programs {
    GLuint program;                /* glUseProgram(); 0: none */
    bool has_pipeline;             /* no program, but a pipeline */
    GLuint by_stage[STATE_STAGES]; /* of the pipeline */
};

/* The stages' enums, such as GL_VERTEX_SHADER. */
extern const GLenum state_stages[STATE_STAGES];

void state_programs_init(struct state_dump *d, struct state_programs *programs);

/* Returns a parameter of a program; 0 if it does not have it. */
GLint state_program_integer(struct state_dump *d, GLuint program, GLenum pname);

#endif
