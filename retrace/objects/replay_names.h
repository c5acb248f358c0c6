/* SPDX-License-Identifier: MIT
 * Maps the names of objects in the trace to those that the driver has assigned in this replay.
 */
#ifndef RETRACE_REPLAY_NAMES_H
#define RETRACE_REPLAY_NAMES_H

#include "replayer.h"

/* Returns what the functions below take as the program of a name that belongs to one stage of it, given as a
 * type of shaders; 0: to all stages. */
uint64_t replay_program_stage(uint64_t program, GLenum stage);

/* Returns the real name of an object of this kind in the current context. program: the traced name of the
 * program to which the name belongs, if it belongs to one. */
uint64_t replay_map_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t program);
/* Does the same for another context. */
uint64_t replay_map_name_of(struct replayer *r, struct replay_context *context, unsigned kind,
                            uint64_t traced);

/* Does the first for a parameter that creates the object if there is none of this name yet. */
uint64_t replay_bind_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t program);

/* Returns true if `real` was the name of the last object of this traced name that was deleted, which may
 * still be bound. It is known only with --check. */
bool replay_was_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t real);

/* Returns true if the object was created in this replay. */
bool replay_knows_name(struct replayer *r, unsigned kind, uint64_t traced);

/* The first stores a name of the current context, the second removes it. */
int replay_add_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t real, uint64_t program);
void replay_remove_name(struct replayer *r, unsigned kind, uint64_t traced);

/* Returns the traced name of the program to which the parameter's locations belong: the program in another
 * argument, or the current program; with the stage that subroutines belong to. Returns 0 if there is none. */
uint64_t replay_scoping_program(struct replayer *r, const struct replay_call *c, const struct spec_param *p);

/* Returns the traced name of the program to which locations belong if no argument says so. */
uint64_t replay_current_program(const struct replayer *r);

/* Call it after the call was made. Stores the names of created objects, and removes those of deleted ones. */
int replay_learn_names(struct replayer *r, struct replay_call *c);

#endif
