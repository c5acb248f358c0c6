/* SPDX-License-Identifier: MIT
 * The program that a context uses, to which the locations of glUniform*() belong. glUseProgram() in a display
 * list takes effect when the list is called, and a program that is not linked is not used.
 */
#ifndef RETRACE_CURRENT_PROGRAM_H
#define RETRACE_CURRENT_PROGRAM_H

#include "replayer.h"

/* After glUseProgram(); `program` is a traced name. In a list, it is noted, too. */
void current_program_use(struct replayer *r, uint64_t program);

/* Call it after a program was linked or deleted: whether it can be used is not known any more. */
void current_program_change(struct replayer *r, uint64_t program);

/* Returns the traced name of the program that a call means: if it is only compiled, the list's. */
uint64_t current_program_get(const struct replay_context *context);

/* A list begins, ends, or has been called. `list` is a traced name. Errors: TRACE_ERR_MEMORY. */
void current_program_open_list(struct replay_context *context);
int current_program_close_list(struct replay_context *context);
void current_program_call_list(struct replayer *r, uint64_t list);

#endif
