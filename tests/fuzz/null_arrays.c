/* SPDX-License-Identifier: MIT
 * The client arrays of the null driver, and what draws read of them.
 */
#include "null_memory.h"
#include "null_state.h"

#include "runtime/spec.h"
#include "spec_ids.h"

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
    struct ws_context *context = null_current();
    struct client_array a = {
        .vertex_array = (uint64_t)null_integer(GL_VERTEX_ARRAY_BINDING),
        .function = f->alias,
        .index = (uint32_t)argument(f, args, "index", null_integer(GL_CLIENT_ACTIVE_TEXTURE)),
        .memory = null_integer(GL_ARRAY_BUFFER_BINDING) == 0 ? args[f->param_count - 1].p : NULL,
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
    struct ws_context *context = null_current();
    if (count <= 0 || first < 0)
        return;
    for (unsigned i = 0; i < context->array_count; ++i) {
        const struct client_array *a = &context->arrays[i];
        if (a->memory == NULL || a->vertex_array != (uint64_t)null_integer(GL_VERTEX_ARRAY_BINDING))
            continue;
        null_memory_read(a->memory + first * a->stride, (uint64_t)((count - 1) * a->stride + a->size));
    }
}

static void read_indexed(uint32_t type, const uint8_t *indices, int64_t count, int64_t base)
{
    enum spec_type element = type == GL_UNSIGNED_BYTE    ? SPEC_U8
                             : type == GL_UNSIGNED_SHORT ? SPEC_U16
                                                         : SPEC_U32;
    if (null_integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0 || indices == NULL)
        return;
    if (type != GL_UNSIGNED_BYTE && type != GL_UNSIGNED_SHORT && type != GL_UNSIGNED_INT)
        return;
    for (int64_t i = 0; i < count; ++i) {
        union spec_arg index;
        spec_load(element, indices, (size_t)i, &index);
        if (null_current()->array_count > 0)
            read_vertices((int64_t)(uint32_t)(index.i + base), 1);
    }
}

void null_draw(const struct spec_function *f, const union spec_arg *args)
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

void null_keep_array(const struct spec_function *f, const union spec_arg *args)
{
    if (is_array_pointer(f))
        keep_array(f, args);
}
