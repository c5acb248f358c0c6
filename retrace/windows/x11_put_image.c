/* SPDX-License-Identifier: MIT
 * Images for X11 windows, by shared memory. Mesa's EGL shows what it has rendered in software by
 * xcb_put_image(), which sends it through the socket; its GLX shares memory with the server (MIT-SHM), which
 * is several times faster. In the replayer, this xcb_put_image() comes before that of libxcb.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/random.h>
#include <sys/shm.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>

#include "windows/x11_errors.h"

enum {
    LARGE = 64 << 10, /* for fewer bytes, waiting for the server takes longer than sending them */
    SAMPLE = 64,      /* number of pixels by which memory is recognized */
};

struct target {
    xcb_drawable_t drawable;
    xcb_gcontext_t gc;
    uint8_t depth;
};

/* What is shared with the server of the first connection that wants large images, which is the only one as a
 * rule. */
static struct {
    pthread_mutex_t lock;
    xcb_connection_t *connection; /* NULL: none yet */
    bool refused;
    xcb_shm_seg_t segment;
    void *memory;
    size_t size; /* in bytes; 0: nothing is shared yet */
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Waits until the server has done it. */
static bool succeeds(xcb_void_cookie_t request)
{
    xcb_generic_error_t *error = xcb_request_check(shared.connection, request);
    bool ok = error == NULL;
    free(error);
    return ok;
}

static void release(void)
{
    if (shared.size == 0)
        return;
    succeeds(xcb_shm_detach_checked(shared.connection, shared.segment));
    shmdt(shared.memory);
    shared.size = 0;
}

static bool attach(int id, size_t size)
{
    void *memory = shmat(id, NULL, 0);
    if (memory == (void *)-1)
        return false;
    shared.segment = xcb_generate_id(shared.connection);
    if (!succeeds(xcb_shm_attach_checked(shared.connection, shared.segment, (uint32_t)id, false))) {
        shmdt(memory);
        return false;
    }
    shared.memory = memory;
    shared.size = size;
    return true;
}

/* Pixels of any size up to 32 bits are all zeros or all ones. */
static void draw_sample(uint32_t *units)
{
    uint64_t bits = 0;
    ssize_t n = getrandom(&bits, sizeof bits, 0);
    (void)n; /* without enough entropy, the rest is zeros */
    for (unsigned i = 0; i < SAMPLE; ++i)
        units[i] = bits >> i & 1 ? UINT32_MAX : 0;
}

static bool is_sample(const xcb_get_image_reply_t *reply, const uint32_t *units)
{
    size_t count = (size_t)xcb_get_image_data_length(reply) / sizeof *units;
    bool same = count > 0;
    for (size_t i = 0; i < count && i < SAMPLE && same; ++i) {
        uint32_t unit;
        memcpy(&unit, xcb_get_image_data(reply) + i * sizeof unit, sizeof unit);
        same = (unit != 0) == (units[i] != 0);
    }
    return same;
}

/* A server in another IPC namespace (a container) may know other memory by the same number. So it has to show
 * what it sees. */
static bool is_seen(const struct target *t)
{
    xcb_connection_t *c = shared.connection;
    xcb_pixmap_t pixmap = xcb_generate_id(c);
    bool seen = false;
    if (!succeeds(xcb_create_pixmap_checked(c, t->depth, pixmap, t->drawable, SAMPLE, 1)))
        return false;
    draw_sample(shared.memory);
    if (succeeds(xcb_shm_put_image_checked(c, pixmap, t->gc, SAMPLE, 1, 0, 0, SAMPLE, 1, 0, 0, t->depth,
                                           XCB_IMAGE_FORMAT_Z_PIXMAP, false, shared.segment, 0))) {
        xcb_generic_error_t *error = NULL;
        xcb_get_image_reply_t *reply = xcb_get_image_reply(
            c, xcb_get_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, pixmap, 0, 0, SAMPLE, 1, UINT32_MAX), &error);
        seen = reply != NULL && is_sample(reply, shared.memory);
        free(reply);
        free(error);
    }
    succeeds(xcb_free_pixmap_checked(c, pixmap));
    return seen;
}

/* The memory ends with the last process that uses it. */
static bool share(size_t size, const struct target *t)
{
    release();
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    if (id < 0)
        return false;
    bool attached = attach(id, size);
    shmctl(id, IPC_RMID, NULL);
    if (attached && !is_seen(t)) {
        release();
        return false;
    }
    return attached;
}

/* Servers that are not local do not offer it. */
static bool is_offered(void)
{
    const xcb_query_extension_reply_t *e = xcb_get_extension_data(shared.connection, &xcb_shm_id);
    return e != NULL && e->present;
}

static bool can_share(xcb_connection_t *c, size_t size, const struct target *t)
{
    if (shared.connection == NULL) {
        shared.connection = c;
        shared.refused = !is_offered();
    }
    if (shared.connection != c || shared.refused)
        return false;
    shared.refused = shared.size < size && !share(size, t);
    return !shared.refused;
}

typedef xcb_void_cookie_t put_image(xcb_connection_t *c, uint8_t format, xcb_drawable_t drawable,
                                    xcb_gcontext_t gc, uint16_t width, uint16_t height, int16_t x, int16_t y,
                                    uint8_t left_pad, uint8_t depth, uint32_t size, const uint8_t *data);

/* The server has read the image when this returns, so the memory is free for the next one. On a lost
 * connection, Mesa puts parts of an image without end, as its largest request has no bytes. */
__attribute__((visibility("default"))) put_image xcb_put_image;
xcb_void_cookie_t xcb_put_image(xcb_connection_t *c, uint8_t format, xcb_drawable_t drawable,
                                xcb_gcontext_t gc, uint16_t width, uint16_t height, int16_t x, int16_t y,
                                uint8_t left_pad, uint8_t depth, uint32_t size, const uint8_t *data)
{
    xcb_void_cookie_t done = {0};
    bool sent = false;
    if (xcb_connection_has_error(c))
        x11_errors_end_lost();
    pthread_mutex_lock(&shared.lock);
    if (size >= LARGE && left_pad == 0 && can_share(c, size, &(struct target){drawable, gc, depth})) {
        memcpy(shared.memory, data, size);
        done = xcb_shm_put_image_checked(c, drawable, gc, width, height, 0, 0, width, height, x, y, depth,
                                         format, false, shared.segment, 0);
        sent = succeeds(done);
    }
    pthread_mutex_unlock(&shared.lock);
    if (sent)
        return done;
    put_image *next = (put_image *)dlsym(RTLD_NEXT, "xcb_put_image");
    return next(c, format, drawable, gc, width, height, x, y, left_pad, depth, size, data);
}
