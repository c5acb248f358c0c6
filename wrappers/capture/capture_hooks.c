/* SPDX-License-Identifier: MIT
 * The hooks that the annotation files name, by number.
 */
#include "capture/capture_hooks.h"

const capture_hook capture_hooks[] = {
    NULL,
#define WRAPPER_HOOK(name) hook_##name,
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK
};
