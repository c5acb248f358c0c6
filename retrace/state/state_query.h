/* SPDX-License-Identifier: MIT
 * Asks the driver for state and writes what it answers, for the parts of a state dump.
 */
#ifndef RETRACE_STATE_QUERY_H
#define RETRACE_STATE_QUERY_H

#include "replayer.h"
#include "state/state_functions.h"
#include "state/state_writer.h"

struct state_side;

/* A dump that is being made. */
struct state_dump {
    struct replayer *r;
    const struct replay_context *context; /* the current one */
    bool is_core;                         /* a core profile */
    bool has_labels;                      /* glGetObjectLabel() works */
    struct state_functions gl;
    struct state_side *side; /* see state_side_context.h; NULL: it has not been needed */
    struct state_writer w;
};

/* Prepares questions about the current context, without anything to write. Keeps the program's GL error. */
void state_query_init(struct state_dump *d, struct replayer *r);

/* Prepares a dump of the current context to out. Keeps the program's GL error. Nothing needs to be freed:
 * what the dump takes is in r->state_memory. Errors: TRACE_ERR_MEMORY. */
int state_dump_init(struct state_dump *d, struct replayer *r, struct buf *out, bool binary);

/* Returns whether the context is at least of this version, 10 × major + minor; 0: no version has it. */
static inline bool state_has_version(const struct state_dump *d, int gl, int es)
{
    int needed = d->context->is_es ? es : gl;
    return needed != 0 && d->context->version >= needed;
}

/* Clears errors; returns whether there was none. */
bool state_no_error(struct state_dump *d);

/* Returns the integer for pname, or fallback if the context does not have it. */
GLint state_get_integer(struct state_dump *d, GLenum pname, GLint fallback);

/* glIsEnabled(); false if the context does not have the capability. */
bool state_is_enabled(struct state_dump *d, GLenum capability);

/* Returns the name of an enum, or NULL. */
const char *state_enum_name(const struct state_dump *d, GLenum value);
/* Write an enum, or a GLboolean, by its name if it has one, and as a number otherwise. */
void state_write_enum(struct state_dump *d, GLenum value);
void state_write_boolean(struct state_dump *d, GLint value);

#define STATE_LABEL_BYTES 256

/* Gets the label of an object that glObjectLabel() gave it. Returns false if it has none. */
bool state_get_label(struct state_dump *d, GLenum identifier, GLuint name, char out[STATE_LABEL_BYTES]);
/* Writes it as a member, if there is one. */
void state_write_label(struct state_dump *d, GLenum identifier, GLuint name, const char *member);

#endif
