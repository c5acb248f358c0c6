/* SPDX-License-Identifier: MIT
 * EGL images, which are created on the display of the context that has their objects, and syncs, which are
 * created on that of the current context. An image can only be replayed if it is made from a GL object,
 * because other memory is not in the trace. Contexts of GLX have neither: what such an image showed is in the
 * trace, and a sync is signalled from the start. So is one that is made in a thread without a context; other
 * syncs are not waited for there, where nothing is drawn.
 */
#include "handlers/handlers.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <string.h>

#include "base/error.h"
#include "call/replay_invoke.h"
#include "objects/replay_context.h"
#include "objects/replay_names.h"
#include "call/replay_values.h"
#include "spec_ids.h"

enum { MAX_ATTRIBS = 16 };

struct egl_functions {
    PFNEGLCREATEIMAGEKHRPROC eglCreateImageKHR;
    PFNEGLDESTROYIMAGEKHRPROC eglDestroyImageKHR;
    PFNEGLCREATESYNCKHRPROC eglCreateSyncKHR;
    PFNEGLDESTROYSYNCKHRPROC eglDestroySyncKHR;
    PFNEGLCLIENTWAITSYNCKHRPROC eglClientWaitSyncKHR;
};

/* Images and syncs of contexts of GLX have names, but nothing stands for them. */
static bool is_of_glx(const struct replayer *r, const struct replay_context *context)
{
    return r->ws->ops->egl_handles(r->ws, context->ws).context == NULL;
}

/* Returns NULL if no context of EGL is current. */
static EGLDisplay current_display(const struct replayer *r)
{
    return r->current != NULL ? r->ws->ops->egl_handles(r->ws, r->current->ws).display : NULL;
}

/* Errors: TRACE_ERR_UNSUPPORTED if the driver does not have one of the functions. */
static int load(struct replayer *r, const struct replay_call *c, struct egl_functions *egl)
{
    static const char *const names[] = {"eglCreateImageKHR", "eglDestroyImageKHR", "eglCreateSyncKHR",
                                        "eglDestroySyncKHR", "eglClientWaitSyncKHR"};
    void *found[sizeof names / sizeof *names];
    _Static_assert(sizeof found == sizeof *egl, "a name for each function");
    *egl = (struct egl_functions){0};
    for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
        found[i] = r->ws->ops->get_proc(r->ws, names[i]);
        if (found[i] == NULL)
            return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the driver does not have %s",
                                   spec_string(c->function->spec->name), names[i]);
    }
    memcpy(egl, found, sizeof *egl);
    return 0;
}

/* --- images ---------------------------------------------------------------------------------------- */

/* Returns the kind of GL object from which the image is made, or SPEC_OBJECT_none for other memory. */
static unsigned source_kind(uint64_t target)
{
    if (target >= EGL_GL_TEXTURE_2D && target <= EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Z)
        return SPEC_OBJECT_texture;
    return target == EGL_GL_RENDERBUFFER ? SPEC_OBJECT_renderbuffer : SPEC_OBJECT_none;
}

static void copy_attribs(const struct trace_value *list, EGLint *out)
{
    unsigned n = 0;
    for (uint64_t i = 0; list->type == TRACE_ARRAY && i + 1 < list->count && n + 2 < MAX_ATTRIBS; i += 2) {
        struct trace_value key, value;
        trace_array_get(list, i, &key);
        trace_array_get(list, i + 1, &value);
        out[n++] = (EGLint)trace_value_to_sint(&key, 0);
        out[n++] = (EGLint)trace_value_to_sint(&value, 0);
    }
    out[n] = EGL_NONE;
}

static int image_without_egl(struct replayer *r, uint64_t traced)
{
    if (!r->warned_of_images)
        replay_warn(
            r, "contexts of GLX have no EGL images: their textures show what the trace has recorded, but not "
               "what is drawn to them later; --contexts=EGL shows that, too");
    r->warned_of_images = true;
    return replay_add_name(r, SPEC_OBJECT_egl_image, traced, 0, 0);
}

/* Makes the image of an object of the context. */
static int make_image(struct replayer *r, struct replay_call *c, struct replay_context *context,
                      EGLImage *out)
{
    EGLenum target = (EGLenum)replay_arg_uint(c, 2, 0);
    uint64_t name = replay_map_name_of(r, context, source_kind(target), replay_arg_uint(c, 3, 0));
    struct egl_handles handles = r->ws->ops->egl_handles(r->ws, context->ws);
    struct egl_functions egl;
    EGLint attribs[MAX_ATTRIBS];
    copy_attribs(replay_arg(c, 4), attribs);
    int rc = load(r, c, &egl);
    if (rc != 0)
        return rc;
    *out = egl.eglCreateImageKHR(handles.display, handles.context, target, (EGLClientBuffer)(uintptr_t)name,
                                 attribs);
    return *out != EGL_NO_IMAGE_KHR
               ? 0
               : trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the driver cannot make this image",
                                 spec_string(c->function->spec->name));
}

int handle_egl_create_image(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0), traced_context = replay_arg_uint(c, 1, 0);
    EGLImage image;
    if (traced == 0)
        return 0;
    if (source_kind(replay_arg_uint(c, 2, 0)) == SPEC_OBJECT_none)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the memory of the image is not in the trace",
                               spec_string(c->function->spec->name));
    struct replay_context *context = replay_context_find(r, traced_context);
    if (context == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: context 0x%llx does not exist",
                               spec_string(c->function->spec->name), (unsigned long long)traced_context);
    if (is_of_glx(r, context))
        return image_without_egl(r, traced);
    int rc = make_image(r, c, context, &image);
    return rc != 0 ? rc : replay_add_name(r, SPEC_OBJECT_egl_image, traced, (uintptr_t)image, 0);
}

/* Objects that could not be created have been reported before. */
static bool forget(struct replayer *r, unsigned kind, uint64_t traced, void **real)
{
    if (!replay_knows_name(r, kind, traced))
        return false;
    *real = (void *)(uintptr_t)replay_map_name(r, kind, traced, 0);
    replay_remove_name(r, kind, traced);
    return true;
}

int handle_egl_destroy_image(struct replayer *r, struct replay_call *c)
{
    struct egl_functions egl;
    EGLDisplay display = current_display(r);
    EGLImageKHR image;
    if (!forget(r, SPEC_OBJECT_egl_image, replay_arg_uint(c, 1, 0), &image) || image == NULL ||
        display == NULL || load(r, c, &egl) != 0)
        return 0; /* without a context, it is destroyed with the display */
    egl.eglDestroyImageKHR(display, image);
    return 0;
}

int handle_image_target_texture(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = replay_arg_uint(c, 1, 0);
    if (replay_knows_name(r, SPEC_OBJECT_egl_image, traced) &&
        replay_map_name(r, SPEC_OBJECT_egl_image, traced, 0) == 0)
        return 0;
    int rc = replay_generic(r, c);
    r->current->shows_image = rc == 0;
    return rc;
}

/* A fake call follows with the contents of the texture, for replays without the image. With the image, later
 * changes are visible, too. */
int handle_tex_image(struct replayer *r, struct replay_call *c)
{
    bool is_known = r->current->shows_image;
    r->current->shows_image = false;
    return is_known && (c->call->flags & TRACE_CALL_FAKE) != 0 ? 0 : replay_generic(r, c);
}

/* --- syncs ----------------------------------------------------------------------------------------- */

int handle_egl_create_sync(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = trace_value_to_uint(&c->call->ret, 0);
    struct egl_functions egl;
    if (traced == 0)
        return 0;
    EGLDisplay display = current_display(r);
    if (display == NULL) {
        if (r->current != NULL && !r->current->inside_begin)
            r->gl.glFinish(); /* what the sync would be waited for */
        return replay_add_name(r, SPEC_OBJECT_egl_sync, traced, 0, 0);
    }
    int rc = load(r, c, &egl);
    if (rc != 0)
        return rc;
    EGLSyncKHR sync = egl.eglCreateSyncKHR(display, EGL_SYNC_FENCE_KHR, NULL);
    if (sync == EGL_NO_SYNC_KHR)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: the driver cannot make this sync",
                               spec_string(c->function->spec->name));
    return replay_add_name(r, SPEC_OBJECT_egl_sync, traced, (uintptr_t)sync, 0);
}

int handle_egl_destroy_sync(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = replay_arg_uint(c, c->function->spec->param_count - 1u, 0);
    struct egl_functions egl;
    EGLDisplay display = current_display(r);
    EGLSyncKHR sync;
    if (!forget(r, SPEC_OBJECT_egl_sync, traced, &sync) || sync == NULL || display == NULL ||
        load(r, c, &egl) != 0)
        return 0;
    egl.eglDestroySyncKHR(display, sync);
    return 0;
}

int handle_egl_client_wait_sync(struct replayer *r, struct replay_call *c)
{
    const EGLTimeKHR ten_seconds = UINT64_C(10000000000);
    unsigned index = c->function->spec->param_count - 3u; /* NV's functions have no display parameter */
    uint64_t traced = replay_arg_uint(c, index, 0);
    struct egl_functions egl;
    if (trace_value_to_uint(&c->call->ret, EGL_FALSE) != EGL_CONDITION_SATISFIED_KHR)
        return 0;
    if (!replay_knows_name(r, SPEC_OBJECT_egl_sync, traced))
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: no such sync",
                               spec_string(c->function->spec->name));
    EGLSyncKHR sync = (EGLSyncKHR)(uintptr_t)replay_map_name(r, SPEC_OBJECT_egl_sync, traced, 0);
    EGLDisplay display = current_display(r);
    if (sync == NULL || display == NULL)
        return 0;
    int rc = load(r, c, &egl);
    if (rc != 0)
        return rc;
    if (egl.eglClientWaitSyncKHR(display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR, ten_seconds) ==
        EGL_TIMEOUT_EXPIRED_KHR)
        replay_warn(r, "a sync that was signalled in the trace is not signalled after ten seconds");
    return 0;
}
