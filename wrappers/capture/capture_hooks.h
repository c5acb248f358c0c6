/* SPDX-License-Identifier: MIT
 * Declares the hooks, for the files that define them.
 */
#ifndef CAPTURE_CAPTURE_HOOKS_H
#define CAPTURE_CAPTURE_HOOKS_H

#include "capture/capture_internal.h"

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

#endif
