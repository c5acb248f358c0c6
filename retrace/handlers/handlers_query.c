/* SPDX-License-Identifier: MIT
 * Questions whose answers need more than a call: errors, and results of queries, which arrive later.
 */
#include "handlers/handlers.h"

#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "call/replay_args.h"
#include "check/replay_check.h"
#include "call/replay_invoke.h"
#include "objects/conditional_render.h"
#include "objects/replay_state.h"
#include "call/replay_values.h"

enum { MAX_WAIT_MS = 10000 };

/* The replayer asks for errors itself, so it keeps them until the program does. Replayed with --check only.
 * Between glBegin() and glEnd(), the question is an error itself, has no answer, and takes no error away. */
int handle_get_error(struct replayer *r, struct replay_call *c)
{
    if (r->current->inside_begin) {
        r->gl.glGetError();
        return 0;
    }
    bool is_unknown = r->current->error_unknown;
    r->current->error_unknown = false;
    c->ret.u = replay_take_error(r);
    if (is_unknown && c->ret.u != trace_value_to_uint(&c->call->ret, GL_NO_ERROR))
        r->check.answers[CHECK_DRIVER]++;
    else
        replay_check_answers(r, c, false);
    return 0;
}

/* The program got no error from a function that only the tracer had. */
int handle_offered(struct replayer *r, struct replay_call *c)
{
    if (r->current->inside_begin)
        return replay_generic(r, c);
    replay_keep_error(r);
    int rc = replay_generic(r, c);
    replay_clear_errors(r);
    return rc == TRACE_ERR_UNSUPPORTED ? 0 : rc;
}

static int note_target(struct replayer *r, struct replay_call *c, unsigned query, uint64_t target)
{
    int rc = replay_generic(r, c);
    if (rc != 0)
        return rc;
    conditional_render_begin_query(r, (GLuint)c->args[query].u);
    return int_map_set(&r->current->query_targets, replay_arg_uint(c, query, 0), target);
}

int handle_begin_query(struct replayer *r, struct replay_call *c)
{
    return note_target(r, c, 1, replay_arg_uint(c, 0, 0));
}

int handle_begin_query_indexed(struct replayer *r, struct replay_call *c)
{
    return note_target(r, c, 2, replay_arg_uint(c, 0, 0));
}

int handle_query_counter(struct replayer *r, struct replay_call *c)
{
    return note_target(r, c, 0, replay_arg_uint(c, 1, 0));
}

/* (id, mode) */
int handle_begin_conditional_render(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc == 0)
        rc = replay_invoke(r, c);
    if (rc == 0)
        conditional_render_begin(r, (GLuint)c->args[0].u, (GLenum)c->args[1].u);
    return rc;
}

int handle_end_conditional_render(struct replayer *r, struct replay_call *c)
{
    conditional_render_end(r);
    return replay_generic(r, c);
}

/* Waits until the result of the real query is there. Some drivers need to be asked again and again. */
static void wait_for_result(struct replayer *r, GLuint query)
{
    int64_t end = clock_milliseconds() + MAX_WAIT_MS;
    GLuint available = GL_FALSE;
    while (r->gl.glGetQueryObjectuiv != NULL && available == GL_FALSE) {
        replay_keep_error(r);
        r->gl.glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &available);
        if (r->gl.glGetError() != GL_NO_ERROR) {
            replay_clear_errors(r); /* the call itself has them, too */
            return;
        }
        if (available == GL_FALSE && clock_milliseconds() > end) {
            replay_warn(r, "the result of query %u does not arrive", query);
            return;
        }
        if (available == GL_FALSE)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
}

static bool is_time(const struct replayer *r, uint64_t query)
{
    uint64_t target = 0;
    int_map_get(&r->current->query_targets, query, &target);
    return target == GL_TIME_ELAPSED || target == GL_TIMESTAMP;
}

/* glGetQueryObject*(id, pname, params). Without --check, only results that differ are told. */
static int check_result(struct replayer *r, struct replay_call *c)
{
    const struct spec_param *p = spec_param(c->function->spec, 2);
    const struct trace_value *v = replay_arg(c, 2);
    struct trace_value element;
    union spec_arg is;
    replay_keep_error(r);
    int rc = replay_invoke_unchecked(r, c);
    if (replay_keep_call_error(r)) { /* so it wrote nothing: what is in the trace was there before */
        r->check.answers[CHECK_FAILED]++;
        return rc;
    }
    if (rc != 0 || v->type != TRACE_ARRAY || v->count == 0)
        return rc;
    trace_array_get(v, 0, &element);
    spec_load((enum spec_type)p->type, c->args[2].p, 0, &is);
    uint64_t was = replay_fit_integer((enum spec_type)p->type, trace_value_to_uint(&element, 0));
    if (element.type == TRACE_SINT)
        was = (uint64_t)element.u.sint;
    uint64_t distance = is.u > was ? is.u - was : was - is.u;
    if (r->options->check)
        replay_check_number(r, c, is.u, was, distance <= r->options->query_tolerance);
    else if (distance > r->options->query_tolerance)
        replay_warn(r, "the result of query %llu is %llu, but %llu in the trace",
                    (unsigned long long)replay_arg_uint(c, 0, 0), (unsigned long long)is.u,
                    (unsigned long long)was);
    return 0;
}

/* Results are only used if they go to a buffer. Reading others would only wait for the GPU. A program that
 * does not wait may have got nothing, and then the trace has what was in its memory before. */
int handle_query_result(struct replayer *r, struct replay_call *c)
{
    if (replay_state_get(r)->query_buffer)
        return replay_generic(r, c);
    if (r->options->query_handling == QUERY_SKIP)
        return 0;
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    GLenum pname = (GLenum)c->args[1].u;
    bool is_result = pname == GL_QUERY_RESULT || pname == GL_QUERY_RESULT_NO_WAIT;
    if (is_result && !r->current->inside_begin) /* where the question has no answer */
        wait_for_result(r, (GLuint)c->args[0].u);
    if (pname == GL_QUERY_RESULT && r->options->query_handling == QUERY_CHECK &&
        !is_time(r, replay_arg_uint(c, 0, 0)) && !r->current->inside_begin)
        return check_result(r, c);
    if (r->check.enabled)
        r->check.answers[CHECK_TIME]++; /* also whether it is available */
    return replay_invoke_unchecked(r, c);
}
