/* SPDX-License-Identifier: MIT */
#include "memory/memory_watch.h"

#include "memory/fault_log.h"
#include "memory/page_tracker.h"
#include "memory/program_memory.h"
#include "memory/quiet_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    BLOCK = 1024, /* bytes that are compared at a time; adjacent blocks that differ are one change */
    LOOSE = 12,   /* number of loose pages that are remembered */
    BATCH = 32,   /* number of watches that the kernel is asked about at a time */
    FIRST_BATCH = 4,
    IDLE = 16, /* after so many comparisons without a change, protecting loose pages again pays */
    TRACKED_MIN = 64 << 10, /* below this size, comparing is faster than querying the kernel */
};

struct memory_watch {
    struct quiet_memory quiet; /* first, so that a pointer to it is one to the watch */
    void *owner;
    const uint8_t *memory;
    size_t size;
    uint8_t *copy;     /* the contents at the last comparison */
    size_t copy_size;  /* mapped size in bytes */
    bool tracked;      /* the kernel tracks the pages in [first, end) */
    size_t page;       /* page size in bytes */
    size_t first, end; /* offsets of the first whole page and of the end of the last */
    uint8_t *seen; /* bit i: the copy contains page i, counted from `first`; NULL: it contains all pages */
    struct page_tracker tracker;
    struct fault_mark looked; /* what was written after this is not known yet */
    bool known;               /* the addresses of all faults before the last comparison were known */
    /* Pages that were written since the kernel protected them. Further writes to them are not detected, so
     * they are compared each time. Protecting them again would take longer. */
    size_t loose[LOOSE];
    unsigned loose_count;
    bool any_loose;   /* any page may be loose, because the kernel did not answer */
    unsigned idle;    /* number of comparisons since something changed, or since it was 0 */
    size_t last;      /* offset of the page that was written last */
    ptrdiff_t stride; /* distance of the last two written pages */
    bool steady;      /* the distance before was the same */
    size_t guess;  /* offset of the page that was probably written since the last comparison; `end`: none */
    bool reported; /* something has changed, in this comparison */
    memory_watch_changed changed; /* only set during a comparison */
    void *context;
};

/* The watch of which another page was written last, or NULL. */
static struct memory_watch *written_last;

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

/* Returns true if the block at offset `at`, which ends at `end` at the latest, has changed. */
static bool block_differs(const struct memory_watch *w, size_t at, size_t end)
{
    size_t size = end - at < BLOCK ? end - at : BLOCK;
    return !has_copy(w, at) || memcmp(w->copy + at, w->memory + at, size) != 0;
}

/* Reports what changed in [from, to), which must be readable. No tracked page may be only partly in it. */
static void compare_readable(struct memory_watch *w, size_t from, size_t to)
{
    for (size_t at = from; at < to; at += BLOCK) {
        size_t start = at;
        while (at < to && block_differs(w, at, to))
            at += BLOCK;
        if (at == start)
            continue;
        size_t size = (at < to ? at : to) - start;
        /* Reports the copy, because the program may still be writing. */
        memcpy(w->copy + start, w->memory + start, size);
        w->reported = true;
        w->changed(w->context, start, w->copy + start, size);
    }
    if (from >= w->first && to <= w->end)
        mark_copied(w, from, to);
}

static void compare(struct memory_watch *w, size_t from, size_t to)
{
    compare_readable(w, from, from + program_memory_extent(w->memory + from, to - from));
}

static bool is_loose(const struct memory_watch *w, size_t page)
{
    for (unsigned i = 0; i < w->loose_count; ++i)
        if (w->loose[i] == page)
            return true;
    return false;
}

static void note_written(struct memory_watch *w, size_t page)
{
    ptrdiff_t stride = (ptrdiff_t)page - (ptrdiff_t)w->last;
    w->steady = stride == w->stride;
    w->stride = stride;
    w->last = page;
    written_last = w;
}

static void compare_pages(void *context, uintptr_t start, uintptr_t end)
{
    struct memory_watch *w = context;
    size_t from = start - (uintptr_t)w->memory, to = end - (uintptr_t)w->memory;
    for (size_t page = from; page < to; page += w->page)
        if (!is_loose(w, page))
            note_written(w, page);
    compare(w, from, to);
}

static bool page_differs(const struct memory_watch *w, size_t page)
{
    return has_copy(w, page) && memcmp(w->copy + page, w->memory + page, w->page) != 0;
}

/* Loose pages were written at some time, and have been compared since. */
static bool has_been_written(void *context, uintptr_t address)
{
    const struct memory_watch *w = context;
    size_t page = address - (uintptr_t)w->memory;
    return is_loose(w, page) || page_differs(w, page);
}

/* Protects all loose pages again. written: the highest number of pages that were written since the last
 * comparison. */
static void ask_kernel(struct memory_watch *w, uint64_t written)
{
    size_t near = w->last + w->page;
    for (unsigned i = 0; i < w->loose_count; ++i)
        near = w->loose[i] < near ? w->loose[i] : near;
    const struct page_tracker_hint hint = {(uintptr_t)w->memory + near,
                                           w->any_loose ? UINT64_MAX : w->loose_count + written,
                                           w->looked.count, has_been_written};
    w->any_loose = !page_tracker_take(&w->tracker, &hint, compare_pages, w);
    w->loose_count = 0;
    if (w->any_loose)
        compare(w, w->first, w->end);
}

/* Programs fill buffers sequentially. Guesses that the distance to the next written page is the same as
 * before. Returns its offset if it was written and is not loose, otherwise `end`. */
static size_t guess_written(const struct memory_watch *w)
{
    size_t size = w->end - w->first;
    size_t page = w->first + (w->last - w->first + size + (size_t)w->stride) % size;
    return !is_loose(w, page) && page_differs(w, page) ? page : w->end;
}

static void compare_loose(struct memory_watch *w)
{
    for (unsigned i = 0; i < w->loose_count; ++i)
        compare_readable(w, w->loose[i], w->loose[i] + w->page);
}

/* Protects all loose pages. The caller must compare them after this. */
static void protect_loose(struct memory_watch *w)
{
    uintptr_t pages[LOOSE];
    for (unsigned i = 0; i < w->loose_count; ++i)
        pages[i] = (uintptr_t)w->memory + w->loose[i];
    if (!page_tracker_protect(pages, w->loose_count))
        w->any_loose = true;
}

/* Makes the pages of the faults after `since` loose. Returns false if there are too many. */
static bool add_faults(struct memory_watch *w, const struct fault_mark *since)
{
    for (uint64_t i = since->logged; i < w->looked.logged; ++i) {
        uintptr_t at = fault_log_address(i) - (uintptr_t)w->memory;
        size_t page = at - (at - w->first) % w->page;
        if (at < w->first || at >= w->end || is_loose(w, page))
            continue;
        if (w->loose_count == LOOSE)
            return false;
        w->loose[w->loose_count++] = page;
        note_written(w, page);
    }
    return true;
}

/* Updates the state from the addresses of the faults since the last comparison. Returns false if they are
 * unknown. */
static bool look_at_faults(struct memory_watch *w, const struct fault_mark *since)
{
    if (w->any_loose || !fault_log_knows(since, &w->looked))
        return false;
    if (!add_faults(w, since)) {
        protect_loose(w);
        compare_loose(w);
        w->loose_count = 0;
        if (w->any_loose || !add_faults(w, since))
            return false;
    }
    compare_loose(w);
    return true;
}

/* Programs may use many mappings in turn. */
static void end_idle_pages(struct memory_watch *w)
{
    if (w->idle < IDLE || w->any_loose)
        return;
    protect_loose(w);
    compare_loose(w);
    w->loose_count = 0;
    w->idle = 0;
}

/* Returns true if there is nothing to compare, according to the addresses of all faults since the last
 * comparison. */
static bool is_untouched(struct memory_watch *w, const struct fault_mark *now)
{
    if (w->loose_count > 0 || w->any_loose || !fault_log_knows(&w->looked, now))
        return false;
    for (uint64_t i = w->looked.logged; i < now->logged; ++i)
        if (fault_log_address(i) - (uintptr_t)w->memory - w->first < w->end - w->first)
            return false;
    w->looked = *now;
    w->known = true;
    return true;
}

static void look_at_pages(struct memory_watch *w, const struct fault_mark *now)
{
    const struct fault_mark since = w->looked;
    uint64_t written = now->count - since.count;
    w->looked = *now;
    w->known = written > 0 && look_at_faults(w, &since);
    if (w->known)
        return;
    compare_loose(w);
    /* The faults were counted after the guess, so a correct guess is among them. */
    if (w->guess != w->end && written == 1 && !w->any_loose) {
        w->loose[w->loose_count++] = w->guess;
        note_written(w, w->guess);
        compare_readable(w, w->guess, w->guess + w->page);
    } else if (written > 0 || w->any_loose) {
        ask_kernel(w, written);
        fault_log_want();
    }
}

/* --- several at once ------------------------------------------------------------------------------------ */

/* A search for the pages that were written until `now`, in all tracked memory for which the kernel must be
 * asked. For one watch after the other, that would take five times as long, most of which is opening a file.
 */
struct search {
    const struct fault_mark *now;
    uint64_t faults;           /* since all of this memory was looked at; UINT64_MAX: not the same for all */
    uint64_t found;            /* number of pages that were certainly written since */
    struct memory_watch *next; /* the first one that may be asked about */
    struct memory_watch *batch[BATCH];
    unsigned count; /* of the batch */
    bool crowded[BATCH];
};

static bool must_ask(const struct memory_watch *w, const struct fault_mark *now)
{
    return w->tracked && !w->any_loose && w->looked.count != now->count && !fault_log_knows(&w->looked, now);
}

/* Returns the next one after w, which may be NULL; NULL: there are no more. */
static struct memory_watch *next_to_ask(struct memory_watch *w, const struct fault_mark *now)
{
    do
        w = memory_watch_next_awake(w);
    while (w != NULL && !must_ask(w, now));
    return w;
}

/* The program may have protected the memory since it wrote there. */
static bool is_certainly_written(const struct memory_watch *w, size_t page)
{
    return program_memory_extent(w->memory + page, 1) == 1 && page_differs(w, page);
}

/* Makes the pages of the memory between the addresses loose. Returns false if there are too many. */
static bool loosen(struct search *s, struct memory_watch *w, uintptr_t start, uintptr_t end)
{
    const uintptr_t memory = (uintptr_t)w->memory, last = memory + w->end;
    for (uintptr_t at = start > memory + w->first ? start : memory + w->first; at < end && at < last;
         at += w->page) {
        size_t page = at - memory;
        if (is_loose(w, page))
            continue;
        if (w->loose_count == LOOSE)
            return false;
        s->found += is_certainly_written(w, page) ? 1 : 0;
        w->loose[w->loose_count++] = page;
        note_written(w, page);
    }
    return true;
}

/* page_tracker_written */
static void loosen_in_batch(void *context, uintptr_t start, uintptr_t end)
{
    struct search *s = context;
    for (unsigned i = 0; i < s->count; ++i)
        if (!loosen(s, s->batch[i], start, end))
            s->crowded[i] = true;
}

static void ask_about_batch(struct search *s)
{
    struct page_run runs[BATCH];
    for (unsigned i = 0; i < s->count; ++i) {
        const uintptr_t memory = (uintptr_t)s->batch[i]->memory;
        runs[i] = (struct page_run){memory + s->batch[i]->first, memory + s->batch[i]->end};
        s->crowded[i] = false;
    }
    bool told = page_tracker_look(runs, s->count, false, loosen_in_batch, s);
    for (unsigned i = 0; i < s->count; ++i)
        if (told && !s->crowded[i])
            s->batch[i]->looked = *s->now;
}

/* Counts those to ask about, and makes the pages loose that were guessed. */
static unsigned begin_search(struct search *s, const struct fault_mark *now)
{
    unsigned count = 0;
    *s = (struct search){.now = now, .next = written_last};
    for (struct memory_watch *w = next_to_ask(NULL, now); w != NULL; w = next_to_ask(w, now)) {
        uint64_t faults = now->count - w->looked.count;
        s->faults = count++ == 0 || s->faults == faults ? faults : UINT64_MAX;
        if (w->guess != w->end)
            loosen(s, w, (uintptr_t)w->memory + w->guess, (uintptr_t)w->memory + w->guess + w->page);
    }
    return count;
}

/* Returns true if each fault has its page. One that was found may be that of a later fault, as at
 * page_tracker_take(), if there was any. */
static bool all_found(const struct search *s)
{
    return s->found == s->faults && fault_log_count() == s->now->count;
}

/* Makes a batch of those to ask about, which follow in a circle. Returns their number. */
static unsigned fill_batch(struct search *s, unsigned room)
{
    struct memory_watch *w = s->next;
    if (w != NULL && !must_ask(w, s->now))
        w = next_to_ask(w, s->now);
    for (s->count = 0; s->count < room; w = next_to_ask(w, s->now)) {
        if (w == NULL && (w = next_to_ask(NULL, s->now)) == NULL)
            break;
        s->batch[s->count++] = w;
    }
    s->next = w;
    return s->count;
}

/* Asks about `left` watches, in batches of increasing size. */
static void search_written(struct search *s, unsigned left)
{
    unsigned room = FIRST_BATCH < left ? FIRST_BATCH : left;
    while (!all_found(s) && fill_batch(s, room) > 0) {
        left -= s->count;
        room = BATCH < left ? BATCH : left;
        ask_about_batch(s);
    }
}

/* The kernel has nothing to tell about memory unless the process had a fault. */
static void ask_together(const struct fault_mark *now)
{
    struct search s;
    struct memory_watch *w = next_to_ask(NULL, now);
    if (w == NULL || next_to_ask(w, now) == NULL)
        return;
    search_written(&s, begin_search(&s, now));
    bool done = all_found(&s);
    for (w = next_to_ask(NULL, now); w != NULL && done; w = next_to_ask(w, now))
        w->looked = *now; /* nothing was written there */
    fault_log_want();
}

/* --- looking -------------------------------------------------------------------------------------------- */

void memory_watch_prepare(struct memory_watch *w)
{
    bool guess = w == written_last && w->steady && !w->known && w->loose_count < LOOSE &&
                 /* The pages are readable or unreadable as a whole. */
                 program_memory_extent(w->memory + w->first, 1) == 1;
    w->guess = guess ? guess_written(w) : w->end;
    quiet_memory_expect(&w->quiet);
}

struct fault_mark memory_watch_look(void)
{
    int saved = errno;
    const struct fault_mark now = fault_log_mark();
    quiet_memory_look(&now);
    ask_together(&now);
    errno = saved;
    return now;
}

void memory_watch_compare(struct memory_watch *w, const struct fault_mark *now, memory_watch_changed changed,
                          void *context)
{
    int saved = errno;
    w->changed = changed;
    w->context = context;
    w->reported = false;
    compare(w, 0, w->first);
    bool quiet = w->tracked && now->count == w->looked.count && w->loose_count == 0 && !w->any_loose;
    if (!w->tracked)
        compare(w, w->first, w->end);
    /* The pages are readable or unreadable as a whole. */
    else if (!quiet && !is_untouched(w, now) && program_memory_extent(w->memory + w->first, 1) == 1)
        look_at_pages(w, now);
    if (!w->reported)
        end_idle_pages(w);
    compare(w, w->end, w->size);
    w->idle = w->reported || w->loose_count == 0 ? 0 : w->idle + 1;
    quiet_memory_compared(&w->quiet, w->reported);
    errno = saved;
}

/* Finds the pages that are entirely in the memory. The rest of the first and the last page belongs to others.
 */
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
    w->looked = fault_log_mark();
    w->last = w->first;
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

static struct memory_watch *new_watch(const void *memory, size_t size, bool may_sleep)
{
    struct memory_watch *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->memory = memory;
    w->size = size;
    w->copy_size = size;
    /* Pages of the copy that are never used take no memory. */
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
    quiet_memory_add(&w->quiet, (uintptr_t)memory, size, may_sleep && !w->tracked);
    return w;
}

struct memory_watch *memory_watch_new(const void *memory, size_t size, void *owner, bool may_sleep)
{
    int saved = errno;
    struct memory_watch *w = new_watch(memory, size, may_sleep);
    if (w != NULL)
        w->owner = owner;
    errno = saved;
    return w;
}

void *memory_watch_owner(const struct memory_watch *w)
{
    return w->owner;
}

struct memory_watch *memory_watch_next_awake(const struct memory_watch *w)
{
    return (struct memory_watch *)quiet_memory_next_awake(w != NULL ? &w->quiet : NULL);
}

void memory_watch_free(struct memory_watch *w)
{
    if (w == NULL)
        return;
    int saved = errno;
    quiet_memory_remove(&w->quiet);
    if (written_last == w)
        written_last = NULL;
    if (w->tracked)
        page_tracker_stop(&w->tracker);
    munmap(w->copy, w->copy_size);
    free(w->seen);
    free(w);
    errno = saved;
}

void memory_watch_forget_parent(void)
{
    written_last = NULL;
    quiet_memory_forget_parent();
}
