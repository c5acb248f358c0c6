/* SPDX-License-Identifier: MIT
 * Draws from client arrays, which are replayed or not.
 */
#ifndef TESTS_ARRAY_DRAWS_H
#define TESTS_ARRAY_DRAWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

#define FOUR           "aaaabbbbccccddddeeeeffffgggghhhh" /* vertices of 8 bytes */
#define POINTER(bytes) "glVertexPointer size=2 type=5126 stride=0 pointer=#" bytes "\n"
#define DRAW(n)        "glDrawArrays mode=4 first=0 count=" n "\n"

static const GLenum arrays[] = {GL_VERTEX_ARRAY, GL_NORMAL_ARRAY, GL_TEXTURE_COORD_ARRAY, GL_EDGE_FLAG_ARRAY};

/* Replays the calls with all arrays enabled. Returns the number of calls that were left out, which are draws
 * that would have read too far. */
static inline unsigned replay(const char *calls)
{
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        stub_gl.integers[arrays[i]] = 1;
    stub_gl_replay(NULL, calls);
    if (stub_gl.failures > 0)
        stub_gl_expect_message(": a client array has fewer vertices than it reads");
    return (unsigned)stub_gl.failures;
}

/* Fails the test unless the draw is replayed, or is left out. */
static inline void expect(const char *calls, bool replayed)
{
    stub_gl_reset("4.6");
    if (replay(calls) != (replayed ? 0 : 1))
        fail_msg("%s should%s be replayed:\n%s%s", calls, replayed ? "" : " not", calls, stub_gl.messages);
}

#endif
