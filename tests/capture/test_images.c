/* SPDX-License-Identifier: MIT
 * Tests what is recorded of textures that show EGL images or X pixmaps: a picture of them. Reading it needs
 * no object of the program's contexts. In OpenGL ES, a context of the recorder's own reads it in a thread of
 * its own. The context is kept as long as its display.
 */
#include "stub_driver.h"

#include "cmocka_all.h"
#include "gl/egl_image_reader.h"
#include "memory/own_stack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXTURE_2D = 0x0DE1, RECTANGLE = 0x84F5, EXTERNAL = 0x8D65, INVERTED = 12, STORES = 13 };
enum {
    DISPLAY = 0x11,
    SURFACE = 0x22,
    PROGRAMS = 0x33,
    OWN = 0x44,
    DISPLAYS = 10,
    IMAGE = 0x1234,
    COMPLETE = 0x8CD5
};

static struct {
    int32_t width, height, kind;
    int32_t components, red; /* their type, and the bits of one */
    uint32_t format, type;   /* in which pixels are read */
    int32_t stores[STORES];  /* values in the driver, in the order of names[] */
    unsigned pack_buffer, deleted_buffer, reads, finishes;
    bool lacks_contexts, lacks_currency;
    const char *extensions; /* of EGL */
    uint32_t status, reset;
    bool forks; /* while an image is read */
    int child_status;
} driver;

/* The recorder's own contexts. Their handles are OWN and what follows. */
static struct {
    uintptr_t displays[32]; /* of each; 0: it is not there any more */
    uintptr_t current;
    pthread_t thread;
    uintptr_t texture, image, framebuffer, attached;
    unsigned made, deleted, released, resets;
} own;

static const uint32_t names[STORES] = {0x0D05, 0x0D02, 0x0D03, 0x0D04, 0x806B, 0x806C, 0x0CF5,
                                       0x0CF2, 0x0CF3, 0x0CF4, 0x806D, 0x806E, 0x8758};

static bool is_silent; /* the driver gives no answers */

static void get_level(uint32_t target, int32_t level, uint32_t pname, int32_t *value)
{
    if (is_silent)
        return;
    assert_true(target == (driver.kind == 0x20DD ? RECTANGLE : TEXTURE_2D));
    assert_int_equal(level, 0);
    *value = pname == 0x8C10   ? driver.components
             : pname == 0x805C ? driver.red
             : pname == 0x1000 ? driver.width
                               : driver.height;
}

static void store(uint32_t pname, int32_t value)
{
    for (unsigned i = 0; i < STORES; ++i)
        if (names[i] == pname)
            driver.stores[i] = value;
}

static void bind_buffer(uint32_t target, uint32_t buffer)
{
    assert_int_equal(target, 0x88EB);
    driver.pack_buffer = buffer;
}

static uint8_t is_buffer(uint32_t buffer)
{
    return buffer != driver.deleted_buffer;
}

static void fill(uint32_t format, uint32_t type, uint8_t *pixels)
{
    driver.format = format;
    driver.type = type;
    for (int32_t i = 0; i < driver.width * driver.height * (type == 0x1401 ? 4 : 16); ++i)
        pixels[i] = (uint8_t)(i + 1);
    driver.reads++;
}

/* Pixels are only packed tightly in the initial state. */
static void get_image(uint32_t target, int32_t level, uint32_t format, uint32_t type, void *pixels)
{
    assert_true(target == (driver.kind == 0x20DD ? RECTANGLE : TEXTURE_2D));
    assert_int_equal(level, 0);
    assert_int_equal(own.made, 0);
    assert_int_equal(driver.pack_buffer, 0);
    for (unsigned i = 0; i < 6; ++i)
        assert_int_equal(driver.stores[i], i == 0 ? 4 : 0);
    assert_int_equal(driver.stores[INVERTED], 0);
    fill(format, type, pixels);
}

static bool query_drawable(void *display, unsigned long drawable, uint32_t attribute, uint32_t *value)
{
    assert_int_equal((uintptr_t)display, 77);
    assert_int_equal(drawable, 88);
    assert_int_equal(attribute, 0x20D6);
    *value = (uint32_t)driver.kind;
    return true;
}

/* --- the recorder's own context ------------------------------------------------------------------------- */

static void finish(void)
{
    assert_int_equal(own.current, 0);
    driver.finishes++;
}

static const char *query_display(void *display, int32_t name)
{
    assert_in_range((uintptr_t)display, DISPLAY, DISPLAY + DISPLAYS - 1);
    assert_int_equal(name, 0x3055);
    return driver.extensions;
}

static void *create_context(void *display, void *config, void *share, const int32_t *attributes)
{
    bool is_robust =
        driver.extensions != NULL && strcmp(driver.extensions, "A EGL_EXT_create_context_robustness") == 0;
    assert_in_range((uintptr_t)display, DISPLAY, DISPLAY + DISPLAYS - 1);
    assert_null(config);
    assert_null(share); /* or the framebuffer's name could be the program's, too */
    assert_int_equal(attributes[0], 0x3098);
    assert_int_equal(attributes[1], 3);
    assert_int_equal(attributes[2], is_robust ? 0x3138 : 0x3038);
    if (is_robust) {
        assert_int_equal(attributes[3], 0x31BF);
        assert_int_equal(attributes[4], 0x3038);
    }
    if (driver.lacks_contexts)
        return NULL;
    assert_in_range(own.made, 0, 31);
    own.displays[own.made] = (uintptr_t)display;
    return (void *)(uintptr_t)(OWN + own.made++);
}

static uint32_t make_current(void *display, void *draw, void *read, void *context)
{
    assert_null(draw);
    assert_null(read);
    if (context == NULL) {
        assert_true(own.current == 0 || pthread_equal(own.thread, pthread_self()));
        own.current = 0;
        return 1;
    }
    assert_int_equal(own.current, 0); /* the last reading has ended */
    if (driver.lacks_currency || own.displays[(uintptr_t)context - OWN] != (uintptr_t)display)
        return 0;
    own.thread = pthread_self();
    own.current = (uintptr_t)context;
    return 1;
}

static uint32_t destroy_context(void *display, void *context)
{
    assert_int_equal(own.displays[(uintptr_t)context - OWN], (uintptr_t)display);
    assert_int_equal(own.current, 0);
    own.displays[(uintptr_t)context - OWN] = 0;
    own.deleted++;
    return 1;
}

static uint32_t get_reset(void)
{
    assert_int_not_equal(own.current, 0);
    own.resets++;
    return driver.reset;
}

static void delete_textures(int32_t count, const uint32_t *names_)
{
    assert_int_equal(count, 1);
    assert_int_equal(*names_, 1);
    assert_int_equal(own.framebuffer, 0); /* or it would still show the texture */
    own.texture = own.image = 0;
}

static void delete_framebuffers(int32_t count, const uint32_t *names_)
{
    assert_int_equal(count, 1);
    assert_int_equal(*names_, 1);
    own.framebuffer = own.attached = 0;
}

static uint32_t release_thread(void)
{
    own.released++;
    return 1;
}

static void bind_texture(uint32_t target, uint32_t name)
{
    assert_true(own.current != 0 && target == TEXTURE_2D);
    own.texture = name;
}

static void set_image(uint32_t target, void *image)
{
    if (own.current == 0)
        return; /* the program's call */
    assert_int_equal(target, TEXTURE_2D);
    assert_int_not_equal(own.texture, 0);
    own.image = (uintptr_t)image;
}

static void bind_framebuffer(uint32_t target, uint32_t name)
{
    assert_true(own.current != 0 && target == 0x8CA8);
    own.framebuffer = name;
}

static void attach(uint32_t target, uint32_t point, uint32_t kind, uint32_t texture, int32_t level)
{
    assert_true(own.current != 0 && own.framebuffer != 0);
    assert_int_equal(target, 0x8CA8);
    assert_int_equal(point, 0x8CE0);
    assert_int_equal(kind, TEXTURE_2D);
    assert_int_equal(level, 0);
    own.attached = texture;
}

static uint32_t get_status(uint32_t target)
{
    assert_int_equal(target, 0x8CA8);
    return driver.status;
}

/* The child has no other thread. */
static int fork_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct gl_texels texels;
        driver.forks = false;
        memset(&own, 0, sizeof own);
        egl_image_read((void *)(uintptr_t)DISPLAY, (void *)(uintptr_t)IMAGE, &texels);
        egl_image_read((void *)(uintptr_t)DISPLAY, (void *)(uintptr_t)IMAGE, &texels);
        _exit(texels.pixels != NULL && own.made == 1 && own.deleted == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

static void read_pixels(int32_t x, int32_t y, int32_t width, int32_t height, uint32_t format, uint32_t type,
                        void *pixels)
{
    assert_int_equal(x | y, 0);
    assert_int_equal(width, driver.width);
    assert_int_equal(height, driver.height);
    assert_int_equal(own.attached, own.texture);
    assert_int_equal(own.image, IMAGE);
    if (driver.forks)
        driver.child_status = fork_child();
    fill(format, type, pixels);
}

static capture_function find_image(uint32_t id)
{
    static const struct {
        uint32_t id;
        capture_function function;
    } functions[] = {{SPEC_FN_glGetTexLevelParameteriv, (capture_function)get_level},
                     {SPEC_FN_glGetTexImage, (capture_function)get_image},
                     {SPEC_FN_glPixelStorei, (capture_function)store},
                     {SPEC_FN_glBindBuffer, (capture_function)bind_buffer},
                     {SPEC_FN_glIsBuffer, (capture_function)is_buffer},
                     {SPEC_FN_glFinish, (capture_function)finish},
                     {SPEC_FN_eglCreateContext, (capture_function)create_context},
                     {SPEC_FN_eglMakeCurrent, (capture_function)make_current},
                     {SPEC_FN_eglDestroyContext, (capture_function)destroy_context},
                     {SPEC_FN_eglQueryString, (capture_function)query_display},
                     {SPEC_FN_glGetGraphicsResetStatusEXT, (capture_function)get_reset},
                     {SPEC_FN_glDeleteTextures, (capture_function)delete_textures},
                     {SPEC_FN_glDeleteFramebuffers, (capture_function)delete_framebuffers},
                     {SPEC_FN_eglReleaseThread, (capture_function)release_thread},
                     {SPEC_FN_glBindTexture, (capture_function)bind_texture},
                     {SPEC_FN_glEGLImageTargetTexture2DOES, (capture_function)set_image},
                     {SPEC_FN_glBindFramebuffer, (capture_function)bind_framebuffer},
                     {SPEC_FN_glFramebufferTexture2D, (capture_function)attach},
                     {SPEC_FN_glCheckFramebufferStatus, (capture_function)get_status},
                     {SPEC_FN_glReadPixels, (capture_function)read_pixels}};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (functions[i].id == id)
            return functions[i].function;
    return NULL;
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static struct capture_thread *start(const char *version)
{
    struct capture_thread *t = stub_start(version);
    memset(&driver, 0, sizeof driver);
    memset(&own, 0, sizeof own);
    driver.width = 3;
    driver.height = 2;
    driver.kind = 0x20DC;
    driver.components = 0x8C17;
    driver.status = COMPLETE;
    driver.stores[0] = driver.stores[6] = 4;
    t->binds_surface = true;
    t->draw_display.u = DISPLAY;
    stub.more = find_image;
    stub.glx_attribute = query_drawable;
    return t;
}

static void take_image(uint32_t target)
{
    STUB_MAKE(glEGLImageTargetTexture2DOES, NULL, target, IMAGE);
}

static void terminate(uintptr_t display, bool succeeds)
{
    stub.returned.u = succeeds;
    STUB_MAKE(eglTerminate, NULL, display);
}

/* Nothing is left of the recorder in the driver. */
static void stop(void)
{
    for (uintptr_t display = DISPLAY; display < DISPLAY + DISPLAYS; ++display)
        terminate(display, true);
    assert_int_equal(own.made, own.deleted);
    assert_int_equal(own.image | own.texture | own.framebuffer | own.current, 0);
    stub_stop();
}

static void expect_picture(unsigned i, uint32_t target)
{
    const uint64_t expected[8] = {target, 0, 0x1908, 3, 2, 0, 0x1908, 0x1401};
    assert_string_equal(spec_string(stub_calls[i].function->name), "glTexImage2D");
    for (unsigned k = 0; k < 8; ++k)
        assert_int_equal(stub_calls[i].args[k].u, expected[k]);
    assert_int_equal(stub_calls[i].bytes, 24);
    for (unsigned k = 0; k < 24; ++k)
        assert_int_equal(stub_calls[i].values[k], k + 1);
}

static void test_which_images(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        uint32_t target;
        int32_t width, height;
        bool recorded;
    } images[] = {
        {"3.0", TEXTURE_2D, 3, 2, true},
        {"2.1", TEXTURE_2D, 3, 2, false},
        {"4.6", TEXTURE_2D, 3, 2, true},
        {"OpenGL ES 3.1", TEXTURE_2D, 3, 2, true},
        {"OpenGL ES 3.0", TEXTURE_2D, 3, 2, false},
        {"4.6", EXTERNAL, 3, 2, false},
        {"OpenGL ES 3.1", EXTERNAL, 3, 2, false},
        {"4.6", TEXTURE_2D, 0, 2, false},
        {"4.6", TEXTURE_2D, 3, 0, false},
        {"4.6", TEXTURE_2D, -1, 2, false},
        {"4.6", TEXTURE_2D, 1 << 30, 2, false},
        {"OpenGL ES 3.1", TEXTURE_2D, 3, 1 << 30, false},
    };
    for (unsigned i = 0; i < sizeof images / sizeof images[0]; ++i) {
        start(images[i].version);
        driver.width = images[i].width;
        driver.height = images[i].height;
        take_image(images[i].target);
        assert_int_equal(stub_call_count, images[i].recorded);
        assert_int_equal(driver.reads, images[i].recorded);
        if (images[i].recorded)
            expect_picture(0, TEXTURE_2D);
        stop();
    }
}

/* The thread's own context is made for the image's display, and nothing of the image is left in it. What the
 * program has drawn is there before. */
static void test_own_context(void **state)
{
    (void)state;
    start("OpenGL ES 3.2");
    for (unsigned i = 1; i <= 3; ++i) {
        take_image(TEXTURE_2D);
        stub_expect_calls("glTexImage2D ");
        expect_picture(0, TEXTURE_2D);
        assert_int_equal(driver.finishes, i);
        assert_int_equal(own.made, 1);
        assert_int_equal(own.deleted, 0);
        assert_int_equal(own.released, i);
        assert_int_equal(own.current | own.texture | own.framebuffer, 0);
        assert_false(pthread_equal(own.thread, pthread_self()));
    }
    stop();
}

/* Where it is not to be had, nothing is recorded. */
static void test_no_own_context(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; ++i) {
        struct capture_thread *t = start("OpenGL ES 3.2");
        driver.lacks_contexts = i == 0;
        driver.lacks_currency = i == 1;
        driver.status = i == 2 ? COMPLETE + 1 : COMPLETE;
        t->binds_surface = i != 3; /* GLX has no EGL images */
        take_image(TEXTURE_2D);
        stub_expect_calls("");
        assert_int_equal(driver.reads, 0);
        assert_int_equal(own.made, i == 1 || i == 2);
        assert_int_equal(own.deleted, i == 1);
        assert_int_equal(own.current | own.texture | own.framebuffer, 0);
        stop();
    }
}

/* Each display has its own context, until there are too many. Those are deleted at once. */
static void test_displays(void **state)
{
    (void)state;
    struct capture_thread *t = start("OpenGL ES 3.2");
    for (unsigned i = 0; i < 2 * DISPLAYS; ++i) {
        t->draw_display.u = DISPLAY + i % DISPLAYS;
        take_image(TEXTURE_2D);
        expect_picture(0, TEXTURE_2D);
    }
    assert_int_equal(own.made, 12);
    assert_int_equal(own.deleted, 4);
    t->draw_display.u = DISPLAY + 9;
    terminate(DISPLAY + 5, true); /* makes room */
    assert_int_equal(own.displays[5], 0);
    take_image(TEXTURE_2D);
    take_image(TEXTURE_2D);
    assert_int_equal(own.made, 13);
    assert_int_equal(own.deleted, 5);
    stop();
}

/* The driver has no context of ours when it terminates the display. */
static void on_terminate(const union spec_arg *args)
{
    for (unsigned i = 0; i < own.made; ++i)
        assert_int_not_equal(own.displays[i], args[0].u);
}

static void test_termination(void **state)
{
    (void)state;
    struct capture_thread *t = start("OpenGL ES 3.2");
    for (unsigned i = 0; i < 4; ++i) {
        t->draw_display.u = DISPLAY;
        take_image(TEXTURE_2D);
        expect_picture(0, TEXTURE_2D);
        assert_int_equal(own.made, i + 1);
        STUB_MAKE(eglTerminate, on_terminate, DISPLAY + 1);
        assert_int_equal(own.deleted, i);
        stub.returned.u = i % 2;
        STUB_MAKE(eglTerminate, on_terminate, DISPLAY);
        assert_int_equal(own.deleted, i + 1);
        assert_int_equal(own.released, 2 * (i + 1));
    }
    stop();
}

/* Another thread reads an image after the recorder has deleted its context, and before the driver has
 * terminated the display: the driver deletes the new context. */
static void read_meanwhile(const union spec_arg *args)
{
    struct gl_texels texels;
    egl_image_read(args[0].p, (void *)(uintptr_t)IMAGE, &texels);
    free(texels.pixels);
    own.displays[own.made - 1] = 0;
    own.deleted++;
}

static void test_reading_while_terminated(void **state)
{
    (void)state;
    start("OpenGL ES 3.2");
    stub.returned.u = 1;
    STUB_MAKE(eglTerminate, read_meanwhile, DISPLAY);
    assert_int_equal(own.made, 1);
    take_image(TEXTURE_2D);
    expect_picture(0, TEXTURE_2D);
    assert_int_equal(own.made, 2);
    stop();
}

/* A lost context, or one that the driver does not take any more, is replaced. Only contexts that were made
 * for it are asked. */
static void test_lost_context(void **state)
{
    (void)state;
    static const struct {
        const char *extensions;
        bool tells;
    } displays[] = {{"A EGL_EXT_create_context_robustness", true},
                    {"EGL_EXT_create_context_robustness_2 B", false},
                    {"A", false},
                    {NULL, false}};
    for (unsigned i = 0; i < sizeof displays / sizeof *displays; ++i) {
        start("OpenGL ES 3.2");
        driver.extensions = displays[i].extensions;
        take_image(TEXTURE_2D);
        assert_int_equal(own.resets, 0);
        driver.reset = 0x8253;
        take_image(TEXTURE_2D);
        expect_picture(0, TEXTURE_2D);
        assert_int_equal(own.resets, displays[i].tells);
        assert_int_equal(own.made, displays[i].tells ? 2 : 1);
        assert_int_equal(own.deleted, displays[i].tells);
        driver.reset = 0;
        driver.lacks_currency = true;
        take_image(TEXTURE_2D);
        stub_expect_calls("");
        assert_int_equal(own.made, own.deleted);
        driver.lacks_currency = false;
        take_image(TEXTURE_2D);
        expect_picture(0, TEXTURE_2D);
        stop();
    }
}

/* The contexts went with the library: their handles must not be used. */
static void test_unloaded_library(void **state)
{
    (void)state;
    start("OpenGL ES 3.2");
    take_image(TEXTURE_2D);
    memset(&own, 0, sizeof own);
    stub.egl_unloads++;
    take_image(TEXTURE_2D);
    expect_picture(0, TEXTURE_2D);
    assert_int_equal(own.made, 1);
    memset(&own, 0, sizeof own);
    stub.egl_unloads++;
    stop();
    assert_int_equal(own.made + own.deleted, 0);
}

/* A forked child makes its own context, even if it was forked by another thread during a reading. */
static void test_fork(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__ /* which has no threads in such a child */
    skip();
#endif
    start("OpenGL ES 3.2");
    take_image(TEXTURE_2D);
    driver.forks = true;
    take_image(TEXTURE_2D);
    assert_int_equal(driver.child_status, 0);
    expect_picture(0, TEXTURE_2D);
    assert_int_equal(own.made, 1);
    stop();
}

static void *read_often(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < 50; ++i) {
        struct gl_texels texels;
        egl_image_read((void *)(uintptr_t)(DISPLAY + i % 2), (void *)(uintptr_t)IMAGE, &texels);
        assert_non_null(texels.pixels);
        free(texels.pixels);
    }
    return NULL;
}

/* Threads that read at the same time wait for each other. */
static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[4];
    start("OpenGL ES 3.2");
    for (unsigned i = 0; i < 4; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, read_often, NULL), 0);
    for (unsigned i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    assert_int_equal(driver.reads, 200);
    assert_int_equal(own.made, 2);
    stop();
}

/* A pixmap of GLX in OpenGL ES has no EGL image: not the one of an earlier call either. */
static void test_pixmaps_in_es(void **state)
{
    (void)state;
    start("OpenGL ES 3.2");
    take_image(TEXTURE_2D);
    stub_expect_calls("glTexImage2D ");
    STUB_MAKE(glXBindTexImageEXT, NULL, 77, 88);
    stub_expect_calls("");
    stop();
}

/* A process that expects a filter of system calls gets no thread. */
static void test_filtered_process(void **state)
{
    (void)state;
    own_stack_expect_filter();
    start("OpenGL ES 3.2");
    take_image(TEXTURE_2D);
    stub_expect_calls("");
    assert_int_equal(own.made, 0);
    stop();
}

/* Each kind of components is read in a format that it has, and keeps its range. */
static void test_components(void **state)
{
    (void)state;
    static const struct {
        int32_t components, red, internal;
        uint32_t format, type;
    } kinds[] = {
        {0x8C17, 8, 0x1908, 0x1908, 0x1401},  /* GL_UNSIGNED_NORMALIZED */
        {0x1406, 16, 0x881A, 0x1908, 0x1406}, /* GL_FLOAT: GL_RGBA16F, GL_RGBA32F */
        {0x1406, 32, 0x8814, 0x1908, 0x1406}, {0x1404, 8, 0x8D82, 0x8D99, 0x1404}, /* GL_INT: GL_RGBA32I */
        {0x1405, 16, 0x8D70, 0x8D99, 0x1405}, /* GL_UNSIGNED_INT: GL_RGBA32UI */
    };
    for (unsigned i = 0; i < 2 * sizeof kinds / sizeof *kinds; ++i) {
        unsigned k = i / 2;
        start(i % 2 == 0 ? "4.6" : "OpenGL ES 3.2");
        driver.components = kinds[k].components;
        driver.red = kinds[k].red;
        take_image(TEXTURE_2D);
        stub_expect_calls("glTexImage2D ");
        assert_int_equal(stub_calls[0].args[2].i, kinds[k].internal);
        assert_int_equal(stub_calls[0].args[6].u, kinds[k].format);
        assert_int_equal(stub_calls[0].args[7].u, kinds[k].type);
        assert_int_equal(driver.format, kinds[k].format);
        assert_int_equal(driver.type, kinds[k].type);
        assert_int_equal(stub_calls[0].bytes, 3 * 2 * (k == 0 ? 4 : 16));
        stop();
    }
    start("4.6");
    driver.components = 0x8F9C; /* GL_SIGNED_NORMALIZED */
    take_image(TEXTURE_2D);
    stub_expect_calls("");
    assert_int_equal(driver.reads, 0);
    stop();
}

/* A pixmap's texture may have a rectangle target. */
static void test_pixmaps(void **state)
{
    (void)state;
    for (int32_t kind = 0x20DC; kind <= 0x20DD; ++kind) {
        start("3.1");
        driver.kind = kind;
        STUB_MAKE(glXBindTexImageEXT, NULL, 77, 88);
        assert_int_equal(stub_call_count, 1);
        expect_picture(0, kind == 0x20DD ? RECTANGLE : TEXTURE_2D);
        stop();
    }
}

/* The program's whole pixel store is set aside while the picture is read and recorded. */
static void test_pixel_store(void **state)
{
    (void)state;
    for (unsigned i = 0; i < STORES; ++i) {
        start("3.1");
        stub.extensions = "GL_MESA_pack_invert";
        int32_t value = i == INVERTED ? 1 : i % 6 == 0 ? 8 : 5;
        driver.stores[i] = value;
        STUB_MAKE(glPixelStorei, NULL, names[i], (uint64_t)value);
        take_image(TEXTURE_2D);
        assert_int_equal(driver.stores[i], value);
        if (i < 6 || i == INVERTED) {
            stub_expect_calls("glTexImage2D ");
        } else {
            stub_expect_calls("glPixelStorei glTexImage2D glPixelStorei ");
            expect_picture(1, TEXTURE_2D);
            for (unsigned k = 0; k < 3; k += 2) {
                assert_int_equal(stub_calls[k].args[0].u, names[i]);
                assert_int_equal(stub_calls[k].args[1].i, k == 2 ? value : i == 6 ? 4 : 0);
            }
        }
        stop();
    }
}

/* A pack buffer that is bound is left alone: the recorder's own context reads the image. */
static void test_pixel_buffers(void **state)
{
    (void)state;
    start("3.1");
    stub.integers[0x88ED] = 21;
    STUB_MAKE(glBindBuffer, NULL, 0x88EB, 21);
    driver.pack_buffer = 21;
    driver.deleted_buffer = 21; /* by another context: it could not be bound again */
    take_image(TEXTURE_2D);
    stub_expect_calls("glTexImage2D ");
    expect_picture(0, TEXTURE_2D);
    assert_int_equal(driver.pack_buffer, 21);
    assert_int_equal(own.made, 1);
    stub.integers[0x88EF] = 22;
    STUB_MAKE(glBindBuffer, NULL, 0x88EC, 22);
    take_image(TEXTURE_2D);
    stub_expect_calls("glBindBuffer glTexImage2D glBindBuffer ");
    assert_int_equal(stub_calls[0].args[0].u, 0x88EC);
    assert_int_equal(stub_calls[0].args[1].u, 0);
    assert_int_equal(stub_calls[2].args[0].u, 0x88EC);
    assert_int_equal(stub_calls[2].args[1].u, 22);
    stop();
    start("3.1");
    stub.integers[0x88ED] = stub.integers[0x88EF] = 1; /* the lowest name */
    STUB_MAKE(glBindBuffer, NULL, 0x88EB, 1);
    STUB_MAKE(glBindBuffer, NULL, 0x88EC, 1);
    driver.pack_buffer = 1;
    take_image(TEXTURE_2D);
    stub_expect_calls("glBindBuffer glTexImage2D glBindBuffer ");
    assert_int_equal(stub_calls[2].args[1].u, 1);
    assert_int_equal(driver.pack_buffer, 1);
    stop();
}

/* No other context has the pixmap of a texture. */
static void test_pixmaps_and_pack_buffers(void **state)
{
    (void)state;
    for (uint32_t deleted = 0; deleted <= 21; deleted += 21) {
        start("3.1");
        stub.integers[0x88ED] = 21;
        STUB_MAKE(glBindBuffer, NULL, 0x88EB, 21);
        driver.pack_buffer = 21;
        driver.deleted_buffer = deleted;
        STUB_MAKE(glXBindTexImageEXT, NULL, 77, 88);
        assert_int_equal(driver.reads, deleted == 0);
        assert_int_equal(stub_call_count, deleted == 0);
        assert_int_equal(driver.pack_buffer, 21);
        stop();
    }
}

/* A driver without answers is not asked for pixels, and none is asked between glBegin() and glEnd(). */
static void test_silent_driver(void **state)
{
    (void)state;
    start("4.6");
    is_silent = true;
    take_image(TEXTURE_2D);
    is_silent = false;
    stub_expect_calls("");
    assert_int_equal(driver.reads, 0);
    stop();
    start("4.6");
    stub.version = NULL;
    take_image(TEXTURE_2D);
    stub_expect_calls("");
    stub.version = "4.6";
    stop();
    start("4.6");
    STUB_MAKE(glBegin, NULL, 4);
    stub.in_begin = true;
    take_image(TEXTURE_2D);
    stub_expect_calls("");
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_images),   cmocka_unit_test(test_own_context),
        cmocka_unit_test(test_no_own_context), cmocka_unit_test(test_displays),
        cmocka_unit_test(test_termination),    cmocka_unit_test(test_reading_while_terminated),
        cmocka_unit_test(test_lost_context),   cmocka_unit_test(test_unloaded_library),
        cmocka_unit_test(test_fork),           cmocka_unit_test(test_threads),
        cmocka_unit_test(test_pixmaps_in_es),  cmocka_unit_test(test_components),
        cmocka_unit_test(test_pixmaps),        cmocka_unit_test(test_pixel_store),
        cmocka_unit_test(test_pixel_buffers),  cmocka_unit_test(test_pixmaps_and_pack_buffers),
        cmocka_unit_test(test_silent_driver),  cmocka_unit_test(test_filtered_process), /* the last one */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
