/* SPDX-License-Identifier: MIT
 * What trace-cli diff does not compare, or compares by role: its --ignore option.
 * A value compared by role may differ if it stands for the same thing everywhere (diff_roles.h).
 */
#ifndef CLI_DIFF_RULES_H
#define CLI_DIFF_RULES_H

#include "trace/model.h"

/* Zero-initialise before use. */
struct diff_rules {
    bool pointers;      /* addresses are compared by role */
    bool handles;       /* names of GL, GLX and EGL objects are compared by role */
    bool blobs;         /* contents of blobs are not compared, only their sizes */
    bool returns;       /* return values are not compared */
    bool like_apitrace; /* values are equal if Python objects of apitrace's are: cli/dump/pickle_format.h,
                         * symbolic
                         */
    char **globs;       /* FUNCTION.ARG: arguments that are not compared */
    size_t glob_count;
};

void diff_rules_fini(struct diff_rules *r);

/* A list, separated by commas, of pointers, handles, blobs, returns and FUNCTION.ARG with the wildcards of
 * glob(7); ARG "return" is the return value. TRACE_ERR_USAGE. */
int diff_rules_add(struct diff_rules *r, const char *list);

/* Does anything need a look at both traces at once? */
bool diff_rules_have_roles(const struct diff_rules *r);

/* What is left out where rules are like_apitrace, as its script does: functions that only ask for something.
 */
bool diff_is_left_out(const char *function);

enum diff_treatment {
    DIFF_EXACTLY,
    DIFF_IGNORED,
    DIFF_BY_ROLE,
};

struct diff_arg_rule {
    uint8_t treatment; /* enum diff_treatment */
    uint8_t kind;      /* DIFF_BY_ROLE: of the object, not 0 */
    bool creates;      /* the call gives the objects their names */
    bool scoped; /* the name means something in a program only, and -1 instead of 0 is none: a location */
    uint8_t key; /* scoped: the argument that is the program, or DIFF_PROGRAM_IN_USE */
};

#define DIFF_PROGRAM_IN_USE UINT8_MAX

/* Does value stand for no object at all? */
static inline bool diff_is_none(const struct diff_arg_rule *rule, uint64_t value)
{
    return rule->scoped ? (uint32_t)value == UINT32_MAX : value == 0;
}

/* What follows from a function's signature. */
struct diff_function {
    const struct trace_function_sig *sig;
    uint64_t name_digest;
    uint64_t digest;            /* what of the function counts in a comparison */
    bool reports_errors;        /* glGetError */
    bool uses_program;          /* its first argument becomes the program in use */
    struct diff_arg_rule *args; /* sig->arg_count, then the return value's */
};

#define DIFF_FUNCTION_CACHE_SIZE 1024

/* Zero-initialise before use; one for each reader. */
struct diff_function_cache {
    struct diff_function functions[DIFF_FUNCTION_CACHE_SIZE]; /* by function id, modulo */
};

void diff_function_cache_fini(struct diff_function_cache *c);

/* Lent until the next call; NULL when memory is out. */
const struct diff_function *diff_look_up_function(struct diff_function_cache *c, const struct diff_rules *r,
                                                  const struct trace_function_sig *sig);

/* The rule of argument i. */
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
