/* SPDX-License-Identifier: MIT
 * Hooks: hand-written code that runs before or after a call is recorded. A `before =` or `after =` rule of an
 * annotation file names the hook that a function has; the room gl/ defines them.
 */
#ifndef CAPTURE_CAPTURE_HOOKS_H
#define CAPTURE_CAPTURE_HOOKS_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"

#include <stdatomic.h>

/* ret is NULL in a before hook and for void functions. Hooks call real functions only, never stubs. */
typedef void (*capture_hook)(struct capture_thread *t, const struct spec_function *f,
                             const union spec_arg *args, union spec_arg *ret);

/* By the hook numbers of struct spec_function. Entry 0 is NULL. */
extern const capture_hook capture_hooks[];

#define WRAPPER_HOOK(name)                                                                                   \
    void hook_##name(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,    \
                     union spec_arg *ret);
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK

/* The head of a hook's definition. */
#define DEFINE_HOOK(name)                                                                                    \
    void hook_##name(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,    \
                     union spec_arg *ret)

/* A hook uses what it needs of its four arguments. */
#define UNUSED_HOOK_ARGUMENTS ((void)t, (void)f, (void)args, (void)ret)

/* How many persistently mapped buffers there are. While there are any, each call that may read buffers is
 * preceded by capture_persistent_writes(), which records what the program has written to them. */
extern _Atomic unsigned capture_persistent_mappings;
void capture_persistent_writes(struct capture_thread *t);

#endif
