/* SPDX-License-Identifier: MIT
 * Compares the names by which values of parameters are shown with names.txt. Every parameter that is shown by
 * name must have an expectation, and each must hold.
 */
#include "expectations.h"
#include "length_cases.h"

#include "runtime/tables.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 512, MAX_FUNCTIONS = 8192, MAX_TABLES = 64, MAX_SYMBOLS = 256 };

static uint32_t named[MAX_FUNCTIONS];  /* of each function: bit k when parameter k has an expectation */
static uint32_t chosen[MAX_FUNCTIONS]; /* … with a pname or key */
static bool looked_up[MAX_TABLES][MAX_SYMBOLS];
static unsigned failures;

static void show_enum(const struct spec_group *group, int64_t value, char *text)
{
    snprintf(text, TEXT_SIZE, "%" PRId64, value);
    for (uint32_t i = 0; i < group->count; ++i)
        if (spec_group_name(group, i)->value == value) {
            snprintf(text, TEXT_SIZE, "%s", spec_string(spec_group_name(group, i)->name));
            return;
        }
}

/* Prints a mask like dump: names in their order, then the remaining bits. */
static void show_bitmask(const struct spec_group *group, int64_t value, char *text)
{
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < group->count; ++i) {
        int64_t bits = spec_group_name(group, i)->value;
        if (bits == 0 || (value & bits) != bits)
            continue;
        n += (size_t)snprintf(text + n, TEXT_SIZE - n, "%s%s", n > 0 ? "|" : "",
                              spec_string(spec_group_name(group, i)->name));
        value &= ~bits;
    }
    if (value != 0 || n == 0)
        snprintf(text + n, TEXT_SIZE - n, "%s0x%" PRIx64, n > 0 ? "|" : "", value);
}

/* Prints a value. selector: the value of the argument that its names depend on; -1: none. */
static void show(const struct spec_param *p, int64_t selector, int64_t value, char *text)
{
    const struct spec_group *group =
        p->symbols != SPEC_NO_INDEX && selector >= 0 ? spec_symbol_group(p, selector, value) : NULL;
    bool is_value_of_list = (p->flags & SPEC_PARAM_ATTRIBS) != 0 && selector >= 0;
    if (group == NULL && !is_value_of_list && (p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK)) != 0)
        group = &spec_groups[p->group];
    if (group == NULL)
        snprintf(text, TEXT_SIZE, "%" PRId64, value);
    else if (group->bitmask)
        show_bitmask(group, value, text);
    else if (strncmp(spec_string(spec_group_name(group, 0)->name), "GL_", 3) == 0 &&
             !spec_group_has(group, value))
        show_enum(&spec_groups[0], value, text);
    else
        show_enum(group, value, text);
}

/* Records which entry of a symbol table an expectation is about. */
static void note_symbol(const struct spec_function *f, int index, int64_t selector)
{
    const struct spec_param *p = index < f->param_count ? spec_param(f, index) : &f->ret;
    if (p->symbols == SPEC_NO_INDEX)
        return;
    chosen[f->id] |= UINT32_C(1) << index;
    for (uint32_t i = 0; i < spec_symbol_tables[p->symbols].count; ++i)
        if (spec_symbols[spec_symbol_tables[p->symbols].entries + i].selector == selector)
            looked_up[p->symbols][i] = true;
}

static void check(const char *expected, int64_t value, int64_t selector, const char *what, unsigned line)
{
    char name[128], text[TEXT_SIZE];
    snprintf(name, sizeof name, "%s", what);
    char *dot = strchr(name, '.');
    if (dot != NULL)
        *dot = '\0';
    const struct spec_function *f = spec_find_function(name);
    int index = f != NULL && dot != NULL ? length_case_param(f, dot + 1) : -1;
    if (index < 0) {
        printf("names.txt:%u: %s: there is no such function or parameter\n", line, what);
        failures++;
        return;
    }
    show(index < f->param_count ? spec_param(f, index) : &f->ret, selector, value, text);
    if (strcmp(text, expected) != 0) {
        printf("names.txt:%u: %s: %s instead of %s\n", line, what, text, expected);
        failures++;
    }
    if (selector < 0)
        named[f->id] |= UINT32_C(1) << index;
    else
        note_symbol(f, index, selector);
}

/* TEXT [PNAME]: FUNCTION.PARAMETER… */
static void check_line(char *line, unsigned number)
{
    char *right = strstr(line, ": "), *save;
    int64_t value = 0, selector = -1;
    if (right != NULL)
        *right = '\0';
    char *text = strtok_r(line, " ", &save), *pname = strtok_r(NULL, " ", &save);
    if (right == NULL || text == NULL || !length_case_number(text, &value) ||
        (pname != NULL && !length_case_number(pname, &selector))) {
        printf("names.txt:%u: %s is no expectation\n", number, line);
        failures++;
        return;
    }
    for (char *what = strtok_r(right + 2, " ", &save); what != NULL; what = strtok_r(NULL, " ", &save))
        check(text, value, selector, what, number);
}

static void test_values_are_shown_by_their_names(void **unused)
{
    (void)unused;
    read_expectations(NAMES_FILE, check_line);
    assert_int_equal(failures, 0);
}

static void test_every_parameter_with_names_is_expected(void **unused)
{
    (void)unused;
    unsigned missing = 0;
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const struct spec_function *f = &spec_functions[i];
        for (unsigned k = 0; k <= f->param_count; ++k) {
            const struct spec_param *p = k < f->param_count ? spec_param(f, k) : &f->ret;
            bool has_names = (p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK)) != 0;
            if (f->api == SPEC_API_C || !has_names || (p->flags & SPEC_PARAM_ATTRIBS) != 0 ||
                (p->form != SPEC_FORM_VALUE && p->form != SPEC_FORM_ARRAY))
                continue;
            if ((named[i] >> k & 1) == 0) {
                printf("names.txt has no line for %s.%s\n", spec_string(f->name),
                       k < f->param_count ? spec_string(p->name) : "return");
                missing++;
            }
        }
    }
    assert_int_equal(missing, 0);
}

static void test_every_symbol_is_expected(void **unused)
{
    (void)unused;
    unsigned missing = 0;
    assert_true(spec_symbol_table_count <= MAX_TABLES);
    for (unsigned i = 0; i < spec_symbol_table_count; ++i)
        for (uint32_t k = 0; k < spec_symbol_tables[i].count; ++k) {
            assert_true(spec_symbol_tables[i].count <= MAX_SYMBOLS);
            if (!looked_up[i][k]) {
                printf("names.txt has no line for 0x%x of symbol table %u (%s)\n",
                       spec_symbols[spec_symbol_tables[i].entries + k].selector, i,
                       spec_string(spec_groups[spec_symbols[spec_symbol_tables[i].entries + k].group].name));
                missing++;
            }
        }
    for (unsigned i = 0; i < spec_function_count; ++i)
        for (unsigned k = 0; k < spec_functions[i].param_count; ++k)
            if (spec_param(&spec_functions[i], k)->symbols != SPEC_NO_INDEX && (chosen[i] >> k & 1) == 0) {
                printf("names.txt has no line with a pname for %s.%s\n", spec_string(spec_functions[i].name),
                       spec_string(spec_param(&spec_functions[i], k)->name));
                missing++;
            }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_shown_by_their_names),
        cmocka_unit_test(test_every_parameter_with_names_is_expected),
        cmocka_unit_test(test_every_symbol_is_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
