/* SPDX-License-Identifier: MIT
 * Extensions that a traced program finds whether the driver has them or not, so that it can leave marks in
 * its trace. What the driver has it does itself; what it lacks does nothing, without an error.
 */
#ifndef GL_GL_OFFERS_H
#define GL_GL_OFFERS_H

#include <stdbool.h>
#include <stdint.h>

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

/* What is known of a context. */
struct gl_offers {
    bool known;
    uint8_t major;        /* version; 0: there is no current context */
    uint8_t driver;       /* bits by enum gl_offer: the driver has it */
    uint8_t added;        /* … it is added to the list that the program gets */
    int32_t driver_count; /* GL_NUM_EXTENSIONS, or gltrace.conf's */
    /* What glGetString(GL_EXTENSIONS) was answered with, and in place of what. */
    const char *list, *driver_list;
};

struct capture_thread;

/* Of the calling thread's current context. */
struct gl_offers gl_offers_get(struct capture_thread *t);

/* True when the program may have been told of it though the driver lacks it. */
bool gl_offers_stand_in(struct capture_thread *t, enum gl_offer offer);

/* The function by its id, or one of no id by its name, that only a tracer has; NULL. real: what the driver
 * gave. */
void *gl_offers_address(const char *name, void *real);

#endif
