/* SPDX-License-Identifier: MIT
 * Numbers and strings in TSDL: integer { … }, floating_point { … }, string { … }.
 */
#ifndef TSDL_ATTRIBUTES_H
#define TSDL_ATTRIBUTES_H

#include "formats/ctf/metadata/tsdl_parser.h"

/* Parse what follows the keyword. The attributes of a string are optional. Errors: TRACE_ERR_FORMAT,
 * TRACE_ERR_MEMORY. */
int tsdl_parse_integer(struct tsdl_parser *p, const struct ctf_class **out);
int tsdl_parse_float(struct tsdl_parser *p, const struct ctf_class **out);
int tsdl_parse_string(struct tsdl_parser *p, const struct ctf_class **out);

/* Parses a value "le", "be", "network" or "native". */
int tsdl_parse_byte_order(struct tsdl_parser *p, uint8_t *out);

/* Parses a power of two up to 2^31. */
int tsdl_parse_alignment(struct tsdl_parser *p, uint32_t *out);

/* Parses a number that is not negative. */
int tsdl_parse_unsigned(struct tsdl_parser *p, uint64_t *out);

/* Skips the value of an attribute that has no meaning here. */
int tsdl_skip_value(struct tsdl_parser *p);

#endif
