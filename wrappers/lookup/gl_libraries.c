/* SPDX-License-Identifier: MIT */
#include "lookup/gl_libraries.h"

#include <string.h>

static const char *file_of(const struct elf_object *object)
{
    const char *slash = strrchr(object->name, '/');
    return slash != NULL ? slash + 1 : object->name;
}

bool gl_libraries_have(const struct elf_object *object, const char *name)
{
    static const char *const functions[] = {
        "glGetError", "glXGetProcAddressARB", "eglGetProcAddress",      "__glx_Main",
        "__egl_Main", "__glDispatchInit",     "_glapi_get_proc_address"};
    if (object->name[0] == '\0')
        return false; /* the program */
    if (elf_object_has_function(object, name))
        return true;
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (elf_object_has_function(object, functions[i]))
            return true;
    const char *file = file_of(object), *end = strstr(file, "_dri.so");
    return strncmp(file, "libnvidia-", 10) == 0 || strncmp(file, "libgallium", 10) == 0 ||
           (end != NULL && end[7] == '\0');
}
