/* SPDX-License-Identifier: MIT */
#include "info/trace_info.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* The first function in the trace with one of these prefixes decides. The texts are apitrace's. */
const char *trace_info_find_api(const char *name)
{
    static const struct {
        const char *prefix;
        const char *api;
    } apis[] = {
        {"glX", "OpenGL + GLX/WGL/CGL"},
        {"wgl", "OpenGL + GLX/WGL/CGL"},
        {"CGL", "OpenGL + GLX/WGL/CGL"},
        {"egl", "OpenGL/GLES1/GLES2/VG + EGL"},
        {"D3D", "DirectX"},
        {"Direct", "DirectX"},
        {"Create", "DirectX"},
    };
    for (size_t i = 0; i < sizeof apis / sizeof apis[0]; ++i)
        if (strncmp(name, apis[i].prefix, strlen(apis[i].prefix)) == 0)
            return apis[i].api;
    return NULL;
}

int trace_info_add_frame(struct trace_info *info, const struct info_frame *frame)
{
    if (ARRAY_RESERVE(info->frames, info->frame_count, info->frame_cap) != 0)
        return TRACE_ERR_MEMORY;
    info->frames[info->frame_count] = *frame;
    return 0;
}

static void free_counts(struct info_counts *c)
{
    free(c->items);
    free(c->direct);
    int_map_fini(&c->index);
}

void trace_info_fini(struct trace_info *info)
{
    for (size_t i = 0; i < info->functions.count; ++i)
        free((char *)(uintptr_t)info->functions.items[i].name);
    free_counts(&info->functions);
    free_counts(&info->threads);
    free(info->frames);
}
