/* SPDX-License-Identifier: MIT */
#include "state_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "failing_memory.h"
#include "windows/window_system.h"

struct state_driver state_driver;
const struct state_answer state_driver_zero = {.text = ""};

/* --- questions ------------------------------------------------------------------------------------------ */

/* Whether the name begins like one of them. */
static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(name, names) is_one_of(name, names, sizeof(names) / sizeof *(names))

bool state_driver_differs(void)
{
    return state_driver.failing != NULL || state_driver.silent != NULL || state_driver.zero != NULL;
}

void state_driver_set_error(void)
{
    state_driver.error = GL_INVALID_OPERATION;
    state_driver.more_errors = 2;
    state_driver.is_of_call = true;
}

void state_driver_log(const char *format, ...)
{
    size_t length = strlen(state_driver.log);
    va_list arguments;
    state_driver.is_finished = false;
    if (++state_driver.calls == state_driver.failing_call) {
        state_driver.failed = format;
        state_driver_set_error();
    }
    if (state_driver_differs())
        return;
    va_start(arguments, format);
    vsnprintf(state_driver.log + length, sizeof state_driver.log - length, format, arguments);
    va_end(arguments);
    strcat(state_driver.log, "\n");
}

/* Whether a function fails; it has an error then. */
bool state_driver_fails(const char *function)
{
    bool does = state_driver.fails != NULL && strcmp(state_driver.fails, function) == 0;
    if (does)
        state_driver_set_error();
    return does;
}

const struct state_answer *state_driver_find_answer(const char *function, GLuint object, GLuint index,
                                                    GLenum pname)
{
    for (const struct state_answer *a = state_driver.answers; a != NULL && a->function != NULL; ++a)
        if (strcmp(a->function, function) == 0 && a->object == object && a->index == index &&
            a->pname == pname && a != state_driver.failing)
            return a != state_driver.zero ? a : &state_driver_zero;
    return NULL;
}

/* Questions about what was just bound or linked may follow directly, and those of similar functions each
 * other. */
static void expect_no_error_before(const char *function)
{
    static const char *const of_calls[] = {"glGetBufferParameteriv", "glGetRenderbufferParameteriv",
                                           "glGetProgramiv", "glGetUniformLocation"};
    static const char *const alone[] = {"glGetIntegerv", "glIsEnabled", "glGetObjectLabel"};
    if (state_driver.error == GL_NO_ERROR)
        return;
    bool may_follow = state_driver.is_of_call ? IS_ONE_OF(function, of_calls)
                                              : strncmp(state_driver.asked, function, 12) == 0;
    if (!may_follow || IS_ONE_OF(function, alone))
        fail_msg("%s() is asked before an error of %s is cleared", function,
                 state_driver.is_of_call ? "a call" : state_driver.asked);
}

const struct state_answer *state_driver_give(const char *function, const struct state_answer *answer)
{
    expect_no_error_before(function);
    if (answer == NULL) {
        state_driver.error = GL_INVALID_ENUM;
        state_driver.more_errors = 2;
        state_driver.is_of_call = false;
        state_driver.asked = function;
    }
    return answer;
}

const struct state_answer *state_driver_answer(const char *function, GLuint object, GLuint index,
                                               GLenum pname)
{
    return state_driver_give(function, state_driver_find_answer(function, object, index, pname));
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static void *get_proc(struct window_system *ws, const char *name)
{
    char core[64];
    (void)ws;
    if (state_driver.lacks != NULL && strcmp(state_driver.lacks, name) == 0)
        return NULL;
    if (state_driver.has_oes_names && strstr(name, "Framebuffer") != NULL) {
        const char *suffix = strstr(name, "OES");
        snprintf(core, sizeof core, "%.*s", suffix != NULL ? (int)(suffix - name) : 0, name);
        name = core;
    }
    void *found = state_driver_question(name);
    return found != NULL ? found : state_driver_call(name);
}

/* Another context is state_driver, the one of the program NULL. */
static int create_context(struct window_system *ws, struct ws_context **out,
                          const struct context_config *config, struct ws_context *share)
{
    (void)ws;
    assert_null(share);
    if (10 * config->major + config->minor > state_driver.side_version)
        return trace_error_set(TRACE_ERR_IO, "no context");
    state_driver.sides++;
    state_driver.side_config = *config;
    *out = (struct ws_context *)&state_driver;
    return 0;
}

static void destroy_context(struct window_system *ws, struct ws_context *context)
{
    (void)ws;
    assert_ptr_equal(context, &state_driver);
    assert_false(state_driver.is_beside);
    state_driver.sides--;
}

/* Another context has no drawables, and the one of the program gets its own. One sees what another one has
 * done only once that is finished. */
static int make_current(struct window_system *ws, struct ws_context *context, struct ws_drawable *draw,
                        struct ws_drawable *read)
{
    bool fails = ++state_driver.switches == state_driver.failing_switch;
    const struct replay_drawable *window = context == NULL ? state_driver.window : NULL;
    const struct replay_drawable *source = context == NULL ? state_driver.source : NULL;
    (void)ws;
    assert_ptr_equal(draw, window != NULL ? window->ws : NULL);
    assert_ptr_equal(read, source != NULL ? source->ws : NULL);
    assert_int_equal(state_driver.error, GL_NO_ERROR);
    assert_true(state_driver.is_finished);
    state_driver.is_beside = context != NULL && !fails;
    return fails ? trace_error_set(TRACE_ERR_IO, "the context cannot be bound") : 0;
}

void state_driver_reset(const struct state_answer *answers)
{
    memset(&state_driver, 0, sizeof state_driver);
    state_driver.answers = answers;
    state_driver.version = 46;
}

/* Returns whether there was memory for the dump. What a part takes, it frees. */
static bool run(void (*part)(struct state_dump *d), struct buf *out)
{
    static const struct window_system_ops ops = {.get_proc = get_proc,
                                                 .create_context = create_context,
                                                 .destroy_context = destroy_context,
                                                 .make_current = make_current};
    struct window_system ws = {.ops = &ops};
    struct share_group group = {.references = 1};
    struct replay_context context = {
        .version = state_driver.version, .is_es = state_driver.is_es, .group = &group};
    context.config.no_error = state_driver.has_no_errors;
    context.config.debug = true;
    struct replay_thread thread = {.draw = state_driver.window, .read = state_driver.source};
    struct replayer r = {.ws = &ws, .current = &context, .thread = &thread, .options = &state_driver.options};
    struct state_dump d;
    gl_functions_load(&r.gl, &ws);
    failing_memory_begin(state_driver.failing_allocation);
    bool has_memory = state_dump_init(&d, &r, out, false) == 0;
    if (!has_memory)
        assert_string_equal(trace_error_message(), "out of memory for the names of enums");
    if (has_memory) {
        state_begin_object(&d.w);
        part(&d);
        state_end_object(&d.w);
    }
    has_memory = has_memory && !state_writer_failed(&d.w);
    state_memory_fini(&r.state_memory);
    if (failing_memory_end(&state_driver.has_failed) > (out->data != NULL ? 1 : 0))
        fail_msg("memory is not freed");
    assert_int_equal(state_driver.error, GL_NO_ERROR);
    assert_false(state_driver.is_beside || state_driver.sides != 0);
    if (state_driver.failing_switch == 0) /* or else objects of the other context may be left */
        state_driver_expect_no_objects();
    return has_memory;
}

/* A question has neither an answer nor an error. This is taken for an error, or for 0. Functions that return
 * the answer always give one; of glGetIntegerv(), defaults depend on who asks. */
static void expect_silence(void (*part)(struct state_dump *d), const struct state_driver *begin,
                           const struct state_answer *a, const char *without)
{
    static const char *const returning[] = {"glGetIntegerv",        "glIsEnabled",         "glGetString",
                                            "glGetUniformLocation", "glGetAttribLocation", "texture",
                                            "glTexSubImage"};
    static const char *const zeros[] = {"glGetActiveUniformsiv", "glGetProgramResourceiv", "glGetProgramiv",
                                        "glGetProgramPipelineiv"}; /* errors are 0 */
    struct buf silent = BUF_INIT, zero = BUF_INIT;
    if (IS_ONE_OF(a->function, returning))
        return;
    state_driver = *begin;
    state_driver.silent = a;
    assert_true(run(part, &silent));
    assert_int_equal(buf_append_byte(&silent, '\0'), 0);
    state_driver = *begin;
    state_driver.zero = a;
    assert_true(run(part, &zero));
    assert_int_equal(buf_append_byte(&zero, '\0'), 0);
    const char *text = (const char *)silent.data;
    if (IS_ONE_OF(a->function, zeros) && a->pname != GL_UNIFORM_BLOCK_INDEX &&
        strstr(a->function, "ARB") == NULL)
        assert_string_equal(without, (const char *)zero.data);
    if (strcmp(text, without) != 0 && strcmp(text, (const char *)zero.data) != 0)
        fail_msg("%s(%u, %u, 0x%x) is not answered:\n%s\n%s\n%s", a->function, a->object, a->index, a->pname,
                 text, without, (const char *)zero.data);
    buf_fini(&silent);
    buf_fini(&zero);
}

/* Each question in turn has an error: nothing of its answer may be in the dump. */
static void fail_each(void (*part)(struct state_dump *d), const struct state_driver *begin)
{
    for (const struct state_answer *a = begin->answers; a != NULL && a->function != NULL; ++a) {
        struct buf out = BUF_INIT;
        state_driver = *begin;
        state_driver.failing = a;
        assert_true(run(part, &out));
        assert_int_equal(buf_append_byte(&out, '\0'), 0);
        const char *text = (const char *)out.data;
        expect_silence(part, begin, a, text);
        if (strstr(text, GARBAGE_NUMBER) != NULL || strstr(text, GARBAGE_TEXT) != NULL)
            fail_msg("%s(%u, %u, 0x%x) has an error, but an answer in:\n%s", a->function, a->object, a->index,
                     a->pname, text);
        buf_fini(&out);
    }
}

/* Each call in turn has an error, which costs what is read with it, and nothing else. */
static void fail_each_call(void (*part)(struct state_dump *d), const struct state_driver *begin,
                           const char *json)
{
    static const char *const reads[] = {"glGetTexImage", "glReadPixels", "glGetBufferSubData",
                                        "glMapBufferRange", "glUnmapBuffer"};
    static const char *const prepares[] = {
        "glFramebuffer", "glRenderbuffer", "glBindFramebuffer", "glBindRenderbuffer", "glBindTexture",
        "glBlitFramebuffer", "glReadBuffer", "glEnable", "glDisable",
        /* shaders that read samples */
        "glCreate", "glShaderSource", "glCompileShader", "glAttachShader", "glLinkProgram", "glDeleteShader",
        "glBindBufferBase", "glBufferData", "glUseProgram", "glUniform", "glDispatchCompute",
        "glMemoryBarrier(0x%x)",
        /* those that draw textures */
        "glSamplerParameteri", "glBindSampler", "glTexParameteri", "glVertexAttribPointer",
        "glEnableVertexAttribArray", "glViewport", "glDrawArrays"};
    unsigned calls = state_driver.calls;
    for (unsigned i = 1; i <= calls; ++i) {
        struct buf out = BUF_INIT;
        state_driver = *begin;
        state_driver.failing_call = i;
        assert_true(run(part, &out));
        assert_int_equal(buf_append_byte(&out, '\0'), 0);
        bool is_read = IS_ONE_OF(state_driver.failed, reads);
        bool may_differ = is_read || IS_ONE_OF(state_driver.failed, prepares);
        bool differs = strcmp((const char *)out.data, json) != 0;
        if (differs ? !may_differ : is_read && state_driver.fails == NULL)
            fail_msg("an error of call %u, %s: %s", i, state_driver.failed, (const char *)out.data);
        buf_fini(&out);
    }
}

/* Each allocation in turn fails. What it was for may be missing. */
static void fail_each_allocation(void (*part)(struct state_dump *d), const struct state_driver *begin,
                                 const char *json)
{
    size_t size = strlen(json);
    state_driver.has_failed = true;
    for (unsigned i = 1; state_driver.has_failed; ++i) {
        struct buf out = BUF_INIT;
        state_driver = *begin;
        state_driver.failing_allocation = i;
        if (run(part, &out) && out.len >= size)
            assert_memory_equal(out.data, json, size);
        if (out.data != NULL)
            assert_null(memmem(out.data, out.len, "\"__data__\":\"\"", 13));
        buf_fini(&out);
    }
}

const char *state_driver_text(void (*part)(struct state_dump *d))
{
    static struct buf out;
    buf_clear(&out);
    assert_true(run(part, &out));
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    return (const char *)out.data;
}

void state_driver_run(void (*part)(struct state_dump *d))
{
    struct buf out = BUF_INIT;
    assert_true(run(part, &out));
    buf_fini(&out);
}

void state_driver_expect(void (*part)(struct state_dump *d), const char *json, const char *log)
{
    static struct state_driver begin, end;
    struct buf out = BUF_INIT;
    state_driver.calls = 0;
    begin = state_driver;
    assert_true(run(part, &out));
    assert_int_equal(buf_append_byte(&out, '\0'), 0);
    if (strcmp((const char *)out.data, json) != 0 || (log != NULL && strcmp(state_driver.log, log) != 0)) {
        fprintf(stderr, "the dump is:\n%s\nexpected:\n%s\n", (const char *)out.data, json);
        fprintf(stderr, "the log is:\n%s\nexpected:\n%s\n", state_driver.log, log != NULL ? log : "any");
        fail();
    }
    buf_fini(&out);
    end = state_driver;
    fail_each(part, &begin);
    state_driver = end;
    fail_each_allocation(part, &begin, json);
    fail_each_call(part, &begin, json);
    state_driver = end;
}
