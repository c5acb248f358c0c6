/* SPDX-License-Identifier: MIT
 * A driver with queries, for tests of profiles. It logs what it is called with.
 */
#ifndef TESTS_GPU_DRIVER_H
#define TESTS_GPU_DRIVER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "profile/gpu_queries.h"
#include "profile/profile_record.h"

static struct {
    const char *lacks;
    GLenum unknown;  /* target without counter */
    GLenum occupied; /* the program has a query of this target */
    GLint64 ahead;   /* of our clock */
    GLuint64 result;
    const GLuint64 *results; /* one after the other; NULL: always `result` */
    GLuint64 step;           /* more for each name */
    GLint disjoint;
    bool is_ready;
    bool logs_asks;      /* for results */
    bool gives_no_names; /* as a lost context */
    bool is_silent;      /* it answers nothing */
    GLuint names;
    char log[2000];
} driver;

static void __attribute__((format(printf, 1, 2))) logs(const char *format, ...)
{
    size_t n = strlen(driver.log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(driver.log + n, sizeof driver.log - n, format, arguments);
    va_end(arguments);
}

static void make(GLsizei count, GLuint *names)
{
    assert_int_equal(count, 1);
    if (!driver.gives_no_names)
        *names = ++driver.names;
}

static void delete (GLsizei count, const GLuint *names)
{
    for (GLsizei i = 0; i < count; ++i)
        logs("delete %u\n", names[i]);
}

static void begin(GLenum target, GLuint query)
{
    logs("begin 0x%x, %u\n", target, query);
}

static void end(GLenum target)
{
    logs("end 0x%x\n", target);
}

static void stamp(GLuint query, GLenum target)
{
    logs("stamp %u, 0x%x\n", query, target);
}

static void get(GLenum target, GLenum pname, GLint *value)
{
    if (driver.is_silent)
        return;
    if (pname == GL_CURRENT_QUERY)
        *value = target == driver.occupied ? 77 : 0;
    else if (pname == GL_QUERY_COUNTER_BITS && target != driver.unknown)
        *value = 1;
}

static void get_uint(GLuint query, GLenum pname, GLuint *value)
{
    if (driver.is_silent)
        return;
    if (pname == GL_QUERY_RESULT_AVAILABLE && driver.logs_asks)
        logs("ask %u\n", query);
    *value = pname == GL_QUERY_RESULT_AVAILABLE ? driver.is_ready : (GLuint)driver.result;
}

static void get_uint64(GLuint query, GLenum pname, GLuint64 *value)
{
    if (driver.is_silent)
        return;
    assert_int_equal(pname, GL_QUERY_RESULT);
    *value = driver.results != NULL ? *driver.results++ : driver.result + query * driver.step;
}

static void get_time(GLenum pname, GLint64 *value)
{
    assert_int_equal(pname, GL_TIMESTAMP);
    *value = profile_clock() + driver.ahead;
}

static void get_integers(GLenum pname, GLint *value)
{
    if (driver.is_silent)
        return;
    assert_int_equal(pname, 0x8FBB); /* GL_GPU_DISJOINT_EXT */
    *value = driver.disjoint;
}

/* In OpenGL ES, all but glGetIntegerv() belong to an extension. */
static void *get_proc(void *context, const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"glGenQueries", (void (*)(void))make},
        {"glDeleteQueries", (void (*)(void)) delete},
        {"glBeginQuery", (void (*)(void))begin},
        {"glEndQuery", (void (*)(void))end},
        {"glQueryCounter", (void (*)(void))stamp},
        {"glGetQueryiv", (void (*)(void))get},
        {"glGetQueryObjectuiv", (void (*)(void))get_uint},
        {"glGetQueryObjectui64v", (void (*)(void))get_uint64},
        {"glGetInteger64v", (void (*)(void))get_time},
    };
    const bool *is_es = context;
    if (driver.lacks != NULL && strcmp(name, driver.lacks) == 0)
        return NULL;
    if (strcmp(name, "glGetIntegerv") == 0)
        return (void *)(uintptr_t)get_integers;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        char known[64];
        snprintf(known, sizeof known, "%s%s", functions[i].name, *is_es ? "EXT" : "");
        if (strcmp(known, name) == 0)
            return *(void **)(uintptr_t)&functions[i].function;
    }
    return NULL;
}

#endif
