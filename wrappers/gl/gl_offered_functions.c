/* SPDX-License-Identifier: MIT
 * The functions of offered extensions, including those that the driver does not have.
 */
#include "gl/gl_offered_functions.h"

#include "gl/gl_mapped_buffers.h"
#include "gl/gl_offers.h"
#include "gl/gltrace_conf.h"
#include "lookup/stubs.h"

#include <string.h>

/* The program has written to a mapped buffer. */
static void notify_mapped_buffer_range(const void *start, intptr_t length)
{
    struct capture_thread *t = &capture_self;
    if (length > 0 && t->outermost == NULL && t->ring.control != NULL)
        capture_notified_write(t, start, (uint64_t)length);
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), wanted = strlen(end);
    return length >= wanted && strcmp(name + length - wanted, end) == 0;
}

/* Functions of KHR_debug, its predecessors, and the marker and label extensions. */
static bool is_offered(const char *name)
{
    static const char *const functions[] = {
        "DebugMessageControl", "DebugMessageInsert", "DebugMessageCallback", "GetDebugMessageLog",
        "PushDebugGroup",      "PopDebugGroup",      "ObjectLabel",          "GetObjectLabel",
        "ObjectPtrLabel",      "GetObjectPtrLabel"};
    static const char *const others[] = {
        "glDebugMessageEnableAMD", "glLabelObjectEXT",      "glInsertEventMarkerEXT",  "glPushGroupMarkerEXT",
        "glPopGroupMarkerEXT",     "glStringMarkerGREMEDY", "glFrameTerminatorGREMEDY"};
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (strcmp(name, others[i]) == 0)
            return true;
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        size_t length = strlen(functions[i]);
        if (strncmp(name + 2, functions[i], length) == 0 &&
            (name[2 + length] == '\0' || strlen(name + 2 + length) == 3))
            return !ends_with(name, "OES");
    }
    return false;
}

void *gl_offers_address(const char *name, void *real)
{
    if (strncmp(name, "gl", 2) != 0 || !gltrace_conf_get()->offer_extensions)
        return real;
    if (strcmp(name, "glNotifyMappedBufferRangeVMWX") == 0)
        return (void *)notify_mapped_buffer_range;
    if (real != NULL || !is_offered(name))
        return real;
    const struct spec_function *f = spec_find_function(name);
    capture_function stub = f != NULL ? capture_stubs[f->id] : NULL;
    return *(void **)&stub;
}
