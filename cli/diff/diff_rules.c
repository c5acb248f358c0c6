/* SPDX-License-Identifier: MIT */
#include "diff/diff_rules.h"

#include "base/error.h"
#include "runtime/spec.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void diff_rules_fini(struct diff_rules *r)
{
    for (size_t i = 0; i < r->glob_count; ++i)
        free(r->globs[i]);
    free(r->globs);
    r->globs = NULL;
    r->glob_count = 0;
}

/* Takes over word. */
static int add_glob(struct diff_rules *r, char *word)
{
    char **globs = realloc(r->globs, (r->glob_count + 1) * sizeof *globs);
    if (globs == NULL) {
        free(word);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    r->globs = globs;
    r->globs[r->glob_count++] = word;
    return 0;
}

/* Takes over word. */
static int add_word(struct diff_rules *r, char *word)
{
    const struct {
        const char *word;
        bool *flag;
    } flags[] = {
        {"pointers", &r->pointers}, {"handles", &r->handles}, {"blobs", &r->blobs}, {"returns", &r->returns}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        if (strcmp(word, flags[i].word) == 0) {
            *flags[i].flag = true;
            free(word);
            return 0;
        }
    const char *dot = strchr(word, '.');
    if (dot != NULL && dot > word && dot[1] != '\0')
        return add_glob(r, word);
    int rc = trace_error_set(TRACE_ERR_USAGE,
                             "\"%s\" is none of pointers, handles, blobs, returns and FUNCTION.ARG", word);
    free(word);
    return rc;
}

int diff_rules_add(struct diff_rules *r, const char *list)
{
    int rc = 0;
    for (const char *p = list; rc == 0;) {
        size_t n = strcspn(p, ",");
        char *word = strndup(p, n);
        rc = word == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : add_word(r, word);
        if (p[n] == '\0')
            break;
        p += n + 1;
    }
    return rc;
}

bool diff_rules_have_roles(const struct diff_rules *r)
{
    return r->pointers || r->handles;
}

bool diff_is_query(const char *function)
{
    static const char *const names[] = {
        "glGetString",          "glXGetClientString", "glXGetCurrentDisplay", "glXGetCurrentContext",
        "glXGetFBConfigAttrib", "glXGetProcAddress",  "glXGetProcAddressARB", "wglGetProcAddress"};
    if (function[0] == 'g' && function[1] == 'l' && function[2] != 'G' && function[2] != 'X')
        return false; /* most functions */
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(function, names[i]) == 0)
            return true;
    return false;
}

/* --- functions ------------------------------------------------------------------------------------- */

void diff_function_cache_fini(struct diff_function_cache *c)
{
    for (size_t i = 0; i < DIFF_FUNCTION_CACHE_SIZE; ++i)
        free(c->functions[i].args);
    memset(c, 0, sizeof *c);
}

static bool is_in_globs(const struct diff_rules *r, const char *function, const char *arg)
{
    char name[512];
    for (size_t i = 0; i < r->glob_count; ++i)
        if (snprintf(name, sizeof name, "%s.%s", function, arg) < (int)sizeof name &&
            fnmatch(r->globs[i], name, 0) == 0)
            return true;
    return false;
}

static void apply_spec(struct diff_arg_rule *rule, const struct spec_param *p)
{
    if (p->object == 0)
        return;
    rule->treatment = DIFF_BY_ROLE;
    rule->kind = p->object;
    rule->creates = (p->flags & (SPEC_PARAM_CREATE | SPEC_PARAM_OUT)) != 0;
    rule->scoped = spec_object_kinds[p->object].scope == SPEC_SCOPE_PROGRAM;
    rule->key = p->key < DIFF_PROGRAM_IN_USE ? (uint8_t)p->key : DIFF_PROGRAM_IN_USE;
}

static void fill_rules(struct diff_function *f, const struct diff_rules *r)
{
    const struct trace_function_sig *sig = f->sig;
    const struct spec_function *spec = r->handles ? spec_find_function(sig->name) : NULL;
    f->reports_errors = strcmp(sig->name, "glGetError") == 0;
    f->uses_program = strncmp(sig->name, "glUseProgram", strlen("glUseProgram")) == 0 && sig->arg_count == 1;
    if (spec != NULL && spec->param_count == sig->arg_count) {
        for (uint32_t i = 0; i < sig->arg_count; ++i)
            apply_spec(&f->args[i], spec_param(spec, i));
        apply_spec(&f->args[sig->arg_count], &spec->ret);
        f->args[sig->arg_count].creates = true;
    }
    for (uint32_t i = 0; i < sig->arg_count && r->glob_count > 0; ++i)
        if (is_in_globs(r, sig->name, sig->arg_names[i]))
            f->args[i].treatment = DIFF_IGNORED;
    if (r->returns || is_in_globs(r, sig->name, "return"))
        f->args[sig->arg_count].treatment = DIFF_IGNORED;
}

const struct diff_function *diff_look_up_function(struct diff_function_cache *c, const struct diff_rules *r,
                                                  const struct trace_function_sig *sig)
{
    struct diff_function *f = &c->functions[sig->id % DIFF_FUNCTION_CACHE_SIZE];
    if (f->sig == sig)
        return f;
    free(f->args);
    f->sig = NULL;
    f->args = calloc((size_t)sig->arg_count + 1, sizeof *f->args);
    if (f->args == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        return NULL;
    }
    f->sig = sig;
    f->name_digest = XXH3_64bits(sig->name, strlen(sig->name));
    f->digest = f->name_digest;
    for (uint32_t i = 0; i < sig->arg_count && r->like_apitrace; ++i)
        f->digest = XXH3_64bits_withSeed(sig->arg_names[i], strlen(sig->arg_names[i]), f->digest);
    fill_rules(f, r);
    return f;
}
