/* SPDX-License-Identifier: MIT
 * Tracks the state that determines sizes: current contexts, pixel store, and bindings of buffers and vertex
 * arrays.
 */
#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "gl/egl_image_reader.h"
#include "gl/gl_drawable_sizes.h"
#include "gl/gl_offered_functions.h"
#include "lookup/real_functions.h"
#include "lookup/rebinding.h"
#include "lookup/recorded_functions.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

DEFINE_HOOK(get_proc_address)
{
    UNUSED_HOOK_ARGUMENTS;
    rebinding_update(NULL);
    if (args[0].p != NULL)
        ret->p = recorded_name_wrap(args[0].p, gl_offers_address(args[0].p, ret->p));
}

/* Returns false if the box is empty. box: x, y, width, height; a driver may leave it as it is. */
static bool record_initial_box(struct capture_thread *t, uint32_t pname, uint32_t function, int32_t *box)
{
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    ((void (*)(uint32_t, int32_t *))get)(pname, box);
    const union spec_arg args[4] = {{.i = box[0]}, {.i = box[1]}, {.i = box[2]}, {.i = box[3]}};
    capture_fake_call(t, function, args);
    return box[2] != 0 && box[3] != 0;
}

/* The call has set the viewport and the scissor box to the size of the drawable. Fake calls record that.
 * Without a drawable, they are empty until one is bound. */
static void record_boxes(struct capture_thread *t)
{
    int32_t box[4] = {0, 0, 0, 0};
    t->context->has_boxes = record_initial_box(t, SPEC_GL_VIEWPORT, SPEC_FN_glViewport, box);
    gl_drawable_see_whole(t, box[2], box[3]);
    record_initial_box(t, SPEC_GL_SCISSOR_BOX, SPEC_FN_glScissor, box);
}

static void complete_context(struct capture_thread *t)
{
    struct gl_context *c = t->context;
    c->was_current = true;
    gl_context_identify(c);
    record_boxes(t);
}

/* The program itself may have set the boxes meanwhile, so they do not tell the size of the drawable. */
static void complete_boxes(struct capture_thread *t)
{
    record_boxes(t);
    gl_drawable_tell_size(t);
}

/* The context is the last argument. The return value says whether the call succeeded. */
DEFINE_HOOK(make_current)
{
    UNUSED_HOOK_ARGUMENTS;
    void *handle = args[f->param_count - 1].p;
    if (ret->i == 0)
        return;
    bool moved = gl_drawable_bind(t, f, args);
    bool same = handle == t->context->handle && !t->context->destroyed;
    struct gl_context *c = same ? t->context : gl_context_get(handle);
    if (c == NULL || (same && !moved))
        return;
    if (!same)
        capture_thread_set_context(t, c);
    if (handle != NULL)
        t->complete = !c->was_current ? complete_context
                      : c->has_boxes  ? gl_drawable_tell_size
                                      : complete_boxes;
}

DEFINE_HOOK(release_thread)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *none = gl_context_get(NULL);
    gl_drawable_unbind(t);
    if (ret->i != 0 && none != NULL)
        capture_thread_set_context(t, none);
}

/* (display, …): one of the arguments is the context to share objects with. */
DEFINE_HOOK(create_context)
{
    UNUSED_HOOK_ARGUMENTS;
    const void *share = NULL;
    for (unsigned i = 0; i < f->param_count; ++i)
        if ((spec_param(f, i)->flags & SPEC_PARAM_SHARE) != 0)
            share = args[i].p;
    if (ret->p != NULL)
        gl_context_create(args[0].p, ret->p, share);
}

/* (display) */
DEFINE_HOOK(terminate_display)
{
    UNUSED_HOOK_ARGUMENTS;
    egl_image_reader_forget(args[0].p);
    if (ret->i != 0)
        gl_context_terminate(args[0].p);
}

/* (…, context) */
DEFINE_HOOK(destroy_context)
{
    UNUSED_HOOK_ARGUMENTS;
    void *handle = args[f->param_count - 1].p;
    if (handle != NULL)
        gl_context_destroy(handle);
}

/* Returns true if the context accepts the parameter. OpenGL ES 2 only has the alignments; ES 3 does not have
 * the image parameters for packing. */
static bool takes_pixel_store(struct gl_context *c, uint32_t pname, int32_t value)
{
    if (c->in_begin || value < 0)
        return false;
    if (pname == SPEC_GL_UNPACK_ALIGNMENT || pname == SPEC_GL_PACK_ALIGNMENT)
        return value == 1 || value == 2 || value == 4 || value == 8;
    if (pname == SPEC_GL_PACK_INVERT_MESA)
        return gl_driver_has_extension(c->version, "GL_MESA_pack_invert");
    if (pname == SPEC_GL_PACK_REVERSE_ROW_ORDER_ANGLE)
        return gl_driver_has_extension(c->version, "GL_ANGLE_pack_reverse_row_order");
    if (c->profile != GL_PROFILE_ES)
        return true;
    if (pname == SPEC_GL_PACK_SKIP_IMAGES || pname == SPEC_GL_PACK_IMAGE_HEIGHT)
        return false;
    if (c->version >= 30)
        return true;
    bool pack = pname >= SPEC_GL_PACK_ROW_LENGTH && pname <= SPEC_GL_PACK_SKIP_PIXELS;
    bool image = pname == SPEC_GL_UNPACK_SKIP_IMAGES || pname == SPEC_GL_UNPACK_IMAGE_HEIGHT;
    return !image &&
           gl_driver_has_extension(c->version, pack ? "GL_NV_pack_subimage" : "GL_EXT_unpack_subimage");
}

static int32_t to_integer(float value)
{
    return value >= 0 && value < (float)INT32_MAX ? (int32_t)(value + 0.5f) : -1;
}

DEFINE_HOOK(pixel_store)
{
    UNUSED_HOOK_ARGUMENTS;
    struct spec_pixel_store *unpack = &t->context->sizes.unpack, *pack = &t->context->sizes.pack;
    int32_t value = spec_param(f, 1)->type == SPEC_F32 ? to_integer(args[1].f32) : (int32_t)args[1].i;
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
        {SPEC_GL_PACK_INVERT_MESA, &pack->inverted},
        {SPEC_GL_PACK_REVERSE_ROW_ORDER_ANGLE, &pack->inverted},
    };
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; ++i)
        if (fields[i].pname == args[0].u && takes_pixel_store(t->context, fields[i].pname, value))
            *fields[i].field = fields[i].field == &pack->inverted ? value != 0 : value;
    t->context->has_inverted_rows |= pack->inverted != 0;
}

/* Returns the enum for querying the binding. Returns 0 if the context does not have it, or if the query is
 * not needed: because the binding call cannot fail (an array or element buffer, except in core profiles,
 * which have no client-side arrays), or because a failure has no effect. */
static uint32_t binding_to_ask(const struct gl_context *c, enum gl_buffer_target target)
{
    bool es = c->profile == GL_PROFILE_ES;
    switch (target) {
    case GL_BUFFER_PIXEL_PACK:
        return c->version >= (es ? 30 : 21) ? SPEC_GL_PIXEL_PACK_BUFFER_BINDING : 0;
    case GL_BUFFER_PIXEL_UNPACK:
        return c->version >= (es ? 30 : 21) ? SPEC_GL_PIXEL_UNPACK_BUFFER_BINDING : 0;
    case GL_BUFFER_DRAW_INDIRECT:
        return c->version >= (es ? 31 : 40) ? SPEC_GL_DRAW_INDIRECT_BUFFER_BINDING : 0;
    case GL_BUFFER_QUERY:
        return c->version >= 44 ? SPEC_GL_QUERY_BUFFER_BINDING : 0;
    default:
        return 0;
    }
}

/* glBindBuffer(target, buffer). The indexed variants, with (target, index, buffer), also bind the buffer to
 * the target. */
DEFINE_HOOK(bind_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    enum gl_buffer_target target = gl_context_buffer_target((uint32_t)args[0].u);
    uint32_t buffer = (uint32_t)args[f->param_count == 2 ? 1 : 2].u;
    if (target == GL_BUFFER_TARGETS || t->context->in_begin)
        return;
    uint32_t binding = buffer != 0 ? binding_to_ask(t->context, target) : 0;
    if (binding != 0)
        buffer = (uint32_t)gl_driver_integer(binding);
    gl_context_bind_buffer(t->context, target, buffer);
}

/* Returns the names of glDelete*(n, names) if GL reads them. Returns NULL between glBegin() and glEnd(), and
 * if the names cannot be read, as may happen in calls without a current context. */
static const uint32_t *deleted_names(const struct capture_thread *t, const union spec_arg *args)
{
    if (t->context->in_begin || args[0].i <= 0 ||
        !program_memory_readable(args[1].p, (uint64_t)args[0].i * sizeof(uint32_t)))
        return NULL;
    return args[1].p;
}

DEFINE_HOOK(delete_buffers)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint32_t *names = deleted_names(t, args);
    for (int64_t i = 0; names != NULL && i < args[0].i; ++i)
        for (unsigned target = 0; names[i] != 0 && target < GL_BUFFER_TARGETS; ++target)
            if (gl_context_bound_buffer(t->context, target) == names[i])
                gl_context_bind_buffer(t->context, target, 0);
}

DEFINE_HOOK(bind_vertex_array)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    if (c->in_begin)
        return;
    struct gl_vertex_array *arrays = gl_context_known_arrays(c, (uint32_t)args[0].u);
    if (arrays == NULL) /* there may be none with this name */
        arrays = gl_context_find_arrays(c, (uint32_t)gl_driver_integer(SPEC_GL_VERTEX_ARRAY_BINDING));
    gl_context_bind_arrays(c, arrays);
}

DEFINE_HOOK(delete_vertex_arrays)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint32_t *names = deleted_names(t, args);
    for (int64_t i = 0; names != NULL && i < args[0].i; ++i)
        gl_context_delete_arrays(t->context, names[i]);
}

/* (array object, buffer) */
DEFINE_HOOK(vertex_array_element_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    struct gl_context *c = t->context;
    capture_function is_array = real_function_find(SPEC_FN_glIsVertexArray);
    if (((uint8_t(*)(uint32_t))is_array)((uint32_t)args[0].u) == 0)
        return; /* GL_INVALID_OPERATION */
    gl_context_find_arrays(c, (uint32_t)args[0].u)->element_buffer = (uint32_t)args[1].u;
    gl_context_bind_arrays(c, c->arrays);
}

/* glPushClientAttrib() and calls that reset client state: the effects are not tracked; the driver is queried
 * afterwards. */
DEFINE_HOOK(push_client_attrib)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_CLIENT_STACK;
}

DEFINE_HOOK(change_client_attrib)
{
    UNUSED_HOOK_ARGUMENTS;
    t->context->used |= GL_USES_CLIENT_STACK;
    gl_context_refresh(t->context);
}
