/* SPDX-License-Identifier: MIT
 * Tests by which way images go to a server that the test makes up: large ones through shared memory if it can
 * be shared, the others, and those that it refuses, through the socket.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "call_log.h"

/* Included, so that each test can begin without shared memory. */
#include <dlfcn.h>
void *find_symbol(void *handle, const char *name);
#define dlsym find_symbol
#include "windows/x11_put_image.c"

enum { SIDE = 200, SIZE = SIDE * SIDE * 4, SMALL = 100 * 100 * 4 };

static struct {
    bool offers, refuses_memory, refuses_images;
    bool sees_other_memory, is_gone, has_no_pixmaps;
    uint32_t pixmap; /* 0: there is none */
    uint8_t pixmap_bytes[64 * 4];
    unsigned pixel_size; /* in bytes */
    void *memory;        /* as the server sees it */
    uint8_t image[16];   /* the first bytes of the last image */
    int failed;          /* sequence number of the last request that failed */
    unsigned requests, ends;
} server;

static int one, other;
static xcb_connection_t *const connection = (xcb_connection_t *)&one;
static uint8_t pixels[2 * SIZE];

/* --- libxcb --------------------------------------------------------------------------------------------- */

struct xcb_extension_t {
    int unused;
} xcb_shm_id;

static xcb_void_cookie_t request(bool fails)
{
    server.requests++;
    if (fails)
        server.failed = (int)server.requests;
    return (xcb_void_cookie_t){server.requests};
}

xcb_generic_error_t *xcb_request_check(xcb_connection_t *c, xcb_void_cookie_t cookie)
{
    assert_ptr_equal(c, connection);
    return (int)cookie.sequence == server.failed ? calloc(1, sizeof(xcb_generic_error_t)) : NULL;
}

const xcb_query_extension_reply_t *xcb_get_extension_data(xcb_connection_t *c, xcb_extension_t *extension)
{
    static xcb_query_extension_reply_t reply;
    assert_ptr_equal(c, connection);
    assert_ptr_equal(extension, &xcb_shm_id);
    reply.present = server.offers;
    return &reply;
}

uint32_t xcb_generate_id(xcb_connection_t *c)
{
    static uint32_t id;
    assert_ptr_equal(c, connection);
    return ++id;
}

int xcb_connection_has_error(xcb_connection_t *c)
{
    (void)c;
    return server.is_gone;
}

void x11_errors_end_lost(void)
{
    server.ends++;
}

xcb_void_cookie_t xcb_create_pixmap_checked(xcb_connection_t *c, uint8_t depth, xcb_pixmap_t pixmap,
                                            xcb_drawable_t drawable, uint16_t width, uint16_t height)
{
    (void)c;
    assert_int_equal(depth, 24);
    assert_int_equal(drawable, 7);
    assert_int_equal(width * height, 64);
    assert_int_equal(server.pixmap, 0);
    if (!server.has_no_pixmaps)
        server.pixmap = pixmap;
    return request(server.has_no_pixmaps);
}

xcb_void_cookie_t xcb_free_pixmap_checked(xcb_connection_t *c, xcb_pixmap_t pixmap)
{
    (void)c;
    assert_int_equal(pixmap, server.pixmap);
    server.pixmap = 0;
    return request(false);
}

xcb_get_image_cookie_t xcb_get_image(xcb_connection_t *c, uint8_t format, xcb_drawable_t drawable, int16_t x,
                                     int16_t y, uint16_t width, uint16_t height, uint32_t planes)
{
    (void)c;
    assert_int_equal(format, XCB_IMAGE_FORMAT_Z_PIXMAP);
    assert_int_equal(drawable, server.pixmap);
    assert_int_equal(x | y, 0);
    assert_int_equal(width * height, 64);
    assert_int_equal(planes, UINT32_MAX);
    return (xcb_get_image_cookie_t){0};
}

xcb_get_image_reply_t *xcb_get_image_reply(xcb_connection_t *c, xcb_get_image_cookie_t cookie,
                                           xcb_generic_error_t **error)
{
    (void)c;
    (void)cookie;
    *error = NULL;
    return calloc(1, sizeof(xcb_get_image_reply_t));
}

/* The unused bits of a pixel are lost. */
uint8_t *xcb_get_image_data(const xcb_get_image_reply_t *reply)
{
    (void)reply;
    for (size_t i = 3; server.pixel_size == 4 && i < sizeof server.pixmap_bytes; i += 4)
        server.pixmap_bytes[i] = 0;
    return server.pixmap_bytes;
}

int xcb_get_image_data_length(const xcb_get_image_reply_t *reply)
{
    (void)reply;
    return 64 * (int)server.pixel_size;
}

xcb_void_cookie_t xcb_shm_attach_checked(xcb_connection_t *c, xcb_shm_seg_t segment, uint32_t id,
                                         uint8_t read_only)
{
    struct shmid_ds about;
    (void)c;
    (void)segment;
    assert_int_equal(read_only, 0);
    assert_int_equal(shmctl((int)id, IPC_STAT, &about), 0);
    note("attach %zu\n", about.shm_segsz);
    if (!server.refuses_memory)
        server.memory = shmat((int)id, NULL, SHM_RDONLY);
    return request(server.refuses_memory);
}

xcb_void_cookie_t xcb_shm_detach_checked(xcb_connection_t *c, xcb_shm_seg_t segment)
{
    (void)c;
    (void)segment;
    note("detach\n");
    shmdt(server.memory);
    server.memory = NULL;
    return request(false);
}

xcb_void_cookie_t xcb_shm_put_image_checked(xcb_connection_t *c, xcb_drawable_t drawable, xcb_gcontext_t gc,
                                            uint16_t total_width, uint16_t total_height, uint16_t src_x,
                                            uint16_t src_y, uint16_t src_width, uint16_t src_height,
                                            int16_t dst_x, int16_t dst_y, uint8_t depth, uint8_t format,
                                            uint8_t send_event, xcb_shm_seg_t segment, uint32_t offset)
{
    (void)c;
    (void)segment;
    if (drawable == server.pixmap) {
        memcpy(server.pixmap_bytes, server.sees_other_memory ? pixels : server.memory,
               sizeof server.pixmap_bytes);
        return request(server.refuses_images);
    }
    note("share %u, %u: %ux%u of %ux%u at %u,%u to %d,%d depth %u format %u\n", drawable, gc, src_width,
         src_height, total_width, total_height, src_x, src_y, dst_x, dst_y, depth, format);
    assert_int_equal(send_event, 0);
    assert_int_equal(offset, 0);
    memcpy(server.image, server.memory, sizeof server.image);
    return request(server.refuses_images);
}

static xcb_void_cookie_t send_image(xcb_connection_t *c, uint8_t format, xcb_drawable_t drawable,
                                    xcb_gcontext_t gc, uint16_t width, uint16_t height, int16_t x, int16_t y,
                                    uint8_t left_pad, uint8_t depth, uint32_t size, const uint8_t *data)
{
    note("send %u, %u: %ux%u to %d,%d left %u depth %u format %u, %u bytes%s\n", drawable, gc, width, height,
         x, y, left_pad, depth, format, size, c == connection ? "" : ", other");
    memcpy(server.image, data, sizeof server.image);
    return request(false);
}

void *find_symbol(void *handle, const char *name)
{
    assert_ptr_equal(handle, RTLD_NEXT);
    assert_string_equal(name, "xcb_put_image");
    return (void *)send_image;
}

/* --- tests ---------------------------------------------------------------------------------------------- */

/* Puts an image of SIDE pixels and this many bytes, of which each has this value. */
static void put_to(xcb_connection_t *c, uint32_t size, int value)
{
    memset(pixels, value, size);
    log_text[0] = '\0';
    xcb_void_cookie_t cookie = xcb_put_image(c, XCB_IMAGE_FORMAT_Z_PIXMAP, 7, 8, SIDE,
                                             (uint16_t)(size / 4 / SIDE), -3, 5, 0, 24, size, pixels);
    assert_int_equal(cookie.sequence, server.requests);
    assert_memory_equal(server.image, pixels, sizeof server.image);
}

static void put(uint32_t size, int value)
{
    put_to(connection, size, value);
}

#define SENT(height, size) "send 7, 8: 200x" height " to -3,5 left 0 depth 24 format 2, " size " bytes\n"
#define SHARED(height)     "share 7, 8: 200x" height " of 200x" height " at 0,0 to -3,5 depth 24 format 2\n"

static void test_large_images_are_shared(void **unused)
{
    (void)unused;
    server.offers = true;
    put(SMALL, 1);
    expect_log(SENT("50", "40000"));
    put(SIZE, 2);
    expect_log("attach 160000\n" SHARED("200"));
    put(SIZE / 2, 3);
    expect_log(SHARED("100"));
    put(SMALL, 4);
    expect_log(SENT("50", "40000"));
    put(2 * SIZE, 5);
    expect_log("detach\nattach 320000\n" SHARED("400"));
    put(SIZE, 6);
    expect_log(SHARED("200"));
}

static void test_memory_ends_with_its_users(void **unused)
{
    struct shmid_ds about;
    struct shm_info info;
    (void)unused;
    server.offers = true;
    put(SIZE, 1);
    int found = 0, last = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&info);
    for (int i = 0; i <= last; ++i)
        if (shmctl(i, SHM_STAT, &about) >= 0 && about.shm_cpid == getpid()) {
            assert_true((about.shm_perm.mode & SHM_DEST) != 0);
            found++;
        }
    assert_int_equal(found, 1);
}

static void test_server_without_shared_memory(void **unused)
{
    (void)unused;
    put(SIZE, 1);
    expect_log(SENT("200", "160000"));
}

static void test_memory_that_is_refused(void **unused)
{
    (void)unused;
    server.offers = server.refuses_memory = true;
    put(SIZE, 1);
    expect_log("attach 160000\n" SENT("200", "160000"));
    server.refuses_memory = false;
    put(SIZE, 2); /* not tried again */
    expect_log(SENT("200", "160000"));
}

/* As a server in another namespace does. */
static void test_memory_that_is_another(void **unused)
{
    (void)unused;
    server.offers = server.sees_other_memory = true;
    put(SIZE, 1);
    expect_log("attach 160000\ndetach\n" SENT("200", "160000"));
    put(SIZE, 2);
    expect_log(SENT("200", "160000"));
    assert_int_equal(server.pixmap, 0);
}

static void test_pixels_of_16_bits(void **unused)
{
    (void)unused;
    server.offers = true;
    server.pixel_size = 2;
    put(SIZE, 1);
    expect_log("attach 160000\n" SHARED("200"));
    assert_int_equal(server.pixmap, 0);
}

static void test_server_without_pixmaps(void **unused)
{
    (void)unused;
    server.offers = server.has_no_pixmaps = true;
    put(SIZE, 1);
    expect_log("attach 160000\ndetach\n" SENT("200", "160000"));
}

static void test_connection_that_is_lost(void **unused)
{
    (void)unused;
    server.offers = server.is_gone = true;
    put(SIZE, 1);
    assert_int_equal(server.ends, 1);
    put(SMALL, 2);
    assert_int_equal(server.ends, 2);
    server.is_gone = false;
    put(SMALL, 3);
    assert_int_equal(server.ends, 2);
}

/* The error, as of a window that has been destroyed, comes as without shared memory. */
static void test_image_that_is_refused(void **unused)
{
    (void)unused;
    server.offers = true;
    put(SIZE, 1);
    server.refuses_images = true;
    put(SIZE, 2);
    expect_log(SHARED("200") SENT("200", "160000"));
    server.refuses_images = false;
    put(SIZE, 3);
    expect_log(SHARED("200"));
}

static void test_other_connection(void **unused)
{
    (void)unused;
    server.offers = true;
    put(SIZE, 1);
    put_to((xcb_connection_t *)&other, SIZE, 2);
    expect_log("send 7, 8: 200x200 to -3,5 left 0 depth 24 format 2, 160000 bytes, other\n");
    put(SIZE, 3);
    expect_log(SHARED("200"));
}

/* Shared memory has no padding at the left. */
static void test_padded_image(void **unused)
{
    (void)unused;
    server.offers = true;
    log_text[0] = '\0';
    xcb_put_image(connection, XCB_IMAGE_FORMAT_XY_BITMAP, 7, 8, SIDE, SIDE, 0, 0, 3, 1, SIZE, pixels);
    expect_log("send 7, 8: 200x200 to 0,0 left 3 depth 1 format 0, 160000 bytes\n");
}

static int begin(void **unused)
{
    (void)unused;
    memset(&server, 0, sizeof server);
    server.pixel_size = 4;
    shared.connection = NULL;
    shared.refused = false;
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    release();
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_large_images_are_shared),
        TEST(test_memory_ends_with_its_users),
        TEST(test_server_without_shared_memory),
        TEST(test_memory_that_is_refused),
        TEST(test_memory_that_is_another),
        TEST(test_pixels_of_16_bits),
        TEST(test_server_without_pixmaps),
        TEST(test_connection_that_is_lost),
        TEST(test_image_that_is_refused),
        TEST(test_other_connection),
        TEST(test_padded_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
