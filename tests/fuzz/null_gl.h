/* SPDX-License-Identifier: MIT
 * The state of the null driver's contexts, and its functions.
 */
#ifndef TESTS_NULL_GL_H
#define TESTS_NULL_GL_H

#include "null_driver.h"

#include <stdbool.h>

/* The first context of a group has share NULL. */
struct ws_context *null_context_new(struct ws_context *share);
void null_context_free(struct ws_context *context);

/* Aborts or returns false if context has been freed. */
bool null_context_is_valid(const struct ws_context *context);
void null_context_make_current(struct ws_context *context);

/* Returns the function that implements this one. If __wrap_spec_invoke() does everything, returns a function
 * that must not be called. NULL: there is no such function. */
void *null_gl_function(const char *name);
void null_gl_reset(const char *version);

#endif
