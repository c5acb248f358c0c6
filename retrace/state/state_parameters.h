/* SPDX-License-Identifier: MIT
 * The parameters of a state dump: what glGet*() answers for the context, and for what is bound to it.
 */
#ifndef RETRACE_STATE_PARAMETERS_H
#define RETRACE_STATE_PARAMETERS_H

#include "state/state_query.h"

/* The kinds of objects that have parameters. */
enum state_kind {
    STATE_KIND_CONTEXT,
    STATE_KIND_MATERIAL,            /* target: a face */
    STATE_KIND_LIGHT,               /* target: GL_LIGHTi */
    STATE_KIND_VERTEX_ATTRIB,       /* target: its index */
    STATE_KIND_ARB_PROGRAM,         /* target: GL_VERTEX_PROGRAM_ARB, … */
    STATE_KIND_BUFFER,              /* target: where it is bound */
    STATE_KIND_TEXTURE_UNIT,        /* the active one */
    STATE_KIND_TEXTURE,             /* target: where it is bound in the active unit */
    STATE_KIND_TEXTURE_LEVEL,       /* level 0; target: of the image */
    STATE_KIND_SAMPLER,             /* target: its name */
    STATE_KIND_TEXTURE_ENVIRONMENT, /* target: GL_TEXTURE_ENV */
    STATE_KIND_TEXTURE_FILTER_CONTROL,
    STATE_KIND_POINT_SPRITE,
    STATE_KIND_ATTACHMENT, /* target: of the framebuffer, index: the attachment */
    STATE_KIND_COUNT
};

struct state_object {
    enum state_kind kind;
    GLenum target;
    GLenum index;
};

/* Writes all parameters that the object has as members. */
void state_write_parameters(struct state_dump *d, const struct state_object *object);

/* Writes the member "parameters". */
void state_dump_parameters(struct state_dump *d);

#endif
