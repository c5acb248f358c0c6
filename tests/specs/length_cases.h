/* SPDX-License-Identifier: MIT
 * Calls with known arguments for the expectations in lengths.txt, which describes their syntax.
 */
#ifndef TESTS_LENGTH_CASES_H
#define TESTS_LENGTH_CASES_H

#include "runtime/length.h"

#include <stdbool.h>
#include <stdint.h>

enum { CASE_PARAMS = 32, CASE_MEMORY = 4096 };

/* A call, with memory for what its pointers refer to. */
struct length_case {
    const struct spec_function *f;
    union spec_arg args[CASE_PARAMS + 1]; /* the last one is the return value */
    struct spec_state state;
    struct spec_driver driver;
    uint64_t memory[CASE_PARAMS + 1][CASE_MEMORY / 8];
};

/* Prepares a call of f. Arguments that a line does not set have default values. */
void length_case_init(struct length_case *c, const struct spec_function *f);

/* Applies a setting NAME=VALUE. Returns false if it is invalid. */
bool length_case_set(struct length_case *c, const char *setting);

/* Converts a number, the name of an enum, or names of bits with | between them. Returns false for anything
 * else. */
bool length_case_number(const char *text, int64_t *out);

/* Returns the index of the parameter with this name, param_count for "return", or -1 if there is none. */
int length_case_param(const struct spec_function *f, const char *name);

/* Returns the length of parameter `index` (param_count: the return value). If item >= 0, returns that of one
 * of several items. */
int64_t length_case_evaluate(const struct length_case *c, int index, int item);

#endif
