/* SPDX-License-Identifier: MIT */
#include "replay_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "client_memory.h"
#include "replay_state.h"
#include "replay_values.h"

enum { INITIAL_SIDE = 32, MAX_SIDE = 16384 };

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
    name_scope_fini(&group->names);
    free(group);
}

static void context_unref(struct replayer *r, struct replay_context *context)
{
    if (context == NULL || --context->references > 0)
        return;
    if (r->current == context) {
        r->ws->ops->make_current(r->ws, NULL, NULL, NULL);
        r->current = NULL;
    }
    if (context->ws != NULL)
        r->ws->ops->destroy_context(r->ws, context->ws);
    client_memory_fini(&context->client_memory);
    int_map_fini(&context->pipeline_programs);
    name_scope_fini(&context->names);
    group_unref(r, context->group);
    free(context);
}

static void drawable_unref(struct replayer *r, struct replay_drawable *drawable)
{
    if (drawable == NULL || --drawable->references > 0)
        return;
    if (drawable->ws != NULL)
        r->ws->ops->destroy_drawable(r->ws, drawable->ws);
    free(drawable);
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

/* --sb and --db override the trace. */
static struct buffer_config with_options(const struct replayer *r, const struct buffer_config *buffers)
{
    struct buffer_config b = *buffers;
    b.single_buffered = r->options->single_buffered || (b.single_buffered && !r->options->double_buffered);
    return b;
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
    context->config.buffers = with_options(r, &config->buffers);
    context->state.unpack.alignment = context->state.pack.alignment = 4;
    context->group = shared != NULL ? shared->group : group_new();
    if (context->group != NULL)
        context->group->references++;
    int rc = context->group != NULL ? name_scope_init(&context->names) : TRACE_ERR_MEMORY;
    if (rc == 0)
        rc = r->ws->ops->create_context(r->ws, &context->ws, &context->config,
                                        shared != NULL ? shared->ws : NULL);
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

const struct buffer_config *replay_buffers(struct replayer *r, const struct replay_call *c, unsigned argument)
{
    const struct trace_value *v = replay_arg(c, argument);
    uint64_t handle = replay_visual_handle(v);
    return replay_configs_find(&r->configs, handle != 0 ? handle : trace_value_to_uint(v, 0));
}

int replay_drawable_create(struct replayer *r, uint64_t traced, const struct buffer_config *buffers,
                           int width, int height)
{
    struct replay_drawable *drawable = calloc(1, sizeof *drawable);
    if (drawable == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a drawable");
    drawable->traced = traced;
    drawable->references = 1;
    drawable->has_buffers = buffers != NULL;
    if (buffers != NULL)
        drawable->buffers = with_options(r, buffers);
    drawable->width = width > 0 && width <= MAX_SIDE ? width : INITIAL_SIDE;
    drawable->height = height > 0 && height <= MAX_SIDE ? height : INITIAL_SIDE;
    replay_drawable_delete(r, traced);
    int rc = store(&r->drawables, traced, drawable);
    if (rc != 0)
        drawable_unref(r, drawable);
    return rc;
}

void replay_drawable_delete(struct replayer *r, uint64_t traced)
{
    struct replay_drawable *drawable = lookup(&r->drawables, traced);
    if (drawable == NULL)
        return;
    int_map_remove(&r->drawables, traced);
    drawable_unref(r, drawable);
}

/* Finds the drawable with this traced handle, and creates it if necessary. Handle 0 gives NULL. */
static int find_drawable(struct replayer *r, uint64_t traced, struct replay_drawable **out)
{
    *out = NULL;
    if (traced == 0)
        return 0;
    *out = lookup(&r->drawables, traced);
    if (*out != NULL)
        return 0;
    int rc = replay_drawable_create(r, traced, NULL, 0, 0);
    *out = lookup(&r->drawables, traced);
    return rc;
}

/* Gives the drawable a window, now that it is known which context draws to it. */
static int realise(struct replayer *r, struct replay_drawable *drawable, struct replay_context *context)
{
    if (drawable == NULL || drawable->ws != NULL)
        return 0;
    return r->ws->ops->create_drawable(r->ws, &drawable->ws, context->ws,
                                       drawable->has_buffers ? &drawable->buffers : NULL, drawable->width,
                                       drawable->height);
}

/* Parses "4.5 (…", "OpenGL ES 3.2 …" or "OpenGL ES-CM 1.1". */
static void examine_context(struct replayer *r, struct replay_context *context)
{
    const char *version = (const char *)r->gl.glGetString(GL_VERSION);
    context->examined = true;
    if (version == NULL)
        version = "1.1";
    context->is_es = strncmp(version, "OpenGL ES", 9) == 0;
    const char *digits = strpbrk(version, "0123456789");
    if (digits != NULL && digits[1] == '.')
        context->version = 10 * (digits[0] - '0') + (digits[2] - '0');
    context->pixel_store_stale = context->buffers_stale = true;
}

/* Says where an invisible replay draws. */
static void announce(struct replayer *r)
{
    const char *renderer = (const char *)r->gl.glGetString(GL_RENDERER);
    if (!r->ws->headless || r->ws->description[0] == '\0')
        return;
    replay_progress_clear(&r->progress);
    fprintf(stderr, "headless: %s, %s\n", r->ws->description, renderer != NULL ? renderer : "unknown driver");
}

/* Makes the bindings of the current traced thread the real ones. */
static int bind_thread(struct replayer *r)
{
    struct replay_thread *t = r->thread;
    if (r->current != NULL && r->gl.glFlush != NULL && r->current != t->context && !r->current->inside_begin)
        r->gl.glFlush(); /* the commands of one thread must be executed before those of the next */
    if (t->context == NULL) {
        r->current = NULL;
        return r->ws->ops->make_current(r->ws, NULL, NULL, NULL);
    }
    int rc = realise(r, t->draw, t->context);
    if (rc == 0)
        rc = realise(r, t->read, t->context);
    if (rc == 0)
        rc = r->ws->ops->make_current(r->ws, t->context->ws, t->draw != NULL ? t->draw->ws : NULL,
                                      t->read != NULL ? t->read->ws : NULL);
    r->current = rc == 0 ? t->context : NULL;
    if (rc != 0)
        return rc;
    bool is_first = !r->gl_loaded;
    if (is_first)
        gl_functions_load(&r->gl, r->ws);
    r->gl_loaded = true;
    if (r->gl.glGetIntegerv == NULL || r->gl.glGetError == NULL || r->gl.glGetString == NULL)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "the driver lacks glGetIntegerv, glGetError or glGetString");
    if (is_first)
        announce(r);
    if (!t->context->examined)
        examine_context(r, t->context);
    return 0;
}

/* Finds the context with this traced handle, or NULL. A context that was destroyed while a thread had bound
 * it keeps its handle until it is released. */
static struct replay_context *find_context(const struct replayer *r, uint64_t traced)
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
    struct replay_context *context = find_context(r, traced_context);
    struct replay_drawable *draw = NULL, *read = NULL;
    if (traced_context != 0 && context == NULL)
        return miss_context(r, traced_context);
    int rc = 0;
    t->released = context == NULL;
    if (context != NULL) {
        rc = find_drawable(r, traced_draw, &draw);
        if (rc == 0)
            rc = find_drawable(r, traced_read, &read);
        if (rc != 0)
            return rc;
        if (t->context == context && t->draw == draw && t->read == read && r->current == context)
            return 0;
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
    drawable_unref(r, old.draw);
    drawable_unref(r, old.read);
    return rc;
}

int replay_switch_thread(struct replayer *r, uint32_t number)
{
    struct replay_thread *t = lookup(&r->threads, number);
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        if (t == NULL || store(&r->threads, number, t) != 0) {
            free(t);
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a thread");
        }
    }
    r->thread = t;
    r->thread_number = number;
    return t->context != r->current ? bind_thread(r) : 0;
}

int replay_grow_drawable(struct replayer *r, int64_t width, int64_t height)
{
    struct replay_drawable *draw = r->thread->draw;
    if (draw == NULL || r->current == NULL || (width <= draw->width && height <= draw->height))
        return 0;
    bool has_framebuffers = r->current->version >= (r->current->is_es ? 20 : 30);
    if (has_framebuffers && replay_get_integer(r, GL_DRAW_FRAMEBUFFER_BINDING, 0) != 0)
        return 0;
    int new_width = width > draw->width ? (int)(width < MAX_SIDE ? width : MAX_SIDE) : draw->width;
    int new_height = height > draw->height ? (int)(height < MAX_SIDE ? height : MAX_SIDE) : draw->height;
    draw->width = new_width;
    draw->height = new_height;
    if (r->ws->ops->resize(r->ws, draw->ws, new_width, new_height) != 0)
        replay_warn(r, "%s", trace_error_message());
    /* Mesa's software driver queries a window's size when it swaps. Without this swap, it would draw the new
     * frame to buffers of the old size. */
    r->ws->ops->swap_buffers(r->ws, draw->ws);
    return 0;
}

void replay_swap_buffers(struct replayer *r, uint64_t traced)
{
    struct replay_drawable *drawable = traced != 0 ? lookup(&r->drawables, traced) : r->thread->draw;
    if (drawable != NULL && drawable->ws != NULL)
        r->ws->ops->swap_buffers(r->ws, drawable->ws);
}

void replay_contexts_fini(struct replayer *r)
{
    for (size_t i = 0; i < r->threads.cap; ++i) {
        struct int_map_slot *slot = &r->threads.slots[i];
        if (slot->state != INT_MAP_USED)
            continue;
        struct replay_thread *t = (struct replay_thread *)(uintptr_t)slot->value;
        context_unref(r, t->context);
        drawable_unref(r, t->draw);
        drawable_unref(r, t->read);
        free(t);
    }
    for (size_t i = 0; i < r->contexts.cap; ++i)
        if (r->contexts.slots[i].state == INT_MAP_USED)
            context_unref(r, (struct replay_context *)(uintptr_t)r->contexts.slots[i].value);
    for (size_t i = 0; i < r->drawables.cap; ++i)
        if (r->drawables.slots[i].state == INT_MAP_USED)
            drawable_unref(r, (struct replay_drawable *)(uintptr_t)r->drawables.slots[i].value);
    int_map_fini(&r->threads);
    int_map_fini(&r->contexts);
    int_map_fini(&r->drawables);
    r->thread = NULL;
}
