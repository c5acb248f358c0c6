/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_merge.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define MEMORY_FOR_ALL ((size_t)8 << 20) /* bytes */
#define STEP_MAX       ((size_t)64 << 10)

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

static int compare_segments(const void *a, const void *b)
{
    const struct xray_segment *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void free_active(struct xray_active *a)
{
    xray_cursor_fini(&a->cursor);
    free(a);
}

void xray_merge_fini(struct xray_merge *m)
{
    for (size_t i = 0; i < m->heap_count; ++i)
        free_active(m->heap[i]);
    while (m->free != NULL) {
        struct xray_active *a = m->free;
        m->free = a->next;
        free_active(a);
    }
    free(m->heap);
    free(m->of_thread);
    free(m->last_ticks);
    memset(m, 0, sizeof *m);
}

static void set_pending(struct xray_merge *m, size_t index)
{
    m->pending = index;
    m->pending_key = index < m->log->segment_count ? m->log->segments[index].key : UINT64_MAX;
}

int xray_merge_init(struct xray_merge *m, struct xray_log *log)
{
    *m = (struct xray_merge){.log = log};
    m->of_thread = calloc(log->thread_count + 1, sizeof *m->of_thread);
    m->last_ticks = calloc(log->thread_count + 1, sizeof *m->last_ticks);
    if (m->of_thread == NULL || m->last_ticks == NULL) {
        xray_merge_fini(m);
        return no_memory();
    }
    if (log->segment_count > 0)
        qsort(log->segments, log->segment_count, sizeof *log->segments, compare_segments);
    set_pending(m, 0);
    return 0;
}

/* --- the heap -------------------------------------------------------------------------------------- */

static bool is_before(const struct xray_active *a, const struct xray_active *b)
{
    return a->key != b->key ? a->key < b->key : a->rank < b->rank;
}

/* Restores the order after the first one's key has changed. */
static void sink_first(struct xray_merge *m)
{
    struct xray_active **heap = m->heap, *moved = heap[0];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < m->heap_count) {
        if (child + 1 < m->heap_count && is_before(heap[child + 1], heap[child]))
            ++child;
        if (!is_before(heap[child], moved))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static int add(struct xray_merge *m, struct xray_active *a)
{
    if (ARRAY_RESERVE(m->heap, m->heap_count, m->heap_room) != 0)
        return no_memory();
    size_t i = m->heap_count++;
    while (i > 0 && is_before(a, m->heap[(i - 1) / 2])) {
        m->heap[i] = m->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    m->heap[i] = a;
    return 0;
}

/* --- segments -------------------------------------------------------------------------------------- */

static void set_key(struct xray_merge *m, struct xray_active *a)
{
    bool has_ticks = a->item.kind != XRAY_ITEM_CUT && a->item.kind != XRAY_ITEM_BAD;
    a->key = has_ticks ? a->item.ticks : a->cursor.ticks;
    if (m->log->keys_are_times)
        a->key = (uint64_t)xray_header_time(a->cursor.header, a->key);
}

/* Reads the first item of a segment. */
static int begin(struct xray_merge *m, struct xray_active *a, size_t index)
{
    struct xray_log *log = m->log;
    const struct xray_segment *segment = &log->segments[index];
    size_t step = MEMORY_FOR_ALL / (m->heap_count + 1);
    step = step < XRAY_CURSOR_STEP ? XRAY_CURSOR_STEP : step < STEP_MAX ? step : STEP_MAX;
    a->cursor.file = &log->file;
    xray_cursor_move(&a->cursor, log->headers[segment->header], segment->offset, segment->end, step);
    a->segment = segment;
    a->origin = NULL;
    int rc = xray_cursor_begin(&a->cursor, &a->item);
    if (rc == 0 && a->item.kind == XRAY_ITEM_NONE)
        rc = xray_cursor_next(&a->cursor, &a->item);
    if (rc == 0 && m->last_ticks[a->thread] != 0)
        xray_cursor_follow(&a->cursor, m->last_ticks[a->thread]);
    if (rc == 0)
        set_key(m, a);
    return rc;
}

static void give_back(struct xray_merge *m, struct xray_active *a)
{
    a->next = m->free;
    m->free = a;
}

static struct xray_active *take(struct xray_merge *m)
{
    struct xray_active *a = m->free;
    if (a != NULL)
        m->free = a->next;
    else
        a = calloc(1, sizeof *a);
    return a;
}

/* Begins the next pending segment, or appends it to the one of its thread that is still being read. */
static int begin_pending(struct xray_merge *m)
{
    size_t index = m->pending;
    set_pending(m, index + 1);
    struct xray_segment *segments = m->log->segments;
    struct xray_active **of_thread = &m->of_thread[segments[index].thread], *a = *of_thread;
    if (a != NULL) {
        segments[a->last].next = (uint32_t)index;
        a->last = (uint32_t)index;
        return 0;
    }
    a = take(m);
    if (a == NULL)
        return no_memory();
    a->thread = segments[index].thread;
    a->last = (uint32_t)index;
    const struct xray_thread *thread = &m->log->threads[a->thread];
    a->rank = (uint64_t)thread->process << 32 | (uint32_t)thread->thread;
    int rc = begin(m, a, index);
    if (rc == 0)
        rc = add(m, a);
    if (rc == 0)
        *of_thread = a;
    else
        give_back(m, a);
    return rc;
}

/* The first one's segment has ended: goes on with the next one of the thread, or removes it. */
static int end_first(struct xray_merge *m)
{
    struct xray_active *a = m->heap[0];
    uint32_t next = a->segment->next;
    m->last_ticks[a->thread] = a->cursor.ticks;
    if (next != XRAY_NO_SEGMENT)
        return begin(m, a, next);
    m->of_thread[a->thread] = NULL;
    m->heap[0] = m->heap[--m->heap_count];
    give_back(m, a);
    return 0;
}

static int advance(struct xray_merge *m)
{
    struct xray_active *a = m->heap[0];
    enum xray_item_kind kind = a->item.kind;
    int rc = 0;
    if (kind != XRAY_ITEM_CUT && kind != XRAY_ITEM_BAD) {
        rc = xray_cursor_next(&a->cursor, &a->item);
        if (rc == 0 && a->item.kind != XRAY_ITEM_END)
            set_key(m, a);
    } else {
        a->item.kind = XRAY_ITEM_END;
    }
    if (rc == 0 && a->item.kind == XRAY_ITEM_END)
        rc = end_first(m);
    if (m->heap_count > 1)
        sink_first(m);
    return rc;
}

static bool wants_pending(const struct xray_merge *m)
{
    return m->pending < m->log->segment_count && (m->heap_count == 0 || m->pending_key <= m->heap[0]->key);
}

static int next_of_all(struct xray_merge *m, struct xray_active **out)
{
    *out = NULL;
    m->alone = NULL;
    int rc = m->is_taken ? advance(m) : 0;
    m->is_taken = false;
    while (rc == 0 && wants_pending(m))
        rc = begin_pending(m);
    if (rc != 0 || m->heap_count == 0)
        return rc;
    *out = m->heap[0];
    m->is_taken = true;
    bool has_more = m->heap[0]->item.kind < XRAY_ITEM_END;
    m->alone = m->heap_count == 1 && has_more && !m->log->keys_are_times ? m->heap[0] : NULL;
    return 0;
}

/* Most items are functions before which no other segment has anything. */
int xray_merge_next(struct xray_merge *m, struct xray_active **out)
{
    struct xray_active *a = m->alone;
    if (a == NULL || !xray_cursor_take_usual(&a->cursor, &a->item))
        return next_of_all(m, out);
    a->key = a->item.ticks;
    m->is_taken = a->key < m->pending_key;
    if (!m->is_taken)
        return next_of_all(m, out);
    *out = a;
    return 0;
}
