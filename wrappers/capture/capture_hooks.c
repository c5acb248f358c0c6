/* SPDX-License-Identifier: MIT
 * The table of the hooks that the annotation files name.
 */
#include "capture/capture_hooks.h"

const capture_hook capture_hooks[] = {
    NULL,
#define WRAPPER_HOOK(name) hook_##name,
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK
};
