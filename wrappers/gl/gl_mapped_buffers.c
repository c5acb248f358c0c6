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
#include "gl/gl_buffer_queries.h"
#include "gl/gl_mappings.h"
#include "gl/gl_pinned_buffers.h"
#include "memory/fault_log.h"
#include "memory/memory_watch.h"
#include "memory/program_memory.h"

#include "spec_ids.h"

/* Between glBegin() and glEnd(), calls for buffers fail without effect, and the driver cannot be queried. */
static bool may_concern_mappings(const struct capture_thread *t)
{
    return gl_mappings_any() && !t->context->in_begin;
}

/* --- begin of a mapping --------------------------------------------------------------------------------- */

/* glMap*Buffer*(target or buffer, access) */
DEFINE_HOOK(map_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    if (ret->p == NULL)
        return;
    const struct gl_mapping m = {.share_group = t->context->share_group,
                                 .buffer = gl_call_buffer(t, f, args),
                                 .memory = ret->p,
                                 .size = gl_call_buffer_size(f, args),
                                 .written = args[1].u != SPEC_GL_READ_ONLY};
    gl_mapping_add(&m, false);
}

/* glMap*BufferRange*(target or buffer, offset, length, access) */
DEFINE_HOOK(map_buffer_range)
{
    UNUSED_HOOK_ARGUMENTS;
    if (ret->p == NULL)
        return;
    const struct gl_mapping m = {.share_group = t->context->share_group,
                                 .buffer = gl_call_buffer(t, f, args),
                                 .memory = ret->p,
                                 .size = args[2].u,
                                 .written = (args[3].u & SPEC_GL_MAP_WRITE_BIT) != 0,
                                 .explicit = (args[3].u & SPEC_GL_MAP_FLUSH_EXPLICIT_BIT) != 0,
                                 .notified = t->notified_mapping};
    bool persistent = (args[3].u & SPEC_GL_MAP_PERSISTENT_BIT) != 0;
    gl_mapping_add(&m, persistent && m.written && !m.explicit && !m.notified);
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
    const struct gl_mapping *mapping;
};

static void record_change(void *context, size_t offset, const uint8_t *bytes, size_t size)
{
    const struct change *c = context;
    record_memcpy(c->thread, (uint8_t *)c->mapping->memory + offset, bytes, size);
}

static void record_changes(struct capture_thread *t, const struct gl_mapping *m, const struct fault_mark *now)
{
    struct change c = {t, m};
    if (m->pinned)
        gl_pinned_record_changes(t, m, now);
    else
        memory_watch_compare(m->watch, now, record_change, &c);
}

/* Returns the first mapping of the share group after `last`, or the first of all for NULL, whose memory may
 * have changed; NULL: there are no more. */
static const struct gl_mapping *next_awake(const struct gl_mapping *last, uint32_t share_group)
{
    struct memory_watch *w = memory_watch_next_awake(last != NULL ? last->watch : NULL);
    while (w != NULL && ((const struct gl_mapping *)memory_watch_owner(w))->share_group != share_group)
        w = memory_watch_next_awake(w);
    return w != NULL ? memory_watch_owner(w) : NULL;
}

void capture_persistent_writes(struct capture_thread *t)
{
    uint32_t group = t->context->share_group;
    gl_mappings_lock();
    for (const struct gl_mapping *m = NULL; (m = next_awake(m, group)) != NULL;)
        memory_watch_prepare(m->watch);
    const struct fault_mark now = memory_watch_look();
    for (const struct gl_mapping *m = next_awake(NULL, group), *next; m != NULL; m = next) {
        next = next_awake(m, group); /* m may fall asleep */
        record_changes(t, m, &now);
    }
    gl_mappings_unlock();
}

/* Records the part of [start, start + size) that is in m. */
static bool record_notified(struct capture_thread *t, const struct gl_mapping *m, uintptr_t start,
                            uint64_t size)
{
    uintptr_t memory = (uintptr_t)m->memory;
    if (!m->written || start < memory || start - memory >= m->size)
        return false;
    uint64_t left = m->size - (start - memory);
    record_memcpy(t, (void *)start, (void *)start, size < left ? size : left);
    return true;
}

void capture_notified_write(struct capture_thread *t, const void *start, uint64_t size)
{
    bool found = false;
    gl_mappings_lock();
    for (const struct gl_mapping *m = NULL; !found && (m = gl_mapping_next_notified(m)) != NULL;)
        found = m->share_group == t->context->share_group && record_notified(t, m, (uintptr_t)start, size);
    gl_mappings_unlock();
    if (!found)
        capture_persistent_writes(t);
}

/* Records everything that has not been recorded yet, because the mapping is about to end. */
static void record_rest(struct capture_thread *t, const struct gl_mapping *m)
{
    if (m->watch != NULL) {
        memory_watch_prepare(m->watch);
        const struct fault_mark now = fault_log_mark(); /* what sleeps need not be woken */
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
    uint32_t buffer = may_concern_mappings(t) ? gl_call_buffer(t, f, args) : 0;
    if (buffer == 0)
        return;
    gl_mappings_lock();
    const struct gl_mapping *m = gl_mapping_find(t->context->share_group, buffer, false);
    bool valid = m != NULL && m->written && args[1].u <= m->size && args[2].u <= m->size - args[1].u;
    uint8_t *memory = valid ? (uint8_t *)m->memory + args[1].u : NULL;
    gl_mappings_unlock();
    if (valid && gl_call_buffer_is_mapped(f, args))
        record_memcpy(t, memory, memory, args[2].u);
}

/* --- end of a mapping ----------------------------------------------------------------------------------- */

/* glUnmap*Buffer*(target or buffer), before the call */
DEFINE_HOOK(unmap_buffer)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t buffer = may_concern_mappings(t) ? gl_call_buffer(t, f, args) : 0;
    if (buffer == 0 || !gl_call_buffer_is_mapped(f, args))
        return;
    gl_mappings_lock();
    const struct gl_mapping *m = gl_mapping_find(t->context->share_group, buffer, false);
    if (m != NULL)
        record_rest(t, m);
    gl_mappings_unlock();
}

/* Queries the driver, because the call may have failed to unmap the buffer. */
static void remove_if_unmapped(uint32_t share_group, uint32_t buffer, const struct spec_function *f,
                               const union spec_arg *args)
{
    gl_mappings_lock();
    bool found = gl_mapping_find(share_group, buffer, false) != NULL;
    gl_mappings_unlock();
    if (!found || gl_call_buffer_is_mapped(f, args))
        return;
    gl_mappings_lock();
    struct gl_mapping *m = gl_mapping_find(share_group, buffer, false);
    if (m != NULL)
        gl_mapping_remove(m);
    gl_mappings_unlock();
}

/* glUnmap*Buffer*(target or buffer), after the call */
DEFINE_HOOK(end_mapping)
{
    UNUSED_HOOK_ARGUMENTS;
    uint32_t buffer = may_concern_mappings(t) ? gl_call_buffer(t, f, args) : 0;
    if (buffer != 0)
        remove_if_unmapped(t->context->share_group, buffer, f, args);
}

/* gl*BufferData(target or buffer, …) and gl*BufferStorage*, after the call: the mapped memory no longer
 * exists. These calls are frequent, and queries stall drivers that use threads, so the tracked binding is
 * used. */
DEFINE_HOOK(new_buffer_storage)
{
    UNUSED_HOOK_ARGUMENTS;
    bool pins = gl_call_pins_memory(f, args);
    if (!may_concern_mappings(t) && (!pins || t->context->in_begin))
        return;
    enum gl_buffer_target target = gl_context_buffer_target((uint32_t)args[0].u);
    uint32_t buffer = gl_call_names_buffer(f)       ? (uint32_t)args[0].u
                      : target != GL_BUFFER_TARGETS ? gl_context_bound_buffer(t->context, target)
                                                    : 0;
    if (buffer == 0)
        return;
    remove_if_unmapped(t->context->share_group, buffer, f, args);
    gl_pinned_end(t->context->share_group, buffer);
    if (pins)
        gl_pinned_begin(t, buffer, f, args);
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
    gl_mappings_lock();
    for (int64_t i = 0; i < args[0].i; ++i) {
        struct gl_mapping *m = gl_mapping_find(t->context->share_group, names[i], false);
        if (m == NULL)
            continue;
        record_rest(t, m);
        gl_mapping_remove(m);
        record_unmapping(t, names[i]);
    }
    gl_mappings_unlock();
    for (int64_t i = 0; i < args[0].i; ++i)
        gl_pinned_end(t->context->share_group, names[i]);
}
