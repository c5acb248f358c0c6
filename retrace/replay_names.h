/* SPDX-License-Identifier: MIT
 * Names of objects: from those of the trace to those that the driver has given in this replay.
 */
#ifndef RETRACE_REPLAY_NAMES_H
#define RETRACE_REPLAY_NAMES_H

#include "replayer.h"

/* The real name of an object of this kind in the current context. program is the traced name of the program
 * that scopes it, where one does. */
uint64_t replay_map_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t program);

/* Was the object made in this replay? */
bool replay_knows_name(struct replayer *r, unsigned kind, uint64_t traced);

/* Remembers, or forgets, a name of the current context. */
int replay_add_name(struct replayer *r, unsigned kind, uint64_t traced, uint64_t real, uint64_t program);
void replay_remove_name(struct replayer *r, unsigned kind, uint64_t traced);

/* The traced name of the program that the parameter's locations belong to: another argument says which, or it
 * is the program in use. 0: none. */
uint64_t replay_scoping_program(struct replayer *r, const struct replay_call *c, const struct spec_param *p);

/* After the call: remembers the names of created objects, forgets deleted ones. */
int replay_learn_names(struct replayer *r, struct replay_call *c);

#endif
