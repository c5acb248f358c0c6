/* SPDX-License-Identifier: MIT
 * Numbers in programs that drivers choose, and the names by which this driver is asked for its own: locations
 * of uniforms, indices of blocks.
 */
#ifndef RETRACE_PROGRAM_NAMES_H
#define RETRACE_PROGRAM_NAMES_H

#include "replayer.h"

/* Returns the kind of the locations (or indices) that an interface of programs has, or SPEC_OBJECT_none if
 * nothing is set by them. */
unsigned program_location_kind(GLenum interface);
unsigned program_index_kind(GLenum interface);

/* Returns the program that numbers of an interface belong to, with the interface's stage if it has one. */
uint64_t program_interface_scope(GLenum interface, uint64_t program);

/* Returns the interface of a stage's subroutines, or GL_NONE if there is no such stage. */
GLenum program_subroutines(GLenum stage);

/* Notes how many elements a uniform has in the trace. name: as glGetActiveUniform() gives it. */
int program_names_array(struct replayer *r, uint64_t program, const char *name, int64_t size);

/* Notes the location that the driver has given to a uniform, -1 for none. It may have none because the binary
 * of the program was not loaded. Asks the driver for the size of an array. program: traced name. Errors:
 * TRACE_ERR_MEMORY. */
int program_names_uniform(struct replayer *r, uint64_t program, int64_t traced, int64_t real,
                          const char *name);

/* Asks the driver for the location of a uniform. Returns -1 if there is none. */
int64_t program_names_find_uniform(struct replayer *r, uint64_t program, const char *name);

/* Asks the driver for the index of what the trace has at index `traced` of an interface. Does nothing for
 * interfaces without a kind, and if the driver does not know a name that may have been cut. */
int program_names_ask_index(struct replayer *r, GLenum interface, uint64_t program, uint64_t traced,
                            const char *name, bool may_be_cut);

#endif
