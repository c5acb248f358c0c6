/* SPDX-License-Identifier: MIT
 * Follows the state that sizes depend on: current contexts, pixel store, buffer and vertex array bindings.
 */
#include "capture_hooks.h"
#include "gl_enums.h"

#include <stdlib.h>
#include <string.h>

DEFINE_HOOK(get_proc_address)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[0].p != NULL)
        ret->p = capture_wrap_symbol(args[0].p, ret->p);
}

static void record_initial_box(struct capture_thread *t, uint32_t pname, uint32_t function)
{
    int32_t box[4] = {0, 0, 0, 0};
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    ((void (*)(uint32_t, int32_t *))get)(pname, box);
    const union spec_arg args[4] = {{.i = box[0]}, {.i = box[1]}, {.i = box[2]}, {.i = box[3]}};
    capture_fake_call(t, function, args);
}

static enum gl_profile find_profile(void)
{
    capture_function get = real_function_find(SPEC_FN_glGetString);
    const char *version = ((const char *(*)(uint32_t))get)(SPEC_GL_VERSION);
    if (version == NULL)
        return GL_PROFILE_UNKNOWN;
    return strncmp(version, "OpenGL ES", 9) == 0 ? GL_PROFILE_ES : GL_PROFILE_DESKTOP;
}

/* The call has set the viewport and the scissor box to the drawable's size: fake calls tell the trace. */
static void complete_context(struct capture_thread *t)
{
    struct gl_context *c = t->context;
    c->was_current = true;
    c->profile = find_profile();
    record_initial_box(t, SPEC_GL_VIEWPORT, SPEC_FN_glViewport);
    record_initial_box(t, SPEC_GL_SCISSOR_BOX, SPEC_FN_glScissor);
}

/* The call's context argument is its last; what it returned tells whether it worked. */
DEFINE_HOOK(make_current)
{
    UNUSED_HOOK_ARGUMENTS;
    void *handle = args[f->param_count - 1].p;
    if (ret->i == 0 || handle == t->context->handle)
        return;
    struct gl_context *c = gl_context_get(handle);
    if (c == NULL)
        return;
    capture_thread_set_context(t, c);
    if (handle != NULL && !c->was_current)
        t->complete = complete_context;
}

/* (display, context) */
DEFINE_HOOK(destroy_context)
{
    UNUSED_HOOK_ARGUMENTS;
    if (args[1].p != NULL)
        gl_context_destroy(args[1].p);
}

DEFINE_HOOK(pixel_store)
{
    UNUSED_HOOK_ARGUMENTS;
    struct spec_pixel_store *unpack = &t->context->sizes.unpack, *pack = &t->context->sizes.pack;
    int32_t value = f->params[1].type == SPEC_F32 ? (int32_t)args[1].f32 : (int32_t)args[1].i;
    const struct {
        uint32_t pname;
        int32_t *field;
    } fields[] = {
        {SPEC_GL_UNPACK_ALIGNMENT, &unpack->alignment},
        {SPEC_GL_UNPACK_ROW_LENGTH, &unpack->row_length},
        {SPEC_GL_UNPACK_SKIP_ROWS, &unpack->skip_rows},
        {SPEC_GL_UNPACK_SKIP_PIXELS, &unpack->skip_pixels},
        {SPEC_GL_UNPACK_SKIP_IMAGES, &unpack->skip_images},
        {SPEC_GL_UNPACK_IMAGE_HEIGHT, &unpack->image_height},
        {SPEC_GL_PACK_ALIGNMENT, &pack->alignment},
        {SPEC_GL_PACK_ROW_LENGTH, &pack->row_length},
        {SPEC_GL_PACK_SKIP_ROWS, &pack->skip_rows},
        {SPEC_GL_PACK_SKIP_PIXELS, &pack->skip_pixels},
        {SPEC_GL_PACK_SKIP_IMAGES, &pack->skip_images},
        {SPEC_GL_PACK_IMAGE_HEIGHT, &pack->image_height},
    };
    if (value < 0) /* GL_INVALID_VALUE: nothing changed */
        return;
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; ++i)
        if (fields[i].pname == args[0].u)
            *fields[i].field = value;
}

/* glBindBuffer(target, buffer); the indexed forms bind (target, index, buffer) to the target as well. */
DEFINE_HOOK(bind_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    enum gl_buffer_target target = gl_context_buffer_target((uint32_t)args[0].u);
    unsigned buffer = f->param_count == 2 ? 1 : 2;
    if (target != GL_BUFFER_TARGETS)
        gl_context_bind_buffer(t->context, target, (uint32_t)args[buffer].u);
}

DEFINE_HOOK(delete_buffers)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint32_t *names = args[1].p;
    for (int64_t i = 0; names != NULL && i < args[0].i; ++i)
        for (unsigned target = 0; names[i] != 0 && target < GL_BUFFER_TARGETS; ++target)
            if (gl_context_bound_buffer(t->context, target) == names[i])
                gl_context_bind_buffer(t->context, target, 0);
}

DEFINE_HOOK(bind_vertex_array)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    gl_context_bind_arrays(c, gl_context_find_arrays(c, (uint32_t)args[0].u));
}

DEFINE_HOOK(delete_vertex_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint32_t *names = args[1].p;
    for (int64_t i = 0; names != NULL && i < args[0].i; ++i)
        gl_context_delete_arrays(t->context, names[i]);
}

/* (array object, buffer) */
DEFINE_HOOK(vertex_array_element_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    gl_context_find_arrays(c, (uint32_t)args[0].u)->element_buffer = (uint32_t)args[1].u;
    gl_context_bind_arrays(c, c->arrays);
}

static void push_client_attributes(struct gl_context *c, uint32_t mask)
{
    if (c->stack_depth == GL_CLIENT_STACK)
        return; /* GL_STACK_OVERFLOW */
    struct gl_client_attributes *top = &c->stack[c->stack_depth++];
    *top = (struct gl_client_attributes){mask, c->sizes.unpack, c->sizes.pack, NULL, c->active_texture};
    if ((mask & SPEC_GL_CLIENT_VERTEX_ARRAY_BIT) != 0 && (top->arrays = malloc(sizeof *top->arrays)) != NULL)
        *top->arrays = *c->arrays;
}

DEFINE_HOOK(push_client_attrib)
{
    UNUSED_HOOK_ARGUMENTS;
    push_client_attributes(t->context, (uint32_t)args[0].u);
}

DEFINE_HOOK(pop_client_attrib)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (c->stack_depth == 0)
        return; /* GL_STACK_UNDERFLOW */
    struct gl_client_attributes *top = &c->stack[--c->stack_depth];
    if ((top->mask & SPEC_GL_CLIENT_PIXEL_STORE_BIT) != 0) {
        c->sizes.unpack = top->unpack;
        c->sizes.pack = top->pack;
    }
    if (top->arrays == NULL)
        return;
    struct gl_vertex_array *arrays = gl_context_find_arrays(c, top->arrays->name);
    *arrays = *top->arrays;
    gl_context_bind_arrays(c, arrays);
    c->active_texture = top->active_texture;
    free(top->arrays);
    top->arrays = NULL;
}
