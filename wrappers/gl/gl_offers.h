/* SPDX-License-Identifier: MIT
 * Extensions that a traced program finds whether the driver has them or not, so that it can leave marks in
 * its trace. Functions of those that the driver has go to the driver; the others do nothing, without an
 * error.
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

/* Of the calling thread's current context. */
struct gl_offers gl_offers_get(struct capture_thread *t);

/* True when the program may have been told of it though the driver lacks it. */
bool gl_offers_stand_in(struct capture_thread *t, enum gl_offer offer);

#endif
