/* SPDX-License-Identifier: MIT */
#include "state_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "windows/window_system.h"

/* What a question with an error is answered with, as by some drivers. */
enum { GARBAGE = 23469 };
#define GARBAGE_NUMBER "23469"
#define GARBAGE_TEXT   "garbage"

struct state_driver state_driver;

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

void state_driver_set_error(void)
{
    state_driver.error = GL_INVALID_OPERATION;
    state_driver.is_of_call = true;
}

void state_driver_log(const char *format, ...)
{
    size_t length = strlen(state_driver.log);
    va_list arguments;
    if (++state_driver.calls == state_driver.failing_call) {
        state_driver.failed = format;
        state_driver_set_error();
    }
    if (state_driver.failing != NULL)
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
            return a;
    return NULL;
}

/* Questions about what was just bound may follow it directly, and those of similar functions each other. */
static void expect_no_error_before(const char *function)
{
    static const char *const of_bindings[] = {"glGetBufferParameteriv", "glGetRenderbufferParameteriv"};
    static const char *const alone[] = {"glGetIntegerv", "glIsEnabled", "glGetObjectLabel"};
    if (state_driver.error == GL_NO_ERROR)
        return;
    bool may_follow = state_driver.is_of_call ? IS_ONE_OF(function, of_bindings)
                                              : strncmp(state_driver.asked, function, 12) == 0;
    if (!may_follow || IS_ONE_OF(function, alone))
        fail_msg("%s() is asked before an error of %s is cleared", function,
                 state_driver.is_of_call ? "a call" : state_driver.asked);
}

const struct state_answer *state_driver_answer(const char *function, GLuint object, GLuint index,
                                               GLenum pname)
{
    const struct state_answer *found = state_driver_find_answer(function, object, index, pname);
    expect_no_error_before(function);
    if (found == NULL) {
        state_driver.error = GL_INVALID_ENUM;
        state_driver.is_of_call = false;
        state_driver.asked = function;
    }
    return found;
}

static unsigned count_of(const struct state_answer *a)
{
    unsigned count = 4;
    while (count > 1 && a->values[count - 1] == 0)
        --count;
    return count;
}

#define DEFINE_GET(name, type)                                                                               \
    static void name(const char *function, GLuint object, GLuint index, GLenum pname, type *out)             \
    {                                                                                                        \
        const struct state_answer *a = state_driver_answer(function, object, index, pname);                  \
        if (a == NULL)                                                                                       \
            out[0] = (type)GARBAGE;                                                                          \
        for (unsigned i = 0; a != NULL && i < count_of(a); ++i)                                              \
            out[i] = (type)a->values[i];                                                                     \
    }
DEFINE_GET(get_ints, GLint)
DEFINE_GET(get_uints, GLuint)
DEFINE_GET(get_longs, GLint64)
DEFINE_GET(get_floats, GLfloat)
DEFINE_GET(get_doubles, GLdouble)
DEFINE_GET(get_booleans, GLboolean)

void state_driver_get(const char *function, GLuint object, GLuint index, GLenum pname, GLint *out)
{
    get_ints(function, object, index, pname, out);
}

static void get_address(const char *function, GLuint object, GLenum pname, void **out)
{
    const struct state_answer *a = state_driver_answer(function, object, 0, pname);
    *out = (void *)(uintptr_t)(a != NULL ? a->values[0] : GARBAGE);
}

static const char *text_of(const char *function, GLuint object, GLuint index, GLenum pname)
{
    const struct state_answer *a = state_driver_answer(function, object, index, pname);
    return a != NULL ? a->text : GARBAGE_TEXT;
}

#define ONE(function, name, type, get)                                                                       \
    static void function(GLenum pname, type *out)                                                            \
    {                                                                                                        \
        get(name, 0, 0, pname, out);                                                                         \
    }
#define OF_OBJECT(function, name, type, get)                                                                 \
    static void function(GLuint object, GLenum pname, type *out)                                             \
    {                                                                                                        \
        get(name, object, 0, pname, out);                                                                    \
    }
#define OF_INDEX(function, name, type, get)                                                                  \
    static void function(GLuint object, GLuint index, GLenum pname, type *out)                               \
    {                                                                                                        \
        get(name, object, index, pname, out);                                                                \
    }
#define INDEXED(function, name, type, get)                                                                   \
    static void function(GLenum pname, GLuint index, type *out)                                              \
    {                                                                                                        \
        get(name, 0, index, pname, out);                                                                     \
    }

ONE(get_booleanv, "glGetBooleanv", GLboolean, get_booleans)
ONE(get_floatv, "glGetFloatv", GLfloat, get_floats)
INDEXED(get_integer64i, "glGetInteger64i_v", GLint64, get_longs)
INDEXED(get_integeri, "glGetIntegeri_v", GLint, get_ints)
OF_OBJECT(get_light, "glGetLightfv", GLfloat, get_floats)
OF_OBJECT(get_material, "glGetMaterialfv", GLfloat, get_floats)
OF_OBJECT(get_attrib, "glGetVertexAttribiv", GLint, get_ints)
OF_OBJECT(get_attribf, "glGetVertexAttribfv", GLfloat, get_floats)
OF_OBJECT(get_tex, "glGetTexParameteriv", GLint, get_ints)
OF_OBJECT(get_texf, "glGetTexParameterfv", GLfloat, get_floats)
OF_OBJECT(get_sampler, "glGetSamplerParameteriv", GLint, get_ints)
OF_OBJECT(get_samplerf, "glGetSamplerParameterfv", GLfloat, get_floats)
OF_OBJECT(get_env, "glGetTexEnviv", GLint, get_ints)
OF_OBJECT(get_envf, "glGetTexEnvfv", GLfloat, get_floats)
OF_OBJECT(get_arb, "glGetProgramivARB", GLint, get_ints)
OF_OBJECT(get_program, "glGetProgramiv", GLint, get_ints)
OF_OBJECT(get_pipeline, "glGetProgramPipelineiv", GLint, get_ints)
OF_OBJECT(get_shader, "glGetShaderiv", GLint, get_ints)
OF_OBJECT(get_location_floats, "glGetUniformfv", GLfloat, get_floats)
OF_OBJECT(get_location_doubles, "glGetUniformdv", GLdouble, get_doubles)
OF_OBJECT(get_location_ints, "glGetUniformiv", GLint, get_ints)
OF_OBJECT(get_location_uints, "glGetUniformuiv", GLuint, get_uints)
OF_OBJECT(get_env_parameter, "glGetProgramEnvParameterdvARB", GLdouble, get_doubles)
OF_OBJECT(get_local_parameter, "glGetProgramLocalParameterdvARB", GLdouble, get_doubles)
OF_INDEX(get_level, "glGetTexLevelParameteriv", GLint, get_ints)
OF_INDEX(get_attachment, "glGetFramebufferAttachmentParameteriv", GLint, get_ints)
OF_INDEX(get_block, "glGetActiveUniformBlockiv", GLint, get_ints)

static GLenum get_error(void)
{
    GLenum error = state_driver.error;
    state_driver.error = GL_NO_ERROR;
    return error;
}

static bool is_texture_binding(GLenum pname)
{
    static const GLenum bindings[] = {
        GL_TEXTURE_BINDING_1D,       GL_TEXTURE_BINDING_2D,
        GL_TEXTURE_BINDING_3D,       GL_TEXTURE_BINDING_CUBE_MAP,
        GL_TEXTURE_BINDING_1D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY,
        GL_TEXTURE_BINDING_BUFFER,   GL_TEXTURE_BINDING_RECTANGLE,
        GL_SAMPLER_BINDING,          GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
    };
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; ++i)
        if (bindings[i] == pname)
            return true;
    return false;
}

static void get_integerv(GLenum pname, GLint *out)
{
    get_ints("glGetIntegerv", is_texture_binding(pname) ? state_driver.unit : 0, 0, pname, out);
}

static GLboolean is_enabled(GLenum capability)
{
    const struct state_answer *a = state_driver_answer("glIsEnabled", 0, 0, capability);
    return a == NULL || a->values[0] != 0;
}

static const GLubyte *get_string(GLenum name)
{
    return (const GLubyte *)text_of("glGetString", 0, 0, name);
}

static void get_pointer(GLenum pname, void **out)
{
    get_address("glGetPointerv", 0, pname, out);
}

static void get_attrib_pointer(GLuint index, GLenum pname, void **out)
{
    get_address("glGetVertexAttribPointerv", index, pname, out);
}

static void get_buffer_pointer(GLenum target, GLenum pname, void **out)
{
    get_address("glGetBufferPointerv", target, pname, out);
}

static void get_label(GLenum identifier, GLuint name, GLsizei room, GLsizei *length, GLchar *out)
{
    const char *text = text_of("glGetObjectLabel", identifier, name, 0);
    (void)length;
    if (text != NULL)
        snprintf(out, (size_t)room, "%s", text);
}

/* --- programs ------------------------------------------------------------------------------------------- */

static void get_shaders(GLuint program, GLsizei room, GLsizei *count, GLuint *out)
{
    const struct state_answer *a = state_driver_answer("glGetAttachedShaders", program, 0, 0);
    for (*count = 0; a != NULL && *count < 4 && *count < room && a->values[*count] != 0; ++*count)
        out[*count] = (GLuint)a->values[*count];
    if (a == NULL && room > 0)
        out[(*count)++] = GARBAGE;
}

static void get_source(GLuint shader, GLsizei room, GLsizei *length, GLchar *out)
{
    const char *text = text_of("glGetShaderSource", shader, 0, 0);
    if (text != NULL)
        *length = snprintf(out, (size_t)room, "%s", text);
}

static void get_arb_source(GLenum target, GLenum pname, void *out)
{
    const struct state_answer *a = state_driver_answer("glGetProgramStringARB", target, 0, pname);
    memcpy(out, a != NULL ? a->text : "?", a != NULL ? strlen(a->text) : 1);
}

/* Values: how many elements, the type. */
static void get_uniform(GLuint program, GLuint index, GLsizei room, GLsizei *length, GLint *count,
                        GLenum *type, GLchar *name)
{
    const struct state_answer *a = state_driver_answer("glGetActiveUniform", program, index, 0);
    *count = a != NULL ? (GLint)a->values[0] : GARBAGE;
    *type = a != NULL ? (GLenum)a->values[1] : GL_FLOAT;
    *length = snprintf(name, (size_t)room, "%s", a != NULL ? a->text : GARBAGE_TEXT);
}

static GLint get_location(GLuint program, const GLchar *name)
{
    for (const struct state_answer *a = state_driver.answers; a != NULL && a->function != NULL; ++a)
        if (strcmp(a->function, "glGetUniformLocation") == 0 && a->object == program &&
            strcmp(a->text, name) == 0)
            return (GLint)a->values[0];
    return -1;
}

static void get_uniforms(GLuint program, GLsizei count, const GLuint *indices, GLenum pname, GLint *out)
{
    assert_int_equal(count, 1);
    get_ints("glGetActiveUniformsiv", program, indices[0], pname, out);
}

void *state_driver_find(const struct state_function *functions, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(functions[i].name, name) == 0)
            return *(void **)(uintptr_t)&functions[i].function;
    return NULL;
}

static void *find(const char *name)
{
    static const struct state_function functions[] = {
        {"glGetActiveUniform", (void (*)(void))get_uniform},
        {"glGetActiveUniformBlockiv", (void (*)(void))get_block},
        {"glGetActiveUniformsiv", (void (*)(void))get_uniforms},
        {"glGetAttachedShaders", (void (*)(void))get_shaders},
        {"glGetBooleanv", (void (*)(void))get_booleanv},
        {"glGetBufferPointerv", (void (*)(void))get_buffer_pointer},
        {"glGetError", (void (*)(void))get_error},
        {"glGetFloatv", (void (*)(void))get_floatv},
        {"glGetFramebufferAttachmentParameteriv", (void (*)(void))get_attachment},
        {"glGetInteger64i_v", (void (*)(void))get_integer64i},
        {"glGetIntegeri_v", (void (*)(void))get_integeri},
        {"glGetIntegerv", (void (*)(void))get_integerv},
        {"glGetLightfv", (void (*)(void))get_light},
        {"glGetMaterialfv", (void (*)(void))get_material},
        {"glGetObjectLabel", (void (*)(void))get_label},
        {"glGetPointerv", (void (*)(void))get_pointer},
        {"glGetProgramEnvParameterdvARB", (void (*)(void))get_env_parameter},
        {"glGetProgramLocalParameterdvARB", (void (*)(void))get_local_parameter},
        {"glGetProgramPipelineiv", (void (*)(void))get_pipeline},
        {"glGetProgramStringARB", (void (*)(void))get_arb_source},
        {"glGetProgramiv", (void (*)(void))get_program},
        {"glGetProgramivARB", (void (*)(void))get_arb},
        {"glGetSamplerParameterfv", (void (*)(void))get_samplerf},
        {"glGetSamplerParameteriv", (void (*)(void))get_sampler},
        {"glGetShaderSource", (void (*)(void))get_source},
        {"glGetShaderiv", (void (*)(void))get_shader},
        {"glGetString", (void (*)(void))get_string},
        {"glGetTexEnvfv", (void (*)(void))get_envf},
        {"glGetTexEnviv", (void (*)(void))get_env},
        {"glGetTexLevelParameteriv", (void (*)(void))get_level},
        {"glGetTexParameterfv", (void (*)(void))get_texf},
        {"glGetTexParameteriv", (void (*)(void))get_tex},
        {"glGetUniformLocation", (void (*)(void))get_location},
        {"glGetUniformdv", (void (*)(void))get_location_doubles},
        {"glGetUniformfv", (void (*)(void))get_location_floats},
        {"glGetUniformiv", (void (*)(void))get_location_ints},
        {"glGetUniformuiv", (void (*)(void))get_location_uints},
        {"glGetVertexAttribPointerv", (void (*)(void))get_attrib_pointer},
        {"glGetVertexAttribfv", (void (*)(void))get_attribf},
        {"glGetVertexAttribiv", (void (*)(void))get_attrib},
        {"glIsEnabled", (void (*)(void))is_enabled},
    };
    return state_driver_find(functions, sizeof functions / sizeof *functions, name);
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static void *get_proc(struct window_system *ws, const char *name)
{
    (void)ws;
    if (state_driver.lacks != NULL && strcmp(state_driver.lacks, name) == 0)
        return NULL;
    void *found = find(name);
    return found != NULL ? found : state_driver_call(name);
}

void state_driver_reset(const struct state_answer *answers)
{
    memset(&state_driver, 0, sizeof state_driver);
    state_driver.answers = answers;
    state_driver.version = 46;
}

static void run(void (*part)(struct state_dump *d), struct buf *out)
{
    static const struct window_system_ops ops = {.get_proc = get_proc};
    struct window_system ws = {.ops = &ops};
    struct share_group group = {.references = 1};
    struct replay_context context = {
        .version = state_driver.version, .is_es = state_driver.is_es, .group = &group};
    struct replay_thread thread = {.draw = state_driver.window};
    struct replayer r = {.ws = &ws, .current = &context, .thread = &thread, .options = &state_driver.options};
    struct state_dump d;
    gl_functions_load(&r.gl, &ws);
    assert_int_equal(state_dump_init(&d, &r, out, false), 0);
    state_begin_object(&d.w);
    part(&d);
    state_end_object(&d.w);
    assert_int_equal(state_driver.error, GL_NO_ERROR);
    assert_false(state_writer_failed(&d.w));
    state_dump_fini(&d);
}

/* Each question in turn has an error: nothing of its answer may be in the dump. */
static void fail_each(void (*part)(struct state_dump *d), const struct state_driver *begin)
{
    for (const struct state_answer *a = begin->answers; a != NULL && a->function != NULL; ++a) {
        struct buf out = BUF_INIT;
        state_driver = *begin;
        state_driver.failing = a;
        run(part, &out);
        assert_int_equal(buf_append_byte(&out, '\0'), 0);
        const char *text = (const char *)out.data;
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
    static const char *const reads[] = {"glGetTexImage", "glReadPixels", "glGetBufferSubData"};
    static const char *const prepares[] = {"glFramebuffer",      "glRenderbuffer", "glBindFramebuffer",
                                           "glBindRenderbuffer", "glBindTexture",  "glBlitFramebuffer",
                                           "glReadBuffer",       "glEnable",       "glDisable"};
    unsigned calls = state_driver.calls;
    for (unsigned i = 1; i <= calls; ++i) {
        struct buf out = BUF_INIT;
        state_driver = *begin;
        state_driver.failing_call = i;
        run(part, &out);
        assert_int_equal(buf_append_byte(&out, '\0'), 0);
        bool is_read = IS_ONE_OF(state_driver.failed, reads);
        bool may_differ = is_read || IS_ONE_OF(state_driver.failed, prepares);
        bool differs = strcmp((const char *)out.data, json) != 0;
        if (differs ? !may_differ : is_read && state_driver.fails == NULL)
            fail_msg("an error of call %u, %s: %s", i, state_driver.failed, (const char *)out.data);
        buf_fini(&out);
    }
}

void state_driver_run(void (*part)(struct state_dump *d))
{
    struct buf out = BUF_INIT;
    run(part, &out);
    buf_fini(&out);
}

void state_driver_expect(void (*part)(struct state_dump *d), const char *json, const char *log)
{
    static struct state_driver begin, end;
    struct buf out = BUF_INIT;
    state_driver.calls = 0;
    begin = state_driver;
    run(part, &out);
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
    if (!begin.calls_work)
        fail_each_call(part, &begin, json);
    state_driver = end;
}
