/* SPDX-License-Identifier: MIT */
#include "gl/gl_pinned_buffers.h"

#include "capture/fake_calls.h"
#include "context/gl_context.h"
#include "context/gl_enums.h"
#include "gl/gl_buffer_queries.h"
#include "memory/memory_watch.h"

#include "spec_ids.h"

bool gl_call_pins_memory(const struct spec_function *f, const union spec_arg *args)
{
    return args[0].u == SPEC_GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD &&
           (f == &spec_functions[SPEC_FN_glBufferData] || f == &spec_functions[SPEC_FN_glBufferDataARB]);
}

void gl_pinned_end(uint32_t share_group, uint32_t buffer)
{
    gl_mappings_lock();
    struct gl_mapping *m = gl_mapping_find(share_group, buffer, true);
    if (m != NULL)
        gl_mapping_remove(m);
    gl_mappings_unlock();
}

struct change {
    struct capture_thread *thread;
    const struct gl_mapping *mapping;
    uint32_t bound; /* to GL_ARRAY_BUFFER, after the calls so far */
};

static void bind(struct change *c, uint32_t buffer)
{
    const union spec_arg args[2] = {{.u = SPEC_GL_ARRAY_BUFFER}, {.u = buffer}};
    if (c->bound != buffer)
        capture_fake_call(c->thread, SPEC_FN_glBindBuffer, args);
    c->bound = buffer;
}

/* If the size and the usage stay, Mesa keeps the storage and writes to it. In a replay that does not know of
 * pinned memory, this would be memory that has been freed. */
static void record_copy(struct capture_thread *t, const struct gl_mapping *m)
{
    uint32_t bound = gl_context_bound_buffer(t->context, GL_BUFFER_ARRAY);
    struct change c = {t, m, bound};
    union spec_arg args[4] = {{.u = SPEC_GL_ARRAY_BUFFER}, {.u = 0}, spec_arg_ptr(NULL), {.u = m->usage}};
    bind(&c, m->buffer);
    capture_fake_call(t, SPEC_FN_glBufferData, args);
    args[1].u = m->size;
    args[2].p = m->memory;
    capture_fake_call(t, SPEC_FN_glBufferData, args);
    bind(&c, bound);
}

/* glBufferData(), when its return has been recorded */
static void complete_pinning(struct capture_thread *t)
{
    gl_mappings_lock();
    struct gl_mapping *m = gl_mapping_find(t->context->share_group, t->pinned_buffer, true);
    if (m != NULL) {
        m->has_storage = true;
        record_copy(t, m);
    }
    gl_mappings_unlock();
}

void gl_pinned_begin(struct capture_thread *t, uint32_t buffer, const struct spec_function *f,
                     const union spec_arg *args)
{
    const struct gl_mapping m = {.share_group = t->context->share_group,
                                 .buffer = buffer,
                                 .pinned = true,
                                 .memory = args[2].p,
                                 .size = args[1].u,
                                 .written = true,
                                 .usage = (uint32_t)args[3].u};
    if (m.memory != NULL && m.size > 0 && gl_call_buffer_size(f, args) == m.size) {
        gl_mapping_add(&m, true);
        t->pinned_buffer = buffer;
        t->complete = complete_pinning;
    }
}

/* memory_watch_changed */
static void record_change(void *context, size_t offset, const uint8_t *bytes, size_t size)
{
    struct change *c = context;
    const union spec_arg args[4] = {
        {.u = SPEC_GL_ARRAY_BUFFER}, {.u = offset}, {.u = size}, spec_arg_ptr(bytes)};
    bind(c, c->mapping->buffer);
    capture_fake_call(c->thread, SPEC_FN_glBufferSubData, args);
}

void gl_pinned_record_changes(struct capture_thread *t, const struct gl_mapping *m,
                              const struct fault_mark *now)
{
    uint32_t bound = gl_context_bound_buffer(t->context, GL_BUFFER_ARRAY);
    struct change c = {t, m, bound};
    if (!m->has_storage || t->context->in_begin || gl_mapping_find(m->share_group, m->buffer, false) != NULL)
        return;
    memory_watch_compare(m->watch, now, record_change, &c);
    bind(&c, bound);
}
