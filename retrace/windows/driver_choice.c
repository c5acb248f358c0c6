/* SPDX-License-Identifier: MIT */
#include "windows/driver_choice.h"

#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

static void set_variables(const struct choice *c)
{
    for (unsigned v = 0; v < MAX_VARIABLES && c->variables[v].name != NULL; ++v)
        if (c->variables[v].value != NULL)
            setenv(c->variables[v].name, c->variables[v].value, 1);
        else
            unsetenv(c->variables[v].name);
}

/* Returns true if Mesa has a driver with this name in one of the directories of the pattern. */
static bool is_in(const char *directories, size_t length, const char *name)
{
    char pattern[1024];
    glob_t found;
    int n = snprintf(pattern, sizeof pattern, "%.*s/%s_dri.so", (int)length, directories, name);
    if (length == 0 || n >= (int)sizeof pattern)
        return false;
    bool is_found = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
    globfree(&found);
    return is_found;
}

/* path: directories, separated by colons. */
static bool has_mesa_driver(const char *path, const char *name)
{
    if (name[0] == '\0' || strpbrk(name, "/*?[\\") != NULL)
        return false;
    for (const char *at = path; *at != '\0';) {
        size_t length = strcspn(at, ":");
        if (is_in(at, length, name))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* Mesa falls back to its software renderer if a driver finds no GPU. Some drivers draw with what they find.
 */
static enum driver_kind kind_of_mesa_driver(const char *name)
{
    static const char *const any[] = {"zink", "d3d12", "virtio_gpu"};
    for (size_t i = 0; i < sizeof any / sizeof *any; ++i)
        if (strcmp(name, any[i]) == 0)
            return DRIVER_ANY;
    return strstr(name, "swrast") != NULL ? DRIVER_SOFTWARE : DRIVER_HARDWARE;
}

static int unknown_driver(const char *name, const char *path)
{
    char names[256];
    size_t length = 0;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                                   choices[i].name);
    return trace_error_set(TRACE_ERR_USAGE,
                           "--driver=%s: this is none of %s; nor has Mesa such a driver: there is no "
                           "%s_dri.so in %s",
                           name, names, name, path);
}

int driver_choose(const char *name, enum driver_kind *out)
{
    const char *path = getenv("LIBGL_DRIVERS_PATH");
    if (path == NULL || path[0] == '\0')
        path = "/usr/lib/*/dri:/usr/lib/dri:/usr/lib64/dri:/usr/local/lib/dri:/usr/local/lib/*/dri";
    for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i)
        if (strcmp(name, choices[i].name) == 0) {
            set_variables(&choices[i]);
            *out = choices[i].kind;
            return 0;
        }
    if (!has_mesa_driver(path, name))
        return unknown_driver(name, path);
    setenv("MESA_LOADER_DRIVER_OVERRIDE", name, 1);
    *out = kind_of_mesa_driver(name);
    return 0;
}

bool driver_is_software(const char *renderer)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "Software Rasterizer", "SwiftShader", "NOOP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strstr(renderer, names[i]) != NULL)
            return true;
    return false;
}
