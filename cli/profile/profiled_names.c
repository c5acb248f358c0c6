/* SPDX-License-Identifier: MIT */
#include "profile/profiled_names.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int profiled_names_init(struct profiled_names *n, const char *path)
{
    *n = (struct profiled_names){.path = path};
    if (path == NULL)
        return 0;
    int rc = xray_map_read(&n->map, path);
    if (rc == 0 && (rc = symbolizer_new(&n->symbolizer)) != 0)
        xray_map_fini(&n->map);
    return rc;
}

void profiled_names_fini(struct profiled_names *n)
{
    xray_map_fini(&n->map);
    symbolizer_free(n->symbolizer);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The outermost frame is the function itself; others are inlined into it. A function begins with a sled,
 * which may have no line: the code behind it has. */
static int find_frame(struct profiled_names *n, uint64_t address, char **name, char **place)
{
    static const unsigned offsets[] = {0, 11, 12, 16, 32};
    const struct symbol_module module = {.path = n->path};
    const struct symbol_frame *frame = NULL, *frames;
    char text[300];
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets && (frame == NULL || frame->line <= 0); ++i) {
        size_t count;
        int rc = symbolizer_find(n->symbolizer, &module, address + offsets[i], &frames, &count);
        if (rc != 0)
            return rc;
        frame = count > 0 ? &frames[count - 1] : NULL;
    }
    if (frame == NULL)
        return 0;
    if (frame->function != NULL)
        *name = strdup(frame->function);
    if (frame->file != NULL) {
        snprintf(text, sizeof text, "%s:%" PRId64 ":0", base_name(frame->file),
                 frame->line > 0 ? frame->line : 0);
        *place = strdup(text);
    }
    return 0;
}

int profiled_names_find(struct profiled_names *n, const struct trace_function_sig *sig, char **name,
                        char **place)
{
    char text[32];
    int rc = 0;
    *name = *place = NULL;
    bool is_known = n->path != NULL && sig->number != 0 && sig->number <= n->map.function_count;
    if (is_known)
        rc = find_frame(n, n->map.functions[sig->number - 1], name, place);
    if (rc == 0 && *name == NULL) {
        snprintf(text, sizeof text, "@(%" PRIx64 ")", is_known ? n->map.functions[sig->number - 1] : 0);
        *name = strdup(is_known ? text : sig->name);
    }
    if (rc == 0 && *place == NULL)
        *place = strdup("(unknown)");
    if (rc == 0 && *name != NULL && *place != NULL)
        return 0;
    free(*name);
    free(*place);
    return rc != 0 ? rc : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}
