/* SPDX-License-Identifier: MIT
 * Extensions that are offered to every traced program, so that it can put marks into its trace. If the driver
 * has the extension, its functions go to the driver. Otherwise they do nothing and set no error.
 */
#ifndef GL_GL_OFFERS_H
#define GL_GL_OFFERS_H

#include "capture/capture_thread.h"
#include "context/gl_context.h"

enum gl_offer {
    GL_OFFER_STRING_MARKER,
    GL_OFFER_FRAME_TERMINATOR,
    GL_OFFER_ARB_DEBUG_OUTPUT,
    GL_OFFER_AMD_DEBUG_OUTPUT,
    GL_OFFER_KHR_DEBUG,
    GL_OFFER_DEBUG_MARKER,
    GL_OFFER_DEBUG_LABEL,
    GL_OFFER_MAP_BUFFER_DEBUG,
    GL_OFFER_COUNT
};

/* Returns the offers of the calling thread's current context. */
struct gl_offers gl_offers_get(struct capture_thread *t);

/* Returns true if the program may have seen this extension in the list although the driver does not have it.
 */
bool gl_offers_stand_in(struct capture_thread *t, enum gl_offer offer);

#endif
