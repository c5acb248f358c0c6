/* SPDX-License-Identifier: MIT
 * Tests which displays, configurations and contexts a replay asks EGL for. EGL is made up.
 */
#include "windows/egl_contexts.h"
#include "windows/egl_platform.h"

#include <EGL/eglext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"

/* --- EGL ------------------------------------------------------------------------------------------------ */

enum { CONFIGS = 4 };

static struct {
    const char *client_extensions, *extensions; /* NULL: an error */
    EGLint error;
    char log[1000];
    EGLint depths[CONFIGS], count; /* of configurations */
    EGLint poor;                   /* the attribute that the first one has too little of; 0: none */
    bool has_float_configs;
    bool refuses_contexts;
    const char *devices; /* a letter for each: h: a GPU, s: software, x: neither can be initialised */
    const char *useless; /* displays without off-screen buffers: letters, n: surfaceless, d: default */
    const char *lacks;   /* the function that there is not */
} egl;

static void reset(void)
{
    memset(&egl, 0, sizeof egl);
    egl.count = 1;
    egl.client_extensions = "EGL_EXT_platform_base EGL_EXT_platform_device EGL_MESA_platform_surfaceless";
    egl.extensions = "";
    egl.devices = egl.useless = egl.lacks = "";
}

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...)
{
    size_t length = strlen(egl.log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(egl.log + length, sizeof egl.log - length, format, arguments);
    va_end(arguments);
}

EGLint eglGetError(void)
{
    return egl.error;
}

const char *eglQueryString(EGLDisplay display, EGLint name)
{
    assert_int_equal(name, EGL_EXTENSIONS);
    return display == EGL_NO_DISPLAY ? egl.client_extensions : egl.extensions;
}

/* Displays are letters. */
static const char letters[] = "hsxnd";

static EGLDisplay display_of(char letter)
{
    const char *at = strchr(letters, letter);
    EGLDisplay display;
    memcpy(&display, &at, sizeof display);
    return display;
}

static char letter_of(EGLDisplay display)
{
    return *(const char *)display;
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    assert_null(major);
    assert_null(minor);
    note("+%c", letter_of(display));
    return letter_of(display) != 'x';
}

EGLBoolean eglTerminate(EGLDisplay display)
{
    note("-%c", letter_of(display));
    return EGL_TRUE;
}

EGLDisplay eglGetDisplay(EGLNativeDisplayType native)
{
    assert_true(native == EGL_DEFAULT_DISPLAY);
    return display_of('d');
}

static EGLBoolean query_devices(EGLint max, EGLDeviceEXT *out, EGLint *count)
{
    *count = (EGLint)strlen(egl.devices);
    assert_true(*count <= max);
    for (EGLint i = 0; i < *count; ++i)
        out[i] = display_of(egl.devices[i]);
    return strchr(egl.devices, '!') == NULL;
}

static const char *query_device(EGLDeviceEXT device, EGLint name)
{
    assert_int_equal(name, EGL_EXTENSIONS);
    return letter_of(device) == 's' ? "EGL_EXT_foo EGL_MESA_device_software" : "EGL_MESA_device_software_not";
}

static EGLDisplay get_platform_display(EGLenum platform, void *native, const EGLint *attribs)
{
    assert_null(attribs);
    if (platform == EGL_PLATFORM_SURFACELESS_MESA) {
        assert_null(native);
        return display_of('n');
    }
    assert_int_equal(platform, EGL_PLATFORM_DEVICE_EXT);
    return native;
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
    if (strcmp(name, egl.lacks) == 0)
        return NULL;
    if (strcmp(name, "eglGetPlatformDisplayEXT") == 0)
        return (__eglMustCastToProperFunctionPointerType)get_platform_display;
    if (strcmp(name, "eglQueryDevicesEXT") == 0)
        return (__eglMustCastToProperFunctionPointerType)query_devices;
    assert_string_equal(name, "eglQueryDeviceStringEXT");
    return (__eglMustCastToProperFunctionPointerType)query_device;
}

static EGLint attribute(const EGLint *list, EGLint name, EGLint otherwise)
{
    for (; *list != EGL_NONE; list += 2)
        if (list[0] == name)
            return list[1];
    return otherwise;
}

static char config_places[CONFIGS];

EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *attribs, EGLConfig *out, EGLint max,
                           EGLint *count)
{
    EGLint type = attribute(attribs, EGL_COLOR_COMPONENT_TYPE_EXT, EGL_NONE);
    if (out == NULL) { /* only whether there are some */
        assert_int_equal(attribute(attribs, EGL_SURFACE_TYPE, 0), EGL_PBUFFER_BIT);
        *count = strchr(egl.useless, letter_of(display)) == NULL;
        return EGL_TRUE;
    }
    note("surface %d, api %d%s\n", attribute(attribs, EGL_SURFACE_TYPE, 0),
         attribute(attribs, EGL_RENDERABLE_TYPE, 0),
         type == EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT   ? ", float"
         : type == EGL_COLOR_COMPONENT_TYPE_FIXED_EXT ? ", fixed"
                                                      : "");
    assert_true(egl.count <= max);
    *count = type == EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT && !egl.has_float_configs ? 0 : egl.count;
    for (EGLint i = 0; i < *count; ++i)
        out[i] = &config_places[i];
    return EGL_TRUE;
}

/* All are of RGBA8, with stencils and four samples. */
EGLBoolean eglGetConfigAttrib(EGLDisplay display, EGLConfig config, EGLint name, EGLint *value)
{
    (void)display;
    *value = name == EGL_DEPTH_SIZE ? egl.depths[(char *)config - config_places]
             : name == EGL_SAMPLES  ? 4
                                    : 8;
    *value -= name == egl.poor && config == config_places;
    return EGL_TRUE;
}

EGLBoolean eglBindAPI(EGLenum api)
{
    note("api %#x\n", api);
    return EGL_TRUE;
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, const EGLint *attribs)
{
    (void)display;
    note("config %d, share %d:", config != NULL ? (int)((char *)config - config_places) : -1, share != NULL);
    for (; *attribs != EGL_NONE; attribs += 2)
        note(" %#x=%#x", attribs[0], attribs[1]);
    return egl.refuses_contexts ? EGL_NO_CONTEXT : (EGLContext)config_places;
}

/* --- displays ------------------------------------------------------------------------------------------- */

static void test_platforms(void **state)
{
    (void)state;
    static const struct {
        enum driver_kind driver;
        const char *devices, *useless, *log;
        const char *name; /* NULL: there is none */
    } cases[] = {
        {DRIVER_ANY, "h", "", "+h", "EGL device 0"},
        {DRIVER_ANY, "sh", "", "+h", "EGL device 1"},
        {DRIVER_ANY, "xh", "", "+x+h", "EGL device 1"},
        {DRIVER_ANY, "hs", "h", "+h-h+n", "EGL surfaceless"},
        {DRIVER_ANY, "", "", "+n", "EGL surfaceless"},
        {DRIVER_ANY, "!", "", "+n", "EGL surfaceless"},
        {DRIVER_ANY, "s", "n", "+n-n+s", "EGL device 0"},
        {DRIVER_ANY, "hs", "hn", "+h-h+n-n+s", "EGL device 1"},
        {DRIVER_ANY, "", "n", "+n-n+d", "EGL default display"},
        {DRIVER_ANY, "", "nd", "+n-n+d-d", NULL},
        {DRIVER_SOFTWARE, "h", "", "+n", "EGL surfaceless"},
        {DRIVER_SOFTWARE, "hs", "n", "+n-n+s", "EGL device 1"},
        {DRIVER_HARDWARE, "sh", "", "+h", "EGL device 1"},
        {DRIVER_HARDWARE, "s", "", "", NULL},
    };
    unsetenv("LIBGL_ALWAYS_SOFTWARE");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EGLDisplay display = EGL_NO_DISPLAY;
        char name[40] = "";
        reset();
        egl.devices = cases[i].devices;
        egl.useless = cases[i].useless;
        int rc = egl_platform_open(&display, cases[i].driver, name, sizeof name);
        assert_string_equal(egl.log, cases[i].log);
        assert_int_equal(rc, cases[i].name != NULL ? 0 : TRACE_ERR_IO);
        if (rc == 0)
            assert_string_equal(name, cases[i].name);
        else
            assert_string_equal(trace_error_message(),
                                cases[i].driver == DRIVER_HARDWARE
                                    ? "EGL has no GPU that works without a display server"
                                    : "EGL has no platform that works without a display "
                                      "server");
    }
}

/* Mesa's switch. */
static void test_software(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool is_software;
    } cases[] = {{"1", true}, {"true", true}, {"0", false}, {"false", false}, {"", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EGLDisplay display;
        char name[40];
        reset();
        egl.devices = "h";
        setenv("LIBGL_ALWAYS_SOFTWARE", cases[i].value, 1);
        assert_int_equal(egl_platform_open(&display, DRIVER_ANY, name, sizeof name), 0);
        assert_string_equal(egl.log, cases[i].is_software ? "+n" : "+h");
        reset();
        egl.devices = "h";
        assert_int_equal(egl_platform_open(&display, DRIVER_HARDWARE, name, sizeof name), 0);
        assert_string_equal(egl.log, "+h");
    }
    unsetenv("LIBGL_ALWAYS_SOFTWARE");
}

/* What EGL does not have is not asked for. */
static void test_old_libraries(void **state)
{
    (void)state;
    static const struct {
        const char *extensions, *lacks, *log;
    } cases[] = {
        {NULL, "", "+d"},
        {"", "", "+d"},
        {"EGL_EXT_platform_base", "", "+d"},
        {"EGL_EXT_platform_base EGL_MESA_platform_surfaceless", "", "+n"},
        {"EGL_EXT_platform_base EGL_MESA_platform_surfaceless2", "", "+d"},
        {"XEGL_EXT_platform_base EGL_MESA_platform_surfaceless EGL_EXT_platform_device", "", "+d"},
        {"EGL_EXT_platform_device EGL_EXT_platform_base", "", "+h"},
        {"EGL_EXT_platform_device EGL_EXT_platform_base", "eglQueryDeviceStringEXT", "+h"},
        {"EGL_EXT_platform_device EGL_EXT_platform_base", "eglQueryDevicesEXT", "+d"},
        {"EGL_EXT_platform_device EGL_EXT_platform_base", "eglGetPlatformDisplayEXT", "+d"},
        {"EGL_EXT_platform_base2 EGL_EXT_platform_device EGL_EXT_platform_base", "", "+h"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EGLDisplay display;
        char name[40];
        reset();
        egl.devices = "h";
        egl.client_extensions = cases[i].extensions;
        egl.lacks = cases[i].lacks;
        assert_int_equal(egl_platform_open(&display, DRIVER_ANY, name, sizeof name), 0);
        assert_string_equal(egl.log, cases[i].log);
    }
}

/* --- configurations ------------------------------------------------------------------------------------- */

static void test_screens(void **state)
{
    (void)state;
    static const struct {
        const char *extensions;
        bool no_config, surfaceless, is_float, colorspace;
    } cases[] = {
        {"EGL_KHR_no_config_context", true, false, false, false},
        {"EGL_MESA_configless_context", true, false, false, false},
        {"EGL_KHR_surfaceless_context", false, true, false, false},
        {"EGL_EXT_pixel_format_float", false, false, true, false},
        {"EGL_KHR_gl_colorspace", false, false, false, true},
        {NULL, false, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct egl_screen s;
        reset();
        egl.extensions = cases[i].extensions;
        egl_screen_init(&s, display_of('h'), EGL_WINDOW_BIT);
        assert_ptr_equal(s.display, display_of('h'));
        assert_int_equal(s.surface_bit, EGL_WINDOW_BIT);
        assert_int_equal(s.has_no_config, cases[i].no_config);
        assert_int_equal(s.has_surfaceless, cases[i].surfaceless);
        assert_int_equal(s.has_float, cases[i].is_float);
        assert_int_equal(s.has_colorspace, cases[i].colorspace);
    }
}

/* The closest one, wherever it is in the list; of equal ones, the first. */
static void test_closest_configurations(void **state)
{
    (void)state;
    static const struct {
        EGLint depths[CONFIGS], count;
        int best;
    } cases[] = {{{24, 0, 16}, 3, 0},  {{0, 24, 16}, 3, 1}, {{16, 0, 24}, 3, 2},
                 {{32, 24, 24}, 3, 1}, {{16, 32, 0}, 3, 1}, {{16}, 1, 0}};
    const struct context_config wanted = {
        .buffers = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8, .samples = 4}};
    const struct egl_screen s = {.surface_bit = EGL_PBUFFER_BIT};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EGLConfig config = NULL;
        reset();
        memcpy(egl.depths, cases[i].depths, sizeof egl.depths);
        egl.count = cases[i].count;
        assert_int_equal(egl_choose_config(&s, &wanted, &config), 0);
        assert_ptr_equal(config, &config_places[cases[i].best]);
    }
    reset();
    egl.count = 0;
    EGLConfig config;
    assert_int_equal(egl_choose_config(&s, &wanted, &config), TRACE_ERR_IO);
    assert_string_equal(trace_error_message(), "the driver has no configuration for OpenGL");
    assert_int_equal(egl_choose_config(&s, &(struct context_config){.api = CONTEXT_ES}, &config),
                     TRACE_ERR_IO);
    assert_string_equal(trace_error_message(),
                        "the driver has no configuration for OpenGL ES of this version");
}

/* Each number of bits counts. */
static void test_numbers_of_bits(void **state)
{
    (void)state;
    static const EGLint names[] = {EGL_RED_SIZE,   EGL_GREEN_SIZE,   EGL_BLUE_SIZE, EGL_ALPHA_SIZE,
                                   EGL_DEPTH_SIZE, EGL_STENCIL_SIZE, EGL_SAMPLES};
    const struct context_config wanted = {
        .buffers = {.colour = {8, 8, 8, 8}, .depth = 24, .stencil = 8, .samples = 4}};
    const struct egl_screen s = {.surface_bit = EGL_PBUFFER_BIT};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        EGLConfig config = NULL;
        reset();
        egl.count = 3;
        egl.depths[0] = egl.depths[1] = 24;
        egl.poor = names[i];
        assert_int_equal(egl_choose_config(&s, &wanted, &config), 0);
        assert_ptr_equal(config, &config_places[1]);
    }
}

static void test_kinds_of_configurations(void **state)
{
    (void)state;
    static const struct {
        struct context_config wanted;
        bool knows_float, has_float;
        EGLint surface;
        const char *log;
    } cases[] = {
        {{.api = CONTEXT_GL, .major = 4}, false, false, EGL_WINDOW_BIT, "surface 4, api 8\n"},
        {{.api = CONTEXT_ES, .major = 1}, false, false, EGL_PBUFFER_BIT, "surface 1, api 1\n"},
        {{.api = CONTEXT_ES, .major = 2}, false, false, EGL_PBUFFER_BIT, "surface 1, api 4\n"},
        {{.api = CONTEXT_ES, .major = 3}, false, false, EGL_PBUFFER_BIT, "surface 1, api 64\n"},
        {{.major = 4}, true, true, EGL_WINDOW_BIT, "surface 4, api 8, fixed\n"},
        {{.buffers = {.is_float = true}}, true, true, EGL_WINDOW_BIT, "surface 4, api 8, float\n"},
        {{.buffers = {.is_float = true}},
         true,
         false,
         EGL_WINDOW_BIT,
         "surface 4, api 8, float\nsurface 4, api 8, fixed\n"},
        {{.buffers = {.is_float = true}}, false, false, EGL_WINDOW_BIT, "surface 4, api 8\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct egl_screen s = {.surface_bit = cases[i].surface, .has_float = cases[i].knows_float};
        EGLConfig config;
        reset();
        egl.has_float_configs = cases[i].has_float;
        assert_int_equal(egl_choose_config(&s, &cases[i].wanted, &config), 0);
        assert_string_equal(egl.log, cases[i].log);
    }
}

/* --- contexts ------------------------------------------------------------------------------------------- */

#define GL "api 0x30a2\nconfig 2, share 1:"
#define ES "api 0x30a0\nconfig 2, share 1:"

static void test_contexts(void **state)
{
    (void)state;
    static const struct {
        struct context_config wanted;
        const char *log;
    } cases[] = {
        {{.api = CONTEXT_GL}, GL},
        {{.api = CONTEXT_GL, .major = 4, .minor = 5}, GL " 0x3098=0x4 0x30fb=0x5"},
        {{.api = CONTEXT_ES, .major = 1}, ES " 0x3098=0x1 0x30fb=0"},
        {{.api = CONTEXT_ES, .major = 3, .minor = 2}, ES " 0x3098=0x3 0x30fb=0x2"},
        {{.debug = true}, GL " 0x30fc=0x1"},
        {{.forward_compatible = true}, GL " 0x30fc=0x2"},
        {{.robust = true}, GL " 0x30fc=0x4"},
        {{.debug = true, .forward_compatible = true, .robust = true}, GL " 0x30fc=0x7"},
        {{.api = CONTEXT_ES, .robust = true}, ES " 0x30bf=0x1"},
        {{.profile = PROFILE_CORE}, GL " 0x30fd=0x1"},
        {{.profile = PROFILE_COMPATIBILITY}, GL " 0x30fd=0x2"},
        {{.lose_on_reset = true}, GL " 0x31bd=0x31bf"},
        {{.api = CONTEXT_ES, .lose_on_reset = true}, ES " 0x3138=0x31bf"},
        {{.no_error = true}, GL " 0x31b3=0x1"},
        {{.release_without_flush = true}, GL " 0x2097=0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct egl_screen s = {.has_no_config = false};
        EGLContext context = NULL;
        reset();
        assert_int_equal(
            egl_create_context(&s, &context, &cases[i].wanted, &config_places[2], (EGLContext)config_places),
            0);
        assert_ptr_equal(context, config_places);
        assert_string_equal(egl.log, cases[i].log);
    }
}

static void test_contexts_without_configurations(void **state)
{
    (void)state;
    const struct egl_screen s = {.has_no_config = true};
    const struct context_config wanted = {.api = CONTEXT_ES, .major = 3, .minor = 2}, desktop = {.major = 4};
    EGLContext context;
    reset();
    assert_int_equal(egl_create_context(&s, &context, &desktop, &config_places[2], EGL_NO_CONTEXT), 0);
    assert_string_equal(egl.log, "api 0x30a2\nconfig -1, share 0: 0x3098=0x4 0x30fb=0");
    egl.refuses_contexts = true;
    egl.error = EGL_BAD_MATCH;
    assert_int_equal(egl_create_context(&s, &context, &wanted, &config_places[2], EGL_NO_CONTEXT),
                     TRACE_ERR_IO);
    assert_string_equal(trace_error_message(),
                        "cannot create an OpenGL ES 3.2 context: the driver cannot combine these attributes");
    egl.error = EGL_BAD_CONFIG;
    assert_int_equal(egl_create_context(&s, &context, &desktop, &config_places[2], EGL_NO_CONTEXT),
                     TRACE_ERR_IO);
    assert_string_equal(trace_error_message(),
                        "cannot create an OpenGL 4.0 context: the driver does not have this configuration");
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        EGLint error;
        const char *text;
    } cases[] = {
        {EGL_BAD_MATCH, "the driver cannot combine these attributes"},
        {EGL_BAD_ALLOC, "out of memory"},
        {EGL_BAD_CONFIG, "the driver does not have this configuration"},
        {EGL_BAD_ATTRIBUTE, "the driver does not have this configuration"},
        {EGL_BAD_ACCESS, "it is current in another thread"},
        {EGL_BAD_SURFACE, "EGL failed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reset();
        egl.error = cases[i].error;
        assert_string_equal(egl_error_text(), cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_platforms),
        cmocka_unit_test(test_software),
        cmocka_unit_test(test_old_libraries),
        cmocka_unit_test(test_screens),
        cmocka_unit_test(test_closest_configurations),
        cmocka_unit_test(test_numbers_of_bits),
        cmocka_unit_test(test_kinds_of_configurations),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_contexts_without_configurations),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
