/* SPDX-License-Identifier: MIT */
#include "process/setting.h"

#include "process/connection.h"
#include "process/process_mark.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SOCKET, TRACE_FILE };

/* Static, because a constructor of the program may run before its allocator is ready. */
static struct {
    const char *name;
    bool set;
    char value[PATH_MAX];
} settings[] = {
    [SOCKET] = {.name = CONNECTION_ENVIRONMENT},
    [TRACE_FILE] = {.name = "TRACE_FILE"},
    {.name = CONNECTION_FILTERS_ENVIRONMENT},
    {.name = "TRACE_CLI_API"},
    {.name = "APITRACE_BACKTRACE"},
    {.name = "TRACE_CLI_BACKTRACE_DEPTH"},
    {.name = "TRACE_CLI_OFFER_EXTENSIONS"},
    {.name = "GLTRACE_CONF"},
    {.name = "XDG_CONFIG_HOME"},
    {.name = "HOME"},
};

#define COUNT (sizeof settings / sizeof settings[0])

/* A program may be started with its own list of environment variables, including LD_PRELOAD. */
static void inherit_collector(void)
{
    if (!settings[SOCKET].set && !settings[TRACE_FILE].set)
        settings[SOCKET].set = process_mark_inherited(settings[SOCKET].value, sizeof settings[SOCKET].value);
}

static void read_all(void)
{
    for (size_t i = 0; i < COUNT; ++i) {
        const char *value = getenv(settings[i].name);
        size_t size = value != NULL ? strlen(value) + 1 : 0;
        settings[i].set = size > 0 && size <= sizeof settings[i].value;
        if (settings[i].set)
            memcpy(settings[i].value, value, size);
    }
    inherit_collector();
}

/* A call in a constructor of another library may come first. */
__attribute__((constructor)) static void read_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_all);
}

const char *setting_get(const char *name)
{
    read_once();
    for (size_t i = 0; i < COUNT; ++i)
        if (settings[i].set && strcmp(settings[i].name, name) == 0)
            return settings[i].value;
    return getenv(name);
}
