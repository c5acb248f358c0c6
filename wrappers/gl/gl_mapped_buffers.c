/* SPDX-License-Identifier: MIT
 * Mapped buffer objects. What the program wrote through the pointer is recorded as a fake memcpy() call when
 * the mapping is flushed or ends. For persistent mappings this is done before each call that may use them.
 *
 * A buffer is also unmapped when it is deleted, when it gets new storage, and when the last context of its
 * share group is destroyed. Its memory no longer exists then and must not be accessed.
 */
#include "gl/gl_mapped_buffers.h"

#include "capture/capture_hooks.h"
#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "context/gl_enums.h"
#include "lookup/real_functions.h"
#include "memory/fault_log.h"
#include "memory/memory_watch.h"
#include "memory/page_tracker.h"
#include "memory/program_memory.h"
#include "process/capture_log.h"
#include "process/capture_process.h"

#include "spec_ids.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256

struct mapping {
    uint32_t share_group; /* buffer names are only unique within a share group */
    uint32_t buffer;
    void *memory;
    uint64_t size;
    bool written;               /* mapped for writing */
    bool explicit;              /* only what glFlushMapped*Range specifies has been written */
    bool notified;              /* the same for glNotifyMappedBufferRangeVMWX, until the mapping ends */
    struct memory_watch *watch; /* for persistent mappings: owned; NULL for others */
    struct mapping *next;
};

static struct {
    pthread_mutex_t lock;
    _Atomic unsigned count;
    struct mapping *buckets[BUCKETS]; /* hashed by buffer name */
} mappings = {.lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP};

_Atomic unsigned capture_persistent_mappings;

/* A thread may already hold the lock if a signal handler interrupted it and makes calls, or left by
 * longjmp(). It then keeps the lock. */
static void lock_mappings(void)
{
    pthread_mutex_lock(&mappings.lock);
}

static void unlock_mappings(void)
{
    pthread_mutex_unlock(&mappings.lock);
}

/* --- the table; its functions are called with the lock held ------------------------------------------- */

static struct mapping **find_mapping(uint32_t share_group, uint32_t buffer)
{
    struct mapping **m = &mappings.buckets[buffer % BUCKETS];
    while (*m != NULL && ((*m)->buffer != buffer || (*m)->share_group != share_group))
        m = &(*m)->next;
    return m;
}

static void remove_mapping(struct mapping **link)
{
    struct mapping *old = *link;
    *link = old->next;
    if (old->watch != NULL)
        atomic_fetch_sub(&capture_persistent_mappings, 1);
    atomic_fetch_sub(&mappings.count, 1);
    memory_watch_free(old->watch);
    free(old);
}

static void put_mapping(struct mapping *m)
{
    struct mapping **link = find_mapping(m->share_group, m->buffer);
    if (*link != NULL)
        remove_mapping(link); /* it ended without our noticing */
    m->next = *link;
    *link = m;
    if (m->watch != NULL)
        atomic_fetch_add(&capture_persistent_mappings, 1);
    atomic_fetch_add(&mappings.count, 1);
}

static bool are_mappings(void)
{
    return atomic_load_explicit(&mappings.count, memory_order_relaxed) != 0;
}

/* Between glBegin() and glEnd(), calls for buffers fail without effect, and the driver cannot be queried. */
static bool may_concern_mappings(const struct capture_thread *t)
{
    return are_mappings() && !t->context->in_begin;
}

/* --- share groups ------------------------------------------------------------------------------------- */

/* A share group has ended, and with it all its buffers. */
static void forget_group(uint32_t group)
{
    if (!are_mappings())
        return;
    lock_mappings();
    for (unsigned i = 0; i < BUCKETS; ++i)
        for (struct mapping **m = &mappings.buckets[i]; *m != NULL;)
            if ((*m)->share_group == group)
                remove_mapping(m);
            else
                m = &(*m)->next;
    unlock_mappings();
}

/* Memory that the parent process allocated is not freed, because another thread of the parent may have held
 * the heap's lock. */
static void forget_parent(void)
{
    mappings.lock = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    memset(mappings.buckets, 0, sizeof mappings.buckets);
    atomic_store(&mappings.count, 0);
    atomic_store(&capture_persistent_mappings, 0);
    page_tracker_forget_parent();
}

static const struct gl_context_callbacks context_callbacks = {
    .group_ended = forget_group,
    .forked = forget_parent,
};

/* --- buffers ------------------------------------------------------------------------------------------ */

static bool is_named(const struct spec_function *f)
{
    return strstr(spec_string(f->name), "Named") != NULL;
}

/* Returns the enum for querying the buffer that is bound to target, or 0 if there is none. */
static uint32_t binding_query(uint32_t target)
{
    static const uint32_t queries[][2] = {
        {SPEC_GL_ARRAY_BUFFER, SPEC_GL_ARRAY_BUFFER_BINDING},
        {SPEC_GL_ELEMENT_ARRAY_BUFFER, SPEC_GL_ELEMENT_ARRAY_BUFFER_BINDING},
        {SPEC_GL_PIXEL_PACK_BUFFER, SPEC_GL_PIXEL_PACK_BUFFER_BINDING},
        {SPEC_GL_PIXEL_UNPACK_BUFFER, SPEC_GL_PIXEL_UNPACK_BUFFER_BINDING},
        {SPEC_GL_DRAW_INDIRECT_BUFFER, SPEC_GL_DRAW_INDIRECT_BUFFER_BINDING},
        {SPEC_GL_QUERY_BUFFER, SPEC_GL_QUERY_BUFFER_BINDING},
        {SPEC_GL_UNIFORM_BUFFER, 0x8A28},
        {SPEC_GL_TEXTURE_BUFFER, SPEC_GL_TEXTURE_BUFFER},
        {SPEC_GL_TRANSFORM_FEEDBACK_BUFFER, 0x8C8F},
        {SPEC_GL_COPY_READ_BUFFER, SPEC_GL_COPY_READ_BUFFER},
        {SPEC_GL_COPY_WRITE_BUFFER, SPEC_GL_COPY_WRITE_BUFFER},
        {SPEC_GL_DISPATCH_INDIRECT_BUFFER, 0x90EF},
        {SPEC_GL_SHADER_STORAGE_BUFFER, 0x90D3},
        {SPEC_GL_ATOMIC_COUNTER_BUFFER, 0x92C1},
        {SPEC_GL_PARAMETER_BUFFER, 0x80EF},
    };
    for (unsigned i = 0; i < sizeof queries / sizeof queries[0]; ++i)
        if (queries[i][0] == target)
            return queries[i][1];
    return 0;
}

/* Returns the buffer that the call's first argument refers to, by name or by binding point. The driver is
 * queried, because a binding may have failed, and another thread may have deleted the buffer. */
static uint32_t buffer_of(const struct spec_function *f, const union spec_arg *args)
{
    if (is_named(f))
        return (uint32_t)args[0].u;
    uint32_t query = binding_query((uint32_t)args[0].u);
    int32_t buffer = 0;
    capture_function get = real_function_find(SPEC_FN_glGetIntegerv);
    if (query != 0)
        ((void (*)(uint32_t, int32_t *))get)(query, &buffer);
    return (uint32_t)buffer;
}

/* Queries a parameter of the buffer that the call's first argument refers to, with the query function for
 * this kind of call. */
static int32_t buffer_parameter(const struct spec_function *f, const union spec_arg *args, uint32_t pname)
{
    bool is_ext = strcmp(spec_string(f->name) + strlen(spec_string(f->name)) - 3, "EXT") == 0;
    uint32_t id = !is_named(f) ? SPEC_FN_glGetBufferParameteriv
                  : is_ext     ? SPEC_FN_glGetNamedBufferParameterivEXT
                               : SPEC_FN_glGetNamedBufferParameteriv;
    int32_t value = 0;
    capture_function get = real_function_find(id);
    ((void (*)(uint32_t, uint32_t, int32_t *))get)((uint32_t)args[0].u, pname, &value);
    return value;
}

/* Returns 0 if the size does not fit in the result of the query. */
static uint64_t buffer_size(const struct spec_function *f, const union spec_arg *args)
{
    int32_t size = buffer_parameter(f, args, SPEC_GL_BUFFER_SIZE);
    return size > 0 ? (uint64_t)size : 0;
}

static bool is_mapped(const struct spec_function *f, const union spec_arg *args)
{
    return buffer_parameter(f, args, SPEC_GL_BUFFER_MAPPED) != 0;
}

/* --- begin of a mapping --------------------------------------------------------------------------------- */

static void add_mapping(struct mapping wanted, bool persistent)
{
    struct mapping *m = wanted.buffer != 0 ? malloc(sizeof *m) : NULL;
    if (m == NULL)
        return;
    *m = wanted;
    lock_mappings();
    if (persistent && m->written && !m->explicit && !m->notified && m->size > 0) {
        m->watch = memory_watch_new(m->memory, m->size);
        if (m->watch == NULL)
            capture_log(
                "out of memory: writes to a persistent buffer mapping are only recorded when it ends");
    }
    gl_context_set_callbacks(&context_callbacks);
    put_mapping(m);
    unlock_mappings();
}

/* glMap*Buffer*(target or buffer, access) */
DEFINE_HOOK(map_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (ret->p == NULL)
        return;
    const struct mapping m = {.share_group = t->context->share_group,
                              .buffer = buffer_of(f, args),
                              .memory = ret->p,
                              .size = buffer_size(f, args),
                              .written = args[1].u != SPEC_GL_READ_ONLY};
    add_mapping(m, false);
}

/* glMap*BufferRange*(target or buffer, offset, length, access) */
DEFINE_HOOK(map_buffer_range)
{
    UNUSED_HOOK_ARGUMENTS;
    if (ret->p == NULL)
        return;
    const struct mapping m = {.share_group = t->context->share_group,
                              .buffer = buffer_of(f, args),
                              .memory = ret->p,
                              .size = args[2].u,
                              .written = (args[3].u & SPEC_GL_MAP_WRITE_BIT) != 0,
                              .explicit = (args[3].u & SPEC_GL_MAP_FLUSH_EXPLICIT_BIT) != 0,
                              .notified = t->notified_mapping};
    add_mapping(m, (args[3].u & SPEC_GL_MAP_PERSISTENT_BIT) != 0);
}

/* --- what is written ------------------------------------------------------------------------------------ */

static void record_memcpy(struct capture_thread *t, void *to, const void *from, uint64_t size)
{
    const union spec_arg args[3] = {spec_arg_ptr(to), spec_arg_ptr(from), {.u = size}};
    if (size > 0)
        capture_fake_call(t, SPEC_FN_memcpy, args);
}

struct change {
    struct capture_thread *thread;
    const struct mapping *mapping;
};

static void record_change(void *context, size_t offset, const uint8_t *bytes, size_t size)
{
    const struct change *c = context;
    record_memcpy(c->thread, (uint8_t *)c->mapping->memory + offset, bytes, size);
}

static void record_changes(struct capture_thread *t, const struct mapping *m, const struct fault_mark *now)
{
    struct change c = {t, m};
    memory_watch_compare(m->watch, now, record_change, &c);
}

/* Returns the first watched mapping of the share group, starting with m. */
static const struct mapping *find_watched(const struct mapping *m, uint32_t share_group)
{
    while (m != NULL && (m->watch == NULL || m->share_group != share_group))
        m = m->next;
    return m;
}

void capture_persistent_writes(struct capture_thread *t)
{
    uint32_t group = t->context->share_group;
    const struct mapping *m;
    lock_mappings();
    for (unsigned i = 0; i < BUCKETS; ++i)
        for (m = find_watched(mappings.buckets[i], group); m != NULL; m = find_watched(m->next, group))
            memory_watch_prepare(m->watch);
    const struct fault_mark now = fault_log_mark();
    for (unsigned i = 0; i < BUCKETS; ++i)
        for (m = find_watched(mappings.buckets[i], group); m != NULL; m = find_watched(m->next, group))
            record_changes(t, m, &now);
    unlock_mappings();
}

/* Records the part of [start, start + size) that is in m. */
static bool record_notified(struct capture_thread *t, const struct mapping *m, uintptr_t start, uint64_t size)
{
    uintptr_t memory = (uintptr_t)m->memory;
    if (!m->notified || !m->written || start < memory || start - memory >= m->size)
        return false;
    uint64_t left = m->size - (start - memory);
    record_memcpy(t, (void *)start, (void *)start, size < left ? size : left);
    return true;
}

void capture_notified_write(struct capture_thread *t, const void *start, uint64_t size)
{
    bool found = false;
    lock_mappings();
    for (unsigned i = 0; i < BUCKETS && !found; ++i)
        for (const struct mapping *m = mappings.buckets[i]; m != NULL && !found; m = m->next)
            found =
                m->share_group == t->context->share_group && record_notified(t, m, (uintptr_t)start, size);
    unlock_mappings();
    if (!found)
        capture_persistent_writes(t);
}

/* Records everything that has not been recorded yet, because the mapping is about to end. */
static void record_rest(struct capture_thread *t, const struct mapping *m)
{
    if (m->watch != NULL) {
        memory_watch_prepare(m->watch);
        const struct fault_mark now = fault_log_mark();
        record_changes(t, m, &now);
    } else if (m->written && !m->explicit) {
        record_memcpy(t, m->memory, m->memory, m->size);
    }
}

/* glFlushMapped*BufferRange*(target or buffer, offset, length); offset is relative to the start of the
 * mapping. */
DEFINE_HOOK(flush_mapped_range)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t buffer = may_concern_mappings(t) ? buffer_of(f, args) : 0;
    if (buffer == 0)
        return;
    lock_mappings();
    const struct mapping *m = *find_mapping(t->context->share_group, buffer);
    bool valid = m != NULL && m->written && args[1].u <= m->size && args[2].u <= m->size - args[1].u;
    uint8_t *memory = valid ? (uint8_t *)m->memory + args[1].u : NULL;
    unlock_mappings();
    if (valid && is_mapped(f, args))
        record_memcpy(t, memory, memory, args[2].u);
}

/* --- end of a mapping ----------------------------------------------------------------------------------- */

/* glUnmap*Buffer*(target or buffer), before the call */
DEFINE_HOOK(unmap_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t buffer = may_concern_mappings(t) ? buffer_of(f, args) : 0;
    if (buffer == 0 || !is_mapped(f, args))
        return;
    lock_mappings();
    const struct mapping *m = *find_mapping(t->context->share_group, buffer);
    if (m != NULL)
        record_rest(t, m);
    unlock_mappings();
}

/* Queries the driver, because the call may have failed to unmap the buffer. */
static void remove_if_unmapped(uint32_t share_group, uint32_t buffer, const struct spec_function *f,
                               const union spec_arg *args)
{
    lock_mappings();
    bool found = *find_mapping(share_group, buffer) != NULL;
    unlock_mappings();
    if (!found || is_mapped(f, args))
        return;
    lock_mappings();
    struct mapping **m = find_mapping(share_group, buffer);
    if (*m != NULL)
        remove_mapping(m);
    unlock_mappings();
}

/* glUnmap*Buffer*(target or buffer), after the call */
DEFINE_HOOK(end_mapping)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t buffer = may_concern_mappings(t) ? buffer_of(f, args) : 0;
    if (buffer != 0)
        remove_if_unmapped(t->context->share_group, buffer, f, args);
}

/* gl*BufferData(target or buffer, …) and gl*BufferStorage*, after the call: the mapped memory no longer
 * exists. These calls are frequent, and queries stall drivers that use threads, so the tracked binding is
 * used. */
DEFINE_HOOK(new_buffer_storage)
{
    UNUSED_HOOK_ARGUMENTS;
    if (!may_concern_mappings(t))
        return;
    enum gl_buffer_target target = gl_context_buffer_target((uint32_t)args[0].u);
    uint32_t buffer = is_named(f)                   ? (uint32_t)args[0].u
                      : target != GL_BUFFER_TARGETS ? gl_context_bound_buffer(t->context, target)
                                                    : 0;
    if (buffer != 0)
        remove_if_unmapped(t->context->share_group, buffer, f, args);
}

/* apitrace's replay only notices the end of a mapping by a call that ends it, or by functions that few
 * contexts have. Without such a call, it could confuse the memory with that of another buffer. */
static void record_unmapping(struct capture_thread *t, uint32_t buffer)
{
    const struct gl_context *c = t->context;
    union spec_arg args[2] = {{.u = SPEC_GL_ARRAY_BUFFER}, {.u = buffer}};
    uint32_t unmap = c->profile == GL_PROFILE_ES
                         ? (c->version >= 30 ? SPEC_FN_glUnmapBuffer : SPEC_FN_glUnmapBufferOES)
                         : (c->version >= 15 ? SPEC_FN_glUnmapBuffer : SPEC_FN_glUnmapBufferARB);
    capture_fake_call(t, SPEC_FN_glBindBuffer, args);
    capture_fake_call(t, unmap, args);
    args[1].u = c->buffers[GL_BUFFER_ARRAY];
    capture_fake_call(t, SPEC_FN_glBindBuffer, args);
}

/* glDeleteBuffers(n, buffers), before the call: a deleted buffer is unmapped, even if it is still in use
 * elsewhere. */
DEFINE_HOOK(unmap_deleted_buffers)
{
    UNUSED_HOOK_ARGUMENTS;
    const uint32_t *names = args[1].p;
    if (!may_concern_mappings(t) || args[0].i <= 0 ||
        !program_memory_readable(names, (uint64_t)args[0].i * sizeof *names))
        return;
    gl_context_identify(t->context);
    lock_mappings();
    for (int64_t i = 0; i < args[0].i; ++i) {
        struct mapping **m = find_mapping(t->context->share_group, names[i]);
        if (*m == NULL)
            continue;
        record_rest(t, *m);
        remove_mapping(m);
        record_unmapping(t, names[i]);
    }
    unlock_mappings();
}
