/* SPDX-License-Identifier: MIT
 * The names of types in the language of the request for comments, version 1.1, and the attributes that a type
 * has itself or inherits (section 4.1.1).
 */
#ifndef RFC_ATTRIBUTES_H
#define RFC_ATTRIBUTES_H

#include "formats/ctf/metadata/rfc_tree.h"

#define RFC_DEPTH_MAX 64 /* of types within types, and of parents */

/* The types that the document itself defines. */
enum rfc_base {
    RFC_NO_BASE,
    RFC_INTEGER,
    RFC_BITFIELD,
    RFC_ENUM,
    RFC_STRUCT,
    RFC_ARRAY,
    RFC_SEQUENCE,
    RFC_TEXT,
    RFC_FLOAT, /* section 4.1.7, which is empty in version 1.1 */
};

struct rfc_types {
    struct tsdl_parser *parser; /* for messages, and the trace */
    struct string_map names;    /* of declared types, to their blocks */
    unsigned depth;             /* of types that are being made */
};

/* Finds the types that the blocks of the metadata declare. Call rfc_types_fini() even after an error. Errors:
 * TRACE_ERR_FORMAT if one is declared twice; TRACE_ERR_MEMORY. */
int rfc_types_init(struct rfc_types *t, struct tsdl_parser *parser, struct rfc_node *blocks);
void rfc_types_fini(struct rfc_types *t);

/* --- names and parents: return NULL if there is none ------------------------------------------------- */

struct rfc_node *rfc_type_find(const struct rfc_types *t, const char *name);

/* The name of the type from which a block inherits. */
const struct rfc_node *rfc_parent_find(const struct rfc_node *type);

/* Finds what the document defines and a block inherits from, at whatever distance. Errors: TRACE_ERR_FORMAT
 * if there is no such type. */
int rfc_base_find(const struct rfc_types *t, const struct rfc_node *type, enum rfc_base *out);

/* Types "uint1_t" to "uint64_t", and "int1_t" to "int64_t", need no declaration: the headers of events use
 * them (section 6.1). Returns the size in bits, or 0 for other names. */
unsigned rfc_integer_name_size(const char *name, bool *is_signed);

/* The size of such a type, if a block inherits from one that is not declared; otherwise 0. */
unsigned rfc_parents_size(const struct rfc_types *t, const struct rfc_node *type, bool *is_signed);

int rfc_fail_unknown(const struct rfc_types *t, const struct rfc_node *node, const char *name);

/* --- attributes: those that a type lacks leave *out as it is. Errors: TRACE_ERR_FORMAT, with file and line
 */

/* Returns NULL if there is none. */
struct rfc_node *rfc_attribute_find(const struct rfc_types *t, const struct rfc_node *type, const char *key);

/* A number of at most `most`. */
int rfc_attribute_number(const struct rfc_types *t, const struct rfc_node *type, const char *key,
                         uint64_t most, uint64_t *out);
int rfc_attribute_bool(const struct rfc_types *t, const struct rfc_node *type, const char *key, bool *out);

/* "align", in bits. */
int rfc_attribute_align(const struct rfc_types *t, const struct rfc_node *type, uint64_t *align);

/* "base", in which numbers are shown: 2, 8, 10 or 16. Version 1.1 lacks it; later ones have it. */
int rfc_attribute_base(const struct rfc_types *t, const struct rfc_node *type, uint8_t *base);

/* "byte_order": an enum ctf_byte_order. */
int rfc_attribute_order(const struct rfc_types *t, const struct rfc_node *type, uint8_t *order);

#endif
