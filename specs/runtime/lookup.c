/* SPDX-License-Identifier: MIT */
#include "runtime/spec.h"
#include "runtime/tables.h"

#include <string.h>

const struct spec_function *spec_find_function(const char *name)
{
    size_t low = 0, high = spec_function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct spec_function *f = &spec_functions[spec_functions_by_name[middle]];
        int order = strcmp(name, spec_string(f->name));
        if (order == 0)
            return f;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

unsigned spec_identified_kind(uint32_t identifier)
{
    for (unsigned i = 0; i < spec_identifier_count; ++i) /* a dozen */
        if (spec_identifiers[i].value == identifier)
            return spec_identifiers[i].kind;
    return 0;
}

enum spec_answer spec_answer_to(uint32_t pname, unsigned *kind)
{
    for (unsigned i = 0; i < spec_answer_count; ++i) { /* some hundred, and rarely called */
        if (spec_answers[i].value == pname) {
            *kind = spec_answers[i].kind;
            return (enum spec_answer)spec_answers[i].what;
        }
    }
    *kind = 0;
    return SPEC_ANSWER_VALUE;
}

bool spec_group_has(const struct spec_group *group, int64_t value)
{
    const int64_t *values = &spec_values[group->values];
    size_t low = 0, high = group->value_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (values[middle] == value)
            return true;
        if (value < values[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

const struct spec_group *spec_symbol_group(const struct spec_param *p, int64_t selector, int64_t value)
{
    const struct spec_symbol_table *table = &spec_symbol_tables[p->symbols];
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct spec_symbol *symbol = &spec_symbols[table->entries + middle];
        if (symbol->selector == selector) {
            const struct spec_group *group = &spec_groups[symbol->group];
            return (group->bitmask ? value >= 0 : spec_group_has(group, value)) ? group : NULL;
        }
        if (selector < symbol->selector)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
