/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/call_flags.h"

#include "formats/apitrace/call_flags_queries.h"
#include "trace/model.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define RENDER    TRACE_CALL_RENDER
#define SWAP      TRACE_CALL_SWAP_RENDERTARGET
#define END_FRAME TRACE_CALL_END_FRAME
#define QUERY     TRACE_CALL_NO_SIDE_EFFECTS
#define VERBOSE   TRACE_CALL_VERBOSE
#define MARKER    TRACE_CALL_MARKER
#define PUSH      (TRACE_CALL_MARKER | TRACE_CALL_MARKER_PUSH)
#define POP       (TRACE_CALL_MARKER | TRACE_CALL_MARKER_POP)

/* --- names with a grammar -------------------------------------------------------------------------- */

static bool skip_prefix(const char **name, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(*name, prefix, n) != 0)
        return false;
    *name += n;
    return true;
}

static bool skip_any(const char **name, const char *const *prefixes)
{
    for (; *prefixes != NULL; ++prefixes)
        if (skip_prefix(name, *prefixes))
            return true;
    return false;
}

/* Skips a word such as "Multi": one capital and at least one small letter. */
static bool skip_word(const char **name)
{
    const char *p = *name;
    if (!isupper((unsigned char)p[0]) || !islower((unsigned char)p[1]))
        return false;
    for (++p; islower((unsigned char)*p); ++p)
        ;
    *name = p;
    return true;
}

static bool is_word_list(const char *p)
{
    if (*p != '\0' && !isupper((unsigned char)*p))
        return false;
    while (isalpha((unsigned char)*p))
        ++p;
    return *p == '\0';
}

/* Returns true for "", "EXT", "2", …: a suffix that may follow a complete name. */
static bool is_suffix(const char *p)
{
    while (isdigit((unsigned char)*p) || isupper((unsigned char)*p))
        ++p;
    return *p == '\0';
}

/* glDrawArrays, glMultiDrawElementsIndirect, glDrawRangeElementsBaseVertexEXT, … */
static bool is_draw(const char *name)
{
    static const char *const modifiers[] = {"Range", "Mesh", NULL};
    static const char *const kinds[] = {"Arrays", "Elements", NULL};
    if (!skip_prefix(&name, "gl"))
        return false;
    do {
        const char *rest = name;
        if (!skip_prefix(&rest, "Draw"))
            continue;
        skip_any(&rest, modifiers);
        if (skip_any(&rest, kinds) && is_word_list(rest))
            return true;
    } while (skip_word(&name));
    return false;
}

/* Returns true for a base name of the list with a suffix of digits and capitals. */
static bool is_suffixed(const char *name, const char *const *bases)
{
    for (; *bases != NULL; ++bases) {
        const char *rest = name;
        if (skip_prefix(&rest, *bases) && is_suffix(rest))
            return true;
    }
    return false;
}

static bool is_other_render(const char *name)
{
    static const char *const bases[] = {"glCallList",   "glCallLists",       "glClear",    "glEnd",
                                        "glDrawPixels", "glBlitFramebuffer", "glRectd",    "glRectf",
                                        "glRecti",      "glRects",           "glRectdv",   "glRectfv",
                                        "glRectiv",     "glRectsv",          "glEvalMesh", NULL};
    if (strcmp(name, "glEvalMesh") == 0)
        return false; /* only with its dimension */
    return is_suffixed(name, bases);
}

static bool is_state_query(const char *name)
{
    static const char *const bases[] = {"glGetFloat",
                                        "glGetInteger",
                                        "glGetVertexAttrib",
                                        "glGetTextureLevelParameter",
                                        "glGetTextureParameter",
                                        "glGetTexLevelParameter",
                                        "glGetTexParameter",
                                        NULL};
    return skip_any(&name, bases) && *name != '\0';
}

static uint32_t flags_by_grammar(const char *name)
{
    static const char *const binds[] = {"glBindFramebuffer", NULL};
    if (is_draw(name) || is_other_render(name))
        return RENDER;
    if (is_suffixed(name, binds))
        return SWAP;
    return is_state_query(name) ? QUERY : 0;
}

/* --- names one by one ------------------------------------------------------------------------------ */

struct flag_pattern {
    const char *glob;
    uint32_t flags;
};

/* The first pattern that matches is used. */
static const struct flag_pattern patterns[] = {
    {"glGetError", QUERY | TRACE_CALL_VERBOSE_IF_ZERO}, /* one that returns no error is noise */
    {"glDrawTransformFeedback*", RENDER},
    {"glDebugMessageInsert*", QUERY | MARKER},
    {"glInsertEventMarkerEXT", QUERY | MARKER},
    {"glStringMarkerGREMEDY", MARKER},
    {"glPushDebugGroup*", PUSH},
    {"glPushGroupMarkerEXT", PUSH},
    {"glPopDebugGroup*", POP},
    {"glPopGroupMarkerEXT", POP},
    {"glFrameTerminatorGREMEDY", END_FRAME},
    {"glXSwapBuffers", END_FRAME | SWAP},
    {"glXSwapBuffersMscOML", END_FRAME | SWAP},
    {"glXGetFBConfigAttrib", VERBOSE},
    {"glXGetFBConfigAttribSGIX", VERBOSE},
    {"eglSwapBuffers", END_FRAME | SWAP},
    {"eglSwapBuffersWithDamage*", END_FRAME | SWAP},
    {"eglGetConfigAttrib", VERBOSE},
    {"eglSetDamageRegionKHR", QUERY},
    {"wglSwap*Buffers", END_FRAME | SWAP},
    {"wglGetPixelFormatAttribiv*", VERBOSE},
    {"CGLFlushDrawable", END_FRAME},
    {"D3DPERF_BeginEvent", PUSH},
    {"D3DPERF_EndEvent", POP},
    {"D3DPERF_SetMarker", MARKER},
    {"ID3DUserDefinedAnnotation::BeginEvent", PUSH},
    {"ID3DUserDefinedAnnotation::EndEvent", POP},
    {"ID3DUserDefinedAnnotation::SetMarker", MARKER},
    {"ID3D1[01]Device*::CheckMultisampleQualityLevels", QUERY | VERBOSE},
    {"ID3D1[01]Device*::Draw*", RENDER},
    {"ID3D11DeviceContext*::ExecuteCommandList", RENDER},
    {"ID3D1[01]Device*::OMSetRenderTargets*", SWAP},
    {"ID3D11VideoProcessorEnumerator::CheckVideoProcessorFormat", QUERY | VERBOSE},
    {"IDXGI*SwapChain*::Present*", END_FRAME},
    {"IDirect3DDevice*::Draw*", RENDER},
    {"IDirect3DDevice*::Clear", RENDER},
    {"IDirect3DViewport*::Clear*", RENDER},
    {"IDirect3DDevice*::Present*", END_FRAME | SWAP},
    {"IDirect3DSwapChain9*::Present", END_FRAME | SWAP},
    {"IDirect3DDevice*::SetRenderTarget", SWAP},
    {"IDirect3DDevice9*::GetRenderTargetData", END_FRAME},
    {"IDirect3D[89]*::CheckDeviceFormat", QUERY | VERBOSE},
    {"IDirect3D[89]*::EnumAdapterModes", QUERY | VERBOSE},
    {"IDirect3D[89]*::GetAdapterModeCount", QUERY | VERBOSE},
    {"IDirect3D*::GetDeviceCaps", QUERY | VERBOSE},
};

static int compare_names(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

static bool is_listed(const char *name, const char *const *names, size_t count)
{
    return bsearch(name, names, count, sizeof *names, compare_names) != NULL;
}

uint32_t trace_call_flags(const char *name)
{
    if (is_listed(name, trace_query_names, trace_query_name_count))
        return QUERY;
    if (is_listed(name, trace_verbose_query_names, trace_verbose_query_name_count))
        return QUERY | VERBOSE;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; ++i)
        if (fnmatch(patterns[i].glob, name, 0) == 0)
            return patterns[i].flags;
    return flags_by_grammar(name);
}
