/* SPDX-License-Identifier: MIT */
#include "windows/driver_choice.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VARIABLES = 3 };

struct choice {
    const char *name;
    enum driver_kind kind;
    struct {
        const char *name, *value; /* value NULL: unset */
    } variables[MAX_VARIABLES];
};

#define SOFTWARE                                                                                             \
    {                                                                                                        \
        "LIBGL_ALWAYS_SOFTWARE", "1"                                                                         \
    }

static const struct choice choices[] = {
    {"hw", DRIVER_HARDWARE, {{"LIBGL_ALWAYS_SOFTWARE", NULL}, {"GALLIUM_DRIVER", NULL}}},
    {"dgpu",
     DRIVER_HARDWARE,
     {{"LIBGL_ALWAYS_SOFTWARE", NULL}, {"DRI_PRIME", "1"}, {"__NV_PRIME_RENDER_OFFLOAD", "1"}}},
    {"igpu",
     DRIVER_HARDWARE,
     {{"LIBGL_ALWAYS_SOFTWARE", NULL}, {"DRI_PRIME", "0"}, {"__NV_PRIME_RENDER_OFFLOAD", NULL}}},
    {"sw", DRIVER_SOFTWARE, {SOFTWARE, {"__GLX_VENDOR_LIBRARY_NAME", "mesa"}, {"GALLIUM_DRIVER", NULL}}},
    {"ref",
     DRIVER_SOFTWARE,
     {SOFTWARE, {"__GLX_VENDOR_LIBRARY_NAME", "mesa"}, {"GALLIUM_DRIVER", "softpipe"}}},
    {"null", DRIVER_SOFTWARE, {SOFTWARE, {"__GLX_VENDOR_LIBRARY_NAME", "mesa"}, {"GALLIUM_NOOP", "1"}}},
    {"llvmpipe", DRIVER_SOFTWARE, {SOFTWARE, {"GALLIUM_DRIVER", "llvmpipe"}}},
    {"softpipe", DRIVER_SOFTWARE, {SOFTWARE, {"GALLIUM_DRIVER", "softpipe"}}},
    {"mesa", DRIVER_ANY, {{"__GLX_VENDOR_LIBRARY_NAME", "mesa"}}},
    {"nvidia", DRIVER_HARDWARE, {{"__GLX_VENDOR_LIBRARY_NAME", "nvidia"}}},
};

enum driver_kind driver_choose(const char *name)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i) {
        const struct choice *c = &choices[i];
        if (strcmp(name, c->name) != 0)
            continue;
        for (unsigned v = 0; v < MAX_VARIABLES && c->variables[v].name != NULL; ++v)
            if (c->variables[v].value != NULL)
                setenv(c->variables[v].name, c->variables[v].value, 1);
            else
                unsetenv(c->variables[v].name);
        return c->kind;
    }
    setenv("MESA_LOADER_DRIVER_OVERRIDE", name, 1);
    return DRIVER_ANY;
}

bool driver_is_software(const char *renderer)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "Software Rasterizer", "SwiftShader", "NOOP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strstr(renderer, names[i]) != NULL)
            return true;
    return false;
}
