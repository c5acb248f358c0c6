/* SPDX-License-Identifier: MIT
 * Declarators in TSDL: names of fields, with the lengths of arrays, after a type.
 */
#ifndef TSDL_DECLARATORS_H
#define TSDL_DECLARATORS_H

#include "formats/ctf/metadata/tsdl_parser.h"

struct tsdl_members {
    struct ctf_member *items;
    size_t count;
    size_t room;
    struct string_map names;
};

void tsdl_members_fini(struct tsdl_members *m);

/* Parses the declarators up to the semicolon, and adds a member for each. Errors: TRACE_ERR_FORMAT,
 * TRACE_ERR_MEMORY. */
int tsdl_parse_declarators(struct tsdl_parser *p, const struct ctf_class *type, struct tsdl_members *out);

/* Makes a reference of a path, "a.b.c", which stands in a line. */
int tsdl_make_reference(struct tsdl_parser *p, const char *path, uint32_t line, struct ctf_reference *out);

#endif
