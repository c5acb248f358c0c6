/* SPDX-License-Identifier: MIT
 * dlclose() of the traced program: functions of a library that is gone must not be called.
 */
#include "capture_internal.h"
#include "elf_objects.h"

#include <dlfcn.h>

typedef int (*dlclose_function)(void *handle);

static bool is_in_other_namespace(void *handle)
{
    Lmid_t space = LM_ID_BASE;
    return handle != NULL && dlinfo(handle, RTLD_DI_LMID, &space) == 0 && space != LM_ID_BASE;
}

CAPTURE_EXPORT int dlclose(void *handle)
{
    dlclose_function next;
    *(void **)&next = real_dlsym(RTLD_NEXT, "dlclose");
    bool look = is_in_other_namespace(handle);
    unsigned long long before = elf_unloaded_count();
    int rc = next(handle);
    if (look || elf_unloaded_count() != before)
        real_functions_forget_unloaded();
    return rc;
}
