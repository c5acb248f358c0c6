/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/call_uploads.h"

#include <fnmatch.h>
#include <stddef.h>

/* The first pattern that matches is used. */
static const struct {
    const char *glob;
    enum trace_upload kind;
} patterns[] = {
    {"glTex*Image[1-4]D*", TRACE_UPLOAD_TEXTURE}, /* glTexImage2D, glTexSubImage3DEXT, glTextureSubImage1D */
    {"glCompressedTex*Image[1-3]D*", TRACE_UPLOAD_TEXTURE},
    {"glMultiTex*Image[1-3]D*", TRACE_UPLOAD_TEXTURE}, /* of a texture unit: EXT_direct_state_access */
    {"glCompressedMultiTex*Image[1-3]D*", TRACE_UPLOAD_TEXTURE},
    {"glBufferData*", TRACE_UPLOAD_BUFFER},
    {"glBufferSubData*", TRACE_UPLOAD_BUFFER},
    {"glBufferStorage*", TRACE_UPLOAD_BUFFER},
    {"glNamedBufferData*", TRACE_UPLOAD_BUFFER},
    {"glNamedBufferSubData*", TRACE_UPLOAD_BUFFER},
    {"glNamedBufferStorage*", TRACE_UPLOAD_BUFFER},
    {"glMulticastBufferSubDataNV", TRACE_UPLOAD_BUFFER},
    {"glLGPUNamedBufferSubDataNVX", TRACE_UPLOAD_BUFFER},
    {"glNewObjectBufferATI", TRACE_UPLOAD_BUFFER},
    {"glUpdateObjectBufferATI", TRACE_UPLOAD_BUFFER},
    {"memcpy", TRACE_UPLOAD_BUFFER}, /* a fake call: what the program wrote through a mapped pointer */
};

enum trace_upload trace_call_upload(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; ++i)
        if (fnmatch(patterns[i].glob, name, 0) == 0)
            return patterns[i].kind;
    return TRACE_UPLOAD_OTHER;
}
