/* SPDX-License-Identifier: MIT
 * Replays with --check, and what the tests of it expect.
 */
#ifndef TESTS_CHECK_EXPECT_H
#define TESTS_CHECK_EXPECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "check/check_counts.h"
#include "stub_gl.h"

#define GET(pname, value) "glGetIntegerv pname=" #pname " params=[" #value "]\n"

static const struct replay_options check = {.check = true, .query_handling = QUERY_CHECK};

/* Replays calls with --check. Expects that this many answers are compared, and this many calls differ. */
static inline void expect(const struct replay_options *options, const char *calls, unsigned compared,
                          unsigned differing)
{
    stub_gl_replay_printing(options, calls);
    if (stub_gl.answers[CHECK_COMPARED] != compared || stub_gl.differing_calls != differing)
        fail_msg("%s%sprinted:\n%s%s", calls, stub_gl.messages, stub_gl.printed, stub_gl.log);
}

static inline void expect_printed(const char *part)
{
    if (strstr(stub_gl.printed, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, stub_gl.printed);
}

#endif
