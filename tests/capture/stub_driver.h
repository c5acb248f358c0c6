/* SPDX-License-Identifier: MIT
 * A GL driver without GL, and a recorder without records: the hooks of the wrapper that follow GL's state can
 * be tested with it. The test says what the driver answers, makes calls, and looks at the fake calls that the
 * hooks record. A question between glBegin() and glEnd() fails the test, and one that the context's API
 * cannot answer.
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
    int32_t divisor;
};

/* What the driver says. */
struct stub_driver {
    const char *version, *extensions;
    bool in_begin; /* it must not be asked anything */
    /* By gl_array; those of texture units by unit. */
    struct stub_array arrays[GL_ARRAY_COUNT];
    uint32_t client_unit;
    int32_t integers[0x10000]; /* glGetIntegerv(), of what is no array's */
    uint8_t enabled[0x10000];  /* glIsEnabled(), likewise */
    const void *buffer;        /* contents of the buffer bound to any target */
    int32_t buffer_size, buffer_mapped, buffer_flags;
    bool reads_fail;    /* glMapBufferRange() does */
    unsigned questions; /* so far */
    unsigned maps, unmaps;
    /* More real functions, of a test's own; NULL for those that it does not have. */
    capture_function (*more)(uint32_t id);
    union spec_arg returned;      /* by the next call that is made */
    capture_function replacement; /* what the last call went to in place of the driver; NULL: to the driver */
};
extern struct stub_driver stub;

/* A recorded fake call. */
struct stub_call {
    const struct spec_function *function;
    union spec_arg args[STUB_ARGUMENTS];
    int64_t bytes;      /* of the memory; -1: none */
    uint8_t values[64]; /* the first bytes of the memory, or what the last argument points at */
};
extern struct stub_call stub_calls[STUB_CALLS];
extern unsigned stub_call_count;

/* A driver of this version, with everything in its initial state, and a thread with a new context that is
 * current. */
struct capture_thread *stub_start(const char *version);
void stub_stop(void);

/* Makes a call of the program's, with its hooks: before, what glCall does in the driver (unless NULL), after,
 * and what completes it. Returns whether it was recorded. */
bool stub_make(uint32_t function, const union spec_arg *args, void (*driver)(const union spec_arg *args));

/* A call's arguments: integers, and pointers as integers. */
#define STUB_MAKE(function, driver, ...)                                                                     \
    stub_make(SPEC_FN_##function, stub_arguments((const uint64_t[8]){__VA_ARGS__}), driver)
const union spec_arg *stub_arguments(const uint64_t values[8]);

/* An address as an argument. */
#define STUB_P(pointer) ((uint64_t)(uintptr_t)(pointer))

#endif
