/* SPDX-License-Identifier: MIT
 * Mapped buffer objects: what the program wrote through the pointer becomes a fake memcpy() call when the
 * mapping is flushed or ends.
 */
#include "capture_hooks.h"
#include "capture_process.h"
#include "gl_enums.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct mapping {
    const struct gl_context *context; /* that mapped it: buffer names mean nothing without */
    uint32_t buffer;
    void *memory;
    uint64_t size;
    bool written;    /* mapped for writing */
    bool explicit;   /* only glFlushMapped*Range tells what was written */
    uint8_t *shadow; /* persistent mappings: what the trace has of the memory; owned, NULL for others */
    struct mapping *next;
};

static struct {
    pthread_mutex_t lock;
    struct mapping *first;
} mappings = {PTHREAD_MUTEX_INITIALIZER, NULL};

_Atomic unsigned capture_persistent_mappings;

/* The link to buffer's mapping: one made in this context rather than one made in another of its share group.
 */
static struct mapping **find_mapping(const struct gl_context *c, uint32_t buffer)
{
    struct mapping **other = NULL;
    for (struct mapping **m = &mappings.first; *m != NULL; m = &(*m)->next) {
        if ((*m)->buffer != buffer)
            continue;
        if ((*m)->context == c)
            return m;
        other = m;
    }
    return other;
}

static void remove_mapping(const struct gl_context *c, uint32_t buffer)
{
    struct mapping **m = find_mapping(c, buffer);
    if (m == NULL)
        return;
    struct mapping *old = *m;
    *m = old->next;
    if (old->shadow != NULL)
        atomic_fetch_sub(&capture_persistent_mappings, 1);
    free(old->shadow);
    free(old);
}

static uint8_t *copy_memory(const void *memory, uint64_t size)
{
    uint8_t *copy = malloc(size);
    if (copy == NULL)
        capture_log("no memory to follow a persistent buffer mapping: writes are recorded when it ends");
    else
        memcpy(copy, memory, size);
    return copy;
}

static void add_mapping(const struct mapping *wanted)
{
    struct mapping *m = malloc(sizeof *m);
    if (m == NULL)
        return;
    *m = *wanted;
    pthread_mutex_lock(&mappings.lock);
    remove_mapping(m->context, m->buffer);
    if (m->shadow != NULL)
        atomic_fetch_add(&capture_persistent_mappings, 1);
    m->next = mappings.first;
    mappings.first = m;
    pthread_mutex_unlock(&mappings.lock);
}

static bool is_named(const struct spec_function *f)
{
    return strstr(f->name, "Named") != NULL;
}

/* The buffer that the call's first argument means, by name or by binding point. */
static uint32_t buffer_of(const struct capture_thread *t, const struct spec_function *f,
                          const union spec_arg *args)
{
    if (is_named(f))
        return (uint32_t)args[0].u;
    enum gl_buffer_target target = gl_context_buffer_target((uint32_t)args[0].u);
    return target != GL_BUFFER_TARGETS ? gl_context_bound_buffer(t->context, target) : 0;
}

static uint64_t buffer_size(const struct spec_function *f, const union spec_arg *args)
{
    int32_t size = 0;
    uint32_t id = is_named(f) ? SPEC_FN_glGetNamedBufferParameteriv : SPEC_FN_glGetBufferParameteriv;
    capture_function get = real_function_find(id);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)((uint32_t)args[0].u, SPEC_GL_BUFFER_SIZE, &size);
    return size > 0 ? (uint64_t)size : 0;
}

/* glMap*Buffer*(target or buffer, access) */
DEFINE_HOOK(map_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (ret->p == NULL)
        return;
    const struct mapping m = {.context = t->context,
                              .buffer = buffer_of(t, f, args),
                              .memory = ret->p,
                              .size = buffer_size(f, args),
                              .written = args[1].u != SPEC_GL_READ_ONLY};
    add_mapping(&m);
}

/* glMap*BufferRange*(target or buffer, offset, length, access) */
DEFINE_HOOK(map_buffer_range)
{
    UNUSED_HOOK_ARGUMENTS;
    if (ret->p == NULL)
        return;
    struct mapping m = {.context = t->context,
                        .buffer = buffer_of(t, f, args),
                        .memory = ret->p,
                        .size = args[2].u,
                        .written = (args[3].u & SPEC_GL_MAP_WRITE_BIT) != 0,
                        .explicit = (args[3].u & SPEC_GL_MAP_FLUSH_EXPLICIT_BIT) != 0};
    if (m.written && !m.explicit && (args[3].u & SPEC_GL_MAP_PERSISTENT_BIT) != 0)
        m.shadow = copy_memory(ret->p, m.size);
    add_mapping(&m);
}

static void record_memcpy_from(struct capture_thread *t, void *to, const void *from, uint64_t size)
{
    const union spec_arg args[3] = {{.p = to}, {.p = (void *)from}, {.u = size}};
    if (size > 0)
        capture_fake_call(t, SPEC_FN_memcpy, args);
}

static void record_memcpy(struct capture_thread *t, void *memory, uint64_t size)
{
    record_memcpy_from(t, memory, memory, size);
}

#define BLOCK 1024 /* bytes compared at once; a run of blocks that differ becomes one memcpy */

static bool block_differs(const struct mapping *m, uint64_t at)
{
    uint64_t size = m->size - at < BLOCK ? m->size - at : BLOCK;
    return memcmp(m->shadow + at, (const uint8_t *)m->memory + at, size) != 0;
}

static void record_changes(struct capture_thread *t, struct mapping *m)
{
    for (uint64_t at = 0; at < m->size; at += BLOCK) {
        uint64_t start = at;
        while (at < m->size && block_differs(m, at))
            at += BLOCK;
        if (at == start)
            continue;
        uint64_t size = (at < m->size ? at : m->size) - start;
        /* The shadow is what gets recorded: the program may be writing on. */
        memcpy(m->shadow + start, (const uint8_t *)m->memory + start, size);
        record_memcpy_from(t, (uint8_t *)m->memory + start, m->shadow + start, size);
    }
}

void capture_persistent_writes(struct capture_thread *t)
{
    pthread_mutex_lock(&mappings.lock);
    for (struct mapping *m = mappings.first; m != NULL; m = m->next)
        if (m->shadow != NULL)
            record_changes(t, m);
    pthread_mutex_unlock(&mappings.lock);
}

void capture_mappings_unlock_after_fork(void)
{
    pthread_mutex_init(&mappings.lock, NULL);
}

static bool copy_mapping(const struct capture_thread *t, const struct spec_function *f,
                         const union spec_arg *args, struct mapping *out)
{
    pthread_mutex_lock(&mappings.lock);
    struct mapping **m = find_mapping(t->context, buffer_of(t, f, args));
    if (m != NULL)
        *out = **m;
    pthread_mutex_unlock(&mappings.lock);
    return m != NULL;
}

/* glUnmap*Buffer*(target or buffer) */
DEFINE_HOOK(unmap_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    struct mapping m;
    if (!copy_mapping(t, f, args, &m))
        return;
    if (m.shadow != NULL)
        capture_persistent_writes(t);
    else if (m.written && !m.explicit)
        record_memcpy(t, m.memory, m.size);
    pthread_mutex_lock(&mappings.lock);
    remove_mapping(t->context, m.buffer);
    pthread_mutex_unlock(&mappings.lock);
}

/* glFlushMapped*BufferRange*(target or buffer, offset, length); offset counts from the mapping's start. */
DEFINE_HOOK(flush_mapped_range)
{
    UNUSED_HOOK_ARGUMENTS;
    struct mapping m;
    if (copy_mapping(t, f, args, &m) && m.written && args[1].u <= m.size && args[2].u <= m.size - args[1].u)
        record_memcpy(t, (uint8_t *)m.memory + args[1].u, args[2].u);
}
