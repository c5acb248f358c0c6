/* SPDX-License-Identifier: MIT */
#include "context/gl_context.h"

#include "context/gl_driver.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"

#include "spec_ids.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    struct gl_context *first;
    uint32_t share_groups; /* so far */
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const struct gl_context_callbacks *_Atomic callbacks;

void gl_context_set_callbacks(const struct gl_context_callbacks *c)
{
    atomic_store(&callbacks, c);
}

/* Must be called without the lock. group may be 0 for none. */
static void tell_of_end(uint32_t group)
{
    const struct gl_context_callbacks *c = atomic_load(&callbacks);
    if (group != 0 && c != NULL)
        c->group_ended(group);
}

static struct gl_context *find_context(const void *handle)
{
    for (struct gl_context *c = contexts.first; c != NULL; c = c->next)
        if (c->handle == handle && !c->destroyed)
            return c;
    return NULL;
}

/* The context of threads that have none is not allocated dynamically: a thread's first allocation would
 * reserve tens of MB of address space, of which the program may have little. */
static struct gl_context *add_context(void *handle)
{
    static struct gl_context none;
    struct gl_context *c = handle != NULL ? calloc(1, sizeof *c) : &none;
    if (c == NULL)
        return NULL;
    c->handle = handle;
    c->share_group = handle != NULL ? ++contexts.share_groups : 0;
    c->sizes.unpack.alignment = 4;
    c->sizes.pack.alignment = 4;
    c->sizes.driver = &gl_driver;
    c->arrays = &c->default_arrays;
    c->next = contexts.first;
    contexts.first = c;
    return c;
}

struct gl_context *gl_context_get(void *handle)
{
    pthread_mutex_lock(&contexts.lock);
    struct gl_context *c = find_context(handle);
    if (c == NULL)
        c = add_context(handle);
    pthread_mutex_unlock(&contexts.lock);
    return c;
}

static bool group_has_members(uint32_t group)
{
    for (const struct gl_context *c = contexts.first; c != NULL; c = c->next)
        if (c->share_group == group)
            return true;
    return false;
}

/* Returns the share group whose last context this was, or 0. */
static uint32_t free_context(struct gl_context *c)
{
    uint32_t group = c->share_group;
    for (struct gl_context **p = &contexts.first; *p != NULL; p = &(*p)->next) {
        if (*p == c) {
            *p = c->next;
            break;
        }
    }
    for (size_t i = 0; i < c->named_arrays.cap; ++i)
        if (c->named_arrays.slots[i].state == INT_MAP_USED)
            free((void *)(uintptr_t)c->named_arrays.slots[i].value);
    int_map_fini(&c->named_arrays);
    int_map_fini(&c->list_ends);
    free(c->elements);
    free(c);
    return group_has_members(group) ? 0 : group;
}

/* Returns the share group that has ended because of it, or 0. */
static uint32_t destroy_context(struct gl_context *c)
{
    c->destroyed = true;
    return c->users == 0 ? free_context(c) : 0;
}

void gl_context_create(void *display, void *handle, const void *share)
{
    /* The old context may have been destroyed with its display, and its handle reused. */
    gl_context_destroy(handle);
    pthread_mutex_lock(&contexts.lock);
    const struct gl_context *other = share != NULL ? find_context(share) : NULL;
    struct gl_context *c = add_context(handle);
    if (c != NULL)
        c->display = display;
    if (c != NULL && other != NULL)
        c->share_group = other->share_group;
    pthread_mutex_unlock(&contexts.lock);
}

void gl_context_switch(struct gl_context *old, struct gl_context *c)
{
    pthread_mutex_lock(&contexts.lock);
    uint32_t ended = 0;
    if (c != NULL)
        c->users++;
    if (old != NULL && --old->users == 0 && old->destroyed)
        ended = free_context(old);
    pthread_mutex_unlock(&contexts.lock);
    tell_of_end(ended);
}

void gl_context_forget_parent(void)
{
    const struct gl_context_callbacks *c = atomic_load(&callbacks);
    pthread_mutex_init(&contexts.lock, NULL);
    if (c != NULL)
        c->forked();
}

void gl_context_destroy(void *handle)
{
    pthread_mutex_lock(&contexts.lock);
    struct gl_context *c = find_context(handle);
    uint32_t ended = c != NULL ? destroy_context(c) : 0;
    pthread_mutex_unlock(&contexts.lock);
    tell_of_end(ended);
}

static struct gl_context *find_context_of(const void *display)
{
    for (struct gl_context *c = contexts.first; c != NULL; c = c->next)
        if (c->display == display && c->handle != NULL && !c->destroyed)
            return c;
    return NULL;
}

void gl_context_terminate(const void *display)
{
    struct gl_context *c;
    do {
        pthread_mutex_lock(&contexts.lock);
        c = display != NULL ? find_context_of(display) : NULL;
        uint32_t ended = c != NULL ? destroy_context(c) : 0;
        pthread_mutex_unlock(&contexts.lock);
        tell_of_end(ended);
    } while (c != NULL);
}

/* OpenGL 3.1 has no deprecated functions unless it has an extension for them; later versions have profiles.
 */
static bool is_core(const struct gl_context *c)
{
    if (c->profile != GL_PROFILE_DESKTOP || c->version < 31)
        return false;
    if (c->version == 31)
        return !gl_driver_has_extension(c->version, "GL_ARB_compatibility");
    return (gl_driver_integer(SPEC_GL_CONTEXT_PROFILE_MASK) & SPEC_GL_CONTEXT_CORE_PROFILE_BIT) != 0;
}

void gl_context_identify(struct gl_context *c)
{
    if (c->version != 0 || c->in_begin)
        return;
    capture_function get = real_function_find(SPEC_FN_glGetString);
    const char *text = ((const char *(*)(uint32_t))get)(SPEC_GL_VERSION);
    if (text == NULL)
        return;
    c->profile = strncmp(text, "OpenGL ES", 9) == 0 ? GL_PROFILE_ES : GL_PROFILE_DESKTOP;
    const char *number = text + strcspn(text, "0123456789"); /* "OpenGL ES-CM 1.1" */
    char *end;
    c->version = (unsigned)strtoul(number, &end, 10) * 10;
    if (*end == '.' && end[1] >= '0' && end[1] <= '9')
        c->version += (unsigned)(end[1] - '0');
    c->core = is_core(c);
}

struct gl_vertex_array *gl_context_known_arrays(struct gl_context *c, uint32_t name)
{
    uint64_t found;
    if (name == 0)
        return &c->default_arrays;
    return int_map_get(&c->named_arrays, name, &found) ? (struct gl_vertex_array *)(uintptr_t)found : NULL;
}

struct gl_vertex_array *gl_context_find_arrays(struct gl_context *c, uint32_t name)
{
    struct gl_vertex_array *known = gl_context_known_arrays(c, name);
    if (known != NULL)
        return known;
    struct gl_vertex_array *a = calloc(1, sizeof *a);
    if (a == NULL || int_map_set(&c->named_arrays, name, (uintptr_t)a) != 0) {
        free(a);
        return &c->default_arrays;
    }
    a->name = name;
    return a;
}

void gl_context_delete_arrays(struct gl_context *c, uint32_t name)
{
    uint64_t found;
    if (!int_map_get(&c->named_arrays, name, &found))
        return;
    struct gl_vertex_array *a = (struct gl_vertex_array *)(uintptr_t)found;
    if (c->arrays == a)
        gl_context_bind_arrays(c, &c->default_arrays);
    int_map_remove(&c->named_arrays, name);
    free(a);
}

enum gl_buffer_target gl_context_buffer_target(uint32_t target)
{
    static const uint32_t enums[GL_BUFFER_TARGETS] = {
        [GL_BUFFER_ARRAY] = SPEC_GL_ARRAY_BUFFER,
        [GL_BUFFER_ELEMENT_ARRAY] = SPEC_GL_ELEMENT_ARRAY_BUFFER,
        [GL_BUFFER_PIXEL_PACK] = SPEC_GL_PIXEL_PACK_BUFFER,
        [GL_BUFFER_PIXEL_UNPACK] = SPEC_GL_PIXEL_UNPACK_BUFFER,
        [GL_BUFFER_DRAW_INDIRECT] = SPEC_GL_DRAW_INDIRECT_BUFFER,
        [GL_BUFFER_QUERY] = SPEC_GL_QUERY_BUFFER,
        [GL_BUFFER_UNIFORM] = SPEC_GL_UNIFORM_BUFFER,
        [GL_BUFFER_TEXTURE] = SPEC_GL_TEXTURE_BUFFER,
        [GL_BUFFER_TRANSFORM_FEEDBACK] = SPEC_GL_TRANSFORM_FEEDBACK_BUFFER,
        [GL_BUFFER_COPY_READ] = SPEC_GL_COPY_READ_BUFFER,
        [GL_BUFFER_COPY_WRITE] = SPEC_GL_COPY_WRITE_BUFFER,
        [GL_BUFFER_DISPATCH_INDIRECT] = SPEC_GL_DISPATCH_INDIRECT_BUFFER,
        [GL_BUFFER_SHADER_STORAGE] = SPEC_GL_SHADER_STORAGE_BUFFER,
        [GL_BUFFER_ATOMIC_COUNTER] = SPEC_GL_ATOMIC_COUNTER_BUFFER,
        [GL_BUFFER_PARAMETER] = SPEC_GL_PARAMETER_BUFFER,
        [GL_BUFFER_PINNED] = SPEC_GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD,
    };
    unsigned i = 0;
    while (i < GL_BUFFER_TARGETS && enums[i] != target)
        i++;
    return (enum gl_buffer_target)i;
}

void gl_context_bind_buffer(struct gl_context *c, enum gl_buffer_target target, uint32_t buffer)
{
    struct spec_state *s = &c->sizes;
    c->buffers[target] = buffer;
    if (target == GL_BUFFER_ELEMENT_ARRAY)
        c->arrays->element_buffer = buffer;
    s->array_buffer = c->buffers[GL_BUFFER_ARRAY] != 0;
    s->element_buffer = c->arrays->element_buffer != 0;
    s->pack_buffer = c->buffers[GL_BUFFER_PIXEL_PACK] != 0;
    s->unpack_buffer = c->buffers[GL_BUFFER_PIXEL_UNPACK] != 0;
    s->indirect_buffer = c->buffers[GL_BUFFER_DRAW_INDIRECT] != 0;
    s->query_buffer = c->buffers[GL_BUFFER_QUERY] != 0;
}

uint32_t gl_context_bound_buffer(const struct gl_context *c, enum gl_buffer_target target)
{
    return target == GL_BUFFER_ELEMENT_ARRAY ? c->arrays->element_buffer : c->buffers[target];
}

void gl_context_bind_arrays(struct gl_context *c, struct gl_vertex_array *arrays)
{
    c->arrays = arrays;
    c->sizes.element_buffer = arrays->element_buffer != 0;
}

static void refresh_pixel_store(struct gl_context *c)
{
    const struct {
        uint32_t pname;
        int32_t *field;
    } fields[] = {
        {SPEC_GL_UNPACK_ALIGNMENT, &c->sizes.unpack.alignment},
        {SPEC_GL_UNPACK_ROW_LENGTH, &c->sizes.unpack.row_length},
        {SPEC_GL_UNPACK_SKIP_ROWS, &c->sizes.unpack.skip_rows},
        {SPEC_GL_UNPACK_SKIP_PIXELS, &c->sizes.unpack.skip_pixels},
        {SPEC_GL_PACK_ALIGNMENT, &c->sizes.pack.alignment},
        {SPEC_GL_PACK_ROW_LENGTH, &c->sizes.pack.row_length},
        {SPEC_GL_PACK_SKIP_ROWS, &c->sizes.pack.skip_rows},
        {SPEC_GL_PACK_SKIP_PIXELS, &c->sizes.pack.skip_pixels},
        /* since OpenGL 1.2 */
        {SPEC_GL_UNPACK_SKIP_IMAGES, &c->sizes.unpack.skip_images},
        {SPEC_GL_UNPACK_IMAGE_HEIGHT, &c->sizes.unpack.image_height},
        {SPEC_GL_PACK_SKIP_IMAGES, &c->sizes.pack.skip_images},
        {SPEC_GL_PACK_IMAGE_HEIGHT, &c->sizes.pack.image_height},
    };
    unsigned count = c->version >= 12 ? 12 : 8;
    for (unsigned i = 0; i < count; ++i)
        *fields[i].field = gl_driver_integer(fields[i].pname);
    if (c->has_inverted_rows) /* so the driver knows it */
        c->sizes.pack.inverted = gl_driver_integer(SPEC_GL_PACK_INVERT_MESA) != 0;
}

static void refresh_buffer(struct gl_context *c, enum gl_buffer_target target, uint32_t binding)
{
    gl_context_bind_buffer(c, target, (uint32_t)gl_driver_integer(binding));
}

void gl_context_refresh(struct gl_context *c)
{
    gl_context_identify(c);
    if (c->profile != GL_PROFILE_DESKTOP || c->in_begin)
        return; /* OpenGL ES has no client attribute stack */
    refresh_pixel_store(c);
    if (c->version >= 30) {
        uint32_t name = (uint32_t)gl_driver_integer(SPEC_GL_VERTEX_ARRAY_BINDING);
        gl_context_bind_arrays(c, gl_context_find_arrays(c, name));
    }
    if (c->version >= 15) {
        refresh_buffer(c, GL_BUFFER_ARRAY, SPEC_GL_ARRAY_BUFFER_BINDING);
        refresh_buffer(c, GL_BUFFER_ELEMENT_ARRAY, SPEC_GL_ELEMENT_ARRAY_BUFFER_BINDING);
    }
    if (c->version >= 21) {
        refresh_buffer(c, GL_BUFFER_PIXEL_PACK, SPEC_GL_PIXEL_PACK_BUFFER_BINDING);
        refresh_buffer(c, GL_BUFFER_PIXEL_UNPACK, SPEC_GL_PIXEL_UNPACK_BUFFER_BINDING);
    }
}
