/* SPDX-License-Identifier: MIT
 * Compares the lengths of all pointers of all functions with lengths.txt. There must be an expectation for
 * each pointer, and each must hold.
 */
#include "expectations.h"
#include "length_cases.h"

#include "runtime/length_code.h"
#include "runtime/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 12, TABLES = 64, ENTRIES = 512 };

/* The left side of a line: what is expected of all calls on the right side. */
struct expectation {
    int64_t length;
    int form; /* enum spec_form; -1: the length marks it as no data */
    const char *settings[SETTINGS];
    unsigned setting_count;
    unsigned line;
};

static struct length_case call;
static uint32_t outputs[8192];          /* … bit k when parameter k is an output */
static uint32_t named[8192];            /* of each function: bit k when parameter k has an expectation */
static bool looked_up[TABLES][ENTRIES]; /* … of each count table: the entries that have an expectation */
static unsigned failures;

static void complain(const struct expectation *e, const char *what, const char *message)
{
    printf("lengths.txt:%u: %s: %s\n", e->line, what, message);
    failures++;
}

static int form_of(const char *unit)
{
    static const char *const units[] = {
        [SPEC_FORM_OPAQUE] = "address",    [SPEC_FORM_ARRAY] = "elements",  [SPEC_FORM_BLOB] = "bytes",
        [SPEC_FORM_STRING] = "characters", [SPEC_FORM_STRINGS] = "strings", [SPEC_FORM_STRUCT] = "struct",
        [SPEC_FORM_BLOBS] = "blobs"};
    for (size_t i = 1; i < sizeof units / sizeof *units; ++i)
        if (strcmp(unit, units[i]) == 0)
            return (int)i;
    return -1;
}

/* NUMBER UNIT | offset | unknown | address, then settings */
static bool parse_expectation(char *left, struct expectation *e)
{
    char *save, *word = strtok_r(left, " ", &save);
    e->setting_count = 0;
    e->form = -1;
    if (word == NULL)
        return false;
    if (strcmp(word, "offset") == 0) {
        e->length = SPEC_LENGTH_OFFSET;
    } else if (strcmp(word, "unknown") == 0) {
        e->length = SPEC_LENGTH_UNKNOWN;
    } else if (strcmp(word, "address") == 0) {
        e->form = SPEC_FORM_OPAQUE;
    } else {
        char *unit = strtok_r(NULL, " ", &save);
        e->length = strtoll(word, NULL, 10);
        e->form = unit != NULL ? form_of(unit) : -1;
        if (e->form < 0 && (unit == NULL || strcmp(unit, "items") != 0))
            return false;
    }
    while ((word = strtok_r(NULL, " ", &save)) != NULL && e->setting_count < SETTINGS)
        e->settings[e->setting_count++] = word;
    return true;
}

static unsigned instruction_words(const uint16_t *code)
{
    switch (code[0]) {
    case LENGTH_CONST:
        return 3;
    case LENGTH_ATTRIBS:
        return 2 + code[1];
    case LENGTH_ARG:
    case LENGTH_LOAD:
    case LENGTH_ELEMENT:
    case LENGTH_PRESENT:
    case LENGTH_STATE:
    case LENGTH_LOOKUP:
    case LENGTH_CALL:
    case LENGTH_JUMP_IF_ZERO:
    case LENGTH_JUMP:
        return 2;
    default:
        return 1;
    }
}

/* Records which entries of count tables the program looks up for this call's arguments. */
static void note_lookups(unsigned program)
{
    const uint16_t *code = spec_length_code + program;
    for (; code[0] != LENGTH_END; code += instruction_words(code)) {
        if (code[0] != LENGTH_ARG || code[2] != LENGTH_LOOKUP)
            continue;
        const struct length_table *table = &spec_length_tables[code[3]];
        for (unsigned i = 0; i < table->entry_count; ++i)
            if (spec_length_counts[table->entries + i].value == call.args[code[1]].u)
                looked_up[code[3]][i] = true;
    }
}

/* FUNCTION.PARAMETER or FUNCTION.PARAMETER[ITEM] */
static void check_call(const struct expectation *e, char *what)
{
    char name[128], message[96];
    snprintf(name, sizeof name, "%s", what);
    char *dot = strchr(name, '.'), *bracket = strchr(name, '[');
    int item = bracket != NULL ? atoi(bracket + 1) : -1;
    if (bracket != NULL)
        *bracket = '\0';
    if (dot != NULL)
        *dot = '\0';
    const struct spec_function *f = spec_find_function(name);
    int index = f != NULL && dot != NULL ? length_case_param(f, dot + 1) : -1;
    if (index < 0) {
        complain(e, what, "there is no such function or parameter");
        return;
    }
    const struct spec_param *p = index < f->param_count ? spec_param(f, index) : &f->ret;
    if (item < 0)
        named[f->id] |= UINT32_C(1) << index;
    if (e->form >= 0 && item < 0 && p->form != e->form) {
        complain(e, what, "it is recorded in another form");
        return;
    }
    if (e->form == SPEC_FORM_OPAQUE)
        return;
    length_case_init(&call, f);
    for (unsigned i = 0; i < e->setting_count; ++i)
        if (!length_case_set(&call, e->settings[i]))
            complain(e, what, e->settings[i]);
    if (p->length != SPEC_NO_INDEX)
        note_lookups(p->length);
    if (p->items != SPEC_NO_INDEX)
        note_lookups(p->items);
    int64_t length = length_case_evaluate(&call, index, item);
    if (length != e->length) {
        snprintf(message, sizeof message, "%lld instead of %lld", (long long)length, (long long)e->length);
        complain(e, what, message);
    }
}

/* FUNCTION.PARAMETER that the function writes */
static void note_output(const struct expectation *e, char *what)
{
    char *dot = strchr(what, '.');
    if (dot != NULL)
        *dot++ = '\0';
    const struct spec_function *f = spec_find_function(what);
    int index = f != NULL && dot != NULL ? length_case_param(f, dot) : -1;
    if (index < 0)
        complain(e, what, "there is no such function or parameter");
    else
        outputs[f->id] |= UINT32_C(1) << index;
}

static void check_line(char *line, unsigned number)
{
    struct expectation e = {.line = number};
    char *right = strstr(line, ": "), *save;
    if (strncmp(line, "out: ", 5) == 0) {
        for (char *what = strtok_r(right + 2, " ", &save); what != NULL; what = strtok_r(NULL, " ", &save))
            note_output(&e, what);
        return;
    }
    if (right == NULL) {
        complain(&e, line, "this is no expectation");
        return;
    }
    *right = '\0';
    if (!parse_expectation(line, &e)) {
        complain(&e, line, "this is no expectation");
        return;
    }
    for (char *what = strtok_r(right + 2, " ", &save); what != NULL; what = strtok_r(NULL, " ", &save))
        check_call(&e, what);
}

static void test_expectations_hold(void **unused)
{
    (void)unused;
    read_expectations(LENGTHS_FILE, check_line);
    assert_int_equal(failures, 0);
}

static bool is_pointer(const struct spec_param *p)
{
    return p->form != SPEC_FORM_VALUE;
}

static void test_every_pointer_has_an_expectation(void **unused)
{
    (void)unused;
    unsigned missing = 0;
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const struct spec_function *f = &spec_functions[i];
        assert_true(f->param_count < CASE_PARAMS);
        for (unsigned k = 0; k <= f->param_count; ++k) {
            const struct spec_param *p = k < f->param_count ? spec_param(f, k) : &f->ret;
            if (is_pointer(p) && (named[i] >> k & 1) == 0) {
                printf("lengths.txt has no line for %s.%s\n", spec_string(f->name),
                       k < f->param_count ? spec_string(p->name) : "return");
                missing++;
            }
        }
    }
    assert_int_equal(missing, 0);
}

/* NULL has no elements, whatever the other arguments are. */
static void test_nothing_is_at_null(void **unused)
{
    (void)unused;
    unsigned wrong = 0;
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const struct spec_function *f = &spec_functions[i];
        for (unsigned k = 0; k <= f->param_count; ++k) {
            const struct spec_param *p = k < f->param_count ? spec_param(f, k) : &f->ret;
            if (p->form <= SPEC_FORM_OPAQUE)
                continue;
            length_case_init(&call, f);
            call.args[k].p = NULL;
            if (length_case_evaluate(&call, (int)k, -1) > 0) {
                printf("%s: something is at NULL (%s)\n", spec_string(f->name), spec_string(p->name));
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_every_count_is_expected(void **unused)
{
    (void)unused;
    unsigned missing = 0;
    assert_true(spec_length_table_count <= TABLES);
    for (unsigned i = 0; i < spec_length_table_count; ++i) {
        assert_true(spec_length_tables[i].entry_count <= ENTRIES);
        for (unsigned k = 0; k < spec_length_tables[i].entry_count; ++k)
            if (!looked_up[i][k]) {
                printf("lengths.txt has no line for 0x%x of count table %u\n",
                       spec_length_counts[spec_length_tables[i].entries + k].value, i);
                missing++;
            }
    }
    assert_int_equal(missing, 0);
}

static void test_outputs_are_those_expected(void **unused)
{
    (void)unused;
    unsigned wrong = 0;
    for (unsigned i = 0; i < spec_function_count; ++i) {
        const struct spec_function *f = &spec_functions[i];
        for (unsigned k = 0; k < f->param_count; ++k) {
            const struct spec_param *p = spec_param(f, k);
            bool is_output = (p->flags & SPEC_PARAM_OUT) != 0;
            if (p->form > SPEC_FORM_OPAQUE && is_output != (outputs[i] >> k & 1)) {
                printf("%s.%s is %s\n", spec_string(f->name), spec_string(p->name),
                       is_output ? "an output" : "no output");
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expectations_hold),
        cmocka_unit_test(test_every_pointer_has_an_expectation),
        cmocka_unit_test(test_every_count_is_expected),
        cmocka_unit_test(test_nothing_is_at_null),
        cmocka_unit_test(test_outputs_are_those_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
