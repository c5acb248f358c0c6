/* SPDX-License-Identifier: MIT
 * OpenGL calls that change state which the replayer tracks: sizes, and state that lengths depend on. Also
 * synchronisation.
 */
#include "handlers/handlers.h"

#include <GL/glext.h>
#include <string.h>

#include "call/array_limits.h"
#include "call/array_objects.h"
#include "base/error.h"
#include "call/missing_arrays.h"
#include "call/replay_args.h"
#include "objects/list_primitives.h"
#include "objects/replay_drawable.h"
#include "call/replay_invoke.h"
#include "objects/replay_names.h"
#include "objects/replay_state.h"
#include "objects/pack_state.h"
#include "call/replay_values.h"
#include "spec_ids.h"

/* Not replayed by design: waits, swap intervals, callbacks into the traced program, displays. */
/* A descriptor or handle of the traced program refers to something else here, or to nothing. */
int handle_foreign_handle(struct replayer *r, struct replay_call *c)
{
    (void)r;
    (void)c;
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "it imports what another process or API has exported");
}

int handle_ignore(struct replayer *r, struct replay_call *c)
{
    (void)r;
    (void)c;
    return 0;
}

/* The window gets its size before the call, so that the driver knows it during the call. */
int handle_viewport(struct replayer *r, struct replay_call *c)
{
    replay_fit_viewport(r, replay_arg_sint(c, 0, 0), replay_arg_sint(c, 1, 0), replay_arg_sint(c, 2, 0),
                        replay_arg_sint(c, 3, 0), (c->call->flags & TRACE_CALL_FAKE) != 0);
    return replay_generic(r, c);
}

int handle_clear(struct replayer *r, struct replay_call *c)
{
    replay_clear_drawable(r, (GLbitfield)replay_arg_uint(c, 0, 0), NULL);
    return replay_generic(r, c);
}

/* rect: x, y, width, height, as floats. */
static void fit_rectangle(struct replayer *r, const struct trace_value *array, uint64_t first)
{
    double rect[4];
    if (array->type != TRACE_ARRAY || array->count < first + 4)
        return;
    for (unsigned i = 0; i < 4; ++i) {
        struct trace_value v;
        trace_array_get(array, first + i, &v);
        rect[i] = trace_value_to_double(&v, 0);
    }
    for (unsigned i = 0; i < 4; ++i)
        if (!(rect[i] > -65536 && rect[i] < 65536)) /* also true for NaN */
            return;
    replay_fit_viewport(r, (int64_t)rect[0], (int64_t)rect[1], (int64_t)(rect[2] + 0.5),
                        (int64_t)(rect[3] + 0.5), false);
}

int handle_viewport_array(struct replayer *r, struct replay_call *c)
{
    const struct trace_value *array = replay_arg(c, 2);
    for (uint64_t i = 0; array->type == TRACE_ARRAY && i + 4 <= array->count; i += 4)
        fit_rectangle(r, array, i);
    return replay_generic(r, c);
}

int handle_viewport_indexed_v(struct replayer *r, struct replay_call *c)
{
    fit_rectangle(r, replay_arg(c, 1), 0);
    return replay_generic(r, c);
}

int handle_viewport_indexed(struct replayer *r, struct replay_call *c)
{
    replay_grow_drawable(r, replay_arg_sint(c, 1, 0) + replay_arg_sint(c, 3, 0),
                         replay_arg_sint(c, 2, 0) + replay_arg_sint(c, 4, 0));
    return replay_generic(r, c);
}

int handle_begin(struct replayer *r, struct replay_call *c)
{
    missing_arrays_enabled(r, true); /* glArrayElement() cannot ask */
    if (!r->current->inside_begin)
        array_limits_begin(r);
    int rc = replay_generic(r, c);
    if (rc == 0 && c->args[0].u <= GL_PATCHES) /* no error */
        list_primitives_begin(r);
    return rc;
}

int handle_end(struct replayer *r, struct replay_call *c)
{
    list_primitives_end(r);
    return replay_generic(r, c);
}

int handle_pixel_store(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc != 0)
        return rc;
    r->current->pixel_store_stale = true;
    uint64_t pname = replay_arg_uint(c, 0, 0);
    if (pname == GL_PACK_INVERT_MESA || pname == PACK_REVERSE_ROW_ORDER_ANGLE)
        r->current->has_inverted_rows = true;
    return 0;
}

/* glPushClientAttrib and similar calls may change pixel store and all buffer bindings. */
/* The stack has the binding of the vertex array object, whose name here tells nothing of that in the trace.
 */
static void follow_client_stack(struct replayer *r, const struct replay_call *c)
{
    struct replay_context *context = r->current;
    unsigned function = c->function->spec->alias;
    if (function == SPEC_FN_glPopClientAttrib && context->client_depth > 0) {
        const struct client_attrib *top = &context->client_stack[--context->client_depth];
        if ((top->mask & GL_CLIENT_VERTEX_ARRAY_BIT) != 0)
            array_object_bind(context, top->vertex_array);
    } else if ((function == SPEC_FN_glPushClientAttrib || function == SPEC_FN_glPushClientAttribDefaultEXT) &&
               context->client_depth < MAX_CLIENT_DEPTH) {
        context->client_stack[context->client_depth++] =
            (struct client_attrib){(GLbitfield)c->args[0].u, context->vertex_array};
    }
}

int handle_client_attrib(struct replayer *r, struct replay_call *c)
{
    struct replay_context *context = r->current;
    int rc = replay_generic(r, c);
    if (rc != 0 || context->inside_begin)
        return rc;
    context->pixel_store_stale = context->buffers_stale = true;
    follow_client_stack(r, c);
    if (context->client_texture != 0)
        context->client_texture = (uint32_t)replay_get_integer(r, GL_CLIENT_ACTIVE_TEXTURE, GL_TEXTURE0);
    return client_arrays_update(r);
}

int handle_attribute_binding(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc != 0)
        return rc;
    r->current->has_bindings = true;
    return client_arrays_update(r);
}

int handle_bind_vertex_array(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc != 0)
        return rc;
    array_object_bind(r->current, replay_arg_uint(c, 0, 0));
    r->current->element_buffer_stale = true;
    return client_arrays_update(r);
}

static void forget_vertex_arrays(struct replayer *r, const struct trace_value *names)
{
    for (uint64_t i = 0; names->type == TRACE_ARRAY && i < names->count; ++i) {
        struct trace_value name;
        trace_array_get(names, i, &name);
        array_object_remove(r->current, trace_value_to_uint(&name, 0));
    }
}

/* glDeleteVertexArrays and glVertexArrayElementBuffer may change the element buffer of the bound array
 * object. */
int handle_change_vertex_array(struct replayer *r, struct replay_call *c)
{
    int rc = replay_generic(r, c);
    if (rc != 0 || r->current->inside_begin)
        return rc;
    r->current->element_buffer_stale = true;
    forget_vertex_arrays(r, replay_arg(c, 1));
    return client_arrays_update(r);
}

/* (identifier of a kind, name, …) */
int handle_identified_object(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    unsigned kind = spec_identified_kind((uint32_t)c->args[0].u);
    c->args[1].u = (uint32_t)replay_map_name(r, kind, c->args[1].u, 0);
    return replay_invoke(r, c);
}

/* Returns the index of the parameter with this name, or the number of parameters. */
static unsigned find_param(const struct spec_function *f, const char *name)
{
    unsigned i = 0;
    while (i < f->param_count && strcmp(spec_string(spec_param(f, i)->name), name) != 0)
        ++i;
    return i;
}

/* The target follows the name, and is GL_RENDERBUFFER or one of a texture. */
static void map_image(struct replayer *r, struct replay_call *c, const char *param)
{
    unsigned i = find_param(c->function->spec, param);
    if (i + 1 >= c->function->spec->param_count)
        return;
    bool is_renderbuffer = c->args[i + 1].u == GL_RENDERBUFFER;
    unsigned kind = is_renderbuffer ? SPEC_OBJECT_renderbuffer : SPEC_OBJECT_texture;
    c->args[i].u = (uint32_t)replay_map_name(r, kind, c->args[i].u, 0);
}

/* (…, srcName, srcTarget, …, dstName, dstTarget, …) */
int handle_copy_image(struct replayer *r, struct replay_call *c)
{
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    map_image(r, c, "srcName");
    map_image(r, c, "dstName");
    return replay_invoke(r, c);
}

/* The sync object does not exist, so the call has an error. It would not with NULL, to which other names are
 * decoded. */
int handle_delete_sync(struct replayer *r, struct replay_call *c)
{
    uint64_t traced = replay_arg_uint(c, 0, 0);
    if (traced != 0 && !replay_knows_name(r, SPEC_OBJECT_sync, traced)) {
        if (r->gl.glClientWaitSync != NULL)
            r->gl.glClientWaitSync(NULL, 0, 0); /* GL_INVALID_VALUE, too */
        return 0;
    }
    return replay_generic(r, c);
}

/* The wait must have the same result as in the trace, because the program continued according to it. */
int handle_client_wait_sync(struct replayer *r, struct replay_call *c)
{
    uint64_t result = trace_value_to_uint(&c->call->ret, GL_WAIT_FAILED);
    if (result == GL_TIMEOUT_EXPIRED)
        return 0;
    int rc = replay_decode_args(r, c);
    if (rc != 0)
        return rc;
    if (result == GL_WAIT_FAILED) { /* it has the same error here */
        c->args[2].u = 0;
        return replay_invoke_unchecked(r, c);
    }
    if (c->args[0].p == NULL || r->gl.glClientWaitSync == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "%s: no such fence",
                               spec_string(c->function->spec->name));
    const GLuint64 ten_seconds = 10u * UINT64_C(1000000000);
    GLenum now = r->gl.glClientWaitSync(c->args[0].p, GL_SYNC_FLUSH_COMMANDS_BIT, ten_seconds);
    if (now == GL_TIMEOUT_EXPIRED)
        replay_warn(r, "a fence that was signalled in the trace is not signalled after ten seconds");
    return 0;
}
