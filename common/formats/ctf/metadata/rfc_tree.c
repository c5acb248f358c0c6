/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/rfc_tree.h"

#include "base/error.h"

static int parse_items(struct tsdl_parser *p, struct rfc_node **out);

static bool at_opening(const struct tsdl_parser *p)
{
    return tsdl_at_sign(p, '{') || tsdl_at_sign(p, '[');
}

static bool at_closing(const struct tsdl_parser *p)
{
    return tsdl_at_sign(p, '}') || tsdl_at_sign(p, ']');
}

static int parse_block(struct tsdl_parser *p, struct rfc_node *node)
{
    node->kind = RFC_BLOCK;
    if (p->depth == TSDL_DEPTH_MAX)
        return tsdl_fail(p, 0, "more than %d blocks are nested", TSDL_DEPTH_MAX);
    p->depth++;
    int rc = tsdl_advance(p);
    if (rc == 0)
        rc = parse_items(p, &node->items);
    p->depth--;
    if (rc != 0)
        return rc;
    return at_closing(p)
               ? tsdl_advance(p)
               : tsdl_fail(p, 0, "the block that begins in line %u does not end", (unsigned)node->line);
}

static int parse_constant(struct tsdl_parser *p, struct rfc_node *node)
{
    bool is_negative;
    if (p->token.kind == TSDL_STRING) {
        node->kind = RFC_STRING;
        return tsdl_take_string(p, &node->text);
    }
    node->kind = RFC_NUMBER;
    return tsdl_take_number(p, &node->number, &is_negative);
}

/* A word, or up to two words and a block. */
static int parse_words(struct tsdl_parser *p, struct rfc_node *node)
{
    int rc = tsdl_take_word(p, &node->text, "a name");
    if (rc == 0 && p->token.kind == TSDL_WORD)
        rc = tsdl_take_word(p, &node->name, "a name");
    if (rc == 0 && at_opening(p))
        return parse_block(p, node);
    if (rc == 0 && node->name != NULL)
        return tsdl_fail_expected(p, "\"{\"");
    return rc;
}

static int parse_value(struct tsdl_parser *p, struct rfc_node *node)
{
    node->line = p->token.line;
    if (at_opening(p))
        return parse_block(p, node);
    return p->token.kind == TSDL_WORD ? parse_words(p, node) : parse_constant(p, node);
}

/* Version 1.1 writes ".parent = …" in one place (section 4.1.8). */
static int parse_item(struct tsdl_parser *p, struct rfc_node *node)
{
    bool had;
    int rc = tsdl_skip_sign(p, '.', &had);
    if (rc == 0)
        rc = parse_value(p, node);
    if (rc != 0 || node->kind != RFC_WORD)
        return rc;
    rc = tsdl_skip_sign(p, '=', &had);
    if (rc != 0 || !had)
        return rc;
    node->key = node->text;
    node->text = NULL;
    return parse_value(p, node);
}

static int skip_separators(struct tsdl_parser *p)
{
    bool comma = true, semicolon = true;
    int rc = 0;
    while (rc == 0 && (comma || semicolon)) {
        rc = tsdl_skip_sign(p, ',', &comma);
        if (rc == 0)
            rc = tsdl_skip_sign(p, ';', &semicolon);
    }
    return rc;
}

static int parse_items(struct tsdl_parser *p, struct rfc_node **out)
{
    struct rfc_node **end = out;
    int rc = skip_separators(p);
    *out = NULL;
    while (rc == 0 && p->token.kind != TSDL_END && !at_closing(p)) {
        struct rfc_node *node = arena_alloc(&p->trace->arena, sizeof *node);
        if (node == NULL)
            return TRACE_ERR_MEMORY;
        *node = (struct rfc_node){.line = p->token.line};
        *end = node;
        end = &node->next;
        rc = parse_item(p, node);
        if (rc == 0)
            rc = skip_separators(p);
    }
    return rc;
}

int rfc_tree_parse(struct tsdl_parser *p, struct rfc_node **out)
{
    int rc = tsdl_advance(p);
    if (rc == 0)
        rc = parse_items(p, out);
    if (rc == 0 && p->token.kind != TSDL_END)
        rc = tsdl_fail(p, 0, "a block ends that has not begun");
    return rc;
}

const struct rfc_node *rfc_node_find(const struct rfc_node *block, const char *key)
{
    for (const struct rfc_node *item = block->items; item != NULL; item = item->next) {
        bool introduced = item->kind == RFC_BLOCK && item->key == NULL && item->name == NULL;
        const char *name = introduced ? item->text : item->key;
        if (name != NULL && strcmp(name, key) == 0)
            return item;
    }
    return NULL;
}

bool rfc_node_says(const struct rfc_node *node, const char *text)
{
    return (node->kind == RFC_WORD || node->kind == RFC_STRING) && strcmp(node->text, text) == 0;
}
