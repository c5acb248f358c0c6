/* SPDX-License-Identifier: MIT */
#include "check/replay_check.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "objects/replay_names.h"
#include "call/replay_values.h"
#include "replayer.h"
#include "runtime/invoke.h"
#include "spec_ids.h"

/* Outputs, except for new names, are filled with the recorded bytes, changed by this. What still looks like
 * that was not written, neither here nor in the program: gaps between rows of pixels, the rest of a buffer
 * that is too long, and everything if the call failed. */
enum { UNWRITTEN = 0xa5 };

enum { MAX_REPORTS = 20, MAX_REPORTS_OF_FUNCTION = 5 };

/* What is known about the answers of a call. */
struct question {
    struct replayer *r;
    struct replay_call *c;
    enum spec_answer answer;
    unsigned kind; /* of SPEC_ANSWER_NAME */
    bool differs;
    bool failed;     /* the call had an error */
    bool is_address; /* a number that is one */
    double tolerance;
};

/* --- reports ---------------------------------------------------------------------------------------- */

static bool reports(struct question *q)
{
    struct replay_function *fn = q->c->function;
    if (!q->differs) {
        q->differs = true;
        q->r->check.differing_calls++;
        fn->differences++;
    }
    return q->r->check.reported < MAX_REPORTS && fn->differences <= MAX_REPORTS_OF_FUNCTION;
}

__attribute__((format(printf, 2, 3))) static void report(struct question *q, const char *format, ...)
{
    va_list args;
    if (!reports(q))
        return;
    replay_progress_clear(&q->r->progress);
    FILE *out = replay_options_text_stream(q->r->options);
    q->r->check.reported++;
    fprintf(out, "%llu: difference: %s: ", (unsigned long long)q->r->call_number, q->c->function->sig->name);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
}

static const char *number_text(enum spec_type type, union spec_arg value, char text[40])
{
    if (type == SPEC_F32 || type == SPEC_F64)
        snprintf(text, 40, "%.9g", type == SPEC_F32 ? (double)value.f32 : value.f64);
    else if (type == SPEC_U64 || type == SPEC_PTR)
        snprintf(text, 40, "%llu", (unsigned long long)value.u);
    else
        snprintf(text, 40, "%lld", (long long)value.i);
    return text;
}

/* --- numbers ---------------------------------------------------------------------------------------- */

static bool near(double a, double b, double tolerance)
{
    double larger = fmax(1, fmax(fabs(a), fabs(b)));
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * larger;
}

static bool same_number(const struct question *q, enum spec_type type, union spec_arg real,
                        union spec_arg traced)
{
    if (type == SPEC_F32)
        return near((double)real.f32, (double)traced.f32, q->tolerance);
    if (type == SPEC_F64)
        return near(real.f64, traced.f64, q->tolerance);
    return replay_fit_integer(type, real.u) == replay_fit_integer(type, traced.u);
}

/* Returns the kind of objects whose name is the answer; 0: it is not a name. */
static unsigned kind_of(const struct question *q, const struct spec_param *p)
{
    return p->object != 0 ? p->object : q->answer == SPEC_ANSWER_NAME ? q->kind : 0;
}

static uint64_t name_in_float(double value)
{
    return value >= 0 && value <= UINT32_MAX ? (uint64_t)value : 0;
}

static uint64_t as_name(enum spec_type type, union spec_arg value)
{
    return type == SPEC_F32   ? name_in_float((double)value.f32)
           : type == SPEC_F64 ? name_in_float(value.f64)
                              : replay_fit_integer(type, value.u);
}

/* Converts a name of the trace to the one that the driver should answer. Locations and names may be asked for
 * as numbers of any type. */
static union spec_arg expected(const struct question *q, const struct spec_param *p, union spec_arg traced)
{
    unsigned kind = kind_of(q, p);
    if (kind == 0)
        return traced;
    uint64_t program = replay_scoping_program(q->r, q->c, p);
    uint64_t name = replay_map_name(q->r, kind, as_name(p->type, traced), program);
    if (p->type == SPEC_F32)
        return spec_arg_f32((float)name);
    return p->type == SPEC_F64 ? (union spec_arg){.f64 = (double)name} : (union spec_arg){.u = name};
}

/* An object that another context has deleted stays bound. The driver tells the name that it had. */
static bool same_answer(const struct question *q, const struct spec_param *p, union spec_arg real,
                        union spec_arg traced)
{
    unsigned kind = kind_of(q, p);
    return same_number(q, p->type, real, expected(q, p, traced)) ||
           (kind != 0 && replay_was_name(q->r, kind, as_name(p->type, traced), as_name(p->type, real)));
}

static union spec_arg traced_number(enum spec_type type, const struct trace_value *v)
{
    union spec_arg value = {.u = 0};
    if (type == SPEC_F32)
        value.f32 = (float)trace_value_to_double(v, 0);
    else if (type == SPEC_F64)
        value.f64 = trace_value_to_double(v, 0);
    else if (v->type == TRACE_SINT || v->type == TRACE_FLOAT || v->type == TRACE_DOUBLE)
        value.i = trace_value_to_sint(v, 0);
    else
        value.u = trace_value_to_uint(v, 0);
    return value;
}

/* --- memory ----------------------------------------------------------------------------------------- */

/* Returns the recorded contents of an output as the driver would write them, or NULL if there are none. */
static uint8_t *recorded_bytes(struct replayer *r, const struct spec_param *p, const struct trace_value *v,
                               size_t *size)
{
    bool bytes = v->type == TRACE_BLOB || v->type == TRACE_STRING;
    *size = v->count * (bytes ? 1 : spec_type_size(p->type));
    uint8_t *out = *size > 0 ? arena_alloc(&r->scratch, *size) : NULL;
    if (out == NULL)
        return NULL;
    if (bytes) {
        memcpy(out, v->type == TRACE_BLOB ? (const void *)v->u.blob : v->u.string, *size);
        return out;
    }
    for (uint64_t i = 0; i < v->count; ++i) {
        struct trace_value element;
        trace_array_get(v, i, &element);
        spec_store(p->type, out, i, traced_number(p->type, &element));
    }
    return out;
}

static bool is_compared_output(const struct replay_call *c, unsigned i)
{
    const struct spec_param *p = spec_param(c->function->spec, i);
    const struct trace_value *v = replay_arg(c, i);
    bool form = p->form == SPEC_FORM_ARRAY || p->form == SPEC_FORM_BLOB || p->form == SPEC_FORM_STRING;
    bool type = v->type == TRACE_ARRAY || v->type == TRACE_BLOB || v->type == TRACE_STRING;
    if (p->form != SPEC_FORM_ARRAY && v->type == TRACE_ARRAY)
        return false;
    return (p->flags & SPEC_PARAM_OUT) != 0 && form && type && c->args[i].p != NULL;
}

/* New names are not compared, and 0 where the driver has written none. */
static bool is_new_name(const struct spec_param *p)
{
    return p->object != 0 && (p->flags & SPEC_PARAM_CREATE) != 0;
}

bool replay_check_prepare(struct replayer *r, struct replay_call *c)
{
    const struct spec_function *f = c->function->spec;
    bool has_outputs = false;
    for (unsigned i = 0; i < f->param_count; ++i) {
        c->recorded[i] = NULL;
        if (!is_compared_output(c, i))
            continue;
        size_t size;
        has_outputs = true;
        c->recorded[i] = recorded_bytes(r, spec_param(f, i), replay_arg(c, i), &size);
        uint8_t *memory = c->args[i].p;
        for (size_t k = 0; c->recorded[i] != NULL && !is_new_name(spec_param(f, i)) && k < size; ++k)
            memory[k] = c->recorded[i][k] ^ UNWRITTEN;
    }
    return has_outputs;
}

static bool is_unwritten(const uint8_t *real, const uint8_t *traced, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        if (real[i] != (traced[i] ^ UNWRITTEN))
            return false;
    return true;
}

static void compare_array(struct question *q, const struct spec_param *p, unsigned i, uint64_t count)
{
    size_t size = spec_type_size(p->type);
    const uint8_t *real = q->c->args[i].p, *traced = q->c->recorded[i];
    uint64_t differing = 0, first = 0;
    for (uint64_t n = 0; n < count; ++n) {
        union spec_arg is, was;
        spec_load(p->type, real, n, &is);
        spec_load(p->type, traced, n, &was);
        if (is_unwritten(real + n * size, traced + n * size, size) || same_answer(q, p, is, was))
            continue;
        if (differing++ == 0)
            first = n;
    }
    if (differing == 0)
        return;
    char is_text[40], was_text[40];
    union spec_arg is, was;
    spec_load(p->type, real, first, &is);
    spec_load(p->type, traced, first, &was);
    report(q, "%s[%llu] is %s, but %s in the trace (%llu of %llu differ)", spec_string(p->name),
           (unsigned long long)first, number_text(p->type, is, is_text),
           number_text(p->type, expected(q, p, was), was_text), (unsigned long long)differing,
           (unsigned long long)count);
}

/* Returns the type of the elements in a blob, as the call's `type` argument tells it. */
static enum spec_type blob_type(const struct replay_call *c)
{
    const struct spec_function *f = c->function->spec;
    for (unsigned i = 0; i < f->param_count; ++i) {
        if (strcmp(spec_string(spec_param(f, i)->name), "type") != 0)
            continue;
        switch (c->args[i].u) {
        case GL_UNSIGNED_BYTE:
            return SPEC_U8;
        case GL_BYTE:
            return SPEC_I8;
        case GL_UNSIGNED_SHORT:
            return SPEC_U16;
        case GL_SHORT:
            return SPEC_I16;
        case GL_FLOAT:
            return SPEC_F32;
        default:
            return SPEC_VOID;
        }
    }
    return SPEC_VOID;
}

/* Channels of pixels may differ by a share of their range. */
static bool same_channel(const struct question *q, enum spec_type type, const uint8_t *real,
                         const uint8_t *traced, size_t index)
{
    static const double ranges[] = {[SPEC_I8] = 127, [SPEC_U8] = 255, [SPEC_I16] = 32767, [SPEC_U16] = 65535};
    union spec_arg is, was;
    spec_load(type, real, index, &is);
    spec_load(type, traced, index, &was);
    if (type == SPEC_F32)
        return same_number(q, type, is, was);
    return fabs((double)is.i - (double)was.i) <= q->tolerance * ranges[type];
}

static void compare_blob(struct question *q, const struct spec_param *p, unsigned i, uint64_t count)
{
    const uint8_t *real = q->c->args[i].p, *traced = q->c->recorded[i];
    enum spec_type type = q->tolerance > 0 ? blob_type(q->c) : SPEC_VOID;
    size_t size = type != SPEC_VOID ? spec_type_size(type) : 1;
    uint64_t differing = 0, first = 0;
    for (uint64_t at = 0; at + size <= count; at += size) {
        if (memcmp(real + at, traced + at, size) == 0 || is_unwritten(real + at, traced + at, size) ||
            (type != SPEC_VOID && same_channel(q, type, real, traced, at / size)))
            continue;
        if (differing++ == 0)
            first = at;
    }
    if (differing > 0)
        report(q, "%s: %llu of %llu bytes differ, the first at %llu: 0x%02x, but 0x%02x in the trace",
               spec_string(p->name), (unsigned long long)(differing * size), (unsigned long long)count,
               (unsigned long long)first, real[first], traced[first]);
}

/* --- answers ---------------------------------------------------------------------------------------- */

static enum check_reason reason_of(const struct question *q, const struct spec_param *p)
{
    if (q->failed && (p->flags & SPEC_PARAM_OUT) != 0)
        return CHECK_FAILED;
    if (q->answer == SPEC_ANSWER_DRIVER)
        return CHECK_DRIVER;
    if (q->answer == SPEC_ANSWER_TIME)
        return CHECK_TIME;
    if (q->answer == SPEC_ANSWER_WINDOW && (q->r->ws->is_offscreen || q->r->thread->draw == NULL))
        return CHECK_WINDOW;
    if (is_new_name(p))
        return CHECK_NAME;
    return p->type == SPEC_PTR || q->is_address ? CHECK_POINTER : CHECK_COMPARED;
}

static void check_output(struct question *q, unsigned i)
{
    const struct spec_param *p = spec_param(q->c->function->spec, i);
    enum check_reason reason = reason_of(q, p);
    if (q->c->recorded[i] == NULL)
        return;
    q->r->check.answers[reason]++;
    if (reason != CHECK_COMPARED)
        return;
    const struct trace_value *v = replay_arg(q->c, i);
    if (p->form == SPEC_FORM_ARRAY && v->type == TRACE_ARRAY)
        compare_array(q, p, i, v->count);
    else
        compare_blob(q, p, i, v->count);
}

static void compare_existence(struct question *q, bool is, bool was)
{
    if (is != was)
        report(q, "%s, but not in the trace", is ? "there is one" : "there is none");
}

/* New locations have other numbers, but not having one is an answer, too. */
static void check_new_name(struct question *q, const struct spec_param *p, const struct trace_value *v)
{
    const struct spec_object_kind *k = &spec_object_kinds[p->object];
    bool is = k->zero_is_name ? (int32_t)q->c->ret.i != -1 : q->c->ret.u != 0;
    bool was = k->zero_is_name ? (int32_t)trace_value_to_sint(v, 0) != -1 : trace_value_to_uint(v, 0) != 0;
    compare_existence(q, is, was);
}

static void check_result(struct question *q)
{
    const struct spec_param *p = &q->c->function->spec->ret;
    const struct trace_value *v = &q->c->call->ret;
    bool is_number = v->type == TRACE_SINT || v->type == TRACE_UINT || v->type == TRACE_ENUM ||
                     v->type == TRACE_BITMASK || v->type == TRACE_FLOAT || v->type == TRACE_DOUBLE ||
                     v->type == TRACE_TRUE || v->type == TRACE_FALSE;
    if (p->type == SPEC_VOID || v->type == TRACE_NONE)
        return;
    enum check_reason reason = reason_of(q, p);
    if (reason == CHECK_COMPARED && (!is_number || p->form != SPEC_FORM_VALUE))
        reason = CHECK_POINTER;
    q->r->check.answers[reason]++;
    if (reason == CHECK_NAME)
        check_new_name(q, p, v);
    if (reason != CHECK_COMPARED)
        return;
    union spec_arg traced = traced_number(p->type, v);
    char is_text[40], was_text[40];
    if (!same_answer(q, p, q->c->ret, traced))
        report(q, "returned %s, but %s in the trace", number_text(p->type, q->c->ret, is_text),
               number_text(p->type, expected(q, p, traced), was_text));
}

/* Buffers of windows, that have names of their own: those of framebuffer objects have others. */
static bool is_buffer_of_window(uint64_t attachment)
{
    return (attachment >= GL_FRONT_LEFT && attachment <= GL_AUX3) ||
           (attachment >= GL_COLOR && attachment <= GL_STENCIL);
}

static bool is_param(const struct spec_function *f, unsigned i, const char *name)
{
    return i < f->param_count && strcmp(spec_string(spec_param(f, i)->name), name) == 0;
}

/* Returns the kind of what is attached, of whose name a call (framebuffer or target, attachment, pname,
 * params) has asked. The driver is asked by the same function. */
static unsigned attached_kind(const struct question *q)
{
    GLint type = GL_NONE;
    union spec_arg unused,
        args[] = {q->c->args[0], q->c->args[1], {.u = GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE}, {.p = &type}};
    spec_invoke(q->c->function->spec, q->c->function->proc, args, &unused);
    return type == GL_TEXTURE ? SPEC_OBJECT_texture : type == GL_RENDERBUFFER ? SPEC_OBJECT_renderbuffer : 0;
}

static bool asks_for_attached(const struct question *q)
{
    const struct spec_function *f = q->c->function->spec;
    return f->param_count == 4 && is_param(f, 1, "attachment") && is_param(f, 2, "pname") &&
           q->c->args[2].u == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && !q->failed &&
           !q->r->current->inside_begin;
}

/* Returns the buffer of a binding of attributes. object: an array object; NULL: the bound one. */
static GLint buffer_of_binding(const struct gl_functions *gl, const union spec_arg *object, GLuint index)
{
    GLint bound = 0, buffer = 0;
    gl->glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
    bool is_other = object != NULL && (GLuint)object->u != (GLuint)bound;
    if (is_other)
        gl->glBindVertexArray((GLuint)object->u);
    gl->glGetIntegeri_v(GL_VERTEX_BINDING_BUFFER, index, &buffer);
    if (is_other)
        gl->glBindVertexArray((GLuint)bound);
    return buffer;
}

/* Drivers answer with the address of an array that is in client memory. A call (target, index, data), or
 * (array object, index, pname, params), has asked for its offset. */
static bool asks_for_address(const struct question *q)
{
    const struct spec_function *f = q->c->function->spec;
    const union spec_arg *args = q->c->args;
    const struct gl_functions *gl = &q->r->gl;
    bool of_object = f->param_count == 4 && is_param(f, 2, "pname");
    if ((!of_object && f->param_count != 3) || !is_param(f, 1, "index") ||
        args[of_object ? 2 : 0].u != GL_VERTEX_BINDING_OFFSET || q->failed || q->r->current->inside_begin ||
        gl->glBindVertexArray == NULL || gl->glGetIntegeri_v == NULL)
        return false;
    return buffer_of_binding(gl, of_object ? args : NULL, (GLuint)args[1].u) == 0;
}

/* Finds out what the call asks for, by its pname. */
static void classify(struct question *q)
{
    const struct spec_function *f = q->c->function->spec;
    q->answer = (f->flags & SPEC_FUNCTION_DRIVER) != 0 ? SPEC_ANSWER_DRIVER
                : (f->flags & SPEC_FUNCTION_TIME) != 0 ? SPEC_ANSWER_TIME
                                                       : SPEC_ANSWER_VALUE;
    for (unsigned i = 0; i < f->param_count && q->answer == SPEC_ANSWER_VALUE; ++i) {
        const struct spec_param *p = spec_param(f, i);
        const char *name = spec_string(p->name);
        bool indexed = strcmp(name, "target") == 0 && i + 2 < f->param_count &&
                       strcmp(spec_string(spec_param(f, i + 1)->name), "index") == 0;
        if (p->form == SPEC_FORM_VALUE &&
            (indexed || strcmp(name, "pname") == 0 || strcmp(name, "value") == 0))
            q->answer = spec_answer_to((uint32_t)q->c->args[i].u, &q->kind);
        if (p->form == SPEC_FORM_VALUE && strcmp(name, "attachment") == 0 &&
            is_buffer_of_window(q->c->args[i].u))
            q->answer = SPEC_ANSWER_WINDOW;
    }
    if (q->answer == SPEC_ANSWER_VALUE && asks_for_attached(q)) {
        q->answer = SPEC_ANSWER_NAME;
        q->kind = attached_kind(q);
    }
    q->is_address = asks_for_address(q);
}

void replay_check_answers(struct replayer *r, struct replay_call *c, bool failed)
{
    const struct spec_function *f = c->function->spec;
    struct question q = {.r = r, .c = c, .failed = failed, .tolerance = r->options->tolerance};
    if (!r->check.enabled || (c->call->flags & TRACE_CALL_FAKE) != 0)
        return; /* the program did not ask */
    classify(&q);
    for (unsigned i = 0; i < f->param_count; ++i)
        if ((spec_param(f, i)->flags & SPEC_PARAM_OUT) != 0)
            check_output(&q, i);
    check_result(&q);
}

void replay_check_number(struct replayer *r, struct replay_call *c, uint64_t is, uint64_t was, bool same)
{
    struct question q = {.r = r, .c = c};
    if (!r->check.enabled)
        return;
    r->check.answers[CHECK_COMPARED]++;
    if (!same)
        report(&q, "%llu, but %llu in the trace", (unsigned long long)is, (unsigned long long)was);
}

void replay_check_new_name(struct replayer *r, struct replay_call *c, bool is, bool was)
{
    struct question q = {.r = r, .c = c};
    if (!r->check.enabled)
        return;
    r->check.answers[CHECK_NAME]++;
    compare_existence(&q, is, was);
}

enum check_reason replay_check_reason(const struct replay_function *fn)
{
    return (fn->spec->flags & SPEC_FUNCTION_DRIVER) != 0 ? CHECK_DRIVER
           : (fn->spec->flags & SPEC_FUNCTION_TIME) != 0 ? CHECK_TIME
                                                         : CHECK_COMPARED;
}

void replay_check_summary(const struct replayer *r, FILE *out)
{
    static const char *const reasons[] = {"",
                                          "new names",
                                          "pointers",
                                          "times",
                                          "properties of the driver",
                                          "properties of windows",
                                          "results of calls with errors"};
    const struct replay_check *check = &r->check;
    const char *separator = "; not compared:";
    fprintf(out, "Checked %llu answers", (unsigned long long)check->answers[CHECK_COMPARED]);
    for (unsigned i = 1; i < CHECK_REASON_COUNT; ++i) {
        if (check->answers[i] == 0)
            continue;
        fprintf(out, "%s %llu %s", separator, (unsigned long long)check->answers[i], reasons[i]);
        separator = ",";
    }
    if (check->differing_calls == 0) {
        fputs(check->answers[CHECK_COMPARED] > 0 ? "\nNo differences\n" : "\nNothing was compared\n", out);
        return;
    }
    fprintf(out, "\n%llu calls differ:", (unsigned long long)check->differing_calls);
    separator = " ";
    for (size_t i = 0; i < r->functions.cap; ++i) {
        if (r->functions.slots[i].state != INT_MAP_USED)
            continue;
        const struct replay_function *fn = (const void *)(uintptr_t)r->functions.slots[i].value;
        if (fn->differences > 0) {
            fprintf(out, "%s%s (%llu)", separator, fn->sig->name, (unsigned long long)fn->differences);
            separator = ", ";
        }
    }
    fputc('\n', out);
}
