/* SPDX-License-Identifier: MIT */
#include "null_gl.h"

#include "null_memory.h"

#include "base/hash_map.h"
#include "call/gl_functions.h"
#include "runtime/invoke.h"
#include "runtime/length.h"
#include "spec_ids.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALID = 0x4e554c4c, MAX_ARRAYS = 64, BUFFER_SIZE = 4096, SIDE = 40, MAX_ARGUMENTS = 32 };

/* A client array that a call has left with the driver. */
struct client_array {
    uint64_t vertex_array;
    uint32_t function, index;
    const uint8_t *memory; /* NULL: none, or in a buffer object */
    int64_t stride, size;  /* bytes of one vertex */
};

/* Contexts that share buffers. */
struct buffers {
    unsigned references;
    struct int_map mapped; /* maps names to memory of BUFFER_SIZE bytes */
};

struct ws_context {
    unsigned valid;
    struct buffers *buffers;
    struct int_map integers; /* by pname; the others are 0 */
    struct int_map element_buffers;
    struct client_array arrays[MAX_ARRAYS];
    unsigned array_count;
    void *results; /* the feedback buffer, or the selection buffer, and its bytes */
    uint64_t result_size;
    bool inside_begin;
};

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

static struct ws_context *current(void)
{
    if (null_gl.current == NULL) {
        fprintf(stderr, "null driver: a call without a context\n");
        abort();
    }
    return null_gl.current;
}

static int64_t integer(uint32_t pname)
{
    uint64_t value = 0;
    if (int_map_get(&current()->integers, pname, &value))
        return (int64_t)value;
    if (pname == GL_PACK_ALIGNMENT || pname == GL_UNPACK_ALIGNMENT)
        return 4;
    return 0;
}

static void set_integer(uint32_t pname, int64_t value)
{
    if (int_map_set(&current()->integers, pname, (uint64_t)value) != 0)
        abort();
}

static int64_t ask_integer(void *context, uint32_t pname)
{
    (void)context;
    return integer(pname);
}

static int32_t level_value(uint32_t target, int32_t level, uint32_t pname)
{
    if (level < 0 || level > 20)
        return 0;
    return pname == GL_TEXTURE_COMPRESSED_IMAGE_SIZE ? SIDE * SIDE : (int32_t)(SIDE + target % 8);
}

static int64_t ask_level(void *context, uint32_t target, int32_t level, uint32_t pname)
{
    (void)context;
    return level_value(target, level, pname);
}

/* Returns what the driver reads from its own state when it executes a call. */
static struct spec_state state_of_driver(void)
{
    static const struct spec_driver driver = {.get_integer = ask_integer, .get_level = ask_level};
#define STORE(prefix)                                                                                        \
    {                                                                                                        \
        .row_length = (int32_t)integer(GL_##prefix##_ROW_LENGTH),                                            \
        .image_height = (int32_t)integer(GL_##prefix##_IMAGE_HEIGHT),                                        \
        .skip_rows = (int32_t)integer(GL_##prefix##_SKIP_ROWS),                                              \
        .skip_pixels = (int32_t)integer(GL_##prefix##_SKIP_PIXELS),                                          \
        .skip_images = (int32_t)integer(GL_##prefix##_SKIP_IMAGES),                                          \
        .alignment = (int32_t)integer(GL_##prefix##_ALIGNMENT)                                               \
    }
    return (struct spec_state){
        .unpack = STORE(UNPACK),
        .pack = STORE(PACK),
        .unpack_buffer = integer(GL_PIXEL_UNPACK_BUFFER_BINDING) != 0,
        .pack_buffer = integer(GL_PIXEL_PACK_BUFFER_BINDING) != 0,
        .element_buffer = integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0,
        .array_buffer = integer(GL_ARRAY_BUFFER_BINDING) != 0,
        .indirect_buffer = integer(GL_DRAW_INDIRECT_BUFFER_BINDING) != 0,
        .query_buffer = integer(GL_QUERY_BUFFER_BINDING) != 0,
        .driver = &driver,
    };
#undef STORE
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
    if (length <= 0)
        return;
    if ((p->flags & SPEC_PARAM_OUT) != 0)
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

/* --- client arrays ---------------------------------------------------------------------------------- */

static int64_t type_size(uint32_t type)
{
    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return 1;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
        return 2;
    case GL_DOUBLE:
        return 8;
    default:
        return 4;
    }
}

static int64_t argument(const struct spec_function *f, const union spec_arg *args, const char *name,
                        int64_t otherwise)
{
    for (unsigned i = 0; i < f->param_count; ++i)
        if (strcmp(spec_string(spec_param(f, i)->name), name) == 0)
            return args[i].i;
    return otherwise;
}

static bool is_array_pointer(const struct spec_function *f)
{
    const char *name = spec_string(spec_functions[f->alias].name);
    size_t n = strlen(name);
    return n > 7 && strcmp(name + n - 7, "Pointer") == 0 && f->param_count >= 2 &&
           spec_param(f, f->param_count - 1u)->form == SPEC_FORM_OPAQUE;
}

/* gl*Pointer([index,] [size, type,] … stride, pointer) */
static void keep_array(const struct spec_function *f, const union spec_arg *args)
{
    struct ws_context *context = current();
    struct client_array a = {
        .vertex_array = (uint64_t)integer(GL_VERTEX_ARRAY_BINDING),
        .function = f->alias,
        .index = (uint32_t)argument(f, args, "index", integer(GL_CLIENT_ACTIVE_TEXTURE)),
        .memory = integer(GL_ARRAY_BUFFER_BINDING) == 0 ? args[f->param_count - 1].p : NULL,
    };
    int64_t components = argument(f, args, "size", f->alias == SPEC_FN_glNormalPointer ? 3 : 1);
    if (components == GL_BGRA)
        components = 4;
    if (components < 1 || components > 4 || argument(f, args, "stride", 0) < 0)
        return; /* an error */
    bool flag = f->alias == SPEC_FN_glEdgeFlagPointer;
    a.size = flag ? 1 : components * type_size((uint32_t)argument(f, args, "type", GL_FLOAT));
    a.stride = argument(f, args, "stride", 0);
    if (a.stride == 0)
        a.stride = a.size;
    unsigned i = 0;
    while (i < context->array_count &&
           (context->arrays[i].vertex_array != a.vertex_array || context->arrays[i].function != a.function ||
            context->arrays[i].index != a.index))
        ++i;
    if (i == MAX_ARRAYS)
        return;
    context->arrays[i] = a;
    context->array_count += i == context->array_count;
}

static void read_vertices(int64_t first, int64_t count)
{
    struct ws_context *context = current();
    if (count <= 0 || first < 0)
        return;
    for (unsigned i = 0; i < context->array_count; ++i) {
        const struct client_array *a = &context->arrays[i];
        if (a->memory == NULL || a->vertex_array != (uint64_t)integer(GL_VERTEX_ARRAY_BINDING))
            continue;
        null_memory_read(a->memory + first * a->stride, (uint64_t)((count - 1) * a->stride + a->size));
    }
}

static void read_indexed(uint32_t type, const uint8_t *indices, int64_t count, int64_t base)
{
    enum spec_type element = type == GL_UNSIGNED_BYTE    ? SPEC_U8
                             : type == GL_UNSIGNED_SHORT ? SPEC_U16
                                                         : SPEC_U32;
    if (integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0 || indices == NULL)
        return;
    if (type != GL_UNSIGNED_BYTE && type != GL_UNSIGNED_SHORT && type != GL_UNSIGNED_INT)
        return;
    for (int64_t i = 0; i < count; ++i) {
        union spec_arg index;
        spec_load(element, indices, (size_t)i, &index);
        if (current()->array_count > 0)
            read_vertices((int64_t)(uint32_t)(index.i + base), 1);
    }
}

static void draw(const struct spec_function *f, const union spec_arg *args)
{
    const char *name = spec_string(f->name);
    int64_t count = argument(f, args, "count", 0);
    if (strncmp(name, "glDrawArrays", 12) == 0 && strstr(name, "Indirect") == NULL)
        read_vertices(argument(f, args, "first", 0), count);
    else if (strncmp(name, "glDraw", 6) == 0 && strstr(name, "Elements") != NULL &&
             strstr(name, "Indirect") == NULL)
        read_indexed((uint32_t)argument(f, args, "type", 0),
                     (const uint8_t *)(intptr_t)argument(f, args, "indices", 0), count,
                     argument(f, args, "basevertex", 0));
    else if (f->alias == SPEC_FN_glArrayElement)
        read_vertices(args[0].i, 1);
    else if (f->alias == SPEC_FN_glMultiDrawArrays)
        for (int64_t i = 0; i < args[3].i; ++i)
            read_vertices(((const GLint *)args[1].p)[i], ((const GLint *)args[2].p)[i]);
}

/* --- functions that the replayer itself calls -------------------------------------------------------- */

/* Functions that do nothing, but need a context. */
#define DOES_NOTHING(name, ...)                                                                              \
    static void null_##name(__VA_ARGS__)                                                                     \
    {                                                                                                        \
        current();                                                                                           \
    }
DOES_NOTHING(glBlitFramebuffer, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum)
DOES_NOTHING(glCopyTexImage2D, GLenum, GLint, GLenum, GLint, GLint, GLsizei, GLsizei, GLint)
DOES_NOTHING(glFramebufferRenderbuffer, GLenum, GLenum, GLenum, GLuint)
DOES_NOTHING(glRenderbufferStorage, GLenum, GLenum, GLsizei, GLsizei)
DOES_NOTHING(glFinish, void)
DOES_NOTHING(glFlush, void)
DOES_NOTHING(glListBase, GLuint)

/* Functions that set a value which can be queried. */
#define SETS(name, pname, ...)                                                                               \
    static void null_##name(__VA_ARGS__)                                                                     \
    {                                                                                                        \
        set_integer(pname, (int64_t)value);                                                                  \
    }
SETS(glDisable, value, GLenum value)
SETS(glEnable, value, GLenum value)
SETS(glDrawBuffer, GL_DRAW_BUFFER, GLenum value)
SETS(glReadBuffer, GL_READ_BUFFER, GLenum value)
SETS(glClientActiveTexture, GL_CLIENT_ACTIVE_TEXTURE, GLenum value)
SETS(glPixelStorei, pname, GLenum pname, GLint value)
SETS(glBindRenderbuffer, target == GL_RENDERBUFFER ? GL_RENDERBUFFER_BINDING : 0, GLenum target, GLuint value)
SETS(glBindTexture, target == GL_TEXTURE_2D ? GL_TEXTURE_BINDING_2D : 0, GLenum target, GLuint value)

static void null_glBindFramebuffer(GLenum target, GLuint name)
{
    if (target != GL_READ_FRAMEBUFFER)
        set_integer(GL_DRAW_FRAMEBUFFER_BINDING, name);
    if (target != GL_DRAW_FRAMEBUFFER)
        set_integer(GL_READ_FRAMEBUFFER_BINDING, name);
}

static GLenum buffer_binding(GLenum target)
{
    switch (target) {
    case GL_ARRAY_BUFFER:
        return GL_ARRAY_BUFFER_BINDING;
    case GL_ELEMENT_ARRAY_BUFFER:
        return GL_ELEMENT_ARRAY_BUFFER_BINDING;
    case GL_PIXEL_UNPACK_BUFFER:
        return GL_PIXEL_UNPACK_BUFFER_BINDING;
    case GL_PIXEL_PACK_BUFFER:
        return GL_PIXEL_PACK_BUFFER_BINDING;
    case GL_DRAW_INDIRECT_BUFFER:
        return GL_DRAW_INDIRECT_BUFFER_BINDING;
    case GL_QUERY_BUFFER:
        return GL_QUERY_BUFFER_BINDING;
    case GL_UNIFORM_BUFFER:
        return GL_UNIFORM_BUFFER_BINDING;
    default:
        return 0;
    }
}

static void null_glBindBuffer(GLenum target, GLuint name)
{
    GLenum binding = buffer_binding(target);
    if (binding != 0)
        set_integer(binding, name);
    if (target == GL_ELEMENT_ARRAY_BUFFER &&
        int_map_set(&current()->element_buffers, (uint64_t)integer(GL_VERTEX_ARRAY_BINDING), name) != 0)
        abort();
}

static void bind_vertex_array(GLuint name)
{
    uint64_t buffer = 0;
    set_integer(GL_VERTEX_ARRAY_BINDING, name);
    int_map_get(&current()->element_buffers, name, &buffer);
    set_integer(GL_ELEMENT_ARRAY_BUFFER_BINDING, (int64_t)buffer);
}

static void give_names(GLsizei count, GLuint *names)
{
    current();
    for (GLsizei i = 0; i < count; ++i)
        names[i] = ++null_gl.names;
}
#define null_glGenFramebuffers  give_names
#define null_glGenRenderbuffers give_names

static void delete_names(GLsizei count, const GLuint *names)
{
    current();
    if (count > 0)
        null_memory_read(names, (uint64_t)count * sizeof *names);
}
#define null_glDeleteFramebuffers  delete_names
#define null_glDeleteRenderbuffers delete_names

static GLboolean null_glIsEnabled(GLenum what)
{
    current();
    return what != GL_SCISSOR_TEST;
}

/* Pretends now and then that a call has failed, whatever it was. */
static GLenum null_glGetError(void)
{
    current();
    return null_gl.calls++ % 97 == 96 ? GL_INVALID_OPERATION : GL_NO_ERROR;
}

static void null_glGetIntegerv(GLenum pname, GLint *values)
{
    if (pname == GL_VIEWPORT)
        memcpy(values, (const GLint[]){0, 0, SIDE, SIDE}, 4 * sizeof *values);
    else
        values[0] = (GLint)integer(pname);
}

static const GLubyte *null_glGetString(GLenum name)
{
    current();
    return (const GLubyte *)(name == GL_VERSION ? null_gl.version : "null driver");
}

static GLenum null_glClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout)
{
    (void)sync, (void)flags, (void)timeout;
    current();
    return GL_ALREADY_SIGNALED;
}

static void null_glGetBufferParameteriv(GLenum target, GLenum pname, GLint *value)
{
    (void)target, (void)pname;
    current();
    *value = BUFFER_SIZE;
}

static void null_glGetNamedBufferParameteriv(GLuint name, GLenum pname, GLint *value)
{
    (void)name;
    null_glGetBufferParameteriv(0, pname, value);
}

static void null_glGetFramebufferAttachmentParameteriv(GLenum target, GLenum point, GLenum pname,
                                                       GLint *value)
{
    (void)target, (void)point;
    current();
    *value = pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE ? GL_TEXTURE : 1;
}

static void null_glGetRenderbufferParameteriv(GLenum target, GLenum pname, GLint *value)
{
    (void)target, (void)pname;
    current();
    *value = SIDE;
}

static void null_glGetTexLevelParameteriv(GLenum target, GLint level, GLenum pname, GLint *value)
{
    current();
    *value = level_value(target, level, pname);
}

static void null_glGetVertexAttribiv(GLuint index, GLenum pname, GLint *value)
{
    (void)index, (void)pname;
    current();
    *value = 1;
}

static void null_glGetQueryObjectuiv(GLuint query, GLenum pname, GLuint *value)
{
    (void)query, (void)pname;
    current();
    *value = 1;
}

static void null_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                              void *pixels)
{
    struct spec_state state = state_of_driver();
    int64_t size = spec_image_size(format, type, width, height, 1, &state.pack);
    (void)x, (void)y;
    if (!state.pack_buffer && size > 0)
        null_memory_write(pixels, (uint64_t)size, 0x40);
}

/* --- EGL -------------------------------------------------------------------------------------------- */

static void *give_pointer(void)
{
    return (void *)(uintptr_t)(++null_gl.names * 16u);
}

static EGLImageKHR create_image(EGLDisplay display, EGLContext context, EGLenum target,
                                EGLClientBuffer buffer, const EGLint *attribs)
{
    (void)display, (void)context, (void)target, (void)buffer;
    for (current(); attribs != NULL && *attribs != EGL_NONE; attribs += 2)
        null_memory_read(attribs, 2 * sizeof *attribs);
    return give_pointer();
}

static EGLBoolean destroy_object(EGLDisplay display, void *object)
{
    (void)display, (void)object;
    current();
    return EGL_TRUE;
}

static EGLSyncKHR create_sync(EGLDisplay display, EGLenum type, const EGLint *attribs)
{
    (void)display, (void)type, (void)attribs;
    return give_pointer();
}

static EGLint wait_sync(EGLDisplay display, EGLSyncKHR sync, EGLint flags, EGLTimeKHR timeout)
{
    (void)display, (void)sync, (void)flags, (void)timeout;
    current();
    return EGL_CONDITION_SATISFIED_KHR;
}

/* --- calls ------------------------------------------------------------------------------------------ */

static uint64_t buffer_key(const struct spec_function *f, const union spec_arg *args)
{
    bool named = strstr(spec_string(f->name), "Named") != NULL;
    return named ? (uint32_t)args[0].u : (uint64_t)integer(buffer_binding((GLenum)args[0].u));
}

static void unmap(uint64_t buffer)
{
    struct int_map *mapped = &current()->buffers->mapped;
    uint64_t memory;
    if (!int_map_get(mapped, buffer, &memory))
        return;
    free((void *)(uintptr_t)memory);
    int_map_remove(mapped, buffer);
}

static void *map(uint64_t buffer, int64_t offset, int64_t size)
{
    struct int_map *mapped = &current()->buffers->mapped;
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
        static const GLenum bindings[] = {GL_ARRAY_BUFFER_BINDING,         GL_ELEMENT_ARRAY_BUFFER_BINDING,
                                          GL_PIXEL_UNPACK_BUFFER_BINDING,  GL_PIXEL_PACK_BUFFER_BINDING,
                                          GL_DRAW_INDIRECT_BUFFER_BINDING, GL_QUERY_BUFFER_BINDING};
        unmap(name);
        for (size_t b = 0; b < sizeof bindings / sizeof *bindings; ++b)
            if ((GLuint)integer(bindings[b]) == name)
                set_integer(bindings[b], 0);
    }
}

/* Keeps the memory of glFeedbackBuffer() and glSelectBuffer(), which the driver writes to until the program
 * asks for the results. */
static void keep_results(const struct spec_function *f, const union spec_arg *args)
{
    current()->results = args[f->param_count - 1].p;
    current()->result_size = args[0].i > 0 ? (uint64_t)args[0].i * 4 : 0;
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
    case SPEC_FN_glBindVertexArray:
        bind_vertex_array((GLuint)args[0].u);
        break;
    case SPEC_FN_glPixelStoref:
        if (args[1].f32 > -2e9f && args[1].f32 < 2e9f)
            set_integer((GLenum)args[0].u, (GLint)args[1].f32);
        break;
    case SPEC_FN_glFeedbackBuffer:
    case SPEC_FN_glSelectBuffer:
        keep_results(f, args);
        break;
    case SPEC_FN_glRenderMode:
        if (current()->results != NULL)
            null_memory_write(current()->results, current()->result_size, 1);
        break;
    default:
        if (is_array_pointer(f))
            keep_array(f, args);
        draw(f, args);
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
            give_names((GLsizei)count, args[i].p);
    }
}

void __wrap_spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                        union spec_arg *ret)
{
    struct spec_state state = state_of_driver();
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
        ret->u = f->ret.type == SPEC_PTR ? (uintptr_t)give_pointer() : ++null_gl.names;
    execute(f, args, ret);
}

void *null_gl_function(const char *name)
{
    const struct spec_function *f = spec_find_function(name);
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
#define ENTRY(type, name, parameters) {#name, (void (*)(void))null_##name},
        GL_FUNCTION_LIST(ENTRY)
#undef ENTRY
            {"eglGetCurrentDisplay", (void (*)(void))give_pointer},
        {"eglGetCurrentContext", (void (*)(void))give_pointer},
        {"eglCreateImageKHR", (void (*)(void))create_image},
        {"eglDestroyImageKHR", (void (*)(void))destroy_object},
        {"eglCreateSyncKHR", (void (*)(void))create_sync},
        {"eglDestroySyncKHR", (void (*)(void))destroy_object},
        {"eglClientWaitSyncKHR", (void (*)(void))wait_sync},
    };
    if (f == NULL)
        return NULL;
    const char *alias = spec_string(spec_functions[f->alias].name);
    void (*found)(void) = not_called;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].name, name) == 0 || strcmp(functions[i].name, alias) == 0)
            found = functions[i].function;
    return *(void **)(uintptr_t)&found;
}
