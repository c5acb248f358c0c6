/* SPDX-License-Identifier: MIT
 * Metadata in the language of the request for comments, version 1.1, section 7, as a tree. Its tokens are
 * those of TSDL. What stands between items is read loosely, because the examples of the document are: commas
 * and semicolons in any number, a dot before a name, "[" for "{".
 */
#ifndef RFC_TREE_H
#define RFC_TREE_H

#include "formats/ctf/metadata/tsdl_parser.h"

enum rfc_kind {
    RFC_WORD,
    RFC_NUMBER,
    RFC_STRING,
    RFC_BLOCK, /* { items } */
};

struct rfc_node {
    uint8_t kind;           /* enum rfc_kind */
    uint32_t line;          /* for messages */
    const char *key;        /* what stands before "="; NULL: nothing */
    const char *text;       /* the word or the string; of a block the word before it, as "type", or NULL */
    const char *name;       /* of a block: the second word before it, or NULL */
    uint64_t number;        /* of RFC_NUMBER; two's complement if negative */
    struct rfc_node *items; /* of a block */
    struct rfc_node *next;  /* the item after this one */
    const struct ctf_class *made; /* private to rfc_types.c; NULL: not yet, likewise the next */
    bool is_being_made;
};

/* Parses everything up to the end. The tree is in the arena of the parser's trace. Errors: TRACE_ERR_FORMAT,
 * with file and line; TRACE_ERR_MEMORY. */
int rfc_tree_parse(struct tsdl_parser *p, struct rfc_node **out);

/* Finds the item "key = …", or a block that is introduced by that word alone: "trace { … }", "event { … }".
 * Returns NULL if there is none. */
const struct rfc_node *rfc_node_find(const struct rfc_node *block, const char *key);

/* Whether it is a word or a string with that text. */
bool rfc_node_says(const struct rfc_node *node, const char *text);

#endif
