/* SPDX-License-Identifier: MIT
 * Queries of times and samples: the GPU's clock is five seconds ahead of the CPU's, and takes a microsecond
 * from one stamp to the next. 300 samples pass each query of them.
 */
#include "stub_gl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

enum { MAX_QUERIES = 1000, TICK = 1000, SAMPLES = 300, ELAPSED = 7000 };

static struct {
    GLint64 base; /* the GPU's time at the first stamp */
    unsigned stamps;
    GLuint64 results[MAX_QUERIES];
    unsigned used_at[MAX_QUERIES], polls; /* the GPU advances whenever it is asked for a result */
    bool used[MAX_QUERIES];
    int context[MAX_QUERIES];   /* that has made it */
    GLenum target[MAX_QUERIES]; /* that it was first used for */
    GLuint current_samples, current_any, current_time;
} timers;

void stub_timers_reset(void)
{
    memset(&timers, 0, sizeof timers);
}

/* A program may begin queries that were not generated, whose names may be large. */
static GLuint query_index(GLuint query)
{
    assert_int_not_equal(query, 0);
    return query % MAX_QUERIES;
}

/* Contexts do not share queries. */
static void check_context(GLuint query)
{
    assert_int_equal(timers.context[query_index(query)], stub_windows_current());
}

static void use_for(GLuint query, GLenum target)
{
    GLenum *first = &timers.target[query_index(query)];
    if (*first == 0)
        *first = target;
    if (*first != target)
        stub_gl_log("a query of another target");
}

static void use(GLuint query, GLuint64 result)
{
    check_context(query);
    query = query_index(query);
    timers.results[query] = result;
    timers.used_at[query] = timers.polls;
    timers.used[query] = true;
}

static void make_queries(GLsizei count, GLuint *queries)
{
    for (GLsizei i = 0; i < count; ++i)
        timers.context[queries[i] = ++stub_gl.last_name] = stub_windows_current();
    stub_gl.timers.made += (unsigned)count;
}

static void delete_queries(GLsizei count, const GLuint *queries)
{
    for (GLsizei i = 0; i < count; ++i)
        if (timers.context[query_index(queries[i])] != 0) /* there is one */
            check_context(queries[i]);
    stub_gl.timers.freed += (unsigned)count;
}

static GLuint *current(GLenum target)
{
    if (target == GL_ANY_SAMPLES_PASSED)
        return &timers.current_any;
    return target == GL_TIME_ELAPSED ? &timers.current_time : &timers.current_samples;
}

static void begin_query(GLenum target, GLuint query)
{
    stub_gl_question();
    if (*current(target) != 0)
        stub_gl_log("a query in a query");
    *current(target) = query;
    if (timers.context[query_index(query)] == 0)
        timers.context[query_index(query)] = stub_windows_current();
    use_for(query, target);
}

static void end_query(GLenum target)
{
    stub_gl_question();
    use(*current(target), target == GL_TIME_ELAPSED ? ELAPSED : SAMPLES);
    *current(target) = 0;
}

static void get_time(GLenum pname, GLint64 *value)
{
    struct timespec t;
    assert_int_equal(pname, GL_TIMESTAMP);
    clock_gettime(CLOCK_MONOTONIC, &t);
    *value = (GLint64)(t.tv_sec + 5) * 1000000000 + t.tv_nsec;
    if (timers.base == 0)
        timers.base = *value;
}

static void stamp(GLuint query, GLenum target)
{
    stub_gl_question();
    assert_int_equal(target, GL_TIMESTAMP);
    use_for(query, target);
    use(query, (GLuint64)(timers.base + (GLint64)timers.stamps++ * TICK));
}

static void get_query(GLenum target, GLenum pname, GLint *value)
{
    stub_gl_question();
    if (pname == GL_CURRENT_QUERY)
        *value = (GLint)*current(target);
    else
        *value = target == GL_TIMESTAMP && stub_gl.timers.elapsed_only ? 0 : 64;
    if (stub_gl.timers.elapsed_only && target == GL_TIMESTAMP)
        stub_gl.error = GL_INVALID_ENUM; /* it does not know the target */
}

static bool is_ready(GLuint query)
{
    check_context(query);
    query = query_index(query);
    assert_true(timers.used[query]);
    return timers.polls - timers.used_at[query] >= stub_gl.timers.lag;
}

static void get_result(GLuint query, GLenum pname, GLuint *value)
{
    stub_gl_question();
    if (pname == GL_QUERY_RESULT) {
        stub_gl.timers.waits += !is_ready(query);
        *value = (GLuint)timers.results[query_index(query)];
        return;
    }
    assert_int_equal(pname, GL_QUERY_RESULT_AVAILABLE);
    *value = is_ready(query);
    timers.polls++;
}

static void get_long_result(GLuint query, GLenum pname, GLuint64 *value)
{
    stub_gl_question();
    assert_int_equal(pname, GL_QUERY_RESULT);
    stub_gl.timers.waits += !is_ready(query);
    *value = timers.results[query_index(query)];
}

void *stub_timers_function(const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
        {"glGenQueries", (void (*)(void))make_queries},
        {"glDeleteQueries", (void (*)(void))delete_queries},
        {"glBeginQuery", (void (*)(void))begin_query},
        {"glEndQuery", (void (*)(void))end_query},
        {"glQueryCounter", (void (*)(void))stamp},
        {"glGetQueryiv", (void (*)(void))get_query},
        {"glGetQueryObjectuiv", (void (*)(void))get_result},
        {"glGetQueryObjectui64v", (void (*)(void))get_long_result},
        {"glGetInteger64v", (void (*)(void))get_time},
    };
    size_t length = strlen(name);
    bool is_es = strncmp(stub_gl.version, "OpenGL ES", 9) == 0;
    if (is_es && length > 3 && strcmp(name + length - 3, "EXT") == 0)
        length -= 3;
    else if (is_es)
        return NULL; /* these names belong to an extension there */
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (strlen(functions[i].name) == length && strncmp(functions[i].name, name, length) == 0)
            return *(void **)(uintptr_t)&functions[i].function;
    return NULL;
}
