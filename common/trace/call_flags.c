/* SPDX-License-Identifier: MIT */
#include "trace/call_flags.h"

#include "trace/model.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- families of names -----------------------------------------------------------------------------------
 */

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

/* What may follow a function's base name: vendor suffixes, digits, type letters in capitals. */
static bool is_suffix(const char *s)
{
    while (isdigit((unsigned char)*s) || isupper((unsigned char)*s))
        ++s;
    return *s == '\0';
}

/* glDrawArrays, glMultiDrawElementsIndirect, glDrawRangeElementsBaseVertex, …: Draw, perhaps Range or Mesh,
 * Arrays or Elements, then capitalised words; before Draw, other words. */
static bool is_draw(const char *name)
{
    static const char *const kinds[] = {"Arrays", "Elements", NULL};
    if (!skip_prefix(&name, "gl"))
        return false;
    for (const char *draw = strstr(name, "Draw"); draw != NULL; draw = strstr(draw + 1, "Draw")) {
        const char *rest = draw + strlen("Draw");
        if (!skip_prefix(&rest, "Range"))
            skip_prefix(&rest, "Mesh");
        if (!skip_any(&rest, kinds) || (*rest != '\0' && !isupper((unsigned char)*rest)))
            continue;
        while (isalpha((unsigned char)*rest))
            ++rest;
        if (*rest == '\0')
            return true;
    }
    return false;
}

static bool is_other_render(const char *name)
{
    static const char *const bases[] = {"CallLists",
                                        "CallList",
                                        "Clear",
                                        "End",
                                        "DrawPixels",
                                        "DrawTransformFeedbackStreamInstanced",
                                        "DrawTransformFeedbackInstanced",
                                        "DrawTransformFeedbackStream",
                                        "DrawTransformFeedback",
                                        "BlitFramebuffer",
                                        "Rectd",
                                        "Rectf",
                                        "Recti",
                                        "Rects",
                                        "EvalMesh1",
                                        "EvalMesh2",
                                        NULL};
    if (!skip_prefix(&name, "gl") || !skip_any(&name, bases))
        return false;
    skip_prefix(&name, "v"); /* glRectfv */
    return is_suffix(name);
}

static bool is_query_of_state(const char *name)
{
    static const char *const bases[] = {"GetFloat",
                                        "GetInteger",
                                        "GetVertexAttrib",
                                        "GetTextureLevelParameter",
                                        "GetTextureParameter",
                                        "GetTexLevelParameter",
                                        "GetTexParameter",
                                        NULL};
    return skip_prefix(&name, "gl") && skip_any(&name, bases) && *name != '\0';
}

uint32_t trace_call_flags(const char *name)
{
    if (is_draw(name) || is_other_render(name))
        return TRACE_CALL_RENDER;
    if (strncmp(name, "glBindFramebuffer", 17) == 0)
        return TRACE_CALL_SWAP_RENDERTARGET;
    if (is_query_of_state(name))
        return TRACE_CALL_NO_SIDE_EFFECTS;
    if (strcmp(name, "glXSwapBuffers") == 0 || strncmp(name, "eglSwapBuffers", 14) == 0)
        return TRACE_CALL_END_FRAME | TRACE_CALL_SWAP_RENDERTARGET;
    return 0;
}
