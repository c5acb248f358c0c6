/* SPDX-License-Identifier: MIT
 * Types of numbers in metadata of CTF 2 (CTF2-SPEC-2.0, sections 5.3.2 to 5.3.10): their size and order, the
 * names of their values, and their roles.
 */
#ifndef CTF2_NUMBERS_H
#define CTF2_NUMBERS_H

#include "formats/ctf/metadata/ctf2_properties.h"

/* Integers, booleans, bit arrays and bit maps. */
int ctf2_fill_integer(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out);
int ctf2_fill_float(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out);

/* Finds the first role of a type that its scope knows. */
uint8_t ctf2_find_role(const struct ctf2_parser *p, const struct json_value *type);

/* Copies a set of ranges. */
int ctf2_take_ranges(struct ctf2_parser *p, const struct json_value *set, const struct ctf_range **out,
                     uint32_t *count);

#endif
