/* SPDX-License-Identifier: MIT
 * A GL driver without GL, and a recorder without records, for tests of the wrapper hooks that track GL state.
 * The test sets the driver's answers, makes calls, and checks the fake calls that the hooks record. A query
 * between glBegin() and glEnd() fails the test, and so does a query that the context's API does not have.
 */
#ifndef TESTS_STUB_DRIVER_H
#define TESTS_STUB_DRIVER_H

#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "lookup/real_functions.h"
#include "lookup/thunks.h"

#include "spec_ids.h"

enum { STUB_UNITS = 8, STUB_ATTRIBUTES = 16, STUB_CALLS = 128, STUB_ARGUMENTS = 9 };

/* A vertex array. */
struct stub_array {
    bool enabled;
    int32_t size, type, stride, buffer;
    const void *pointer;
    bool normalized, integer, is_long; /* generic attributes */
    uint32_t binding, relative_offset;
    int32_t binding_stride;                 /* 0: of the elements */
    int32_t binding_buffer, binding_offset; /* of the binding with this number */
    int32_t divisor;
};

/* The driver's answers. */
struct stub_driver {
    const char *version, *extensions;
    bool in_begin; /* it must not be queried */
    /* Indexed by gl_array; those of texture units by unit. */
    struct stub_array arrays[GL_ARRAY_COUNT];
    uint32_t client_unit;
    int32_t integers[0x10000]; /* results of glGetIntegerv(), except for arrays */
    uint8_t enabled[0x10000];  /* results of glIsEnabled(), likewise */
    const void *buffer;        /* contents of the buffer bound to any target */
    int32_t buffer_size, buffer_mapped, buffer_flags;
    /* x_glx_attribute(); NULL: the server tells nothing */
    bool (*glx_attribute)(void *display, unsigned long drawable, uint32_t attribute, uint32_t *value);
    unsigned egl_unloads; /* how often libEGL was unloaded */
    bool reads_fail;      /* glMapBufferRange() fails */
    unsigned questions;   /* number of queries so far */
    unsigned maps, unmaps;
    /* Returns further real functions, which a test defines; NULL for others. */
    capture_function (*more)(uint32_t id);
    union spec_arg returned; /* return value of the next call */
    /* What another thread does before the next call is in the trace; NULL: nothing. */
    void (*meanwhile)(struct capture_thread *t);
    /* Function that the last call went to instead of the driver; NULL: the driver. */
    capture_function replacement;
};
extern struct stub_driver stub;

/* A recorded fake call. */
struct stub_call {
    const struct spec_function *function;
    union spec_arg args[STUB_ARGUMENTS];
    int64_t bytes;      /* size of the memory; -1: none */
    uint8_t values[64]; /* the first bytes of the memory, or of what the last argument points to */
};
extern struct stub_call stub_calls[STUB_CALLS];
extern unsigned stub_call_count;

/* Expects the names of all recorded calls, in order, with a blank after each. */
void stub_expect_calls(const char *expected);

/* Creates a driver of this version in its initial state, and a thread with a new current context. */
struct capture_thread *stub_start(const char *version);
void stub_stop(void);

/* Makes a call of the program with its hooks: the before hook, the effect of glCall in the driver (unless
 * NULL), the after hook, and the completion. Returns whether the call was recorded. */
bool stub_make(uint32_t function, const union spec_arg *args, void (*driver)(const union spec_arg *args));

/* The arguments of a call are integers, and pointers converted to integers. */
#define STUB_MAKE(function, driver, ...)                                                                     \
    stub_make(SPEC_FN_##function, stub_arguments((const uint64_t[8]){__VA_ARGS__}), driver)
const union spec_arg *stub_arguments(const uint64_t values[8]);

/* Converts an address to an argument. */
#define STUB_P(pointer) ((uint64_t)(uintptr_t)(pointer))

#endif
