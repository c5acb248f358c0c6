/* SPDX-License-Identifier: MIT
 * CTF 1.8 knows the fields that tell about packets and events by their names.
 */
#ifndef CTF_ROLES_H
#define CTF_ROLES_H

#include "formats/ctf/ctf_types.h"

/* Gives the fields their roles, and timestamps without a clock the only one there is. Types are shared, so
 * those that get a role are copied. Errors: TRACE_ERR_FORMAT if types contain too many fields,
 * TRACE_ERR_MEMORY. */
int ctf_roles_set_by_names(struct ctf_trace *trace);

#endif
