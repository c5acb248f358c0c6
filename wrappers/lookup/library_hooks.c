/* SPDX-License-Identifier: MIT
 * dlclose() of the traced program: the functions of an unloaded library must not be called any more.
 */
#include "lookup/elf_objects.h"
#include "lookup/real_dlsym.h"
#include "lookup/real_functions.h"
#include "lookup/thunks.h"
#include "unwind/stack_walk.h"

#include <dlfcn.h>

typedef int (*dlclose_function)(void *handle);

CAPTURE_EXPORT int dlclose(void *handle)
{
    dlclose_function next;
    *(void **)&next = real_dlsym(RTLD_NEXT, "dlclose");
    unsigned long long before = elf_unloaded_count();
    int rc = next(handle);
    if (elf_unloaded_count() != before) {
        real_functions_forget_unloaded();
        thunks_forget_unloaded();
        stack_walk_forget();
    }
    return rc;
}
