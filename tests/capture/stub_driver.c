/* SPDX-License-Identifier: MIT */
#include "stub_driver.h"

#include "process/capture_process.h"
#include "context/gl_enums.h"
#include "gl/gl_offered_functions.h"
#include "lookup/rebinding.h"
#include "lookup/recorded_functions.h"
#include "lookup/x_windows.h"
#include "process/capture_log.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

struct stub_driver stub;
struct stub_call stub_calls[STUB_CALLS];
unsigned stub_call_count;

_Thread_local struct capture_thread capture_self;
_Thread_local capture_function thunk_real;

#define thread capture_self

/* --- what the driver answers ------------------------------------------------------------------------- */

/* Numbers are of the OpenGL registry; written down apart from the code under test. */
static const struct {
    enum gl_array array;
    uint32_t enable, size, type, stride, pointer, buffer;
} names[] = {
    {GL_ARRAY_VERTEX, 0x8074, 0x807A, 0x807B, 0x807C, 0x808E, 0x8896},
    {GL_ARRAY_NORMAL, 0x8075, 0, 0x807E, 0x807F, 0x808F, 0x8897},
    {GL_ARRAY_COLOR, 0x8076, 0x8081, 0x8082, 0x8083, 0x8090, 0x8898},
    {GL_ARRAY_INDEX, 0x8077, 0, 0x8085, 0x8086, 0x8091, 0x8899},
    {GL_ARRAY_TEXTURE_0, 0x8078, 0x8088, 0x8089, 0x808A, 0x8092, 0x889A},
    {GL_ARRAY_EDGE_FLAG, 0x8079, 0, 0, 0x808C, 0x8093, 0x889B},
    {GL_ARRAY_FOG_COORD, 0x8457, 0, 0x8454, 0x8455, 0x8456, 0x889D},
    {GL_ARRAY_SECONDARY_COLOR, 0x845E, 0x845A, 0x845B, 0x845C, 0x845D, 0x889C},
    {GL_ARRAY_WEIGHT, 0x86AD, 0x86AB, 0x86A9, 0x86AA, 0x86AC, 0x889E},
    {GL_ARRAY_MATRIX_INDEX, 0x8844, 0x8846, 0x8847, 0x8848, 0x8849, 0},
    {GL_ARRAY_POINT_SIZE, 0x8B9C, 0, 0x898A, 0x898B, 0x898C, 0x8B9F},
};

static void question(void)
{
    assert_false(stub.in_begin);
    stub.questions++;
}

static bool is_es2(void)
{
    return strncmp(stub.version, "OpenGL ES ", 10) == 0;
}

static struct stub_array *array_of(unsigned i)
{
    unsigned unit = names[i].array == GL_ARRAY_TEXTURE_0 ? stub.client_unit : 0;
    assert_false(is_es2()); /* which has no such arrays */
    return &stub.arrays[names[i].array + unit];
}

static void get_integer(uint32_t pname, int32_t *value)
{
    question();
    if (pname == SPEC_GL_CLIENT_ACTIVE_TEXTURE) {
        *value = (int32_t)(SPEC_GL_TEXTURE0 + stub.client_unit);
        return;
    }
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (pname == names[i].size)
            *value = array_of(i)->size;
        else if (pname == names[i].type)
            *value = array_of(i)->type;
        else if (pname == names[i].stride)
            *value = array_of(i)->stride;
        else if (pname == names[i].buffer)
            *value = array_of(i)->buffer;
        else
            continue;
        return;
    }
    *value = stub.integers[pname];
}

static uint8_t is_enabled(uint32_t capability)
{
    question();
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (capability == names[i].enable)
            return array_of(i)->enabled;
    return stub.enabled[capability];
}

static void get_pointer(uint32_t pname, const void **value)
{
    question();
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (pname == names[i].pointer)
            *value = array_of(i)->pointer;
}

static void get_indexed_integer(uint32_t pname, uint32_t index, int32_t *value)
{
    const struct stub_array *a = &stub.arrays[GL_ARRAY_GENERIC_0 + index];
    question();
    assert_in_range(index, 0, STUB_ATTRIBUTES - 1);
    switch (pname) {
    case 0x82D7:
        *value = a->binding_offset;
        break;
    case 0x8F4F:
        *value = a->binding_buffer;
        break;
    default:
        assert_int_equal(pname, 0x82D8);
        *value = a->binding_stride != 0 ? a->binding_stride : a->stride;
    }
}

static void get_attribute(uint32_t index, uint32_t pname, int32_t *value)
{
    const struct stub_array *a = &stub.arrays[GL_ARRAY_GENERIC_0 + index];
    question();
    assert_in_range(index, 0, STUB_ATTRIBUTES - 1);
    switch (pname) {
    case 0x8622:
        *value = a->enabled;
        break;
    case 0x8623:
        *value = a->size;
        break;
    case 0x8624:
        *value = a->stride;
        break;
    case 0x8625:
        *value = a->type;
        break;
    case 0x886A:
        *value = a->normalized;
        break;
    case 0x889F:
        *value = a->buffer;
        break;
    case 0x82D4:
        *value = (int32_t)a->binding;
        break;
    case 0x82D5:
        *value = (int32_t)a->relative_offset;
        break;
    case 0x88FD:
        *value = a->integer;
        break;
    case 0x88FE:
        *value = a->divisor;
        break;
    case 0x874E:
        *value = a->is_long;
        break;
    default:
        fail_msg("glGetVertexAttribiv(0x%x)", pname);
    }
}

static void get_attribute_pointer(uint32_t index, uint32_t pname, const void **value)
{
    question();
    assert_int_equal(pname, 0x8645);
    *value = stub.arrays[GL_ARRAY_GENERIC_0 + index].pointer;
}

static const char *get_string(uint32_t name)
{
    question();
    return name == SPEC_GL_VERSION ? stub.version : stub.extensions;
}

static const char *get_indexed_string(uint32_t name, uint32_t index)
{
    (void)name;
    (void)index;
    question();
    return stub.extensions;
}

static void choose_unit(uint32_t unit)
{
    question();
    stub.client_unit = unit - SPEC_GL_TEXTURE0;
}

static void get_buffer(uint32_t target, uint32_t pname, int32_t *value)
{
    (void)target;
    question();
    *value = pname == 0x8764 ? stub.buffer_size : pname == 0x88BC ? stub.buffer_mapped : stub.buffer_flags;
}

static void get_buffer_contents(uint32_t target, intptr_t offset, intptr_t size, void *to)
{
    (void)target;
    question();
    assert_false(is_es2());
    assert_in_range(offset + size, 0, stub.buffer_size);
    memcpy(to, (const uint8_t *)stub.buffer + offset, (size_t)size);
}

static void *map_buffer(uint32_t target, intptr_t offset, intptr_t size, uint32_t access)
{
    (void)target;
    question();
    assert_int_equal(access, 1);
    assert_in_range(offset + size, 0, stub.buffer_size);
    stub.maps += !stub.reads_fail;
    return stub.reads_fail ? NULL : (uint8_t *)(uintptr_t)stub.buffer + offset;
}

static uint8_t unmap_buffer(uint32_t target)
{
    (void)target;
    stub.unmaps++;
    return 1;
}

static uint8_t is_vertex_array(uint32_t name)
{
    return name != 0 && name < 100;
}

_Atomic(capture_function) real_functions_known[SPEC_FUNCTION_COUNT];

unsigned real_functions_egl_unloads(void)
{
    return stub.egl_unloads;
}

enum x_window x_window_size(void *display, unsigned long drawable, unsigned *width, unsigned *height)
{
    (void)display;
    (void)drawable;
    *width = *height = 0;
    return X_WINDOW_IS_NONE; /* GLX is asked */
}

void x_free(void *memory)
{
    (void)memory; /* of the tests */
}

bool x_glx_attribute(void *display, unsigned long drawable, uint32_t attribute, uint32_t *value)
{
    return stub.glx_attribute != NULL && stub.glx_attribute(display, drawable, attribute, value);
}

capture_function real_function_look_up(uint32_t id)
{
    static const struct {
        uint32_t id;
        capture_function function;
    } functions[] = {
        {SPEC_FN_glGetIntegerv, (capture_function)get_integer},
        {SPEC_FN_glGetIntegeri_v, (capture_function)get_indexed_integer},
        {SPEC_FN_glIsEnabled, (capture_function)is_enabled},
        {SPEC_FN_glGetPointerv, (capture_function)get_pointer},
        {SPEC_FN_glGetVertexAttribiv, (capture_function)get_attribute},
        {SPEC_FN_glGetVertexAttribPointerv, (capture_function)get_attribute_pointer},
        {SPEC_FN_glGetString, (capture_function)get_string},
        {SPEC_FN_glGetStringi, (capture_function)get_indexed_string},
        {SPEC_FN_glClientActiveTexture, (capture_function)choose_unit},
        {SPEC_FN_glGetBufferParameteriv, (capture_function)get_buffer},
        {SPEC_FN_glGetBufferSubData, (capture_function)get_buffer_contents},
        {SPEC_FN_glMapBufferRange, (capture_function)map_buffer},
        {SPEC_FN_glMapBufferRangeEXT, (capture_function)map_buffer},
        {SPEC_FN_glUnmapBuffer, (capture_function)unmap_buffer},
        {SPEC_FN_glUnmapBufferOES, (capture_function)unmap_buffer},
        {SPEC_FN_glIsVertexArray, (capture_function)is_vertex_array},
    };
    capture_function own = stub.more != NULL ? stub.more(id) : NULL;
    if (own != NULL)
        return own;
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (functions[i].id == id)
            return functions[i].function;
    fail_msg("%s is not to be called", spec_string(spec_functions[id].name));
    return NULL;
}

/* --- what the hooks need ----------------------------------------------------------------------------- */

/* What a blob, a string or an array has that the call's last parameter, or the override, is about. */
static void copy_values(struct stub_call *call, const struct spec_function *f, const union spec_arg *args,
                        const struct capture_override *memory)
{
    const struct spec_param *last = spec_param(f, f->param_count - 1);
    const void *from = memory != NULL ? memory->memory : args[f->param_count - 1].p;
    size_t size = memory != NULL ? (size_t)memory->count : 0;
    if (f->id == SPEC_FN_memcpy) {
        from = args[1].p;
        call->bytes = args[2].i;
        size = args[2].u;
    } else if (f->id == SPEC_FN_glBufferSubData) {
        size = args[2].u;
    } else if (memory == NULL && last->form == SPEC_FORM_STRING) {
        size = strlen(from) + 1;
    } else if (memory == NULL && last->form == SPEC_FORM_ARRAY) {
        size = (size_t)spec_length(f, args, f->param_count - 1u, &thread.context->sizes) *
               spec_type_size(last->type);
        assert_in_range(size, 1, sizeof call->values);
    } else if (f->id != SPEC_FN_glTexImage2D) {
        return; /* arrays need not be there from the start */
    }
    memcpy(call->values, from, size < sizeof call->values ? size : sizeof call->values);
}

void capture_fake_call_with(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                            const struct capture_override *memory)
{
    const struct spec_function *f = &spec_functions[id];
    struct stub_call *call = &stub_calls[stub_call_count++];
    assert_ptr_equal(t, &thread);
    assert_in_range(stub_call_count, 1, STUB_CALLS);
    *call = (struct stub_call){.function = f, .bytes = memory != NULL ? memory->count : -1};
    for (unsigned i = 0; i < f->param_count && i < STUB_ARGUMENTS; ++i)
        call->args[i] = args[i];
    if (f->param_count > 0)
        copy_values(call, f, args, memory);
}

void capture_fake_call(struct capture_thread *t, uint32_t id, const union spec_arg *args)
{
    capture_fake_call_with(t, id, args, NULL);
}

void capture_fake_answer(struct capture_thread *t, uint32_t id, const union spec_arg *args,
                         const union spec_arg *ret)
{
    assert_non_null(ret);
    capture_fake_call_with(t, id, args, NULL);
}

void stub_expect_calls(const char *expected)
{
    char calls[4096] = "";
    for (unsigned i = 0; i < stub_call_count; ++i) {
        strcat(calls, spec_string(stub_calls[i].function->name));
        strcat(calls, " ");
    }
    assert_string_equal(calls, expected);
}

void capture_log(const char *format, ...)
{
    (void)format;
}

void *recorded_name_wrap(const char *name, void *real)
{
    (void)name;
    return real;
}

void *gl_offers_address(const char *name, void *real)
{
    (void)name;
    return real;
}

void rebinding_update(void *handle)
{
    (void)handle;
}

void capture_thread_set_context(struct capture_thread *t, struct gl_context *c)
{
    gl_context_switch(t->context, c);
    t->context = c;
}

/* --- calls ------------------------------------------------------------------------------------------- */

/* By the number that the annotations give them. */
static const capture_hook hooks[] = {
    NULL,
#define WRAPPER_HOOK(name) hook_##name,
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK
};

static void run_hook(unsigned number, const struct spec_function *f, const union spec_arg *args,
                     union spec_arg *ret)
{
    if (number != 0)
        hooks[number](&thread, f, args, ret);
}

bool stub_make(uint32_t function, const union spec_arg *args, void (*driver)(const union spec_arg *args))
{
    const struct spec_function *f = &spec_functions[function];
    stub_call_count = 0;
    if ((f->flags & SPEC_FUNCTION_READS_BUFFERS) != 0 && capture_persistent_mappings != 0)
        capture_persistent_writes(&thread);
    run_hook(f->before, f, args, NULL);
    bool recorded = !thread.omit;
    stub.replacement = thunk_real;
    thunk_real = NULL;
    if (driver != NULL)
        driver(args);
    stub.in_begin = function == SPEC_FN_glBegin ? true : function == SPEC_FN_glEnd ? false : stub.in_begin;
    if (recorded)
        run_hook(f->after, f, args, &stub.returned);
    stub.returned.u = 0;
    thread.omit = false;
    void (*complete)(struct capture_thread *) = thread.complete;
    thread.complete = NULL;
    if (stub.meanwhile != NULL)
        stub.meanwhile(&thread);
    stub.meanwhile = NULL;
    if (complete != NULL)
        complete(&thread);
    return recorded;
}

const union spec_arg *stub_arguments(const uint64_t values[8])
{
    static union spec_arg args[8];
    for (unsigned i = 0; i < 8; ++i)
        args[i].u = values[i];
    return args;
}

struct capture_thread *stub_start(const char *version)
{
    stub = (struct stub_driver){.version = version, .extensions = ""};
    stub.integers[SPEC_GL_NUM_EXTENSIONS] = 1;
    stub.integers[SPEC_GL_MAX_VERTEX_ATTRIBS] = GL_GENERIC_ARRAYS;
    stub.integers[SPEC_GL_MAX_VERTEX_ATTRIB_STRIDE] = 4096;
    thread = (struct capture_thread){.context = gl_context_get(&stub)};
    assert_non_null(thread.context);
    gl_context_switch(NULL, thread.context);
    gl_context_identify(thread.context);
    return &thread;
}

void stub_stop(void)
{
    gl_context_switch(thread.context, NULL);
    gl_context_destroy(&stub);
}
