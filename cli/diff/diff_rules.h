/* SPDX-License-Identifier: MIT
 * The rules of a comparison (--ignore): what `trace-cli diff` does not compare, or compares by role. Values
 * compared by role may differ if they consistently stand for the same thing (diff_roles.h).
 */
#ifndef CLI_DIFF_RULES_H
#define CLI_DIFF_RULES_H

#include "trace/model.h"

/* Zero-initialise it before use. */
struct diff_rules {
    bool pointers;      /* addresses are compared by role */
    bool handles;       /* names of GL, GLX and EGL objects are compared by role */
    bool blobs;         /* contents of blobs are not compared, only their sizes */
    bool returns;       /* return values are not compared */
    bool like_apitrace; /* values are equal if apitrace's Python objects are: symbolic pickles
                           (cli/dump/pickle_format.h) */
    char **globs;       /* FUNCTION.ARG: arguments that are not compared */
    size_t glob_count;
};

void diff_rules_fini(struct diff_rules *r);

/* Adds a list, separated by commas, of pointers, handles, blobs, returns and FUNCTION.ARG. The latter may
 * contain the wildcards of glob(7); ARG "return" is the return value. Returns 0 or TRACE_ERR_USAGE. */
int diff_rules_add(struct diff_rules *r, const char *list);

/* Returns true if anything is compared by role, which takes reading both traces side by side. */
bool diff_rules_have_roles(const struct diff_rules *r);

/* Returns true for the functions that apitrace's script leaves out: those that only query something. */
bool diff_is_query(const char *function);

enum diff_treatment {
    DIFF_EXACTLY,
    DIFF_IGNORED,
    DIFF_BY_ROLE,
};

struct diff_arg_rule {
    uint8_t treatment; /* enum diff_treatment */
    uint8_t kind;      /* DIFF_BY_ROLE: the kind of object; not 0 */
    bool creates;      /* the call returns names of new objects */
    bool scoped;       /* a location: a name within a program, where -1 instead of 0 means none */
    uint8_t key;       /* scoped: the argument that is the program, or DIFF_PROGRAM_IN_USE */
};

#define DIFF_PROGRAM_IN_USE UINT8_MAX

/* Returns true if value stands for no object. */
static inline bool diff_is_none(const struct diff_arg_rule *rule, uint64_t value)
{
    return rule->scoped ? (uint32_t)value == UINT32_MAX : value == 0;
}

/* The rules for one function, derived from its signature. */
struct diff_function {
    const struct trace_function_sig *sig;
    uint64_t name_digest;
    uint64_t digest;     /* of the parts of the signature that are compared */
    bool reports_errors; /* glGetError */
    bool uses_program;   /* its first argument becomes the current program */
    /* One for each of the sig->arg_count arguments, then one for the return value. */
    struct diff_arg_rule *args;
};

#define DIFF_FUNCTION_CACHE_SIZE 1024

/* Zero-initialise it before use. Each reader needs its own. */
struct diff_function_cache {
    struct diff_function functions[DIFF_FUNCTION_CACHE_SIZE]; /* indexed by function id modulo the size */
};

void diff_function_cache_fini(struct diff_function_cache *c);

/* Returns the rules for a function, lent until the next call; NULL if out of memory. */
const struct diff_function *diff_look_up_function(struct diff_function_cache *c, const struct diff_rules *r,
                                                  const struct trace_function_sig *sig);

/* Returns the rule for argument i. */
static inline const struct diff_arg_rule *diff_arg_rule(const struct diff_function *f, uint32_t i)
{
    static const struct diff_arg_rule exactly = {DIFF_EXACTLY, 0, false, false, 0};
    return i < f->sig->arg_count ? &f->args[i] : &exactly;
}

static inline const struct diff_arg_rule *diff_return_rule(const struct diff_function *f)
{
    return &f->args[f->sig->arg_count];
}

#endif
