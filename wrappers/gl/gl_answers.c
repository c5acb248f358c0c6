/* SPDX-License-Identifier: MIT
 * Answers glGetIntegerv() and similar queries for the extensions that the tracer offers, for gltrace.conf,
 * and for program binaries. Program binaries are hidden, because a trace that loads one could only be
 * replayed with the same driver.
 */
#include "capture/capture_hooks.h"
#include "gl/gl_array_queries.h"
#include "gl/gl_offers.h"
#include "gl/gltrace_conf.h"
#include "lookup/real_functions.h"
#include "lookup/thunks.h"

#include "spec_ids.h"

enum {
    GL_NUM_PROGRAM_BINARY_FORMATS = 0x87FE,
    GL_PROGRAM_BINARY_FORMATS = 0x87FF,
    GL_PROGRAM_BINARY_LENGTH = 0x8741,
    NO_BINARY_FORMAT = 0xDEADDEAD,
    GL_NUM_EXTENSIONS = 0x821D,
    GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT = 0x90DF,
    GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT = 0x919F,
    GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT = 0x8A34,
    GL_MAX_TEXTURE_SIZE = 0x0D33,
    GL_CONTEXT_PROFILE_MASK = 0x9126,
    GL_MINOR_VERSION = 0x821C,
    GL_MAJOR_VERSION = 0x821B,
    GL_MAX_LABEL_LENGTH = 0x82E8,
    GL_DEBUG_CALLBACK_FUNCTION = 0x8244,
    GL_DEBUG_CALLBACK_USER_PARAM = 0x8245,
    GL_MAX_DEBUG_GROUP_STACK_DEPTH = 0x826C,
    GL_DEBUG_GROUP_STACK_DEPTH = 0x826D,
    GL_DEBUG_LOGGED_MESSAGES = 0x9145,
    GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH = 0x8243,
    GL_MAX_DEBUG_MESSAGE_LENGTH = 0x9143,
    GL_MAX_DEBUG_LOGGED_MESSAGES = 0x9144,
};

/* Replaces a function when nothing remains to be done. */
static uint64_t do_nothing(void)
{
    return 0;
}

enum answer { ANSWER_REAL, ANSWER_VALUE, ANSWER_NOTHING };

static enum answer answer_conf(uint32_t pname, int64_t *value)
{
    const struct gltrace_conf *conf = gltrace_conf_get();
    const struct {
        uint32_t pname;
        int32_t value;
    } values[] = {
        {GL_MAJOR_VERSION, conf->major},
        {GL_MINOR_VERSION, conf->minor},
        {GL_CONTEXT_PROFILE_MASK, conf->profile_mask},
        {GL_MAX_TEXTURE_SIZE, conf->max_texture_size},
        {GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, conf->uniform_alignment},
        {GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT, conf->texture_alignment},
        {GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, conf->storage_alignment},
    };
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; ++i) {
        *value = values[i].value;
        /* A minor version of 0 is only valid if the major version is set, too. */
        if (values[i].pname == pname && (*value != 0 || (pname == GL_MINOR_VERSION && conf->major != 0)))
            return ANSWER_VALUE;
    }
    return ANSWER_REAL;
}

/* The limits of KHR_debug, for drivers that do not have it. */
static enum answer answer_debug(struct capture_thread *t, uint32_t pname, int64_t *value)
{
    switch (pname) {
    case GL_MAX_LABEL_LENGTH:
        *value = 256;
        break;
    case GL_MAX_DEBUG_MESSAGE_LENGTH:
        *value = 4096;
        break;
    case GL_MAX_DEBUG_GROUP_STACK_DEPTH:
        *value = 64;
        break;
    case GL_MAX_DEBUG_LOGGED_MESSAGES:
    case GL_DEBUG_GROUP_STACK_DEPTH:
        *value = 1;
        break;
    case GL_DEBUG_LOGGED_MESSAGES:
    case GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH:
        *value = 0;
        break;
    default:
        return ANSWER_REAL;
    }
    return gl_offers_stand_in(t, GL_OFFER_KHR_DEBUG) ? ANSWER_VALUE : ANSWER_REAL;
}

/* A driver without support for binaries sets an error, which the program must see. */
static enum answer answer_binaries(struct capture_thread *t, uint32_t pname, int64_t *value)
{
    int32_t count = -1;
    if (gl_offers_get(t).major < 2)
        return ANSWER_REAL;
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    ((void (*)(uint32_t, int32_t *))get)(GL_NUM_PROGRAM_BINARY_FORMATS, &count);
    *value = 0;
    return count >= 0 && pname == GL_NUM_PROGRAM_BINARY_FORMATS ? ANSWER_VALUE : ANSWER_NOTHING;
}

static enum answer answer_for(struct capture_thread *t, uint32_t pname, int64_t *value)
{
    if (pname == GL_NUM_PROGRAM_BINARY_FORMATS || pname == GL_PROGRAM_BINARY_FORMATS)
        return answer_binaries(t, pname, value);
    if (pname == GL_NUM_EXTENSIONS) {
        struct gl_offers o = gl_offers_get(t);
        *value = o.driver_count + __builtin_popcount(o.added);
        return o.major >= 3 ? ANSWER_VALUE : ANSWER_REAL;
    }
    enum answer answer = answer_conf(pname, value);
    return answer != ANSWER_REAL ? answer : answer_debug(t, pname, value);
}

static void store(const struct spec_function *f, void *to, int64_t value)
{
    union spec_arg arg = {.i = value};
    switch (spec_param(f, 1)->type) {
    case SPEC_F32:
        arg = spec_arg_f32((float)value);
        break;
    case SPEC_F64:
        arg.f64 = (double)value;
        break;
    case SPEC_U8:
        arg.u = value != 0;
        break;
    default:
        break;
    }
    spec_store((enum spec_type)spec_param(f, 1)->type, to, 0, arg);
}

/* Filters out most queries quickly, since some programs make many. */
static bool may_be_answered(uint32_t pname)
{
    switch (pname) {
    case GL_NUM_PROGRAM_BINARY_FORMATS:
    case GL_PROGRAM_BINARY_FORMATS:
    case GL_NUM_EXTENSIONS:
    case GL_MAJOR_VERSION:
    case GL_MINOR_VERSION:
    case GL_CONTEXT_PROFILE_MASK:
    case GL_MAX_TEXTURE_SIZE:
    case GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT:
    case GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT:
    case GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT:
    case GL_MAX_LABEL_LENGTH:
    case GL_MAX_DEBUG_GROUP_STACK_DEPTH:
    case GL_DEBUG_GROUP_STACK_DEPTH:
    case GL_DEBUG_LOGGED_MESSAGES:
    case GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH:
    case GL_MAX_DEBUG_MESSAGE_LENGTH:
    case GL_MAX_DEBUG_LOGGED_MESSAGES:
        return true;
    default:
        return false;
    }
}

/* Queries with the arguments (name, destination). */
DEFINE_HOOK(get_values)
{
    UNUSED_HOOK_ARGUMENTS;
    int64_t value = 0;
    gl_array_queries_prepare(t, (uint32_t)args[0].u);
    if (!may_be_answered((uint32_t)args[0].u))
        return;
    enum answer answer = thunk_real == NULL ? answer_for(t, (uint32_t)args[0].u, &value) : ANSWER_REAL;
    if (answer == ANSWER_REAL || (answer == ANSWER_VALUE && args[1].p == NULL))
        return;
    if (answer == ANSWER_VALUE)
        store(f, args[1].p, value);
    thunk_real = (capture_function)do_nothing;
}

DEFINE_HOOK(get_pointer)
{
    UNUSED_HOOK_ARGUMENTS;
    bool callback = args[0].u == GL_DEBUG_CALLBACK_FUNCTION || args[0].u == GL_DEBUG_CALLBACK_USER_PARAM;
    if (!callback || args[1].p == NULL || !gl_offers_stand_in(t, GL_OFFER_KHR_DEBUG))
        return;
    *(void **)args[1].p = NULL;
    thunk_real = (capture_function)do_nothing;
}

/* ---- Program binaries -----------------------------------------------------------------------------------
 */

/* Replaces glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, params). */
static void get_no_length(uint32_t program, uint32_t pname, int32_t *params)
{
    int32_t length = -1;
    capture_function get = real_function_find(SPEC_FN_glGetProgramiv);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)(program, pname, &length);
    if (length != -1 && params != NULL)
        *params = 0;
}

DEFINE_HOOK(get_program_value)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[1].u == GL_PROGRAM_BINARY_LENGTH && thunk_real == NULL)
        thunk_real = (capture_function)get_no_length;
}

/* Replaces glGetProgramBinary(): passes a buffer size of 0. */
static void get_no_binary(uint32_t id, uint32_t program, int32_t size, int32_t *length, uint32_t *format,
                          void *binary)
{
    size = size < 0 ? size : 0; /* a negative size must stay an error */
    capture_function get = real_function_find(id);
    ((void (*)(uint32_t, int32_t, int32_t *, uint32_t *, void *))get)(program, size, length, format, binary);
    if (length != NULL)
        *length = 0;
}

/* Replaces glProgramBinary(): passes a format that no driver supports, so that the program compiles its
 * sources. */
static void load_no_binary(uint32_t id, uint32_t program, int32_t length)
{
    const uint32_t format = NO_BINARY_FORMAT;
    capture_function load = real_function_find(id);
    ((void (*)(uint32_t, uint32_t, const void *, int32_t))load)(program, format, &format,
                                                                length < 0 ? length : (int32_t)sizeof format);
}

static void get_no_core_binary(uint32_t program, int32_t size, int32_t *length, uint32_t *format,
                               void *binary)
{
    get_no_binary(SPEC_FN_glGetProgramBinary, program, size, length, format, binary);
}

static void get_no_oes_binary(uint32_t program, int32_t size, int32_t *length, uint32_t *format, void *binary)
{
    get_no_binary(SPEC_FN_glGetProgramBinaryOES, program, size, length, format, binary);
}

static void load_no_core_binary(uint32_t program, uint32_t format, const void *binary, int32_t length)
{
    (void)format;
    (void)binary;
    load_no_binary(SPEC_FN_glProgramBinary, program, length);
}

static void load_no_oes_binary(uint32_t program, uint32_t format, const void *binary, int32_t length)
{
    (void)format;
    (void)binary;
    load_no_binary(SPEC_FN_glProgramBinaryOES, program, length);
}

/* A driver may only have one of the two variants of these functions. */
DEFINE_HOOK(get_program_binary)
{
    UNUSED_HOOK_ARGUMENTS;
    if (thunk_real == NULL)
        thunk_real = f->id == SPEC_FN_glGetProgramBinary ? (capture_function)get_no_core_binary
                                                         : (capture_function)get_no_oes_binary;
}

DEFINE_HOOK(program_binary)
{
    UNUSED_HOOK_ARGUMENTS;
    if (thunk_real == NULL)
        thunk_real = f->id == SPEC_FN_glProgramBinary ? (capture_function)load_no_core_binary
                                                      : (capture_function)load_no_oes_binary;
}

/* ---- Functions of offered extensions ---- */

static bool stand_in(struct capture_thread *t, enum gl_offer offer)
{
    if (thunk_real != NULL || !gl_offers_stand_in(t, offer))
        return false;
    thunk_real = (capture_function)do_nothing;
    return true;
}

#define STAND_IN_HOOK(name, offer)                                                                           \
    DEFINE_HOOK(name)                                                                                        \
    {                                                                                                        \
        UNUSED_HOOK_ARGUMENTS;                                                                               \
        stand_in(t, offer);                                                                                  \
    }

STAND_IN_HOOK(string_marker, GL_OFFER_STRING_MARKER)
STAND_IN_HOOK(frame_terminator, GL_OFFER_FRAME_TERMINATOR)
STAND_IN_HOOK(arb_debug_output, GL_OFFER_ARB_DEBUG_OUTPUT)
STAND_IN_HOOK(amd_debug_output, GL_OFFER_AMD_DEBUG_OUTPUT)
STAND_IN_HOOK(khr_debug, GL_OFFER_KHR_DEBUG)
STAND_IN_HOOK(debug_marker, GL_OFFER_DEBUG_MARKER)
STAND_IN_HOOK(debug_label, GL_OFFER_DEBUG_LABEL)

/* The last three arguments are the buffer size, the length and the label. No object has a label. */
static void answer_no_label(const struct spec_function *f, const union spec_arg *args)
{
    const union spec_arg *last = args + f->param_count - 3;
    if (last[1].p != NULL)
        *(int32_t *)last[1].p = 0;
    if (last[0].i > 0 && last[2].p != NULL)
        *(char *)last[2].p = '\0';
}

DEFINE_HOOK(get_khr_label)
{
    UNUSED_HOOK_ARGUMENTS;
    if (stand_in(t, GL_OFFER_KHR_DEBUG))
        answer_no_label(f, args);
}

DEFINE_HOOK(get_ext_label)
{
    UNUSED_HOOK_ARGUMENTS;
    if (stand_in(t, GL_OFFER_DEBUG_LABEL))
        answer_no_label(f, args);
}

/* GL_VMWX_map_buffer_debug: removes the flag that only this extension defines. The flags are the last
 * argument. */
DEFINE_HOOK(notified_mapping)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint64_t notify_explicit = 0x80000000;
    t->notified_mapping = (args[f->param_count - 1].u & notify_explicit) != 0 &&
                          gl_offers_stand_in(t, GL_OFFER_MAP_BUFFER_DEBUG);
    if (t->notified_mapping)
        ((union spec_arg *)args)[f->param_count - 1].u &= ~notify_explicit; /* the array is the stub's own */
}
