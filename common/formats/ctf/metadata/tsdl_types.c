/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl_types.h"

#include "base/buf.h"
#include "base/error.h"
#include "formats/ctf/metadata/tsdl_attributes.h"
#include "formats/ctf/metadata/tsdl_declarators.h"
#include "formats/ctf/metadata/tsdl_enumeration.h"

/* --- names of types -------------------------------------------------------------------------------- */

static bool at_c_word(const struct tsdl_parser *p)
{
    static const char *const words[] = {"char",   "double",   "float", "int",   "long",     "short",
                                        "signed", "unsigned", "void",  "_Bool", "_Complex", "_Imaginary"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (tsdl_at_word(p, words[i]))
            return true;
    return false;
}

static int skip_const(struct tsdl_parser *p)
{
    bool had = true;
    int rc = 0;
    while (rc == 0 && had)
        rc = tsdl_skip_word(p, "const", &had);
    return rc;
}

/* Takes the next token and "const" after it. */
static int take_part(struct tsdl_parser *p, struct buf *name)
{
    int rc = name->len > 0 ? buf_append_byte(name, ' ') : 0;
    if (rc == 0)
        rc = buf_append(name, p->token.text, p->token.length);
    if (rc == 0)
        rc = tsdl_advance(p);
    return rc == 0 ? skip_const(p) : rc;
}

/* A name is an identifier or words of C, such as "unsigned long", and may end with asterisks. */
static int take_type_name(struct tsdl_parser *p, const char **out)
{
    struct buf name = BUF_INIT;
    int rc = skip_const(p);
    if (rc == 0 && p->token.kind != TSDL_WORD)
        rc = tsdl_fail_expected(p, "a type");
    bool is_c = at_c_word(p);
    if (rc == 0 && !is_c && tsdl_token_is_keyword(&p->token))
        rc = tsdl_fail_expected(p, "a type");
    if (rc == 0)
        rc = take_part(p, &name);
    while (rc == 0 && ((is_c && at_c_word(p)) || tsdl_at_sign(p, '*')))
        rc = take_part(p, &name);
    *out = rc == 0 ? ctf_trace_copy_text(p->trace, (const char *)name.data, name.len) : NULL;
    buf_fini(&name);
    return rc == 0 && *out == NULL ? TRACE_ERR_MEMORY : rc;
}

static int parse_named(struct tsdl_parser *p, const struct ctf_class **out)
{
    uint32_t line = p->token.line;
    const char *name;
    int rc = take_type_name(p, &name);
    if (rc != 0)
        return rc;
    *out = tsdl_scope_find(p, TSDL_TYPE, name);
    return *out != NULL ? 0 : tsdl_fail(p, line, "no type \"%s\" was declared before", name);
}

/* --- structures and variants ----------------------------------------------------------------------- */

static int parse_members(struct tsdl_parser *p, struct tsdl_members *out)
{
    const struct ctf_class *type;
    bool had;
    int rc = tsdl_expect_sign(p, '{');
    while (rc == 0 && !tsdl_at_sign(p, '}')) {
        rc = tsdl_parse_declaration(p, &had);
        if (rc == 0 && !had && (rc = tsdl_parse_type(p, &type)) == 0)
            rc = tsdl_at_sign(p, ';') ? tsdl_advance(p) : tsdl_parse_declarators(p, type, out);
    }
    return rc == 0 ? tsdl_expect_sign(p, '}') : rc;
}

static int parse_members_in_scope(struct tsdl_parser *p, struct tsdl_members *out)
{
    struct tsdl_scope scope;
    tsdl_scope_enter(p, &scope);
    int rc = parse_members(p, out);
    tsdl_scope_leave(p);
    return rc;
}

static int parse_struct_alignment(struct tsdl_parser *p, uint32_t *align)
{
    bool had;
    int rc = tsdl_skip_word(p, "align", &had);
    if (rc != 0 || !had)
        return rc;
    rc = tsdl_expect_sign(p, '(');
    if (rc == 0)
        rc = tsdl_parse_alignment(p, align);
    return rc == 0 ? tsdl_expect_sign(p, ')') : rc;
}

static int parse_struct_body(struct tsdl_parser *p, const struct ctf_class **out)
{
    struct tsdl_members members = {.items = NULL};
    struct ctf_class *c = ctf_trace_new_class(p->trace, CTF_STRUCT, 1);
    int rc = c != NULL ? parse_members_in_scope(p, &members) : TRACE_ERR_MEMORY;
    if (rc == 0)
        rc = parse_struct_alignment(p, &c->align);
    if (rc == 0)
        rc = ctf_struct_set_members(p->trace, c, members.items, members.count);
    tsdl_members_fini(&members);
    *out = c;
    return rc;
}

static int parse_variant_body(struct tsdl_parser *p, const struct ctf_class **out)
{
    struct tsdl_members members = {.items = NULL};
    struct ctf_option *options = NULL;
    struct ctf_class *c = ctf_trace_new_class(p->trace, CTF_VARIANT, 1);
    int rc = c != NULL ? parse_members_in_scope(p, &members) : TRACE_ERR_MEMORY;
    if (rc == 0 && (options = arena_alloc(&p->trace->arena, members.count * sizeof *options)) == NULL)
        rc = TRACE_ERR_MEMORY;
    for (size_t i = 0; rc == 0 && i < members.count; ++i)
        options[i] = (struct ctf_option){.name = members.items[i].name,
                                         .written = members.items[i].written,
                                         .type = members.items[i].type};
    if (rc == 0) {
        c->u.variant.count = (uint32_t)members.count;
        c->u.variant.options = options;
    }
    tsdl_members_fini(&members);
    *out = c;
    return rc;
}

/* Parses a body and declares its type if it has a name, or else finds the type of the name. */
static int parse_body_or_find(struct tsdl_parser *p, enum tsdl_name_space space, const char *name,
                              int (*parse_body)(struct tsdl_parser *, const struct ctf_class **),
                              const struct ctf_class **out)
{
    if (tsdl_at_sign(p, '{')) {
        int rc = parse_body(p, out);
        return rc == 0 && name != NULL ? tsdl_scope_declare(p, space, name, *out) : rc;
    }
    if (name == NULL)
        return tsdl_fail_expected(p, "\"{\"");
    *out = tsdl_scope_find(p, space, name);
    return *out != NULL ? 0 : tsdl_fail(p, 0, "no type \"%s\" of this kind was declared before", name);
}

static int parse_struct(struct tsdl_parser *p, const struct ctf_class **out)
{
    const char *name = NULL;
    int rc = p->token.kind == TSDL_WORD ? tsdl_take_name(p, &name, "the name of a type") : 0;
    return rc == 0 ? parse_body_or_find(p, TSDL_STRUCT, name, parse_struct_body, out) : rc;
}

static int parse_selector(struct tsdl_parser *p, struct ctf_reference *out)
{
    uint32_t line = p->token.line;
    const char *path;
    bool had;
    int rc = tsdl_skip_sign(p, '<', &had);
    if (rc != 0 || !had)
        return rc;
    rc = tsdl_take_path(p, &path);
    if (rc == 0)
        rc = tsdl_make_reference(p, path, line, out);
    return rc == 0 ? tsdl_expect_sign(p, '>') : rc;
}

/* A declared variant may get its selector where it is used. */
static int select_by(struct tsdl_parser *p, const struct ctf_reference *selector,
                     const struct ctf_class **type)
{
    struct ctf_class *copy = ctf_trace_new_class(p->trace, CTF_VARIANT, (*type)->align);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    copy->u.variant = (*type)->u.variant;
    copy->u.variant.selector = *selector;
    *type = copy;
    return 0;
}

static int parse_variant(struct tsdl_parser *p, const struct ctf_class **out)
{
    struct ctf_reference selector = {.count = 0};
    const char *name = NULL;
    int rc = p->token.kind == TSDL_WORD ? tsdl_take_name(p, &name, "the name of a type") : 0;
    if (rc == 0)
        rc = parse_selector(p, &selector);
    if (rc == 0)
        rc = parse_body_or_find(p, TSDL_VARIANT, name, parse_variant_body, out);
    return rc == 0 && selector.count > 0 ? select_by(p, &selector, out) : rc;
}

/* --- enumerations ---------------------------------------------------------------------------------- */

static int parse_container(struct tsdl_parser *p, const struct ctf_class **out)
{
    bool had;
    int rc = tsdl_skip_sign(p, ':', &had);
    if (rc == 0 && had)
        return tsdl_parse_type(p, out);
    *out = rc == 0 && tsdl_at_sign(p, '{') ? tsdl_scope_find(p, TSDL_TYPE, "int") : NULL;
    return rc == 0 && *out == NULL && tsdl_at_sign(p, '{')
               ? tsdl_fail(p, 0, "an enumeration has no type of integers, and no type \"int\" was declared")
               : rc;
}

static int parse_enum(struct tsdl_parser *p, const struct ctf_class **out)
{
    const struct ctf_class *container = NULL;
    const char *name = NULL;
    int rc = p->token.kind == TSDL_WORD ? tsdl_take_name(p, &name, "the name of a type") : 0;
    if (rc == 0)
        rc = parse_container(p, &container);
    if (rc != 0)
        return rc;
    if (container == NULL) {
        *out = name != NULL ? tsdl_scope_find(p, TSDL_ENUM, name) : NULL;
        return *out != NULL
                   ? 0
                   : tsdl_fail(p, 0, "no enumeration \"%s\" was declared before", name != NULL ? name : "");
    }
    rc = tsdl_parse_labels(p, container, out);
    return rc == 0 && name != NULL ? tsdl_scope_declare(p, TSDL_ENUM, name, *out) : rc;
}

/* --- all ------------------------------------------------------------------------------------------- */

static int parse_any(struct tsdl_parser *p, const struct ctf_class **out)
{
    static const struct {
        const char *word;
        int (*parse)(struct tsdl_parser *, const struct ctf_class **);
    } constructs[] = {{"struct", parse_struct},      {"variant", parse_variant},
                      {"enum", parse_enum},          {"integer", tsdl_parse_integer},
                      {"string", tsdl_parse_string}, {"floating_point", tsdl_parse_float}};
    int rc = skip_const(p);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < sizeof constructs / sizeof constructs[0]; ++i)
        if (tsdl_at_word(p, constructs[i].word)) {
            rc = tsdl_advance(p);
            return rc == 0 ? constructs[i].parse(p, out) : rc;
        }
    return parse_named(p, out);
}

int tsdl_parse_type(struct tsdl_parser *p, const struct ctf_class **out)
{
    if (p->depth >= TSDL_DEPTH_MAX)
        return tsdl_fail(p, 0, "more than %d types are nested", TSDL_DEPTH_MAX);
    p->depth++;
    int rc = parse_any(p, out);
    p->depth--;
    return rc;
}

static int parse_typealias(struct tsdl_parser *p)
{
    const struct ctf_class *type;
    const char *name;
    int rc = tsdl_parse_type(p, &type);
    if (rc == 0 && p->token.kind != TSDL_ASSIGN_TYPE)
        rc = tsdl_fail_expected(p, "\":=\"");
    if (rc == 0)
        rc = tsdl_advance(p);
    if (rc == 0)
        rc = take_type_name(p, &name);
    if (rc == 0)
        rc = tsdl_scope_declare(p, TSDL_TYPE, name, type);
    return rc == 0 ? tsdl_expect_sign(p, ';') : rc;
}

static int parse_typedef(struct tsdl_parser *p)
{
    struct tsdl_members names = {.items = NULL};
    const struct ctf_class *type;
    int rc = tsdl_parse_type(p, &type);
    if (rc == 0)
        rc = tsdl_parse_declarators(p, type, &names);
    for (size_t i = 0; rc == 0 && i < names.count; ++i)
        rc = tsdl_scope_declare(p, TSDL_TYPE, names.items[i].written, names.items[i].type);
    tsdl_members_fini(&names);
    return rc;
}

int tsdl_parse_declaration(struct tsdl_parser *p, bool *had)
{
    int rc = tsdl_skip_word(p, "typealias", had);
    if (rc != 0 || *had)
        return rc == 0 ? parse_typealias(p) : rc;
    rc = tsdl_skip_word(p, "typedef", had);
    return rc == 0 && *had ? parse_typedef(p) : rc;
}
