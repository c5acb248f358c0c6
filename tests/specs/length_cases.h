/* SPDX-License-Identifier: MIT
 * Calls of known arguments for the expectations in lengths.txt, which says how they are written.
 */
#ifndef TESTS_LENGTH_CASES_H
#define TESTS_LENGTH_CASES_H

#include "runtime/length.h"

#include <stdbool.h>
#include <stdint.h>

enum { CASE_PARAMS = 32, CASE_MEMORY = 4096 };

/* One call, with memory for what its pointers point at. */
struct length_case {
    const struct spec_function *f;
    union spec_arg args[CASE_PARAMS + 1]; /* the last is what it returns */
    struct spec_state state;
    struct spec_driver driver;
    uint64_t memory[CASE_PARAMS + 1][CASE_MEMORY / 8];
};

/* Prepares a call of f with the arguments that everything has that a line says nothing of. */
void length_case_init(struct length_case *c, const struct spec_function *f);

/* Applies one NAME=VALUE; false when it makes no sense. */
bool length_case_set(struct length_case *c, const char *setting);

/* What the value `text` is: a number, the name of an enum, or names of bits with | between them. */
bool length_case_number(const char *text, int64_t *out);

/* The parameter of that name, or param_count for "return"; -1 when there is none. */
int length_case_param(const struct spec_function *f, const char *name);

/* The length of parameter index (param_count: of what is returned); an item of several with `item` >= 0. */
int64_t length_case_evaluate(const struct length_case *c, int index, int item);

#endif
