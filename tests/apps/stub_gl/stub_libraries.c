/* SPDX-License-Identifier: MIT
 * Libraries of GL, GLX and EGL whose functions do nothing and return what the program has set, so that every
 * function can be called, even those that no driver has. STUB_EGL builds libEGL.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Returned in the register for integers and in the one for floats. */
struct result {
    uint64_t integer;
    double real;
};

static struct result result;

/* The result of all functions. */
#ifdef STUB_EGL
EXPORT void stub_egl_return(uint64_t value);
void stub_egl_return(uint64_t value)
#else
EXPORT void stub_gl_return(uint64_t value);
void stub_gl_return(uint64_t value)
#endif
{
    result.integer = value;
    memcpy(&result.real, &value, sizeof value);
}

/* On i386, the registers for floats are a stack, which every call of another function would fill. So
 * functions that return floats return an invalid one there. */
#if defined __i386__
typedef uint64_t returned;
#define RETURNED result.integer
#else
typedef struct result returned;
#define RETURNED result
#endif

EXPORT returned stub_call(void);
returned stub_call(void)
{
    return RETURNED;
}

#define STUB(name) EXPORT returned name(void) __attribute__((alias("stub_call")));
#include STUB_NAMES

static void *current;

#ifdef STUB_EGL
EXPORT void (*eglGetProcAddress(const char *name))(void);
EXPORT unsigned eglMakeCurrent(void *display, void *draw, void *read, void *context);
EXPORT void *eglGetCurrentContext(void);

void (*eglGetProcAddress(const char *name))(void)
{
    (void)name;
    return (void (*)(void))stub_call;
}

unsigned eglMakeCurrent(void *display, void *draw, void *read, void *context)
{
    (void)display, (void)draw, (void)read;
    current = context;
    return 1;
}

void *eglGetCurrentContext(void)
{
    return current;
}
#else
EXPORT const char *glGetString(unsigned name);
EXPORT const char *glGetStringi(unsigned name, unsigned index);
EXPORT unsigned glGetError(void);
EXPORT void glGetIntegerv(unsigned name, int *value);
EXPORT void (*glXGetProcAddressARB(const char *name))(void);
EXPORT void (*glXGetProcAddress(const char *name))(void);
EXPORT int glXMakeCurrent(void *display, unsigned long drawable, void *context);
EXPORT void *glXGetCurrentContext(void);

const char *glGetString(unsigned name)
{
    return name == 0x1f02 /* GL_VERSION */ ? "4.6 stub" : name == 0x1f03 /* GL_EXTENSIONS */ ? "" : "stub";
}

const char *glGetStringi(unsigned name, unsigned index)
{
    (void)name, (void)index;
    return "GL_STUB";
}

unsigned glGetError(void)
{
    return 0;
}

void glGetIntegerv(unsigned name, int *value)
{
    switch (name) {
    case 0x0cf5: /* GL_UNPACK_ALIGNMENT */
    case 0x0d05: /* GL_PACK_ALIGNMENT */
    case 0x821b: /* GL_MAJOR_VERSION */
        *value = 4;
        break;
    case 0x821c: /* GL_MINOR_VERSION */
        *value = 6;
        break;
    case 0x821d: /* GL_NUM_EXTENSIONS */
        *value = 1;
        break;
    case 0x9126: /* GL_CONTEXT_PROFILE_MASK */
        *value = 2;
        break;
    default:
        *value = 0;
    }
}

void (*glXGetProcAddressARB(const char *name))(void)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } others[] = {{"glGetString", (void (*)(void))glGetString},
                  {"glGetStringi", (void (*)(void))glGetStringi},
                  {"glGetError", (void (*)(void))glGetError},
                  {"glGetIntegerv", (void (*)(void))glGetIntegerv}};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (strcmp(name, others[i].name) == 0)
            return others[i].function;
    return (void (*)(void))stub_call;
}

void (*glXGetProcAddress(const char *name))(void)
{
    return glXGetProcAddressARB(name);
}

int glXMakeCurrent(void *display, unsigned long drawable, void *context)
{
    (void)display, (void)drawable;
    current = context;
    return 1;
}

void *glXGetCurrentContext(void)
{
    return current;
}
#endif
