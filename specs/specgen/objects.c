/* SPDX-License-Identifier: MIT */
#include "specgen/objects.h"
#include "specgen/glob.h"

#include <inttypes.h>
#include <string.h>

/* Kinds of objects come from the registry's class attributes and from object rules. A kind declaration gives
 * the scope of a kind's names. The replayer does not translate names of a kind without a declaration. */

static const char *const scope_names[] = {"none", "shared", "context", "program", "display"};

static struct object_kind *kind_at(const struct specgen *g, int index)
{
    return LIST_AT(struct object_kind *, g->objects, index);
}

int find_object(const struct specgen *g, const char *name)
{
    for (size_t i = 0; i < g->objects.count; ++i)
        if (strcmp(kind_at(g, (int)i)->name, name) == 0)
            return (int)i;
    return -1;
}

int object_intern(struct specgen *g, const char *name)
{
    char *text = (char *)(uintptr_t)specgen_strndup(g, name, strlen(name));
    for (char *p = text; *p != '\0'; ++p)
        if (*p == ' ')
            *p = '_';
    int found = find_object(g, text);
    if (found >= 0)
        return found;
    struct object_kind *kind = specgen_alloc(g, sizeof *kind);
    kind->name = text;
    kind->names = (int)g->objects.count;
    list_push(g, &g->objects, &kind, sizeof kind);
    return kind->names;
}

/* What follows the scope: `like KIND`, zero_is_name, consecutive. */
static bool parse_properties(struct specgen *g, const struct rule *r, const char *text,
                             struct object_kind *like)
{
    const char *rest = text;
    for (const char *word; (word = next_word(g, &rest)) != NULL;) {
        if (strcmp(word, "zero_is_name") == 0) {
            like->zero_is_name = true;
        } else if (strcmp(word, "consecutive") == 0) {
            like->consecutive = true;
        } else if (strcmp(word, "like") == 0 && (word = next_word(g, &rest)) != NULL) {
            like->names = find_object(g, word);
            if (like->names <= 0)
                specgen_error(g, r->source, "unknown kind '%s'", word);
        } else {
            specgen_error(g, r->source, "'%s' does not describe a kind", r->value);
            return false;
        }
    }
    return like->names >= 0;
}

void declare_kind(struct specgen *g, const struct rule *r)
{
    struct object_kind like = {.scope = SPEC_SCOPE_NONE, .declared = true, .source = r->source};
    const char *rest = r->value;
    const char *scope = next_word(g, &rest);
    for (unsigned i = SPEC_SCOPE_SHARED; scope != NULL && i < sizeof scope_names / sizeof *scope_names; ++i)
        if (strcmp(scope, scope_names[i]) == 0)
            like.scope = (enum spec_scope)i;
    if (like.scope == SPEC_SCOPE_NONE) {
        specgen_error(g, r->source, "shared, context, program or display expected, not '%s'", r->value);
        return;
    }
    if (!parse_properties(g, r, rest, &like))
        return;
    struct list names = glob_expand(g, r->subject);
    for (size_t i = 0; i < names.count; ++i) {
        int index = object_intern(g, LIST_AT(struct glob, names, i).pattern);
        struct object_kind *kind = kind_at(g, index);
        if (kind->declared)
            specgen_error(g, r->source, "kind %s is already declared", kind->name);
        like.name = kind->name;
        int own = like.names > 0 ? like.names : index;
        *kind = like;
        kind->names = own;
    }
}

/* identifier ENUMS = KIND: the kind that these enums stand for in calls that take a kind and a name */
void declare_identifier(struct specgen *g, const struct rule *r)
{
    if (r->value[0] == '\0') {
        specgen_error(g, r->source, "a kind is missing");
        return;
    }
    int kind = object_intern(g, r->value);
    struct list enums = glob_match_enums(g, r, r->subject);
    for (size_t i = 0; i < enums.count; ++i) {
        uint32_t value = (uint32_t)LIST_AT(const struct enum_value *, enums, i)->value;
        bool known = false;
        for (size_t k = 0; k < g->identifiers.count; ++k)
            known |= LIST_AT(struct identifier, g->identifiers, k).value == value;
        if (known)
            specgen_error(g, r->source, "%s already identifies a kind",
                          LIST_AT(const struct enum_value *, enums, i)->name);
        else
            list_push(g, &g->identifiers, &(struct identifier){value, kind}, sizeof(struct identifier));
    }
}

/* answer ENUMS = KIND | driver | time | window: what the driver's answer to this pname is, if it is no plain
 * value */
void declare_answer(struct specgen *g, const struct rule *r)
{
    struct answer answer = {.what = SPEC_ANSWER_NAME};
    if (r->value[0] == '\0') {
        specgen_error(g, r->source, "a kind is missing");
        return;
    }
    if (strcmp(r->value, "driver") == 0)
        answer.what = SPEC_ANSWER_DRIVER;
    else if (strcmp(r->value, "time") == 0)
        answer.what = SPEC_ANSWER_TIME;
    else if (strcmp(r->value, "window") == 0)
        answer.what = SPEC_ANSWER_WINDOW;
    else
        answer.kind = object_intern(g, r->value);
    struct list enums = glob_match_enums(g, r, r->subject);
    for (size_t i = 0; i < enums.count; ++i) {
        answer.value = (uint32_t)LIST_AT(const struct enum_value *, enums, i)->value;
        list_push(g, &g->answers, &answer, sizeof answer);
    }
}

void objects_check(struct specgen *g)
{
    bool *used = specgen_alloc(g, g->objects.count * sizeof *used);
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        for (unsigned k = 0; k <= f->param_count; ++k)
            used[param_at(f, k)->object] = true;
    }
    for (size_t i = 1; i < g->objects.count; ++i)
        if (kind_at(g, (int)i)->declared && !used[i])
            specgen_error(g, kind_at(g, (int)i)->source, "no parameter has the kind '%s'",
                          kind_at(g, (int)i)->name);
}

static void emit_answers(const struct specgen *g, struct buf *out)
{
    static const char *const names[] = {"VALUE", "NAME", "DRIVER", "TIME", "WINDOW"};
    buf_printf(out, "\nconst struct spec_answer_entry spec_answers[] = {\n");
    for (size_t i = 0; i < g->answers.count; ++i) {
        const struct answer *a = &LIST_AT(struct answer, g->answers, i);
        buf_printf(out, "    {0x%" PRIx32 ", SPEC_OBJECT_%s, SPEC_ANSWER_%s},\n", a->value,
                   kind_at(g, a->kind)->name, names[a->what]);
    }
    buf_printf(out, "    {0, 0, 0},\n};\nconst unsigned spec_answer_count = %zu;\n", g->answers.count);
}

void emit_object_kinds(const struct specgen *g, struct buf *out)
{
    static const char *const scopes[] = {"NONE", "SHARED", "CONTEXT", "PROGRAM", "DISPLAY"};
    buf_printf(out, "\nconst struct spec_object_kind spec_object_kinds[SPEC_OBJECT_COUNT] = {\n");
    for (size_t i = 0; i < g->objects.count; ++i) {
        const struct object_kind *kind = kind_at(g, (int)i);
        buf_printf(out, "    {NAME(%s), %d, SPEC_SCOPE_%s, %s, %s},\n", kind->name, kind->names,
                   scopes[kind->scope], kind->zero_is_name ? "true" : "false",
                   kind->consecutive ? "true" : "false");
    }
    buf_printf(out, "};\nconst unsigned spec_object_count = SPEC_OBJECT_COUNT;\n");
    buf_printf(out, "\nconst struct spec_identifier spec_identifiers[] = {\n");
    for (size_t i = 0; i < g->identifiers.count; ++i) {
        const struct identifier *id = &LIST_AT(struct identifier, g->identifiers, i);
        buf_printf(out, "    {0x%" PRIx32 ", SPEC_OBJECT_%s},\n", id->value, kind_at(g, id->kind)->name);
    }
    buf_printf(out, "    {0, 0},\n};\nconst unsigned spec_identifier_count = %zu;\n", g->identifiers.count);
    emit_answers(g, out);
}
