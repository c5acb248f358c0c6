/* SPDX-License-Identifier: MIT
 * Hooks: hand-written code that runs before or after a call is recorded. A rule `before =` or `after =` of an
 * annotation file names the hook of a function. The hooks are defined in the directory gl/.
 */
#ifndef CAPTURE_CAPTURE_HOOKS_H
#define CAPTURE_CAPTURE_HOOKS_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"

#include <stdatomic.h>

/* ret is NULL in before hooks and for void functions. Hooks must only call real functions, never stubs. */
typedef void (*capture_hook)(struct capture_thread *t, const struct spec_function *f,
                             const union spec_arg *args, union spec_arg *ret);

/* Indexed by the hook numbers of struct spec_function. Entry 0 is NULL. */
extern const capture_hook capture_hooks[];

#define WRAPPER_HOOK(name)                                                                                   \
    void hook_##name(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,    \
                     union spec_arg *ret);
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK

/* Begins the definition of a hook. */
#define DEFINE_HOOK(name)                                                                                    \
    void hook_##name(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,    \
                     union spec_arg *ret)

/* A hook need not use all of its four arguments. */
#define UNUSED_HOOK_ARGUMENTS ((void)t, (void)f, (void)args, (void)ret)

/* The number of persistently mapped buffers. While it is above 0, capture_persistent_writes() runs before
 * each call that may read buffers, and after each that waits for the GPU, and records what the program has
 * written to them. */
extern _Atomic unsigned capture_persistent_mappings;
void capture_persistent_writes(struct capture_thread *t);

#endif
