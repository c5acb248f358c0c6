/* SPDX-License-Identifier: MIT */
#include "objects/replay_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "call/array_objects.h"
#include "call/client_memory.h"
#include "call/driver_messages.h"
#include "call/write_access.h"
#include "objects/replay_drawable.h"
#include "objects/surface_texture.h"
#include "objects/window_buffers.h"
#include "replay_profile.h"
#include "objects/replay_state.h"

/* Converts a value of int_map to a pointer. */
static void *lookup(const struct int_map *map, uint64_t key)
{
    uint64_t value;
    return int_map_get(map, key, &value) ? (void *)(uintptr_t)value : NULL;
}

static int store(struct int_map *map, uint64_t key, const void *pointer)
{
    return int_map_set(map, key, (uintptr_t)pointer);
}

static void group_unref(struct replayer *r, struct share_group *group)
{
    if (group == NULL || --group->references > 0)
        return;
    memory_regions_remove_owner(&r->regions, group);
    int_map_fini(&group->list_programs);
    int_map_fini(&group->kept_shaders);
    name_scope_fini(&group->names);
    int_map_fini(&group->list_effects);
    free(group);
}

static void context_unref(struct replayer *r, struct replay_context *context)
{
    if (context == NULL || --context->references > 0)
        return;
    if (r->current == context) {
        replay_profile_leave_context(r);
        r->ws->ops->make_current(r->ws, NULL, NULL, NULL);
        r->current = NULL;
    }
    if (context->ws != NULL)
        r->ws->ops->destroy_context(r->ws, context->ws);
    client_memory_fini(&context->client_memory);
    int_map_fini(&context->pipeline_programs);
    uniform_name_fini(&context->uniform_name);
    int_map_fini(&context->query_targets);
    array_objects_fini(context);
    name_scope_fini(&context->names);
    group_unref(r, context->group);
    free(context);
}

static struct share_group *group_new(void)
{
    struct share_group *group = calloc(1, sizeof *group);
    if (group == NULL || name_scope_init(&group->names) != 0) {
        free(group);
        trace_error_set(TRACE_ERR_MEMORY, "out of memory for a share group");
        return NULL;
    }
    return group;
}

/* What the options say overrides what the trace says. */
static void apply_options(const struct replay_options *options, struct context_config *config)
{
    config->buffers = replay_buffers_with_options(options, &config->buffers);
    config->debug |= options->debug;
    if (!options->core || config->api != CONTEXT_GL || config->profile != PROFILE_ANY)
        return;
    config->profile = PROFILE_CORE;
    if (10 * config->major + config->minor < 32) {
        config->major = 3;
        config->minor = 2;
    }
}

/* Creates a context with this configuration, or without what only matters when something goes wrong, if the
 * driver cannot do that. Contexts that share objects may also have to agree on it. */
static int create_relaxed(struct replayer *r, struct replay_context *context, struct ws_context *share)
{
    struct context_config *config = &context->config;
    int rc = r->ws->ops->create_context(r->ws, &context->ws, config, share);
    if (rc == 0 ||
        !(config->robust || config->lose_on_reset || config->no_error || config->release_without_flush))
        return rc;
    config->robust = config->lose_on_reset = config->no_error = config->release_without_flush = false;
    return r->ws->ops->create_context(r->ws, &context->ws, config, share);
}

/* The first context decides whether windows, or EGL without a display server, can have its buffers. For later
 * ones it is too late. */
static void suit_window_system(struct replayer *r, const struct buffer_config *buffers)
{
    if (r->ws->ops->find_lacking == NULL || r->ws->ops->find_lacking(r->ws, buffers) == NULL)
        return;
    if (r->contexts.len > 0 || r->gl_loaded)
        replay_warn(r, "drawables have no %s: %s", r->ws->ops->find_lacking(r->ws, buffers),
                    r->ws->description);
    else if (r->ws->ops->replace(&r->ws, buffers) != 0)
        replay_warn(r, "%s", trace_error_message());
}

/* --no-context-check: any version and profile is better than none. */
static int create_real_context(struct replayer *r, struct replay_context *context,
                               struct replay_context *shared)
{
    struct ws_context *share = shared != NULL ? shared->ws : NULL;
    int rc = create_relaxed(r, context, share);
    if (rc == 0 || rc == TRACE_ERR_MEMORY || !r->options->no_context_check)
        return rc;
    replay_warn(r, "%s; trying any version", trace_error_message());
    context->config.major = context->config.api == CONTEXT_ES ? 2 : 0;
    context->config.minor = 0;
    context->config.profile = PROFILE_ANY;
    context->config.forward_compatible = false;
    return r->ws->ops->create_context(r->ws, &context->ws, &context->config, share);
}

int replay_context_create(struct replayer *r, uint64_t traced, const struct context_config *config,
                          uint64_t share)
{
    struct replay_context *shared = lookup(&r->contexts, share);
    struct replay_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a context");
    context->traced = traced;
    context->references = 1;
    context->config = *config;
    apply_options(r->options, &context->config);
    context->state.unpack.alignment = context->state.pack.alignment = 4;
    context->state.driver = replay_state_driver(r);
    context->group = shared != NULL ? shared->group : group_new();
    if (context->group != NULL)
        context->group->references++;
    suit_window_system(r, &context->config.buffers);
    int rc = context->group != NULL ? name_scope_init(&context->names) : TRACE_ERR_MEMORY;
    if (rc == 0)
        rc = create_real_context(r, context, shared);
    if (rc == 0) {
        replay_context_delete(r, traced); /* the handle is reused */
        rc = store(&r->contexts, traced, context);
    }
    if (rc != 0)
        context_unref(r, context);
    return rc;
}

void replay_context_delete(struct replayer *r, uint64_t traced)
{
    struct replay_context *context = lookup(&r->contexts, traced);
    if (context == NULL)
        return;
    int_map_remove(&r->contexts, traced);
    context_unref(r, context);
}

static void examine_context(struct replayer *r, struct replay_context *context)
{
    context->examined = true;
    gl_version_parse((const char *)r->gl.glGetString(GL_VERSION), &context->is_es, &context->version);
    context->pixel_store_stale = context->buffers_stale = true;
}

/* Windows of EGL have two buffers, also where a window of GLX in the trace, or of the options, has one, which
 * is the front buffer. A new context draws to the back buffer of such a window. What EGL makes of a window
 * that was to have one in the trace, it makes of it here. */
static void select_single_buffer(struct replayer *r, const struct replay_context *context)
{
    const struct replay_drawable *draw = r->thread->draw;
    bool is_as_in_trace = context->config.through_egl && !r->options->single_buffered;
    if (draw == NULL || draw->is_fixed || is_as_in_trace || context->is_es || r->ws->headless ||
        r->ws->ops->egl_handles(r->ws, context->ws).context == NULL ||
        !window_buffers_is_single(draw, context) || r->gl.glDrawBuffer == NULL || r->gl.glReadBuffer == NULL)
        return;
    r->gl.glDrawBuffer(GL_FRONT);
    r->gl.glReadBuffer(GL_FRONT);
}

/* Says where an invisible replay draws. Errors: TRACE_ERR_IO if it is not the kind of driver that was asked
 * for. */
static int check_driver(struct replayer *r)
{
    const char *renderer = (const char *)r->gl.glGetString(GL_RENDERER);
    enum driver_kind kind = r->ws->settings.driver;
    if (renderer == NULL)
        renderer = "unknown driver";
    if (kind != DRIVER_ANY && driver_is_software(renderer) != (kind == DRIVER_SOFTWARE))
        return trace_error_set(TRACE_ERR_IO, "--driver: this is not a %s: %s",
                               kind == DRIVER_SOFTWARE ? "renderer in software" : "GPU", renderer);
    if (!r->ws->headless || r->ws->description[0] == '\0')
        return 0;
    replay_progress_clear(&r->progress);
    fprintf(stderr, "headless: %s, %s\n", r->ws->description, renderer);
    return 0;
}

void replay_leave_thread(struct replayer *r)
{
    replay_profile_leave_context(r);
    /* The commands of one thread must be executed before those of the next, unless the program wanted to see
     * to that itself. */
    if (r->current != NULL && r->gl.glFlush != NULL && !r->current->inside_begin &&
        !r->current->config.release_without_flush)
        r->gl.glFlush();
}

static bool shares_drawable(const struct replay_thread *a, const struct replay_thread *b)
{
    return (a->draw != NULL && (a->draw == b->draw || a->draw == b->read)) ||
           (a->read != NULL && (a->read == b->draw || a->read == b->read));
}

/* What other threads have bound cannot be bound here. A thread may have ended without releasing it, or may be
 * about to release it; the trace has calls in the order of their ends. */
static void take_from_others(struct replayer *r, const struct replay_thread *t)
{
    if (r->release_thread == NULL)
        return;
    for (size_t i = 0; i < r->threads.cap; ++i) {
        if (r->threads.slots[i].state != INT_MAP_USED)
            continue;
        struct replay_thread *other = (struct replay_thread *)(uintptr_t)r->threads.slots[i].value;
        if (other != t && other->bound && (other->context == t->context || shares_drawable(other, t)))
            r->release_thread(r, other);
    }
}

/* Makes the bindings of the current traced thread the real ones. */
static int bind_thread(struct replayer *r)
{
    struct replay_thread *t = r->thread;
    if (r->current != t->context)
        replay_leave_thread(r);
    t->bound = false;
    if (t->context == NULL) {
        r->current = NULL;
        return r->ws->ops->make_current(r->ws, NULL, NULL, NULL);
    }
    take_from_others(r, t);
    int rc = replay_drawable_realise(r, t->draw, t->context);
    if (rc == 0)
        rc = replay_drawable_realise(r, t->read, t->context);
    if (rc == 0)
        rc = r->ws->ops->make_current(r->ws, t->context->ws, t->draw != NULL ? t->draw->ws : NULL,
                                      t->read != NULL ? t->read->ws : NULL);
    r->current = rc == 0 ? t->context : NULL;
    t->bound = rc == 0 && r->hosts != NULL;
    if (rc != 0)
        return rc;
    bool is_first = !r->gl_loaded;
    if (is_first)
        gl_functions_load(&r->gl, r->ws);
    r->gl_loaded = true;
    if (r->gl.glGetIntegerv == NULL || r->gl.glGetError == NULL || r->gl.glGetString == NULL) {
        r->current = NULL; /* no call reaches it */
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "the driver lacks glGetIntegerv, glGetError or glGetString");
    }
    rc = is_first ? check_driver(r) : 0;
    if (rc != 0)
        return rc;
    if (!t->context->examined) {
        examine_context(r, t->context);
        select_single_buffer(r, t->context);
        if (r->options->debug)
            driver_messages_begin(r);
    }
    return 0;
}

/* A context that was destroyed while a thread had bound it keeps its handle until it is released. */
struct replay_context *replay_context_find(const struct replayer *r, uint64_t traced)
{
    struct replay_context *context = lookup(&r->contexts, traced);
    for (size_t i = 0; context == NULL && traced != 0 && i < r->threads.cap; ++i) {
        if (r->threads.slots[i].state != INT_MAP_USED)
            continue;
        const struct replay_thread *t = (const void *)(uintptr_t)r->threads.slots[i].value;
        if (t->context != NULL && t->context->traced == traced)
            context = t->context;
    }
    return context;
}

/* Binds nothing, because the context is missing. Calls must not reach the one that was bound before. */
static int miss_context(struct replayer *r, uint64_t traced)
{
    int rc = replay_make_current(r, 0, 0, 0);
    r->thread->released = false;
    return rc != 0 ? rc
                   : trace_error_set(TRACE_ERR_UNSUPPORTED, "context 0x%llx was never created",
                                     (unsigned long long)traced);
}

int replay_make_current(struct replayer *r, uint64_t traced_context, uint64_t traced_draw,
                        uint64_t traced_read)
{
    struct replay_thread *t = r->thread;
    struct replay_context *context = replay_context_find(r, traced_context);
    struct replay_drawable *draw = NULL, *read = NULL;
    if (traced_context != 0 && context == NULL)
        return miss_context(r, traced_context);
    int rc = 0;
    t->released = context == NULL;
    if (context != NULL) {
        rc = replay_drawable_find(r, traced_draw, &draw);
        if (rc == 0)
            rc = replay_drawable_find(r, traced_read, &read);
        if (rc != 0)
            return rc;
        if (t->context == context && t->draw == draw && t->read == read && r->current == context)
            return 0;
        if (t->draw != draw)
            surface_texture_leave(r, t);
        context->references++;
        if (draw != NULL)
            draw->references++;
        if (read != NULL)
            read->references++;
    }
    struct replay_thread old = *t;
    t->context = context;
    t->draw = draw;
    t->read = read;
    rc = bind_thread(r);
    context_unref(r, old.context);
    replay_drawable_unref(r, old.draw);
    replay_drawable_unref(r, old.read);
    return rc;
}

struct replay_thread *replay_find_thread(const struct replayer *r, uint32_t number)
{
    return lookup(&r->threads, number);
}

int replay_switch_thread(struct replayer *r, uint32_t number)
{
    struct replay_thread *t = replay_find_thread(r, number);
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        if (t == NULL || store(&r->threads, number, t) != 0) {
            free(t);
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a thread");
        }
        t->number = number;
    }
    r->thread = t;
    r->thread_number = number;
    if (r->hosts != NULL) /* the thread that has replayed the calls before is another one, and has left */
        r->current = t->bound ? t->context : NULL;
    return t->context != r->current ? bind_thread(r) : 0;
}

void replay_contexts_fini(struct replayer *r)
{
    for (size_t i = 0; i < r->threads.cap; ++i) {
        struct int_map_slot *slot = &r->threads.slots[i];
        if (slot->state != INT_MAP_USED)
            continue;
        struct replay_thread *t = (struct replay_thread *)(uintptr_t)slot->value;
        context_unref(r, t->context);
        replay_drawable_unref(r, t->draw);
        replay_drawable_unref(r, t->read);
        free(t);
    }
    for (size_t i = 0; i < r->contexts.cap; ++i)
        if (r->contexts.slots[i].state == INT_MAP_USED)
            context_unref(r, (struct replay_context *)(uintptr_t)r->contexts.slots[i].value);
    for (size_t i = 0; i < r->drawables.cap; ++i)
        if (r->drawables.slots[i].state == INT_MAP_USED)
            replay_drawable_unref(r, (struct replay_drawable *)(uintptr_t)r->drawables.slots[i].value);
    int_map_fini(&r->threads);
    int_map_fini(&r->contexts);
    int_map_fini(&r->drawables);
    r->thread = NULL;
}
