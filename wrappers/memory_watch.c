/* SPDX-License-Identifier: MIT */
#include "memory_watch.h"

#include "page_tracker.h"
#include "program_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BLOCK = 1024,           /* bytes compared at once; a run of blocks that differ is one change */
    TRACKED_MIN = 64 << 10, /* smaller memory is sooner compared than asked about */
};

struct memory_watch {
    const uint8_t *memory;
    size_t size;
    uint8_t *copy;     /* what was last seen */
    size_t copy_size;  /* bytes mapped */
    bool tracked;      /* the pages in [first, end) */
    size_t page;       /* bytes of one */
    size_t first, end; /* offsets of whole pages */
    uint8_t *seen;     /* bit i: the copy has page i from `first` on; NULL: it has all */
    struct page_tracker tracker;
    memory_watch_changed changed; /* during a look */
    void *context;
};

static bool has_copy(const struct memory_watch *w, size_t at)
{
    if (w->seen == NULL || at < w->first || at >= w->end)
        return true;
    size_t page = (at - w->first) / w->page;
    return (w->seen[page / 8] >> page % 8 & 1) != 0;
}

static void mark_copied(struct memory_watch *w, size_t from, size_t to)
{
    for (size_t at = from; w->seen != NULL && at < to; at += w->page) {
        size_t page = (at - w->first) / w->page;
        w->seen[page / 8] |= (uint8_t)(1u << page % 8);
    }
}

/* Does the block at at, which ends before end, differ? */
static bool block_differs(const struct memory_watch *w, size_t at, size_t end)
{
    size_t size = end - at < BLOCK ? end - at : BLOCK;
    return !has_copy(w, at) || memcmp(w->copy + at, w->memory + at, size) != 0;
}

/* Tells what changed in [from, to), which has no part of a page of the tracked ones. */
static void compare(struct memory_watch *w, size_t from, size_t to)
{
    to = from + program_memory_extent(w->memory + from, to - from);
    for (size_t at = from; at < to; at += BLOCK) {
        size_t start = at;
        while (at < to && block_differs(w, at, to))
            at += BLOCK;
        if (at == start)
            continue;
        size_t size = (at < to ? at : to) - start;
        /* The copy is what is told of: the program may be writing on. */
        memcpy(w->copy + start, w->memory + start, size);
        w->changed(w->context, start, w->copy + start, size);
    }
    if (from >= w->first && to <= w->end)
        mark_copied(w, from, to);
}

static void compare_pages(void *context, uintptr_t start, uintptr_t end)
{
    struct memory_watch *w = context;
    compare(w, start - (uintptr_t)w->memory, end - (uintptr_t)w->memory);
}

void memory_watch_look(struct memory_watch *w, memory_watch_changed changed, void *context)
{
    int saved = errno;
    w->changed = changed;
    w->context = context;
    compare(w, 0, w->first);
    if (!w->tracked || !page_tracker_take(&w->tracker, compare_pages, w))
        compare(w, w->first, w->end);
    compare(w, w->end, w->size);
    errno = saved;
}

/* The pages that are wholly in the memory: what else is in the first and last one is none of ours. */
static void find_pages(struct memory_watch *w)
{
    uintptr_t start = (uintptr_t)w->memory;
    w->page = (size_t)sysconf(_SC_PAGESIZE);
    w->first = (w->page - start % w->page) % w->page;
    w->end = w->first < w->size ? w->size - (start + w->size) % w->page : 0;
    if (w->end <= w->first)
        w->first = w->end = 0;
}

static void start_tracking(struct memory_watch *w)
{
    uintptr_t start = (uintptr_t)w->memory;
    size_t pages = (w->end - w->first) / w->page;
    if (w->end - w->first < TRACKED_MIN || (w->seen = calloc(pages / 8 + 1, 1)) == NULL)
        return;
    w->tracked = page_tracker_start(&w->tracker, start + w->first, start + w->end);
    if (w->tracked)
        return;
    free(w->seen);
    w->seen = NULL;
}

static void copy_part(struct memory_watch *w, size_t from, size_t to)
{
    memcpy(w->copy + from, w->memory + from, program_memory_extent(w->memory + from, to - from));
}

static struct memory_watch *new_watch(const void *memory, size_t size)
{
    struct memory_watch *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->memory = memory;
    w->size = size;
    w->copy_size = size;
    /* Pages of it that are never needed take no memory. */
    w->copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (w->copy == MAP_FAILED) {
        free(w);
        return NULL;
    }
    find_pages(w);
    start_tracking(w);
    copy_part(w, 0, w->tracked ? w->first : size);
    if (w->tracked)
        copy_part(w, w->end, size);
    return w;
}

struct memory_watch *memory_watch_new(const void *memory, size_t size)
{
    int saved = errno;
    struct memory_watch *w = new_watch(memory, size);
    errno = saved;
    return w;
}

void memory_watch_free(struct memory_watch *w)
{
    if (w == NULL)
        return;
    int saved = errno;
    if (w->tracked)
        page_tracker_stop(&w->tracker);
    munmap(w->copy, w->copy_size);
    free(w->seen);
    free(w);
    errno = saved;
}
