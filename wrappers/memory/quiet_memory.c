/* SPDX-License-Identifier: MIT */
#include "memory/quiet_memory.h"

#include "base/hash_map.h"
#include "memory/fault_log.h"
#include "memory/page_tracker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LOOK_COST = 2048, /* a comparison takes as long as that of this many bytes more */
    FEW = 64 << 10,   /* while the awake ones take no longer than this, asking the kernel does not pay */
    WASTE = 1 << 20,  /* bytes that are compared in vain before pages are protected */
    SIZE_MAX_ASLEEP = 16 << 20, /* the state of more pages would take too much memory if the kernel refuses */
    /* Memory is awake for ever after so many. After each, it waits twice as long, because the kernel may not
     * have completed the end of a group yet. */
    REFUSALS = 8,
    GROUPS = PAGE_GROUPS_MAX,
};

/* One memory on one page. */
struct quiet_link {
    struct quiet_memory *memory;
    struct quiet_page *page;
    struct quiet_link *next; /* on the same page */
};

/* A page with bytes of a memory, or one that had some and is still registered. */
struct quiet_page {
    uintptr_t address;
    int group; /* of page_tracker.h; NO_PAGE_GROUP: not registered */
    struct quiet_link *links;
};

/* Pages that were registered together. */
struct group {
    struct quiet_page **pages; /* sorted by address */
    size_t count;              /* 0: the group does not exist */
    size_t links;              /* of all its pages */
    struct page_run *runs;     /* the same pages */
    size_t run_count;
};

static struct {
    struct quiet_memory *first, *last; /* awake ones */
    size_t cost;                       /* of comparing the awake ones that may sleep */
    size_t waste;                      /* what was compared in vain since pages were last protected */
    bool any_chosen;
    uintptr_t page;       /* page size in bytes */
    struct int_map pages; /* from the number of a page to its struct quiet_page */
    struct group groups[GROUPS];
    unsigned group_count;
    struct fault_mark looked; /* time of the last look */
} quiet;

/* --- who is awake --------------------------------------------------------------------------------------- */

static size_t cost_of(const struct quiet_memory *m)
{
    return m->may_sleep ? m->size + LOOK_COST : 0;
}

static void append_awake(struct quiet_memory *m)
{
    m->next = NULL;
    m->previous = quiet.last;
    *(quiet.last != NULL ? &quiet.last->next : &quiet.first) = m;
    quiet.last = m;
    quiet.cost += cost_of(m);
}

static void unlink_awake(struct quiet_memory *m)
{
    *(m->previous != NULL ? &m->previous->next : &quiet.first) = m->next;
    *(m->next != NULL ? &m->next->previous : &quiet.last) = m->previous;
    quiet.cost -= cost_of(m);
}

struct quiet_memory *quiet_memory_next_awake(const struct quiet_memory *m)
{
    return m != NULL ? m->next : quiet.first;
}

static void wake_page(const struct quiet_page *page)
{
    for (struct quiet_link *l = page != NULL ? page->links : NULL; l != NULL; l = l->next) {
        l->memory->guarded = false;
        if (!l->memory->asleep)
            continue;
        l->memory->asleep = false;
        append_awake(l->memory);
    }
}

/* --- pages ---------------------------------------------------------------------------------------------- */

static struct quiet_page *find_page(uintptr_t address)
{
    uint64_t page;
    return int_map_get(&quiet.pages, address / quiet.page, &page) ? (struct quiet_page *)(uintptr_t)page
                                                                  : NULL;
}

static void free_page(struct quiet_page *page)
{
    int_map_remove(&quiet.pages, page->address / quiet.page);
    free(page);
}

static struct quiet_page *find_or_add_page(uintptr_t address)
{
    struct quiet_page *page = find_page(address);
    if (page != NULL)
        return page;
    page = malloc(sizeof *page);
    if (page == NULL)
        return NULL;
    *page = (struct quiet_page){address, NO_PAGE_GROUP, NULL};
    if (int_map_set(&quiet.pages, address / quiet.page, (uintptr_t)page) == 0)
        return page;
    free(page);
    return NULL;
}

/* Ends the tracking of its pages. The memories on them can no longer be asleep. */
static void end_group(int number)
{
    struct group *g = &quiet.groups[number];
    page_tracker_drop_group(number);
    for (size_t i = 0; i < g->count; ++i) {
        g->pages[i]->group = NO_PAGE_GROUP;
        wake_page(g->pages[i]);
        if (g->pages[i]->links == NULL)
            free_page(g->pages[i]);
    }
    free(g->pages);
    free(g->runs);
    *g = (struct group){0};
    quiet.group_count--;
}

static void unlink_page(struct quiet_link *link)
{
    struct quiet_page *page = link->page;
    struct quiet_link **l = &page->links;
    while (*l != link)
        l = &(*l)->next;
    *l = link->next;
    if (page->group == NO_PAGE_GROUP) {
        if (page->links == NULL)
            free_page(page);
    } else if (--quiet.groups[page->group].links == 0) {
        end_group(page->group);
    }
}

static void unlink_pages(struct quiet_memory *m)
{
    for (size_t i = 0; i < m->link_count; ++i)
        unlink_page(&m->links[i]);
    free(m->links);
    m->links = NULL;
    m->link_count = 0;
}

static void stay_awake(struct quiet_memory *m)
{
    quiet.cost -= cost_of(m);
    m->may_sleep = false;
    unlink_pages(m);
}

static uintptr_t first_page(const struct quiet_memory *m)
{
    return m->start - m->start % quiet.page;
}

/* Returns false if there is no memory. */
static bool link_pages(struct quiet_memory *m)
{
    uintptr_t first = first_page(m);
    size_t count = (m->start + m->size - 1 - first) / quiet.page + 1;
    if (m->link_count > 0)
        return true;
    m->links = malloc(count * sizeof *m->links);
    for (; m->links != NULL && m->link_count < count; ++m->link_count) {
        struct quiet_page *page = find_or_add_page(first + m->link_count * quiet.page);
        if (page == NULL)
            break;
        m->links[m->link_count] = (struct quiet_link){m, page, page->links};
        page->links = &m->links[m->link_count];
        if (page->group != NO_PAGE_GROUP)
            quiet.groups[page->group].links++;
    }
    if (m->link_count == count)
        return true;
    unlink_pages(m);
    return false;
}

/* --- groups --------------------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const struct quiet_page *const *x = a, *const *y = b;
    return (*x)->address < (*y)->address ? -1 : (*x)->address > (*y)->address;
}

/* Collects the chosen memories' pages that are not registered, each once, sorted by address. */
static size_t collect_pages(struct quiet_page ***out)
{
    size_t count = 0, room = 0;
    for (const struct quiet_memory *m = quiet.first; m != NULL; m = m->next)
        room += m->chosen ? m->link_count : 0;
    struct quiet_page **pages = room > 0 ? malloc(room * sizeof(struct quiet_page *)) : NULL;
    if (pages == NULL)
        return 0;
    for (const struct quiet_memory *m = quiet.first; m != NULL; m = m->next)
        for (size_t i = 0; m->chosen && i < m->link_count; ++i)
            if (m->links[i].page->group == NO_PAGE_GROUP)
                pages[count++] = m->links[i].page;
    qsort(pages, count, sizeof(struct quiet_page *), by_address);
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
        if (kept == 0 || pages[i] != pages[kept - 1])
            pages[kept++] = pages[i];
    *out = pages;
    return kept;
}

/* Makes runs of adjacent pages. */
static size_t make_runs(struct quiet_page *const *pages, size_t count, struct page_run *runs)
{
    size_t n = 0;
    for (size_t i = 0; i < count; ++i) {
        uintptr_t at = pages[i]->address;
        if (n > 0 && runs[n - 1].end == at)
            runs[n - 1].end += quiet.page;
        else
            runs[n++] = (struct page_run){at, at + quiet.page};
    }
    return n;
}

/* Keeps the pages that are in the runs, both sorted. */
static size_t keep_registered(struct quiet_page **pages, size_t count, const struct page_run *runs,
                              size_t run_count)
{
    size_t kept = 0;
    for (size_t i = 0, run = 0; i < count; ++i) {
        while (run < run_count && runs[run].end <= pages[i]->address)
            run++;
        if (run < run_count && runs[run].start <= pages[i]->address)
            pages[kept++] = pages[i];
    }
    return kept;
}

static void add_group(struct quiet_page **pages, size_t count, struct page_run *runs)
{
    size_t run_count = make_runs(pages, count, runs);
    int number = page_tracker_add_group(runs, &run_count);
    if (number == NO_PAGE_GROUP) {
        free(pages);
        free(runs);
        return;
    }
    struct group *g = &quiet.groups[number];
    *g = (struct group){pages, keep_registered(pages, count, runs, run_count), 0, runs, run_count};
    quiet.group_count++;
    for (size_t i = 0; i < g->count; ++i) {
        pages[i]->group = number;
        for (const struct quiet_link *l = pages[i]->links; l != NULL; l = l->next)
            g->links++;
    }
}

/* Makes room for more: ends the smaller half of the groups. What was in them gets into one group together. */
static void end_small_groups(void)
{
    for (unsigned n = 0; n < GROUPS / 2; ++n) {
        int smallest = NO_PAGE_GROUP;
        for (int i = 0; i < GROUPS; ++i)
            if (quiet.groups[i].count > 0 &&
                (smallest == NO_PAGE_GROUP || quiet.groups[i].count < quiet.groups[smallest].count))
                smallest = i;
        end_group(smallest);
    }
}

static void register_chosen(void)
{
    struct quiet_page **pages = NULL;
    size_t count = collect_pages(&pages);
    struct page_run *runs = count > 0 ? malloc(count * sizeof *runs) : NULL;
    if (runs == NULL)
        free(pages);
    else
        add_group(pages, count, runs);
}

/* --- looking -------------------------------------------------------------------------------------------- */

/* page_tracker_written */
static void wake_pages(void *context, uintptr_t start, uintptr_t end)
{
    (void)context;
    for (uintptr_t at = start; at < end; at += quiet.page)
        wake_page(find_page(at));
}

/* Asks the kernel about all pages. */
static void scan_groups(void)
{
    for (int n = 0; n < GROUPS; ++n) {
        const struct group *g = &quiet.groups[n];
        if (g->count > 0 && !page_tracker_look(g->runs, g->run_count, false, wake_pages, NULL))
            end_group(n);
    }
}

static void wake_written(const struct fault_mark *since, const struct fault_mark *now)
{
    if (quiet.group_count == 0 || since->count == now->count)
        return;
    if (fault_log_knows(since, now)) {
        for (uint64_t i = since->logged; i < now->logged; ++i)
            wake_page(find_page(fault_log_address(i)));
        return;
    }
    scan_groups();
    fault_log_want();
}

static bool is_registered(const struct quiet_memory *m)
{
    for (size_t i = 0; i < m->link_count; ++i)
        if (m->links[i].page->group == NO_PAGE_GROUP)
            return false;
    return m->link_count > 0;
}

/* Protects all pages. What was written on one of them may be others' too, which wakes them. If the kernel
 * cannot tell, it may have protected some. */
static void guard(struct quiet_memory *m)
{
    const struct page_run run = {first_page(m), first_page(m) + m->link_count * quiet.page};
    bool registered = is_registered(m);
    m->guarded = registered && page_tracker_look(&run, 1, true, wake_pages, NULL);
    for (size_t i = 0; registered && !m->guarded && i < m->link_count; ++i)
        if (m->links[i].page->group != NO_PAGE_GROUP)
            end_group(m->links[i].page->group);
}

static void guard_chosen(void)
{
    if (quiet.group_count == GROUPS)
        end_small_groups();
    for (struct quiet_memory *m = quiet.first; m != NULL; m = m->next)
        m->chosen = m->chosen && link_pages(m);
    register_chosen();
    quiet.waste = 0;
    for (struct quiet_memory *m = quiet.first; m != NULL; m = m->next) {
        if (!m->chosen)
            continue;
        m->chosen = false;
        guard(m);
        m->refusals = m->guarded ? 0 : m->refusals + 1;
        m->wait = 1u << m->refusals;
        if (m->refusals == REFUSALS)
            stay_awake(m);
    }
}

void quiet_memory_look(const struct fault_mark *now)
{
    const struct fault_mark since = quiet.looked;
    quiet.looked = *now;
    wake_written(&since, now);
    if (quiet.any_chosen)
        guard_chosen();
    quiet.any_chosen = false;
}

void quiet_memory_expect(struct quiet_memory *m)
{
    if (quiet.cost < FEW || quiet.waste < WASTE || m->asleep || !m->may_sleep || !m->unchanged)
        return;
    if (m->refusals > 0 && m->wait-- > 0)
        return;
    m->chosen = quiet.any_chosen = true;
}

void quiet_memory_compared(struct quiet_memory *m, bool changed)
{
    m->unchanged = !changed;
    if (m->asleep || changed)
        return;
    if (m->guarded) {
        unlink_awake(m);
        m->asleep = true;
    } else {
        quiet.waste += cost_of(m);
    }
}

/* --- begin and end -------------------------------------------------------------------------------------- */

void quiet_memory_add(struct quiet_memory *m, uintptr_t start, size_t size, bool may_sleep)
{
    quiet.page = (uintptr_t)sysconf(_SC_PAGESIZE);
    *m = (struct quiet_memory){
        .start = start, .size = size, .may_sleep = may_sleep && size <= SIZE_MAX_ASLEEP};
    append_awake(m);
}

void quiet_memory_remove(struct quiet_memory *m)
{
    if (!m->asleep)
        unlink_awake(m);
    m->asleep = false;
    unlink_pages(m);
}

void quiet_memory_forget_parent(void)
{
    memset(&quiet, 0, sizeof quiet);
    page_tracker_forget_parent();
}
