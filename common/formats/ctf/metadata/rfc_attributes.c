/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/rfc_attributes.h"

#include <stdio.h>

static enum rfc_base find_base(const char *name)
{
    static const char *const names[] = {"",      "integer",  "gcc_bitfield", "enum",          "struct",
                                        "array", "sequence", "string",       "floating_point"};
    for (size_t i = 1; i < sizeof names / sizeof *names; ++i)
        if (strcmp(names[i], name) == 0)
            return (enum rfc_base)i;
    return RFC_NO_BASE;
}

/* --- names and parents ----------------------------------------------------------------------------- */

static bool declares_type(const struct rfc_node *block)
{
    return block->kind == RFC_BLOCK && block->key == NULL && block->name != NULL &&
           (strcmp(block->text, "type") == 0 || strcmp(block->text, "abstract_type") == 0);
}

int rfc_types_init(struct rfc_types *t, struct tsdl_parser *parser, struct rfc_node *blocks)
{
    int rc = 0;
    *t = (struct rfc_types){.parser = parser};
    for (struct rfc_node *block = blocks; rc == 0 && block != NULL; block = block->next) {
        if (!declares_type(block))
            continue;
        if (string_map_get(&t->names, block->name, NULL))
            rc = tsdl_fail(parser, block->line, "the type \"%s\" is declared twice", block->name);
        else
            rc = string_map_set(&t->names, block->name, (uintptr_t)block);
    }
    return rc;
}

void rfc_types_fini(struct rfc_types *t)
{
    string_map_fini(&t->names);
}

struct rfc_node *rfc_type_find(const struct rfc_types *t, const char *name)
{
    uint64_t block;
    return string_map_get(&t->names, name, &block) ? (struct rfc_node *)(uintptr_t)block : NULL;
}

/* The name of the type from which a block inherits, or NULL. */
const struct rfc_node *rfc_parent_find(const struct rfc_node *type)
{
    const struct rfc_node *parent = rfc_node_find(type, "parent");
    return parent != NULL && parent->kind == RFC_WORD ? parent : NULL;
}

/* uint1_t to uint64_t, and int1_t to int64_t, are known without a declaration: the headers of events use
 * them (section 6.1). Returns the size, or 0. */
unsigned rfc_integer_name_size(const char *name, bool *is_signed)
{
    unsigned size;
    char rest[3] = "";
    if (sscanf(name + (name[0] == 'u'), "int%2u%2s", &size, rest) != 2 || strcmp(rest, "_t") != 0 ||
        size > 64)
        return 0;
    *is_signed = name[0] == 'i';
    return size;
}

int rfc_fail_unknown(const struct rfc_types *t, const struct rfc_node *node, const char *name)
{
    return tsdl_fail(t->parser, node->line, "the type \"%s\" is not declared", name);
}

/* Finds what the document defines and a block inherits from, at whatever distance. */
int rfc_base_find(const struct rfc_types *t, const struct rfc_node *type, enum rfc_base *out)
{
    bool is_signed;
    const struct rfc_node *node = type;
    for (unsigned depth = 0; depth < RFC_DEPTH_MAX; ++depth) {
        const struct rfc_node *parent = rfc_parent_find(node);
        if (parent == NULL) /* its own name is that of an abstract type, as in "abstract_type integer" */
            *out = node->name != NULL ? find_base(node->name) : RFC_NO_BASE;
        else
            *out = find_base(parent->text);
        if (*out == RFC_NO_BASE && parent != NULL && rfc_integer_name_size(parent->text, &is_signed) != 0 &&
            rfc_type_find(t, parent->text) == NULL)
            *out = RFC_INTEGER;
        if (*out != RFC_NO_BASE)
            return 0;
        if (parent == NULL)
            return tsdl_fail(t->parser, node->line, "a type has no parent");
        node = rfc_type_find(t, parent->text);
        if (node == NULL)
            return rfc_fail_unknown(t, parent, parent->text);
    }
    return tsdl_fail(t->parser, type->line, "a type inherits from itself, or from more than %d others",
                     RFC_DEPTH_MAX);
}

/* Finds an attribute of a block or of what it inherits from. NULL: none has it. The chain of parents is
 * known to end. */
struct rfc_node *rfc_attribute_find(const struct rfc_types *t, const struct rfc_node *type, const char *key)
{
    for (unsigned depth = 0; type != NULL && depth < RFC_DEPTH_MAX; ++depth) {
        const struct rfc_node *found = rfc_node_find(type, key);
        if (found != NULL)
            return (struct rfc_node *)found;
        const struct rfc_node *parent = rfc_parent_find(type);
        type = parent != NULL ? rfc_type_find(t, parent->text) : NULL;
    }
    return NULL;
}

/* The integer type uintN_t or intN_t that is at the end of the chain of parents, if there is one. */
unsigned rfc_parents_size(const struct rfc_types *t, const struct rfc_node *type, bool *is_signed)
{
    const struct rfc_node *parent = rfc_parent_find(type);
    for (unsigned depth = 0; parent != NULL && depth < RFC_DEPTH_MAX; ++depth) {
        const struct rfc_node *declared = rfc_type_find(t, parent->text);
        if (declared == NULL)
            return rfc_integer_name_size(parent->text, is_signed);
        parent = rfc_parent_find(declared);
    }
    return 0;
}

/* --- attributes ------------------------------------------------------------------------------------ */

int rfc_attribute_number(const struct rfc_types *t, const struct rfc_node *type, const char *key,
                         uint64_t most, uint64_t *out)
{
    const struct rfc_node *node = rfc_attribute_find(t, type, key);
    if (node == NULL)
        return 0;
    if (node->kind != RFC_NUMBER || node->number > most)
        return tsdl_fail(t->parser, node->line, "\"%s\" must be a number up to %llu", key,
                         (unsigned long long)most);
    *out = node->number;
    return 0;
}

int rfc_attribute_align(const struct rfc_types *t, const struct rfc_node *type, uint64_t *align)
{
    int rc = rfc_attribute_number(t, type, "align", UINT64_C(1) << 15, align);
    if (rc == 0 && (*align == 0 || (*align & (*align - 1)) != 0))
        rc = tsdl_fail(t->parser, rfc_attribute_find(t, type, "align")->line,
                       "an alignment must be a power of two");
    return rc;
}

int rfc_attribute_base(const struct rfc_types *t, const struct rfc_node *type, uint8_t *base)
{
    uint64_t number = *base;
    int rc = rfc_attribute_number(t, type, "base", 16, &number);
    if (rc == 0 && number != 2 && number != 8 && number != 10 && number != 16)
        rc = tsdl_fail(t->parser, rfc_attribute_find(t, type, "base")->line, "a base must be 2, 8, 10 or 16");
    *base = (uint8_t)number;
    return rc;
}

int rfc_attribute_order(const struct rfc_types *t, const struct rfc_node *type, uint8_t *order)
{
    const struct rfc_node *node = rfc_attribute_find(t, type, "byte_order");
    if (node == NULL || rfc_node_says(node, "native"))
        return 0;
    if (rfc_node_says(node, "network") || rfc_node_says(node, "be"))
        *order = CTF_BIG_ENDIAN;
    else if (rfc_node_says(node, "le"))
        *order = CTF_LITTLE_ENDIAN;
    else
        return tsdl_fail(t->parser, node->line, "\"byte_order\" must be native, network, be or le");
    return 0;
}

int rfc_attribute_bool(const struct rfc_types *t, const struct rfc_node *type, const char *key, bool *out)
{
    const struct rfc_node *node = rfc_attribute_find(t, type, key);
    if (node == NULL)
        return 0;
    *out = rfc_node_says(node, "true");
    if (!*out && !rfc_node_says(node, "false"))
        return tsdl_fail(t->parser, node->line, "\"%s\" must be true or false", key);
    return 0;
}
