/* SPDX-License-Identifier: MIT
 * Compares the effects of functions and the objects that their parameters name with meanings.txt. The tables
 * must contain everything in it, and nothing else.
 */
#include "expectations.h"
#include "runtime/length_code.h"
#include "runtime/spec.h"
#include "runtime/tables.h"

#include "spec_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FACT_SIZE = 256 };

/* Lines "SUBJECT: MEANING". */
struct facts {
    char **items;
    size_t count, capacity;
};

static struct facts expected, found;

static void add(struct facts *facts, const char *subject, const char *meaning)
{
    char line[FACT_SIZE];
    assert_true((size_t)snprintf(line, sizeof line, "%s: %s", subject, meaning) < sizeof line);
    if (facts->count == facts->capacity) {
        facts->capacity = facts->capacity * 2 + 1024;
        facts->items = realloc(facts->items, facts->capacity * sizeof *facts->items);
        assert_non_null(facts->items);
    }
    facts->items[facts->count] = strdup(line);
    assert_non_null(facts->items[facts->count++]);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(struct facts *facts)
{
    qsort(facts->items, facts->count, sizeof *facts->items, compare);
}

static void clear(struct facts *facts)
{
    for (size_t i = 0; i < facts->count; ++i)
        free(facts->items[i]);
    free(facts->items);
    *facts = (struct facts){NULL, 0, 0};
}

/* MEANING: SUBJECT… */
static void read_line(char *line, unsigned number)
{
    (void)number;
    char *subjects = strstr(line, ": "), *save;
    assert_non_null(subjects);
    *subjects = '\0';
    for (char *s = strtok_r(subjects + 2, " ", &save); s != NULL; s = strtok_r(NULL, " ", &save))
        add(&expected, s, line);
}

static const char *const hooks[] = {
    NULL,
#define WRAPPER_HOOK(name) #name,
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK
};

static const char *const handlers[] = {
    NULL,
#define REPLAY_HANDLER(name) #name,
#include "replay_handlers.inc"
#undef REPLAY_HANDLER
};

static void add_function(const struct spec_function *f)
{
    static const struct {
        unsigned flag;
        const char *meaning;
    } flags[] = {
        {SPEC_FUNCTION_NO_REPLAY, "no_replay"},
        {SPEC_FUNCTION_END_FRAME, "end_frame"},
        {SPEC_FUNCTION_READS_BUFFERS, "reads_buffers"},
        {SPEC_FUNCTION_UNBINDS_CONTEXT, "unbinds_context"},
        {SPEC_FUNCTION_LABELS, "labels"},
    };
    char meaning[FACT_SIZE];
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        if (f->flags & flags[i].flag)
            add(&found, spec_string(f->name), flags[i].meaning);
    const struct {
        const char *where, *name;
    } names[] = {{"before", hooks[f->before]}, {"after", hooks[f->after]}, {"replay", handlers[f->replay]}};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (names[i].name != NULL) {
            snprintf(meaning, sizeof meaning, "%s %s", names[i].where, names[i].name);
            add(&found, spec_string(f->name), meaning);
        }
}

static const char *role(const struct spec_param *p)
{
    return p->flags & SPEC_PARAM_CREATE   ? " create"
           : p->flags & SPEC_PARAM_DELETE ? " delete"
           : p->flags & SPEC_PARAM_BIND   ? " bind"
           : p->flags & SPEC_PARAM_SHARE  ? " share"
                                          : "";
}

static void add_attribute_list(const char *subject, const struct spec_param *p)
{
    char meaning[FACT_SIZE];
    const uint16_t *code = spec_length_code + p->length; /* ATTRIBS, count, terminator, keys… */
    int n = snprintf(meaning, sizeof meaning, "attributes");
    for (unsigned i = 0; i < code[1]; ++i)
        n += snprintf(meaning + n, sizeof meaning - (size_t)n, " 0x%x", code[2 + i]);
    add(&found, subject, meaning);
}

static void add_param(const struct spec_function *f, const struct spec_param *p)
{
    char subject[FACT_SIZE], meaning[FACT_SIZE];
    snprintf(subject, sizeof subject, "%s.%s", spec_string(f->name),
             spec_string(p->name)[0] != '\0' ? spec_string(p->name) : "return");
    if (p->flags & SPEC_PARAM_ATTRIBS)
        add_attribute_list(subject, p);
    if (p->form == SPEC_FORM_STRINGS && p->key != SPEC_NO_INDEX) {
        snprintf(meaning, sizeof meaning, "lengths %s", spec_string(spec_param(f, p->key)->name));
        add(&found, subject, meaning);
    }
    if (p->object == SPEC_OBJECT_none)
        return;
    int n = snprintf(meaning, sizeof meaning, "object %s%s", spec_string(spec_object_kinds[p->object].name),
                     role(p));
    if (p->key != SPEC_NO_INDEX)
        n += snprintf(meaning + n, sizeof meaning - (size_t)n, " of %s",
                      spec_string(spec_param(f, p->key)->name));
    if (p->range != SPEC_NO_INDEX)
        snprintf(meaning + n, sizeof meaning - (size_t)n, " and following %s",
                 spec_string(spec_param(f, p->range)->name));
    add(&found, subject, meaning);
}

static void add_kinds(void)
{
    static const char *const scopes[] = {"none", "shared", "context", "program", "display"};
    char subject[FACT_SIZE], meaning[FACT_SIZE];
    for (unsigned i = 1; i < spec_object_count; ++i) {
        const struct spec_object_kind *k = &spec_object_kinds[i];
        if (k->scope == SPEC_SCOPE_NONE)
            continue;
        int n = snprintf(meaning, sizeof meaning, "scope %s", scopes[k->scope]);
        if (k->names != i)
            n += snprintf(meaning + n, sizeof meaning - (size_t)n, " like %s",
                          spec_string(spec_object_kinds[k->names].name));
        snprintf(meaning + n, sizeof meaning - (size_t)n, "%s%s", k->zero_is_name ? " zero_is_name" : "",
                 k->consecutive ? " consecutive" : "");
        add(&found, spec_string(k->name), meaning);
    }
    for (unsigned i = 0; i < spec_identifier_count; ++i) {
        snprintf(subject, sizeof subject, "0x%x", spec_identifiers[i].value);
        snprintf(meaning, sizeof meaning, "identifier %s",
                 spec_string(spec_object_kinds[spec_identified_kind(spec_identifiers[i].value)].name));
        add(&found, subject, meaning);
    }
}

static void test_tables_say_what_is_expected(void **unused)
{
    (void)unused;
    unsigned wrong = 0;
    read_expectations(MEANINGS_FILE, read_line);
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const struct spec_function *f = &spec_functions[i];
        add_function(f);
        for (unsigned k = 0; k < f->param_count; ++k)
            add_param(f, spec_param(f, k));
        add_param(f, &f->ret);
    }
    add_kinds();
    sort(&expected);
    sort(&found);
    for (size_t i = 0, k = 0; i < expected.count || k < found.count;) {
        int order = i == expected.count ? 1
                    : k == found.count  ? -1
                                        : strcmp(expected.items[i], found.items[k]);
        if (order < 0)
            printf("meanings.txt has, the tables have not: %s\n", expected.items[i]);
        else if (order > 0)
            printf("the tables have, meanings.txt has not: %s\n", found.items[k]);
        wrong += order != 0;
        i += order <= 0;
        k += order >= 0;
    }
    clear(&expected);
    clear(&found);
    assert_int_equal(wrong, 0);
}

/* --- names of any kind ------------------------------------------------------------------------------ */

/* Numbers that are called names, but need no translation. */
static const struct {
    const char *function, *reason;
} other_names[] = {
    {"glLoadName", "a selection returns it as the number that it is"},
    {"glPushName", "a selection returns it as the number that it is"},
    {"glXCopyImageSubDataNV", "it is not replayed"},
};

static bool has_other_names(const struct spec_function *f)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; ++i)
        if (strcmp(spec_string(f->name), other_names[i].function) == 0)
            return strlen(other_names[i].reason) > 0;
    return false;
}

static bool is_called_a_name(const struct spec_param *p)
{
    const char *name = spec_string(p->name);
    size_t length = strlen(name);
    return p->type == SPEC_U32 && p->group == SPEC_NO_INDEX && length >= 4 &&
           strcasecmp(name + length - 4, "name") == 0;
}

/* A name that has no kind needs a handler that finds the kind in another argument. */
static void test_names_have_kinds(void **unused)
{
    (void)unused;
    unsigned wrong = 0;
    for (unsigned i = 0; i < spec_function_count; ++i)
        for (unsigned k = 0; k < spec_functions[i].param_count; ++k) {
            const struct spec_function *f = &spec_functions[i];
            const struct spec_param *p = spec_param(f, k);
            if (!is_called_a_name(p) || p->object != SPEC_OBJECT_none || f->replay != 0 || has_other_names(f))
                continue;
            printf("%s.%s has no kind\n", spec_string(f->name), spec_string(p->name));
            wrong++;
        }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_have_kinds),
        cmocka_unit_test(test_tables_say_what_is_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
