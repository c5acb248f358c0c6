/* SPDX-License-Identifier: MIT
 * Compiles classes of fields to programs.
 */
#ifndef CTF_COMPILE_H
#define CTF_COMPILE_H

#include "formats/ctf/decode/ctf_program.h"

/* Compiles a structure, of which NULL has no fields. Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int ctf_program_compile(struct ctf_compiler *c, enum ctf_scope scope, const struct ctf_class *structure);

/* Finds the structures that can be passed over at once. No program that may refer to them is compiled later.
 */
void ctf_program_find_silent(struct ctf_program *p);

#endif
