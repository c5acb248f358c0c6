/* SPDX-License-Identifier: MIT */
#include "lookup/x_windows.h"

#include "lookup/real_dlsym.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As xcb/xproto.h declares them. The capture library depends on no library of X. */
struct cookie {
    unsigned sequence;
};

struct geometry_reply {
    uint8_t response_type, depth;
    uint16_t sequence;
    uint32_t length, root;
    int16_t x, y;
    uint16_t width, height, border;
    uint16_t pad;
};

struct geometry_functions {
    void *(*connection)(void *display);
    struct cookie (*get_geometry)(void *connection, uint32_t drawable);
    struct geometry_reply *(*get_geometry_reply)(void *connection, struct cookie cookie, void **error);
};

/* As xcb/glx.h declares them. The attributes are pairs of a name and a value. */
struct attributes_reply {
    uint8_t response_type, pad;
    uint16_t sequence;
    uint32_t length, pairs, pad_to_attributes[5];
    uint32_t attributes[];
};

struct attribute_functions {
    void *(*connection)(void *display);
    struct cookie (*get_attributes)(void *connection, uint32_t drawable);
    struct attributes_reply *(*get_attributes_reply)(void *connection, struct cookie cookie, void **error);
};

/* Finds a function of a library that the program, or its driver, has loaded. */
static bool find(void *out, const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *p = handle != NULL ? real_dlsym(handle, name) : NULL;
    if (handle != NULL)
        dlclose(handle);
    memcpy(out, &p, sizeof p);
    return p != NULL;
}

static bool find_geometry(struct geometry_functions *x)
{
    return find(&x->connection, "libX11-xcb.so.1", "XGetXCBConnection") &&
           find(&x->get_geometry, "libxcb.so.1", "xcb_get_geometry") &&
           find(&x->get_geometry_reply, "libxcb.so.1", "xcb_get_geometry_reply");
}

static bool find_attributes(struct attribute_functions *x)
{
    return find(&x->connection, "libX11-xcb.so.1", "XGetXCBConnection") &&
           find(&x->get_attributes, "libxcb-glx.so.0", "xcb_glx_get_drawable_attributes") &&
           find(&x->get_attributes_reply, "libxcb-glx.so.0", "xcb_glx_get_drawable_attributes_reply");
}

enum x_window x_window_size(void *display, unsigned long drawable, unsigned *width, unsigned *height)
{
    struct geometry_functions x;
    void *error = NULL;
    if (display == NULL || !find_geometry(&x))
        return X_WINDOW_UNKNOWN;
    void *connection = x.connection(display);
    struct geometry_reply *reply =
        x.get_geometry_reply(connection, x.get_geometry(connection, (uint32_t)drawable), &error);
    enum x_window result = reply != NULL   ? X_WINDOW_HAS_SIZE
                           : error != NULL ? X_WINDOW_IS_NONE
                                           : X_WINDOW_UNKNOWN;
    if (reply != NULL) {
        *width = reply->width;
        *height = reply->height;
    }
    free(reply);
    free(error);
    return result;
}

bool x_glx_attribute(void *display, unsigned long drawable, uint32_t attribute, uint32_t *value)
{
    struct attribute_functions x;
    void *error = NULL;
    bool found = false;
    if (display == NULL || !find_attributes(&x))
        return false;
    void *connection = x.connection(display);
    struct attributes_reply *reply =
        x.get_attributes_reply(connection, x.get_attributes(connection, (uint32_t)drawable), &error);
    for (uint32_t i = 0; reply != NULL && !found && i < reply->pairs && 2 * i + 1 < reply->length; ++i) {
        found = reply->attributes[2 * i] == attribute;
        if (found)
            *value = reply->attributes[2 * i + 1];
    }
    free(reply);
    free(error);
    return found;
}

void x_free(void *memory)
{
    int (*release)(void *);
    if (memory != NULL && find(&release, "libX11.so.6", "XFree"))
        release(memory);
}
