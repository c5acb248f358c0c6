/* SPDX-License-Identifier: MIT */
#include "lookup/x_windows.h"

#include "lookup/real_dlsym.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As xcb/xproto.h declares them. The capture library depends on no library of X. */
struct geometry_cookie {
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

struct xcb_functions {
    void *(*connection)(void *display);
    struct geometry_cookie (*get_geometry)(void *connection, uint32_t drawable);
    struct geometry_reply *(*get_geometry_reply)(void *connection, struct geometry_cookie cookie,
                                                 void **error);
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

static bool find_all(struct xcb_functions *x)
{
    return find(&x->connection, "libX11-xcb.so.1", "XGetXCBConnection") &&
           find(&x->get_geometry, "libxcb.so.1", "xcb_get_geometry") &&
           find(&x->get_geometry_reply, "libxcb.so.1", "xcb_get_geometry_reply");
}

enum x_window x_window_size(void *display, unsigned long drawable, unsigned *width, unsigned *height)
{
    struct xcb_functions x;
    void *error = NULL;
    if (display == NULL || !find_all(&x))
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
