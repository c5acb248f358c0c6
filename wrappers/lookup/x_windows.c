/* SPDX-License-Identifier: MIT */
#include "lookup/x_windows.h"

#include "lookup/elf_objects.h"
#include "lookup/real_dlsym.h"

#include <dlfcn.h>
#include <stdatomic.h>
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

/* As xcb/glx.h declares them. The attributes are pairs of a name and a value. */
struct attributes_reply {
    uint8_t response_type, pad;
    uint16_t sequence;
    uint32_t length, pairs, pad_to_attributes[5];
    uint32_t attributes[];
};

typedef void *(*connection_function)(void *display);
typedef struct cookie (*get_geometry_function)(void *connection, uint32_t drawable);
typedef struct geometry_reply *(*get_geometry_reply_function)(void *connection, struct cookie cookie,
                                                              void **error);
typedef struct cookie (*get_attributes_function)(void *connection, uint32_t drawable);
typedef struct attributes_reply *(*get_attributes_reply_function)(void *connection, struct cookie cookie,
                                                                  void **error);
typedef int (*free_function)(void *memory);

/* --- functions of libraries that the program, or its driver, has loaded --------------------------------- */

enum function {
    CONNECTION,
    GET_GEOMETRY,
    GET_GEOMETRY_REPLY,
    GET_ATTRIBUTES,
    GET_ATTRIBUTES_REPLY,
    FREE,
    FUNCTIONS
};

static const struct {
    const char *library, *name;
} functions[FUNCTIONS] = {
    [CONNECTION] = {"libX11-xcb.so.1", "XGetXCBConnection"},
    [GET_GEOMETRY] = {"libxcb.so.1", "xcb_get_geometry"},
    [GET_GEOMETRY_REPLY] = {"libxcb.so.1", "xcb_get_geometry_reply"},
    [GET_ATTRIBUTES] = {"libxcb-glx.so.0", "xcb_glx_get_drawable_attributes"},
    [GET_ATTRIBUTES_REPLY] = {"libxcb-glx.so.0", "xcb_glx_get_drawable_attributes_reply"},
    [FREE] = {"libX11.so.6", "XFree"},
};

/* What was found since a library was unloaded last. A thread that finds it busy does without it: it must not
 * wait in a forked child for a thread of the parent. */
static struct {
    atomic_flag busy;
    unsigned long long unloaded;
    void *functions[FUNCTIONS];
} known = {.busy = ATOMIC_FLAG_INIT};

static void *recall(enum function which, unsigned long long unloaded)
{
    if (atomic_flag_test_and_set(&known.busy))
        return NULL;
    void *p = known.unloaded == unloaded ? known.functions[which] : NULL;
    atomic_flag_clear(&known.busy);
    return p;
}

static void remember(enum function which, unsigned long long unloaded, void *p)
{
    if (atomic_flag_test_and_set(&known.busy))
        return;
    if (known.unloaded != unloaded)
        memset(known.functions, 0, sizeof known.functions);
    known.unloaded = unloaded;
    known.functions[which] = p;
    atomic_flag_clear(&known.busy);
}

static void *look_up(enum function which)
{
    void *handle = dlopen(functions[which].library, RTLD_LAZY | RTLD_NOLOAD);
    void *p = handle != NULL ? real_dlsym(handle, functions[which].name) : NULL;
    if (handle != NULL)
        dlclose(handle);
    return p;
}

/* The libraries are counted before: what is unloaded meanwhile is not taken for what is there. */
static bool find(void *out, enum function which)
{
    unsigned long long unloaded = elf_unloaded_count();
    void *p = recall(which, unloaded);
    if (p == NULL) {
        p = look_up(which);
        remember(which, unloaded, p);
    }
    memcpy(out, &p, sizeof p);
    return p != NULL;
}

/* --- questions ------------------------------------------------------------------------------------------ */

enum x_window x_window_size(void *display, unsigned long drawable, unsigned *width, unsigned *height)
{
    connection_function get_connection;
    get_geometry_function get_geometry;
    get_geometry_reply_function get_reply;
    void *error = NULL;
    if (display == NULL || !find(&get_connection, CONNECTION) || !find(&get_geometry, GET_GEOMETRY) ||
        !find(&get_reply, GET_GEOMETRY_REPLY))
        return X_WINDOW_UNKNOWN;
    void *connection = get_connection(display);
    struct geometry_reply *reply =
        get_reply(connection, get_geometry(connection, (uint32_t)drawable), &error);
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
    connection_function get_connection;
    get_attributes_function get_attributes;
    get_attributes_reply_function get_reply;
    void *error = NULL;
    bool found = false;
    if (display == NULL || !find(&get_connection, CONNECTION) || !find(&get_attributes, GET_ATTRIBUTES) ||
        !find(&get_reply, GET_ATTRIBUTES_REPLY))
        return false;
    void *connection = get_connection(display);
    struct attributes_reply *reply =
        get_reply(connection, get_attributes(connection, (uint32_t)drawable), &error);
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
    free_function release;
    if (memory != NULL && find(&release, FREE))
        release(memory);
}
