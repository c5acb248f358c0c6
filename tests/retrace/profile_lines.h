/* SPDX-License-Identifier: MIT
 * Replays with a profile on a driver with timers, and reads what was printed.
 */
#ifndef TESTS_PROFILE_LINES_H
#define TESTS_PROFILE_LINES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "stub_gl.h"

#define FRAME "glXSwapBuffers dpy=0x10 drawable=77\n"
#define DRAW  "glDrawArrays mode=4 first=0 count=1\n"

static struct replay_options options;

static inline int reset(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.timers.enabled = true;
    stub_gl.timers.lag = 2;
    options = (struct replay_options){.benchmark = true, .single_thread = true};
    return 0;
}

/* Replays the calls. All queries must have been deleted. */
static inline void replay(const char *text)
{
    stub_gl_replay_printing(&options, text);
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(stub_gl.timers.made, stub_gl.timers.freed);
}

/* Finds the line of a call in the output. */
static inline const char *line_of(unsigned call)
{
    char start[24];
    snprintf(start, sizeof start, "\ncall %u ", call);
    const char *line = strstr(stub_gl.printed, start);
    if (line == NULL)
        fail_msg("no call %u in:\n%s", call, stub_gl.printed);
    return line + strlen(start);
}

struct line {
    long long gpu, gpu_time, cpu, cpu_time, vsize, vsize_more, rss, rss_more, pixels, program;
    char name[40];
};

static inline struct line read_line(unsigned call)
{
    struct line l;
    assert_int_equal(sscanf(line_of(call), "%lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %39s", &l.gpu,
                            &l.gpu_time, &l.cpu, &l.cpu_time, &l.vsize, &l.vsize_more, &l.rss, &l.rss_more,
                            &l.pixels, &l.program, l.name),
                     11);
    return l;
}

static inline void expect_printed(const char *part)
{
    if (strstr(stub_gl.printed, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, stub_gl.printed);
}

#endif
