/* SPDX-License-Identifier: MIT
 * Tests what the X server is asked about windows, and how often XCB's functions are looked up for that. XCB,
 * the loader and the server are made up.
 */
#include "lookup/x_windows.h"

#include "lookup/elf_objects.h"
#include "lookup/real_dlsym.h"

#include "cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 0x200001, WIDTH = 0x801D };

static int display, server, handle;

static struct {
    unsigned opened, closed, freed;
    unsigned long long unloaded;
    bool lacks_glx, has_other;  /* has_other: the library was loaded again, elsewhere */
    bool is_unloaded_meanwhile; /* during the next dlclose() */
} loader;

static uint16_t width;

void *__wrap_dlopen(const char *library, int flags);
int __wrap_dlclose(void *of);

void *__wrap_dlopen(const char *library, int flags)
{
    assert_int_equal(flags, RTLD_LAZY | RTLD_NOLOAD); /* it is the program's to load it */
    if (loader.lacks_glx && strcmp(library, "libxcb-glx.so.0") == 0)
        return NULL;
    loader.opened++;
    return &handle;
}

/* Another thread unloads the library then, and the program loads it again. */
int __wrap_dlclose(void *of)
{
    assert_ptr_equal(of, &handle);
    loader.closed++;
    if (loader.is_unloaded_meanwhile) {
        loader.unloaded++;
        loader.has_other = true;
        loader.is_unloaded_meanwhile = false;
    }
    return 0;
}

unsigned long long elf_unloaded_count(void)
{
    return loader.unloaded;
}

/* --- XCB ---------------------------------------------------------------------------------------------- */

struct cookie {
    unsigned sequence;
};

static bool was_asked_other;

static void *get_connection(void *of)
{
    assert_ptr_equal(of, &display);
    return &server;
}

static struct cookie ask(void *connection, uint32_t drawable)
{
    assert_ptr_equal(connection, &server);
    assert_int_equal(drawable, WINDOW);
    was_asked_other = false;
    return (struct cookie){7};
}

static struct cookie ask_other(void *connection, uint32_t drawable)
{
    struct cookie cookie = ask(connection, drawable);
    was_asked_other = true;
    return cookie;
}

static void *get_geometry(void *connection, struct cookie cookie, void **error)
{
    (void)error;
    assert_ptr_equal(connection, &server);
    assert_int_equal(cookie.sequence, 7);
    uint16_t *reply = calloc(1, 32);
    reply[8] = width;
    reply[9] = 30;
    return reply;
}

static void *get_attributes(void *connection, struct cookie cookie, void **error)
{
    (void)error;
    assert_ptr_equal(connection, &server);
    assert_int_equal(cookie.sequence, 7);
    uint32_t *reply = calloc(10, 4);
    reply[1] = 2; /* words, which are one pair */
    reply[2] = 1;
    reply[8] = WIDTH;
    reply[9] = width;
    return reply;
}

static int release(void *memory)
{
    (void)memory;
    loader.freed++;
    return 1;
}

void *real_dlsym(void *of, const char *name)
{
    void (*asks)(void) = loader.has_other ? (void (*)(void))ask_other : (void (*)(void))ask;
    const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"XGetXCBConnection", (void (*)(void))get_connection},
        {"xcb_get_geometry", asks},
        {"xcb_get_geometry_reply", (void (*)(void))get_geometry},
        {"xcb_glx_get_drawable_attributes", asks},
        {"xcb_glx_get_drawable_attributes_reply", (void (*)(void))get_attributes},
        {"XFree", (void (*)(void))release},
    };
    assert_ptr_equal(of, &handle);
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return *(void *const *)&functions[i].function;
    fail_msg("%s is not to be looked up", name);
    return NULL;
}

/* --- tests -------------------------------------------------------------------------------------------- */

/* Forgets what was found. */
static int set_up(void **state)
{
    static unsigned long long unloaded;
    (void)state;
    memset(&loader, 0, sizeof loader);
    loader.unloaded = unloaded += 100;
    return 0;
}

static void expect_size(uint16_t wanted)
{
    unsigned w = 0, h = 0;
    width = wanted;
    assert_int_equal(x_window_size(&display, WINDOW, &w, &h), X_WINDOW_HAS_SIZE);
    assert_int_equal(w, wanted);
    assert_int_equal(h, 30);
    assert_int_equal(loader.opened, loader.closed); /* the program can unload it */
}

static void expect_attribute(uint16_t wanted)
{
    uint32_t value = 0;
    width = wanted;
    assert_true(x_glx_attribute(&display, WINDOW, WIDTH, &value));
    assert_int_equal(value, wanted);
    assert_false(x_glx_attribute(&display, WINDOW, WIDTH + 1, &value));
    assert_int_equal(loader.opened, loader.closed);
}

/* The server is asked each time, the loader once for each function. */
static void test_looked_up_once(void **state)
{
    (void)state;
    for (uint16_t i = 1; i < 10; ++i) {
        expect_size(i);
        assert_int_equal(loader.opened, i == 1 ? 3 : 5);
        expect_attribute(i);
        assert_int_equal(loader.opened, 5);
    }
    for (unsigned i = 0; i < 3; ++i)
        x_free(&width);
    assert_int_equal(loader.freed, 3);
    assert_int_equal(loader.opened, 6);
}

/* The library may be another one then. */
static void test_looked_up_after_unloading(void **state)
{
    (void)state;
    expect_size(1);
    assert_false(was_asked_other);
    loader.unloaded++;
    loader.has_other = true;
    expect_size(2);
    assert_true(was_asked_other);
    assert_int_equal(loader.opened, 6);
    expect_attribute(3);
    assert_true(was_asked_other);
    expect_size(4);
    assert_int_equal(loader.opened, 8);
}

/* What was found in a library that is gone by then is not kept. */
static void test_unloaded_meanwhile(void **state)
{
    (void)state;
    uint32_t value = 0;
    expect_size(1);
    loader.is_unloaded_meanwhile = true;
    assert_true(x_glx_attribute(&display, WINDOW, WIDTH, &value));
    assert_false(was_asked_other);
    expect_attribute(2);
    assert_true(was_asked_other);
}

/* A library that is loaded later is found then. */
static void test_loaded_later(void **state)
{
    (void)state;
    uint32_t value = 0;
    loader.lacks_glx = true;
    for (unsigned i = 0; i < 3; ++i)
        assert_false(x_glx_attribute(&display, WINDOW, WIDTH, &value));
    loader.lacks_glx = false;
    expect_attribute(5);
}

static void test_no_display(void **state)
{
    (void)state;
    unsigned w, h;
    uint32_t value;
    assert_int_equal(x_window_size(NULL, WINDOW, &w, &h), X_WINDOW_UNKNOWN);
    assert_false(x_glx_attribute(NULL, WINDOW, WIDTH, &value));
    x_free(NULL);
    assert_int_equal(loader.opened + loader.freed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_looked_up_once, set_up),
        cmocka_unit_test_setup(test_looked_up_after_unloading, set_up),
        cmocka_unit_test_setup(test_unloaded_meanwhile, set_up),
        cmocka_unit_test_setup(test_loaded_later, set_up),
        cmocka_unit_test_setup(test_no_display, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
