/* SPDX-License-Identifier: MIT */
#include "info/info_stats.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define DIRECT 65536 /* lower keys (ids of functions, numbers of threads) are looked up without a hash */

/* --- counts by key --------------------------------------------------------------------------------- */

static struct info_count *add_count(struct info_counts *c)
{
    if (ARRAY_RESERVE(c->items, c->count, c->cap) != 0)
        return NULL;
    c->items[c->count] = (struct info_count){0};
    return &c->items[c->count++];
}

static int grow_direct(struct info_counts *c, uint64_t key)
{
    size_t size = c->direct_size == 0 ? 256 : c->direct_size;
    while (size <= key)
        size *= 2;
    uint32_t *direct = realloc(c->direct, size * sizeof *direct);
    if (direct == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    memset(direct + c->direct_size, 0, (size - c->direct_size) * sizeof *direct);
    c->direct = direct;
    c->direct_size = size;
    return 0;
}

static struct info_count *find_new(struct info_counts *c, uint64_t key)
{
    uint64_t at;
    if (key >= DIRECT && int_map_get(&c->index, key, &at))
        return &c->items[at];
    int rc = 0;
    if (key >= DIRECT)
        rc = int_map_set(&c->index, key, c->count);
    else if (key >= c->direct_size)
        rc = grow_direct(c, key);
    struct info_count *added = rc == 0 ? add_count(c) : NULL;
    if (added != NULL && key < DIRECT)
        c->direct[key] = (uint32_t)c->count;
    return added;
}

/* Returns the item of the key, zeroed if it is new, or NULL if there is no memory. */
static inline struct info_count *find_count(struct info_counts *c, uint64_t key)
{
    if (key < c->direct_size && c->direct[key] != 0)
        return &c->items[c->direct[key] - 1];
    return find_new(c, key);
}

static int find_both(struct trace_info *info, const struct trace_function_sig *sig, uint32_t thread_number,
                     struct info_count **function, struct info_count **thread)
{
    *function = find_count(&info->functions, sig->id);
    *thread = find_count(&info->threads, thread_number);
    if (*function == NULL || *thread == NULL)
        return TRACE_ERR_MEMORY;
    if ((*function)->name == NULL && ((*function)->name = strdup(sig->name)) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    (*thread)->thread = thread_number;
    return 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

static void add_event(struct info_count *c, const struct trace_raw_event *event)
{
    c->calls += event->tag == TRACE_RAW_EVENT_ENTER;
    c->bytes += event->size;
    c->blob_bytes += event->blob_bytes;
    if (event->tag == TRACE_RAW_EVENT_ENTER && event->blob_bytes > 0) {
        c->uploads++;
        c->uploaded += event->blob_bytes;
    }
}

int info_stats_add_event(struct trace_info *info, const struct trace_raw_event *event)
{
    struct info_count *function;
    struct info_count *thread;
    if (event->sig == NULL)
        return 0;
    int rc = find_both(info, event->sig, event->thread, &function, &thread);
    if (rc != 0)
        return rc;
    add_event(function, event);
    add_event(thread, event);
    info->calls += event->tag == TRACE_RAW_EVENT_ENTER;
    info->incomplete += event->tag == TRACE_RAW_EVENT_ENTER;
    info->incomplete -= event->tag == TRACE_RAW_EVENT_LEAVE;
    return 0;
}

int info_stats_add_known(struct trace_info *info, const struct trace_known_call *calls, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        struct info_count *function;
        struct info_count *thread;
        int rc = find_both(info, calls[i].sig, calls[i].thread, &function, &thread);
        if (rc != 0)
            return rc;
        function->calls++;
        function->bytes += calls[i].size;
        thread->calls++;
        thread->bytes += calls[i].size;
    }
    info->calls += count;
    return 0;
}

/* --- the end --------------------------------------------------------------------------------------- */

static void sum_up_uploads(struct trace_info *info)
{
    for (size_t i = 0; i < info->functions.count; ++i) {
        const struct info_count *c = &info->functions.items[i];
        struct info_upload *u = &info->uploads[trace_call_upload(c->name)];
        u->calls += c->uploads;
        u->bytes += c->uploaded;
    }
}

static int by_bytes(const void *a, const void *b)
{
    const struct info_count *x = a;
    const struct info_count *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int by_thread(const void *a, const void *b)
{
    const struct info_count *x = a;
    const struct info_count *y = b;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

void info_stats_finish(struct trace_info *info)
{
    sum_up_uploads(info);
    if (info->functions.count > 0) {
        qsort(info->functions.items, info->functions.count, sizeof *info->functions.items, by_bytes);
        qsort(info->threads.items, info->threads.count, sizeof *info->threads.items, by_thread);
    }
}
