/* SPDX-License-Identifier: MIT
 * Types in TSDL, and their declaration: specifiers, structures, variants, enumerations, declarators,
 * typealias, typedef.
 */
#ifndef TSDL_TYPES_H
#define TSDL_TYPES_H

#include "formats/ctf/metadata/tsdl_parser.h"

/* Parses a type: a name, or any of the constructs. A structure, variant or enumeration with a name is
 * declared. Errors: TRACE_ERR_FORMAT, TRACE_ERR_MEMORY. */
int tsdl_parse_type(struct tsdl_parser *p, const struct ctf_class **out);

/* Parses typealias or typedef, or a type and a semicolon, if the next token begins such a declaration; *had
 * says whether. */
int tsdl_parse_declaration(struct tsdl_parser *p, bool *had);

#endif
