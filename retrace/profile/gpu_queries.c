/* SPDX-License-Identifier: MIT */
#include "gpu_queries.h"

#include "profile_record.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef GL_GPU_DISJOINT_EXT
#define GL_GPU_DISJOINT_EXT 0x8FBB
#endif

static const struct {
    const char *name;
    size_t offset;
    bool is_query; /* belongs to an extension in OpenGL ES */
} functions[] = {
    {"glGenQueries", offsetof(struct gpu_query_functions, gen), true},
    {"glDeleteQueries", offsetof(struct gpu_query_functions, delete), true},
    {"glBeginQuery", offsetof(struct gpu_query_functions, begin), true},
    {"glEndQuery", offsetof(struct gpu_query_functions, end), true},
    {"glQueryCounter", offsetof(struct gpu_query_functions, counter), true},
    {"glGetQueryiv", offsetof(struct gpu_query_functions, get), true},
    {"glGetQueryObjectuiv", offsetof(struct gpu_query_functions, get_uint), true},
    {"glGetQueryObjectui64v", offsetof(struct gpu_query_functions, get_uint64), true},
    {"glGetInteger64v", offsetof(struct gpu_query_functions, get_time), true},
    {"glGetIntegerv", offsetof(struct gpu_query_functions, get_integers), false},
};

static void load(struct gpu_queries *q, gpu_get_proc get_proc, void *context)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", functions[i].name,
                 q->is_es && functions[i].is_query ? "EXT" : "");
        void *address = get_proc(context, name);
        memcpy((char *)&q->gl + functions[i].offset, &address, sizeof address);
    }
}

static bool has_target(struct gpu_queries *q, GLenum target)
{
    GLint bits = 0; /* stays so if the driver does not know the target */
    if (q->gl.get == NULL || q->gl.gen == NULL || q->gl.delete == NULL || q->gl.get_uint == NULL)
        return false;
    q->gl.get(target, GL_QUERY_COUNTER_BITS, &bits);
    return bits > 0;
}

void gpu_queries_enter(struct gpu_queries *q, bool is_es, gpu_get_proc get_proc, void *context)
{
    GLint64 now = 0;
    *q = (struct gpu_queries){.is_es = is_es};
    load(q, get_proc, context);
    bool begins = q->gl.begin != NULL && q->gl.end != NULL;
    bool long_results = q->gl.get_uint64 != NULL;
    q->has_times =
        long_results && q->gl.counter != NULL && q->gl.get_time != NULL && has_target(q, GL_TIMESTAMP);
    q->has_elapsed = long_results && begins && has_target(q, GL_TIME_ELAPSED);
    q->has_samples = !is_es && begins && has_target(q, GL_SAMPLES_PASSED);
    if (!q->has_times)
        return;
    q->gl.get_time(GL_TIMESTAMP, &now);
    q->offset = now - profile_clock();
}

void gpu_queries_leave(struct gpu_queries *q)
{
    if (q->unused_count > 0)
        q->gl.delete((GLsizei)q->unused_count, q->unused);
    free(q->unused);
    *q = (struct gpu_queries){0};
}

static void give_back(struct gpu_queries *q, GLuint query)
{
    if (ARRAY_RESERVE(q->unused, q->unused_count, q->unused_cap) == 0)
        q->unused[q->unused_count++] = query;
    else
        q->gl.delete(1, &query);
}

static GLuint new_query(struct gpu_queries *q)
{
    GLuint query = 0;
    if (q->unused_count > 0)
        return q->unused[--q->unused_count];
    q->gl.gen(1, &query);
    return query;
}

GLuint gpu_queries_stamp(struct gpu_queries *q)
{
    if (!q->has_times)
        return 0;
    GLuint query = new_query(q);
    if (query != 0)
        q->gl.counter(query, GL_TIMESTAMP);
    return query;
}

static bool is_in_use(struct gpu_queries *q, GLenum target)
{
    GLint query = 0;
    q->gl.get(target, GL_CURRENT_QUERY, &query);
    return query != 0;
}

GLuint gpu_queries_begin(struct gpu_queries *q, GLenum target)
{
    bool samples = target == GL_SAMPLES_PASSED;
    /* A name belongs to the target with which it is first used, and stamps have no target to begin, so names
     * of begun queries are not reused. */
    if (!(samples ? q->has_samples : q->has_elapsed) || is_in_use(q, target) ||
        (samples && is_in_use(q, GL_ANY_SAMPLES_PASSED)))
        return 0;
    GLuint query = 0;
    q->gl.gen(1, &query);
    if (query != 0)
        q->gl.begin(target, query);
    return query;
}

void gpu_queries_end(struct gpu_queries *q, GLenum target)
{
    q->gl.end(target);
}

bool gpu_queries_ready(struct gpu_queries *q, GLuint query)
{
    GLuint ready = GL_FALSE;
    q->gl.get_uint(query, GL_QUERY_RESULT_AVAILABLE, &ready);
    return ready != GL_FALSE;
}

static uint64_t result(struct gpu_queries *q, GLuint query)
{
    GLuint64 value = 0;
    GLuint small = 0;
    if (q->gl.get_uint64 != NULL) {
        q->gl.get_uint64(query, GL_QUERY_RESULT, &value);
        return value;
    }
    q->gl.get_uint(query, GL_QUERY_RESULT, &small);
    return small;
}

int64_t gpu_queries_take(struct gpu_queries *q, GLuint query)
{
    int64_t value = (int64_t)result(q, query);
    q->gl.delete(1, &query);
    return value;
}

int64_t gpu_queries_take_stamp(struct gpu_queries *q, GLuint query)
{
    int64_t value = (int64_t)result(q, query) - q->offset;
    give_back(q, query);
    return value;
}

bool gpu_queries_disjoint(struct gpu_queries *q)
{
    GLint disjoint = 0;
    if (q->is_es && (q->has_times || q->has_elapsed) && q->gl.get_integers != NULL)
        q->gl.get_integers(GL_GPU_DISJOINT_EXT, &disjoint);
    return disjoint != 0;
}
