/* SPDX-License-Identifier: MIT */
#include "specgen/derive.h"
#include "specgen/expression.h"
#include "specgen/objects.h"

#include <string.h>

/* Uses the enum or bitmask group of the registry if it exists, otherwise that of the type. */
static void derive_group(const struct specgen *g, struct param *p, const struct type_info *t)
{
    int named = p->group_name != NULL ? find_group(g, p->group_name) : -1;
    bool integer = t->type >= SPEC_I8 && t->type <= SPEC_U64;
    if (named >= 0 && integer && t->kind == TYPE_PLAIN) {
        bool bitmask = LIST_AT(struct group *, g->groups, named)->bitmask;
        p->group = named;
        p->flags |= bitmask ? SPEC_PARAM_BITMASK : SPEC_PARAM_ENUM;
    } else if (t->value_flags != 0) {
        p->group = t->group;
        p->flags |= t->value_flags;
    }
}

/* Derives the form of a pointer with a known length. */
static void derive_pointer(struct param *p, const struct type_info *t, bool is_return)
{
    bool has_length = p->len != NULL;
    if (p->c.pointers == 1 && t->kind == TYPE_HANDLE) {
        p->type = SPEC_PTR;
        p->form = SPEC_FORM_VALUE;
        p->form_known = true;
        return;
    }
    if (!p->c.const_target && !is_return)
        p->flags |= SPEC_PARAM_OUT;
    if (p->c.pointers == 1 && t->kind == TYPE_STRUCT) {
        p->form = SPEC_FORM_STRUCT;
        p->structure = t->structure;
        p->form_known = true;
    } else if (p->c.pointers > 1) {
        p->type = SPEC_PTR;
        p->form = t->kind == TYPE_CHAR ? SPEC_FORM_STRINGS : SPEC_FORM_ARRAY;
        p->form_known = has_length;
    } else if (t->kind == TYPE_CHAR) {
        p->form = SPEC_FORM_STRING;
        p->form_known = p->c.const_target || has_length;
    } else {
        p->form = t->type == SPEC_VOID ? SPEC_FORM_BLOB : SPEC_FORM_ARRAY;
        p->form_known = has_length;
    }
}

static void derive_length(struct specgen *g, struct param *p)
{
    const char *error;
    if (p->len == NULL || p->form == SPEC_FORM_VALUE || p->form == SPEC_FORM_STRUCT)
        return;
    /* COMPSIZE(a,b) only names what the length depends on; a rule has to say how. */
    if (strncmp(p->len, "COMPSIZE", 8) != 0 &&
        !expression_compile(g, p->len, p->len_function, &p->length, &error))
        specgen_error(g, p->source, "len=\"%s\" of %s: %s", p->len, p->name, error);
}

static void derive_param(struct specgen *g, struct param *p, bool is_return)
{
    if (p->c.base == NULL)
        return; /* has been reported while reading */
    struct type_info *t = find_type(g, p->c.base);
    if (t == NULL) {
        specgen_error(g, p->source, "type %s has no rule: add 'type %s = …'", p->c.base, p->c.base);
        return;
    }
    t->used = true;
    p->type = t->type;
    p->form = SPEC_FORM_VALUE;
    p->form_known = true;
    derive_group(g, p, t);
    if (p->class_name != NULL)
        p->object = object_intern(g, p->class_name);
    if (is_pointer(p))
        derive_pointer(p, t, is_return);
    else if (t->kind == TYPE_STRUCT || t->kind == TYPE_HANDLE || (t->type == SPEC_VOID && !is_return))
        specgen_error(g, p->source, "%s is passed by value, but %s is not a scalar", p->name, p->c.base);
    derive_length(g, p);
}

void derive_all(struct specgen *g)
{
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        derive_param(g, &f->ret, true);
        for (unsigned k = 0; k < f->param_count; ++k)
            derive_param(g, &f->params[k], false);
    }
    for (size_t i = 0; i < g->types.count; ++i) {
        const struct type_info *t = LIST_AT(struct type_info *, g->types, i);
        if (!t->used && t->kind != TYPE_STRUCT)
            specgen_error(g, t->source, "type %s is not used", t->name);
    }
}
