/* SPDX-License-Identifier: MIT */
#include "specgen/rules.h"
#include "specgen/declare.h"
#include "specgen/expression.h"
#include "specgen/glob.h"
#include "specgen/objects.h"

#include <stdlib.h>
#include <string.h>

/* Which functions and parameters a rule is about:
 *   FUNCTION                    functions by name
 *   FUNCTION.NAME               parameters by name; `return` is the return value
 *   FUNCTION.NAME[TYPE](LEN)<OBJECT>  parameters that also have this C type, registry length or object kind
 * NAME may be left out before one of the brackets. `*` and `{a,b}` work in FUNCTION, NAME and OBJECT, only
 * `{a,b}` in TYPE and LEN, where a star is a star. */
struct subject {
    bool has_param;
    struct list function, name, type, len, object; /* expanded globs; count 0: anything */
};

/* The parameter that a rule is applied to. Value texts are compiled in the context of `written_for`. */
struct target {
    struct function *function;
    struct param *param;
    const struct function *written_for;
};

struct rule_kind {
    const char *name;
    bool wants_param;
    const char *(*apply)(struct specgen *g, const struct rule *r, struct target *t); /* error text or NULL */
};

static size_t bracket_part(struct specgen *g, const char *s, const char *brackets, struct list *out)
{
    if (*s != brackets[0])
        return 0;
    unsigned depth = 0;
    size_t n = 0;
    do {
        depth += s[n] == brackets[0];
        depth -= s[n] == brackets[1];
    } while (s[n++] != '\0' && depth > 0);
    if (depth > 0)
        return 0;
    *out = glob_expand(g, specgen_strndup(g, s + 1, n - 2));
    return n;
}

static bool parse_subject(struct specgen *g, const struct rule *r, struct subject *out)
{
    *out = (struct subject){.has_param = false};
    size_t n = strcspn(r->subject, ".");
    out->function = glob_expand(g, specgen_strndup(g, r->subject, n));
    const char *s = r->subject + n;
    if (n == 0) {
        specgen_error(g, r->source, "%s needs a subject", r->kind);
        return false;
    }
    if (*s == '\0')
        return true;
    out->has_param = true;
    n = strcspn(++s, "[(<");
    if (n > 0)
        out->name = glob_expand(g, specgen_strndup(g, s, n));
    s += n;
    while (*s != '\0') {
        n = bracket_part(g, s, "[]", &out->type);
        n = n > 0 ? n : bracket_part(g, s, "()", &out->len);
        n = n > 0 ? n : bracket_part(g, s, "<>", &out->object);
        if (n == 0) {
            specgen_error(g, r->source, "cannot understand '%s' in '%s'", s, r->subject);
            return false;
        }
        s += n;
    }
    return true;
}

static bool subject_matches(const struct specgen *g, const struct subject *s, const struct param *p,
                            bool is_return)
{
    if (s->name.count > 0 && !glob_match(&s->name, is_return ? "return" : p->name))
        return false;
    if (s->name.count == 0 && is_return)
        return false;
    if (s->type.count > 0 && (p->c.text == NULL || !glob_equal(&s->type, p->c.text)))
        return false;
    if (s->len.count > 0 && (p->len == NULL || !glob_equal(&s->len, p->len)))
        return false;
    const char *object = LIST_AT(const struct object_kind *, g->objects, p->object)->name;
    return s->object.count == 0 || (p->object != 0 && glob_match(&s->object, object));
}

static const char *apply_form(struct specgen *g, const struct rule *r, struct target *t)
{
    static const char *const forms[] = {"value", "opaque", "array", "blob", "string", "strings"};
    struct param *p = t->param;
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; ++i) {
        if (strcmp(r->value, forms[i]) != 0)
            continue;
        if (i != SPEC_FORM_VALUE && !is_pointer(p) && p->type != SPEC_PTR)
            return specgen_format(g, "%s of %s is not a pointer", p->name, t->function->name);
        p->form = i;
        p->form_known = true;
        if (i == SPEC_FORM_OPAQUE || i == SPEC_FORM_VALUE) {
            if (is_pointer(p))
                p->type = SPEC_PTR;
            p->flags &= ~(unsigned)(SPEC_PARAM_OUT | SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK);
            p->length = (struct length){NULL, 0};
        }
        return NULL;
    }
    if (strncmp(r->value, "struct ", 7) == 0) {
        p->structure = find_struct(g, r->value + 7);
        if (p->structure < 0)
            return specgen_format(g, "unknown struct '%s'", r->value + 7);
        p->form = SPEC_FORM_STRUCT;
        p->form_known = true;
        return NULL;
    }
    return specgen_format(g, "unknown form '%s'", r->value);
}

static const char *apply_length(struct specgen *g, const struct rule *r, struct target *t)
{
    const char *error;
    if (!is_pointer(t->param))
        return specgen_format(g, "%s of %s is not a pointer", t->param->name, t->function->name);
    if (!expression_compile(g, r->value, t->written_for, &t->param->length, &error))
        return error;
    t->param->form_known = true;
    return NULL;
}

/* items SUBJECT = EXPRESSION: the bytes of each of the blobs that it points at */
static const char *apply_items(struct specgen *g, const struct rule *r, struct target *t)
{
    const char *error;
    if (t->param->c.pointers < 2)
        return specgen_format(g, "%s of %s does not point at pointers", t->param->name, t->function->name);
    if (!expression_compile(g, r->value, t->written_for, &t->param->items, &error))
        return error;
    t->param->form = SPEC_FORM_BLOBS;
    t->param->form_known = true; /* report.c still asks for the length */
    return NULL;
}

static const char *apply_attribs(struct specgen *g, const struct rule *r, struct target *t)
{
    struct rule inner = *r;
    inner.value = specgen_format(g, "attribs(%s)", r->value);
    const char *error = apply_length(g, &inner, t);
    if (error == NULL) {
        t->param->form = SPEC_FORM_ARRAY;
        t->param->flags = (t->param->flags & ~(unsigned)SPEC_PARAM_OUT) | SPEC_PARAM_ATTRIBS;
    }
    return error;
}

static const char *apply_direction(struct specgen *g, const struct rule *r, struct target *t)
{
    if (strcmp(r->value, "out") == 0)
        t->param->flags |= SPEC_PARAM_OUT;
    else if (strcmp(r->value, "in") == 0)
        t->param->flags &= ~(unsigned)SPEC_PARAM_OUT;
    else
        return specgen_format(g, "'in' or 'out' expected, not '%s'", r->value);
    return NULL;
}

/* enum SUBJECT = GROUP | none, and likewise `bitmask` */
static const char *apply_group(struct specgen *g, const struct rule *r, struct target *t)
{
    bool none = strcmp(r->value, "none") == 0;
    int group = none ? -1 : find_group(g, r->value);
    if (group < 0 && !none)
        return specgen_format(g, "unknown group '%s'", r->value);
    t->param->group = group;
    t->param->flags &= ~(unsigned)(SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK);
    if (none)
        return NULL;
    t->param->flags |= r->kind[0] == 'e' ? SPEC_PARAM_ENUM : SPEC_PARAM_BITMASK;
    return NULL;
}

/* element SUBJECT = TYPE: what a pointer, often `void *`, really points at */
static const char *apply_element(struct specgen *g, const struct rule *r, struct target *t)
{
    struct type_info *type = find_type(g, r->value);
    if (type == NULL || !is_pointer(t->param))
        return specgen_format(g, type == NULL ? "unknown type '%s'" : "not a pointer: no element '%s'",
                              r->value);
    type->used = true;
    t->param->type = type->type;
    t->param->form = type->kind == TYPE_CHAR ? SPEC_FORM_STRING : SPEC_FORM_ARRAY;
    t->param->form_known = true; /* report.c still asks for the length */
    return NULL;
}

static const char *apply_role(struct specgen *g, const struct rule *r, struct target *t)
{
    static const struct {
        const char *name;
        unsigned flag;
    } roles[] = {{"use", 0},
                 {"create", SPEC_PARAM_CREATE},
                 {"delete", SPEC_PARAM_DELETE},
                 {"bind", SPEC_PARAM_BIND},
                 {"share", SPEC_PARAM_SHARE}};
    const unsigned all = SPEC_PARAM_CREATE | SPEC_PARAM_DELETE | SPEC_PARAM_BIND | SPEC_PARAM_SHARE;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; ++i)
        if (strcmp(r->value, roles[i].name) == 0) {
            t->param->flags = (t->param->flags & ~all) | roles[i].flag;
            return NULL;
        }
    return specgen_format(g, "create, delete, bind, share or use expected, not '%s'", r->value);
}

/* object SUBJECT = KIND [ROLE] */
static const char *apply_object(struct specgen *g, const struct rule *r, struct target *t)
{
    size_t n = strcspn(r->value, " ");
    if (n == 0)
        return "an object kind is missing";
    t->param->object = object_intern(g, specgen_strndup(g, r->value, n));
    if (r->value[n] == '\0')
        return NULL;
    struct rule inner = *r;
    inner.value = r->value + n + 1;
    return apply_role(g, &inner, t);
}

/* key SUBJECT = PARAMETER, and likewise `lengths` for the lengths array of strings */
static const char *apply_key(struct specgen *g, const struct rule *r, struct target *t)
{
    t->param->key = find_param(t->written_for, r->value, strlen(r->value));
    if (t->param->key < 0)
        return specgen_format(g, "'%s' is not a parameter of %s", r->value, t->written_for->name);
    return NULL;
}

/* range SUBJECT = PARAMETER: how many consecutive names the value is the first of */
static const char *apply_range(struct specgen *g, const struct rule *r, struct target *t)
{
    t->param->range = find_param(t->written_for, r->value, strlen(r->value));
    if (t->param->range < 0)
        return specgen_format(g, "'%s' is not a parameter of %s", r->value, t->written_for->name);
    return t->param->object != 0 ? NULL : specgen_format(g, "%s names no object", r->subject);
}

/* symbolic SUBJECT = TABLE(PARAMETER), or TABLE alone in attribute lists */
static const char *apply_symbolic(struct specgen *g, const struct rule *r, struct target *t)
{
    size_t n = strcspn(r->value, "("), end = strlen(r->value);
    int table = find_symbol_table(g, r->value, n);
    if (table < 0)
        return specgen_format(g, "unknown table of values '%.*s'", (int)n, r->value);
    t->param->selector = -1;
    if (n < end) {
        const char *name = specgen_strndup(g, r->value + n + 1, end - n - 1 - (r->value[end - 1] == ')'));
        t->param->selector = find_param(t->written_for, name, strlen(name));
        if (t->param->selector < 0)
            return specgen_format(g, "'%s' is not a parameter of %s", name, t->written_for->name);
    } else if ((t->param->flags & SPEC_PARAM_ATTRIBS) == 0) {
        return specgen_format(g, "%s(PARAMETER) expected: not an attribute list", r->value);
    }
    t->param->symbols = table;
    return NULL;
}

static const char *apply_flags(struct specgen *g, const struct rule *r, struct target *t)
{
    static const struct {
        const char *name;
        unsigned bit;
    } flags[] = {{"no_replay", SPEC_FUNCTION_NO_REPLAY},
                 {"end_frame", SPEC_FUNCTION_END_FRAME},
                 {"reads_buffers", SPEC_FUNCTION_READS_BUFFERS},
                 {"unbinds_context", SPEC_FUNCTION_UNBINDS_CONTEXT},
                 {"labels", SPEC_FUNCTION_LABELS},
                 {"driver", SPEC_FUNCTION_DRIVER},
                 {"time", SPEC_FUNCTION_TIME}};
    for (const char *s = r->value; *s != '\0';) {
        size_t n = strcspn(s, " ");
        unsigned bit = 0;
        bool clear = *s == '!';
        for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
            if (strlen(flags[i].name) == n - clear && memcmp(flags[i].name, s + clear, n - clear) == 0)
                bit = flags[i].bit;
        if (bit == 0)
            return specgen_format(g, "unknown flag '%.*s'", (int)n, s);
        t->function->flags = clear ? t->function->flags & ~bit : t->function->flags | bit;
        s += n;
        s += strspn(s, " ");
    }
    return NULL;
}

/* sets FUNCTION = NUMBER [FUNCTION]: of the leading arguments that say what is set; whose call selects it */
static const char *apply_sets(struct specgen *g, const struct rule *r, struct target *t)
{
    char *end;
    unsigned long count = strtoul(r->value, &end, 10);
    if (end == r->value || (*end != '\0' && *end != ' ') || count > t->function->param_count)
        return specgen_format(g, "'%s' does not begin with a number of arguments of %s", r->value,
                              t->function->name);
    const char *by = end + strspn(end, " ");
    if (*by != '\0' && find_function(g, by) == NULL)
        return specgen_format(g, "'%s' is not a function", by);
    t->function->sets = (unsigned)count + 1;
    t->function->sets_by = *by != '\0' ? find_function(g, by) : NULL;
    return NULL;
}

static const char *intern_name(struct specgen *g, struct list *names, const char *name)
{
    for (size_t i = 0; i < names->count; ++i)
        if (strcmp(LIST_AT(const char *, *names, i), name) == 0)
            return LIST_AT(const char *, *names, i);
    list_push(g, names, &name, sizeof name);
    return name;
}

static const char *apply_hook(struct specgen *g, const struct rule *r, struct target *t)
{
    if (r->value[0] == '\0' || r->value[strcspn(r->value, " .*{")] != '\0')
        return specgen_format(g, "'%s' is not the name of a function", r->value);
    bool none = strcmp(r->value, "none") == 0;
    if (strcmp(r->kind, "replay") == 0)
        t->function->replay = none ? NULL : intern_name(g, &g->handlers, r->value);
    else if (strcmp(r->kind, "before") == 0)
        t->function->before = none ? NULL : intern_name(g, &g->hooks, r->value);
    else
        t->function->after = none ? NULL : intern_name(g, &g->hooks, r->value);
    return NULL;
}

static const struct rule_kind kinds[] = {
    /* of parameters */
    {"form", true, apply_form},
    {"length", true, apply_length},
    {"items", true, apply_items},
    {"attribs", true, apply_attribs},
    {"lengths", true, apply_key},
    {"direction", true, apply_direction},
    {"enum", true, apply_group},
    {"bitmask", true, apply_group},
    {"element", true, apply_element},
    {"object", true, apply_object},
    {"role", true, apply_role},
    {"key", true, apply_key},
    {"range", true, apply_range},
    {"symbolic", true, apply_symbolic},
    /* of functions */
    {"flags", false, apply_flags},
    {"sets", false, apply_sets},
    {"before", false, apply_hook},
    {"after", false, apply_hook},
    {"replay", false, apply_hook},
};

/* Applies r to a parameter of a function (or to the function). Returns false after an error. */
static bool apply_to(struct specgen *g, const struct rule_kind *kind, const struct rule *r, struct target t)
{
    const char *error = kind->apply(g, r, &t);
    if (error != NULL)
        specgen_error(g, r->source, "%s", error);
    return error == NULL;
}

/* Returns the parameters of f that s selects. f->param_count stands for the return value. */
static unsigned select_params(const struct specgen *g, const struct subject *s, struct function *f,
                              bool *selected)
{
    unsigned n = 0;
    for (unsigned k = 0; k <= f->param_count; ++k) {
        selected[k] = subject_matches(g, s, param_at(f, k), k == f->param_count);
        n += selected[k];
    }
    return n;
}

#define MAX_PARAMS 64

static bool apply_param_rule(struct specgen *g, const struct rule_kind *kind, const struct rule *r,
                             struct subject *s, struct function *f)
{
    bool selected[MAX_PARAMS + 1], own[MAX_PARAMS + 1];
    if (select_params(g, s, f, selected) == 0)
        return false;
    for (unsigned k = 0; k <= f->param_count; ++k) {
        if (!selected[k])
            continue;
        glob_mark(&s->name, k < f->param_count ? f->params[k].name : "return");
        if (!apply_to(g, kind, r, (struct target){f, param_at(f, k), f}))
            return true;
    }
    for (size_t i = 0; i < f->aliases.count; ++i) {
        struct function *a = LIST_AT(struct function *, f->aliases, i);
        if (a->param_count != f->param_count)
            continue;
        bool direct = glob_match(&s->function, a->name) && select_params(g, s, a, own) > 0;
        for (unsigned k = 0; !direct && k <= f->param_count; ++k) {
            struct param *p = param_at(a, k);
            if (selected[k] && p->c.pointers == param_at(f, k)->c.pointers &&
                !apply_to(g, kind, r, (struct target){a, p, f}))
                return true;
        }
    }
    return true;
}

static void apply_rule(struct specgen *g, const struct rule_kind *kind, const struct rule *r)
{
    struct subject s;
    if (!parse_subject(g, r, &s))
        return;
    if (kind->wants_param != s.has_param) {
        specgen_error(g, r->source, "%s is about %s, and '%s' is not one", r->kind,
                      kind->wants_param ? "a parameter" : "a function", r->subject);
        return;
    }
    unsigned errors = g->errors;
    for (size_t i = 0; i < g->functions.count && g->errors == errors; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        if (!glob_match(&s.function, f->name))
            continue;
        if (kind->wants_param) {
            if (apply_param_rule(g, kind, r, &s, f))
                glob_mark(&s.function, f->name);
            continue;
        }
        glob_mark(&s.function, f->name);
        apply_to(g, kind, r, (struct target){f, NULL, f});
        for (size_t k = 0; k < f->aliases.count; ++k)
            apply_to(g, kind, r, (struct target){LIST_AT(struct function *, f->aliases, k), NULL, f});
    }
    if (g->errors > errors)
        return;
    const char *function = glob_unused(&s.function), *name = glob_unused(&s.name);
    if (function != NULL)
        specgen_error(g, r->source, "'%s%s' matches nothing", function,
                      strchr(r->subject, '.') ? strchr(r->subject, '.') : "");
    else if (name != NULL)
        specgen_error(g, r->source, "parameter '%s' matches nothing in '%s'", name, r->subject);
}

void rules_apply(struct specgen *g)
{
    for (size_t i = 0; i < g->rules.count; ++i) {
        const struct rule *r = &LIST_AT(struct rule, g->rules, i);
        const struct rule_kind *kind = NULL;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
            if (strcmp(r->kind, kinds[k].name) == 0)
                kind = &kinds[k];
        if (kind != NULL)
            apply_rule(g, kind, r);
        else if (!declare_is(r->kind))
            specgen_error(g, r->source, "unknown rule '%s'", r->kind);
    }
}
