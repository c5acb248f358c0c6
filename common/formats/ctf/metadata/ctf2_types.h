/* SPDX-License-Identifier: MIT
 * Types of fields in metadata of CTF 2 (CTF2-SPEC-2.0, section 5.3).
 */
#ifndef CTF2_TYPES_H
#define CTF2_TYPES_H

#include "formats/ctf/metadata/ctf2_properties.h"

/* Makes the class of a type: an object, or the name of an alias. Its roles are those of the scope p->scope.
 * Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int ctf2_type_make(struct ctf2_parser *p, const struct json_value *type, const struct ctf_class **out);

/* Makes the structure of a scope from a property; *out stays NULL if there is none. */
int ctf2_type_make_scope(struct ctf2_parser *p, const struct json_value *object, const char *name,
                         enum ctf_scope scope, const struct ctf_class **out);

/* The names of the scopes that locations of fields begin in (CTF2-SPEC-2.0, section 5.3). */
extern const char *const ctf2_origins[CTF_SCOPES];

#endif
