/* SPDX-License-Identifier: MIT */
#include "null_state.h"

#include "null_memory.h"

#include "buffer_bindings.h"
#include "runtime/driver_sizes.h"
#include "runtime/invoke.h"
#include "unpack_args.h"
#include "spec_ids.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
    struct ws_context *current;
    const char *version;
    uint32_t names, calls;
    bool verbose; /* FUZZ_VERBOSE is set: prints calls on stderr */
} null_gl;

void __real_spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                        union spec_arg *ret);
void __wrap_spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                        union spec_arg *ret);
spec_runner __wrap_spec_find_runner(const struct spec_function *f);

/* --- contexts --------------------------------------------------------------------------------------- */

struct ws_context *null_context_new(struct ws_context *share)
{
    struct ws_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return NULL;
    context->valid = VALID;
    context->buffers = share != NULL ? share->buffers : calloc(1, sizeof *context->buffers);
    if (context->buffers == NULL)
        abort();
    context->buffers->references++;
    return context;
}

static void unmap_all(struct buffers *b)
{
    for (size_t i = 0; i < b->mapped.cap; ++i)
        if (b->mapped.slots[i].state == INT_MAP_USED)
            free((void *)(uintptr_t)b->mapped.slots[i].value);
    int_map_fini(&b->mapped);
}

void null_context_free(struct ws_context *context)
{
    if (null_gl.current == context)
        null_gl.current = NULL;
    if (--context->buffers->references == 0) {
        unmap_all(context->buffers);
        free(context->buffers);
    }
    int_map_fini(&context->integers);
    int_map_fini(&context->element_buffers);
    free(context);
}

bool null_context_is_valid(const struct ws_context *context)
{
    return context->valid == VALID;
}

void null_context_make_current(struct ws_context *context)
{
    null_gl.current = context;
}

void null_gl_reset(const char *version)
{
    null_gl.version = version;
    null_gl.verbose = getenv("FUZZ_VERBOSE") != NULL;
    null_gl.names = 1000;
    null_gl.calls = 0;
}

/* --- state ------------------------------------------------------------------------------------------ */

struct ws_context *null_current(void)
{
    if (null_gl.current == NULL) {
        fprintf(stderr, "null driver: a call without a context\n");
        abort();
    }
    return null_gl.current;
}

int64_t null_integer(uint32_t pname)
{
    uint64_t value = 0;
    if (int_map_get(&null_current()->integers, pname, &value))
        return (int64_t)value;
    if (pname == GL_PACK_ALIGNMENT || pname == GL_UNPACK_ALIGNMENT)
        return 4;
    return 0;
}

void null_set_integer(uint32_t pname, int64_t value)
{
    if (int_map_set(&null_current()->integers, pname, (uint64_t)value) != 0)
        abort();
}

static void (*find_function(void *context, uint32_t function))(void)
{
    union {
        void *object;
        void (*function)(void);
    } address = {.object = null_gl_function(spec_string(spec_functions[function].name))};
    (void)context;
    return address.function;
}

/* Returns what the driver reads from its own state when it executes a call. */
struct spec_state null_state_of_driver(void)
{
    static struct spec_questions questions = {.find = find_function};
    static const struct spec_driver driver = {.context = &questions,
                                              .get_integer = spec_ask_integer,
                                              .get_level = spec_ask_level,
                                              .get_named_level = spec_ask_named_level,
                                              .get_parameter = spec_ask_parameter,
                                              .get_named_program = spec_ask_named_program,
                                              .get_uniform_size = spec_ask_uniform_size};
#define STORE(prefix)                                                                                        \
    {                                                                                                        \
        .row_length = (int32_t)null_integer(GL_##prefix##_ROW_LENGTH),                                       \
        .image_height = (int32_t)null_integer(GL_##prefix##_IMAGE_HEIGHT),                                   \
        .skip_rows = (int32_t)null_integer(GL_##prefix##_SKIP_ROWS),                                         \
        .skip_pixels = (int32_t)null_integer(GL_##prefix##_SKIP_PIXELS),                                     \
        .skip_images = (int32_t)null_integer(GL_##prefix##_SKIP_IMAGES),                                     \
        .alignment = (int32_t)null_integer(GL_##prefix##_ALIGNMENT)                                          \
    }
    return (struct spec_state){
        .unpack = STORE(UNPACK),
        .pack = STORE(PACK),
        .unpack_buffer = null_integer(GL_PIXEL_UNPACK_BUFFER_BINDING) != 0,
        .pack_buffer = null_integer(GL_PIXEL_PACK_BUFFER_BINDING) != 0,
        .element_buffer = null_integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0,
        .array_buffer = null_integer(GL_ARRAY_BUFFER_BINDING) != 0,
        .indirect_buffer = null_integer(GL_DRAW_INDIRECT_BUFFER_BINDING) != 0,
        .query_buffer = null_integer(GL_QUERY_BUFFER_BINDING) != 0,
        .driver = &driver,
    };
#undef STORE
}

void null_give_names(GLsizei count, GLuint *names)
{
    null_current();
    for (GLsizei i = 0; i < count; ++i)
        names[i] = ++null_gl.names;
}

void *null_give_pointer(void)
{
    return (void *)(uintptr_t)(++null_gl.names * 16u);
}

GLenum null_next_error(void)
{
    return null_gl.calls++ % 97 == 96 ? GL_INVALID_OPERATION : GL_NO_ERROR;
}

const char *null_version(void)
{
    return null_gl.version;
}

/* --- the memory of calls ---------------------------------------------------------------------------- */

static void touch_strings(const struct spec_function *f, const union spec_arg *args, unsigned i,
                          int64_t count, const struct spec_state *state)
{
    const char *const *strings = args[i].p;
    for (int64_t n = 0; n < count; ++n) {
        int64_t length = spec_string_length(f, args, i, (size_t)n, strings[n], state);
        if (length > 0)
            null_memory_read(strings[n], (uint64_t)length);
    }
}

static void touch_items(const struct spec_function *f, const union spec_arg *args, unsigned i, int64_t count,
                        const struct spec_state *state)
{
    const void *const *items = args[i].p;
    for (int64_t n = 0; n < count; ++n) {
        int64_t length = spec_item_length(f, args, i, (size_t)n, state);
        if (length > 0)
            null_memory_read(items[n], (uint64_t)length);
    }
}

/* Returns the number of elements that the call accesses. 0 or less: none, or unknown. */
static int64_t accessed(const struct spec_function *f, const union spec_arg *args, unsigned i,
                        const struct spec_state *state)
{
    const struct spec_param *p = spec_param(f, i);
    return p->form == SPEC_FORM_VALUE || p->form == SPEC_FORM_OPAQUE || args[i].p == NULL ||
                   p->length == SPEC_NO_INDEX
               ? 0
               : spec_length(f, args, i, state);
}

static void access_memory(const struct spec_function *f, const union spec_arg *args, unsigned i,
                          int64_t length, const struct spec_state *state)
{
    const struct spec_param *p = spec_param(f, i);
    bool items = p->form == SPEC_FORM_STRINGS || p->form == SPEC_FORM_BLOBS;
    size_t size = items ? sizeof(void *) : p->form == SPEC_FORM_ARRAY ? spec_type_size(p->type) : 1;
    bool is_output = (p->flags & SPEC_PARAM_OUT) != 0;
    if (length <= 0 || (is_output && null_gl.current != NULL && null_gl.current->inside_begin))
        return;
    if (is_output)
        null_memory_write(args[i].p, (uint64_t)length * size, 0x40);
    else
        null_memory_read(args[i].p, (uint64_t)length * size);
    if (p->form == SPEC_FORM_STRINGS)
        touch_strings(f, args, i, length, state);
    if (p->form == SPEC_FORM_BLOBS)
        touch_items(f, args, i, length, state);
}

/* Lengths may depend on the previous contents of other outputs. */
static void touch(const struct spec_function *f, const union spec_arg *args, const struct spec_state *state)
{
    int64_t lengths[MAX_ARGUMENTS];
    for (unsigned i = 0; i < f->param_count; ++i)
        lengths[i] = accessed(f, args, i, state);
    for (unsigned i = 0; i < f->param_count; ++i)
        access_memory(f, args, i, lengths[i], state);
}

/* --- calls ------------------------------------------------------------------------------------------ */

static uint64_t buffer_key(const struct spec_function *f, const union spec_arg *args)
{
    bool named = strstr(spec_string(f->name), "Named") != NULL;
    return named ? (uint32_t)args[0].u : (uint64_t)null_integer(buffer_binding((GLenum)args[0].u));
}

static void unmap(uint64_t buffer)
{
    struct int_map *mapped = &null_current()->buffers->mapped;
    uint64_t memory;
    if (!int_map_get(mapped, buffer, &memory))
        return;
    free((void *)(uintptr_t)memory);
    int_map_remove(mapped, buffer);
}

static void *map(uint64_t buffer, int64_t offset, int64_t size)
{
    struct int_map *mapped = &null_current()->buffers->mapped;
    if (buffer == 0 || offset < 0 || size <= 0 || offset > BUFFER_SIZE || size > BUFFER_SIZE - offset ||
        int_map_get(mapped, buffer, NULL))
        return NULL;
    uint8_t *memory = calloc(1, (size_t)size);
    if (memory == NULL || int_map_set(mapped, buffer, (uintptr_t)memory) != 0)
        abort();
    return memory;
}

static void unmap_deleted(const union spec_arg *args)
{
    for (int64_t i = 0; args[1].p != NULL && i < args[0].i; ++i) {
        GLuint name = ((const GLuint *)args[1].p)[i];
        unmap(name);
        for (size_t b = 0; b < BUFFER_BINDINGS; ++b)
            if ((GLuint)null_integer(buffer_bindings[b].binding) == name)
                null_set_integer(buffer_bindings[b].binding, 0);
    }
}

/* Keeps the memory of glFeedbackBuffer() and glSelectBuffer(), which the driver writes to until the program
 * asks for the results. */
static void keep_results(const struct spec_function *f, const union spec_arg *args)
{
    null_current()->results = args[f->param_count - 1].p;
    null_current()->result_size = args[0].i > 0 ? (uint64_t)args[0].i * 4 : 0;
}

static void execute(const struct spec_function *f, const union spec_arg *args, union spec_arg *ret)
{
    switch (f->alias) {
    case SPEC_FN_glMapBuffer:
    case SPEC_FN_glMapNamedBuffer:
    case SPEC_FN_glMapNamedBufferEXT:
        ret->p = map(buffer_key(f, args), 0, BUFFER_SIZE);
        break;
    case SPEC_FN_glMapBufferRange:
    case SPEC_FN_glMapNamedBufferRange:
    case SPEC_FN_glMapNamedBufferRangeEXT:
        ret->p = map(buffer_key(f, args), args[1].i, args[2].i);
        break;
    case SPEC_FN_glUnmapBuffer:
    case SPEC_FN_glUnmapNamedBuffer:
    case SPEC_FN_glUnmapNamedBufferEXT:
    case SPEC_FN_glBufferData:
    case SPEC_FN_glBufferStorage:
    case SPEC_FN_glNamedBufferData:
    case SPEC_FN_glNamedBufferDataEXT:
    case SPEC_FN_glNamedBufferStorage:
        unmap(buffer_key(f, args));
        break;
    case SPEC_FN_glDeleteBuffers:
        unmap_deleted(args);
        break;
    case SPEC_FN_glBegin:
        null_current()->inside_begin |= args[0].u <= GL_PATCHES;
        break;
    case SPEC_FN_glEnd:
        null_current()->inside_begin = false;
        break;
    case SPEC_FN_glPixelStoref:
        if (args[1].f32 > -2e9f && args[1].f32 < 2e9f)
            null_set_integer((GLenum)args[0].u, (GLint)args[1].f32);
        break;
    case SPEC_FN_glFeedbackBuffer:
    case SPEC_FN_glSelectBuffer:
        keep_results(f, args);
        break;
    case SPEC_FN_glRenderMode:
        if (null_current()->results != NULL)
            null_memory_write(null_current()->results, null_current()->result_size, 1);
        break;
    default:
        null_keep_array(f, args);
        null_draw(f, args);
        break;
    }
}

static void not_called(void)
{
    abort();
}

/* Creates names: a call that returns names returns the next ones. */
static void name_outputs(const struct spec_function *f, const union spec_arg *args,
                         const struct spec_state *state)
{
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *p = spec_param(f, i);
        if ((p->flags & SPEC_PARAM_CREATE) == 0 || p->form != SPEC_FORM_ARRAY || args[i].p == NULL ||
            p->type != SPEC_U32)
            continue;
        int64_t count = spec_length(f, args, i, state);
        if (count > 0 && count < INT32_MAX)
            null_give_names((GLsizei)count, args[i].p);
    }
}

void __wrap_spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                        union spec_arg *ret)
{
    struct spec_state state = null_state_of_driver();
    if (null_gl.verbose)
        fprintf(stderr, "%s\n", spec_string(f->name));
    touch(f, args, &state);
    ret->u = 0;
    if (fn != not_called) {
        __real_spec_invoke(f, fn, args, ret);
        return;
    }
    name_outputs(f, args, &state);
    if (f->ret.type != SPEC_VOID && f->ret.form == SPEC_FORM_VALUE)
        ret->u = f->ret.type == SPEC_PTR ? (uintptr_t)null_give_pointer() : ++null_gl.names;
    execute(f, args, ret);
}

/* Calls with packed arguments are like all others. */
static void run(const struct spec_function *f, void (*fn)(void), const void *args, size_t count)
{
    struct spec_packed packed;
    if (!spec_packed_layout(f, &packed))
        abort();
    for (size_t i = 0; i < count; ++i) {
        union spec_arg unpacked[SPEC_PACKED_PARAMS], ret;
        void *array = unpack_args(f, (const char *)args + i * packed.size, unpacked);
        __wrap_spec_invoke(f, fn, unpacked, &ret);
        free(array);
    }
}

spec_runner __wrap_spec_find_runner(const struct spec_function *f)
{
    return f->runner != 0 ? run : NULL;
}

void *null_gl_function(const char *name)
{
    const struct spec_function *f = spec_find_function(name);
    if (f == NULL)
        return NULL;
    void (*found)(void) = null_answer(name, spec_string(spec_functions[f->alias].name));
    if (found == NULL)
        found = not_called;
    return *(void **)(uintptr_t)&found;
}
