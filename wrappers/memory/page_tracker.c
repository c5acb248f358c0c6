/* SPDX-License-Identifier: MIT */
#include "memory/page_tracker.h"

#include "memory/fault_log.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Since Linux 6.7; the headers may be older. */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
enum {
    FEATURE_WP_UNPOPULATED = 1 << 13,
    FEATURE_WP_ASYNC = 1 << 15,
    SCAN_WP_MATCHING = 1 << 0,    /* protect the matching pages again */
    SCAN_CHECK_WPASYNC = 1 << 1,  /* fail if asynchronous protection is not set up */
    SCAN_PAGE_IS_WRITTEN = 1 << 1 /* category: pages that were written */
};

struct page_region {
    uint64_t start, end, categories;
};

struct scan_arguments {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

#define SCAN_IOCTL _IOWR('f', 16, struct scan_arguments)

#define PAGEMAP "/proc/self/pagemap"

enum {
    FEW = 16,
    REGIONS = 24,    /* number of regions in one scan, which are on the stack of a thread of the program */
    FIRST_STEP = 64, /* number of pages in the first step of a search */
    DROP_WAITS = 10,
    KEPT = 256, /* number of ranges that are registered at the same time */
    /* Number of runs in all groups. Each may add two to the mappings of the process, of which Linux allows
     * 65530. */
    RUNS_MAX = 12288,
};

/* A range of memory that is registered with its own userfaultfd. The registration lasts as long as the
 * userfaultfd. No descriptor refers to it; a poll that never completes keeps it alive (Linux AIO). Unused
 * registrations are kept, because drivers use freed memory for the next buffer. */
struct registration {
    uintptr_t start, end; /* start 0: the entry is free */
    struct page_tracker *users;
    uint64_t last_used;
    struct iocb poll;
};

/* Runs of pages that are registered with one userfaultfd, which is kept alive in the same way. */
struct page_group {
    size_t runs; /* 0: the entry is free */
    struct iocb poll;
};

enum support { SUPPORT_UNKNOWN, SUPPORT_NONE, SUPPORT_THERE };

static struct {
    enum support support;
    uintptr_t page; /* page size in bytes */
    aio_context_t polls;
    uint64_t uses;
    struct registration kept[KEPT];
    struct page_group groups[PAGE_GROUPS_MAX];
    size_t group_runs; /* of all groups */
} tracking;

/* System calls that bypass the C library: its functions are cancellation points, and these are called with a
 * lock held. */
static int open_own(const char *path)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

static void close_own(int fd)
{
    syscall(SYS_close, fd);
}

/* --- what is registered ----------------------------------------------------------------------------- */

static bool is_filtered(void)
{
    static char status[4096]; /* static, because threads of the program may have small stacks */
    int fd = open_own("/proc/self/status");
    long n = fd >= 0 ? syscall(SYS_read, fd, status, sizeof status - 1) : 0;
    if (fd >= 0)
        close_own(fd);
    status[n > 0 ? n : 0] = '\0';
    const char *line = strstr(status, "\nSeccomp:\t");
    return line == NULL || line[strlen("\nSeccomp:\t")] != '0';
}

/* Called first, so that nothing else is tried if it could do harm. */
static bool is_supported(void)
{
    tracking.page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (tracking.support == SUPPORT_UNKNOWN)
        tracking.support =
            !is_filtered() && syscall(SYS_io_setup, KEPT + PAGE_GROUPS_MAX, &tracking.polls) == 0
                ? SUPPORT_THERE
                : SUPPORT_NONE;
    return tracking.support == SUPPORT_THERE;
}

/* Creates a userfaultfd. Returns it, or -1. */
static int open_userfaultfd(uint64_t features)
{
    struct uffdio_api api = {.api = UFFD_API, .features = features};
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
    if (fd >= 0 && ioctl(fd, UFFDIO_API, &api) != 0) {
        close_own(fd);
        return -1;
    }
    return fd;
}

static bool register_at(int fd, uintptr_t start, uintptr_t end)
{
    struct uffdio_register range = {.range = {start, end - start}, .mode = UFFDIO_REGISTER_MODE_WP};
    return ioctl(fd, UFFDIO_REGISTER, &range) == 0;
}

/* Creates a userfaultfd with the range registered. Returns it, or -1. */
static int register_range(uintptr_t start, uintptr_t end, uint64_t features)
{
    int fd = open_userfaultfd(features);
    if (fd >= 0 && !register_at(fd, start, end)) {
        int why = errno;
        close_own(fd);
        errno = why;
        return -1;
    }
    return fd;
}

/* Registrations that were dropped may still exist. */
static void wait_for_drops(void)
{
    struct timespec time = {0, 50000};
    syscall(SYS_nanosleep, &time, NULL);
}

/* Asynchronous protection can be registered for memory of any kind, but does not work for device memory.
 * Synchronous protection is only accepted for memory for which it works, and has no effect while nothing is
 * protected. */
static bool is_plain_memory(uintptr_t start, uintptr_t end)
{
    int fd = register_range(start, end, 0);
    for (unsigned i = 0; fd < 0 && errno == EBUSY && i < DROP_WAITS; ++i) {
        wait_for_drops();
        fd = register_range(start, end, 0);
    }
    if (fd >= 0)
        close_own(fd);
    return fd >= 0;
}

static bool keep_open(struct iocb *poll, int fd)
{
    struct io_event ended[4]; /* cancelled polls take space until their completion events are read */
    struct timespec now = {0, 0};
    syscall(SYS_io_getevents, tracking.polls, 0, sizeof ended / sizeof *ended, ended, &now);
    *poll = (struct iocb){.aio_lio_opcode = IOCB_CMD_POLL, .aio_fildes = (uint32_t)fd, .aio_buf = POLLIN};
    struct iocb *polls[] = {poll};
    return syscall(SYS_io_submit, tracking.polls, 1, polls) == 1;
}

/* The kernel completes this a little later. */
static void end_poll(struct iocb *poll)
{
    struct io_event event;
    syscall(SYS_io_cancel, tracking.polls, poll, &event);
}

static void drop(struct registration *r)
{
    end_poll(&r->poll);
    r->start = 0;
}

static void drop_unused(uintptr_t start, uintptr_t end)
{
    for (unsigned i = 0; i < KEPT; ++i) {
        struct registration *r = &tracking.kept[i];
        if (r->start != 0 && r->users == NULL && r->start < end && start < r->end)
            drop(r);
    }
}

/* Returns a free entry. Drops unused registrations that overlap the range or are in the way. */
static struct registration *find_place(uintptr_t start, uintptr_t end)
{
    struct registration *place = NULL;
    drop_unused(start, end);
    for (unsigned i = 0; i < KEPT; ++i) {
        struct registration *r = &tracking.kept[i];
        if (r->start == 0 ||
            (r->users == NULL && (place == NULL || (place->start != 0 && r->last_used < place->last_used))))
            place = r;
    }
    if (place != NULL && place->start != 0)
        drop(place);
    return place;
}

static struct registration *add_registration(uintptr_t start, uintptr_t end)
{
    struct registration *r = find_place(start, end);
    if (r == NULL || !is_plain_memory(start, end))
        return NULL;
    int fd = register_range(start, end, FEATURE_WP_ASYNC | FEATURE_WP_UNPOPULATED);
    if (fd < 0)
        return NULL;
    bool kept = keep_open(&r->poll, fd);
    close_own(fd);
    if (!kept)
        return NULL;
    r->start = start;
    r->end = end;
    r->users = NULL;
    return r;
}

static struct registration *find_registration(uintptr_t start, uintptr_t end)
{
    for (unsigned i = 0; i < KEPT; ++i) {
        struct registration *r = &tracking.kept[i];
        if (r->start != 0 && r->start <= start && end <= r->end)
            return r;
    }
    return NULL;
}

/* --- questions -------------------------------------------------------------------------------------- */

/* Scans [start, *end) for written pages, and stores their regions in out until count are found. Returns the
 * number of regions, or a negative error; *end receives where the scan ended. */
static long scan_with(uint64_t flags, int fd, uintptr_t start, uintptr_t *end, struct page_region *out,
                      unsigned count)
{
    struct scan_arguments a = {.size = sizeof a,
                               .flags = flags | SCAN_CHECK_WPASYNC,
                               .start = start,
                               .end = *end,
                               .vec = (uintptr_t)out,
                               .vec_len = count,
                               .category_mask = SCAN_PAGE_IS_WRITTEN,
                               .return_mask = SCAN_PAGE_IS_WRITTEN};
    long n = ioctl(fd, SCAN_IOCTL, &a);
    if (n >= 0)
        *end = a.walk_end;
    return n;
}

/* Protects the written pages again. If out is NULL, all are protected and none are reported. */
static long scan(int fd, uintptr_t start, uintptr_t *end, struct page_region *out, unsigned count)
{
    return scan_with(SCAN_WP_MATCHING, fd, start, end, out, count);
}

/* Marks all pages as not written. */
static bool protect(uintptr_t start, uintptr_t end)
{
    int fd = open_own(PAGEMAP);
    bool done = fd >= 0 && scan(fd, start, &end, NULL, 0) >= 0;
    if (fd >= 0)
        close_own(fd);
    return done;
}

struct found {
    struct page_region regions[REGIONS];
    unsigned count;
};

static void tell(struct found *f, page_tracker_written written, void *context)
{
    for (unsigned i = 0; i < f->count; ++i)
        written(context, f->regions[i].start, f->regions[i].end);
}

/* Adds the regions that are found from start on to *f. Returns where the scan ended, or 0 on error. */
static uintptr_t find(int fd, uintptr_t start, uintptr_t end, struct found *f)
{
    long n = scan(fd, start, &end, f->regions + f->count, REGIONS - f->count);
    if (n < 0)
        return 0;
    f->count += (unsigned)n;
    return end;
}

/* How far a search through runs has come. */
struct position {
    const struct page_run *run, *end;
    uintptr_t at; /* in the run */
};

/* Goes on until as many regions are found as there is room for. Returns false if the kernel cannot tell. */
static bool find_in_runs(int fd, uint64_t flags, struct position *p, struct found *f)
{
    while (p->run < p->end && f->count < REGIONS) {
        uintptr_t to = p->run->end;
        long n = scan_with(flags, fd, p->at, &to, f->regions + f->count, REGIONS - f->count);
        if (n < 0 || to <= p->at)
            return false;
        f->count += (unsigned)n;
        p->at = to;
        if (to == p->run->end && ++p->run < p->end)
            p->at = p->run->start;
    }
    return true;
}

/* No descriptor is open while the callback runs. */
bool page_tracker_look(const struct page_run *runs, size_t count, bool protect_again,
                       page_tracker_written written, void *context)
{
    struct position p = {runs, runs + count, runs->start};
    bool done = true;
    while (done && p.run < p.end) {
        struct found f = {.count = 0};
        int fd = open_own(PAGEMAP);
        done = fd >= 0 && find_in_runs(fd, protect_again ? SCAN_WP_MATCHING : 0, &p, &f);
        if (fd >= 0)
            close_own(fd);
        tell(&f, written, context);
    }
    return done;
}

/* A search for few pages, which ends as soon as they are found. */
struct search {
    const struct page_tracker_hint *hint;
    void *context;
    int fd;
    struct found found;
    uint64_t pages; /* number of pages in `found` that were certainly written */
};

/* Counts the pages of the regions from number `from` on. */
static void count_pages(struct search *s, unsigned from)
{
    for (unsigned i = from; i < s->found.count; ++i)
        for (uintptr_t page = s->found.regions[i].start; page < s->found.regions[i].end;
             page += tracking.page)
            s->pages += s->hint->is_written(s->context, page) ? 1 : 0;
}

/* Searches [start, end) in steps of increasing size, until the pages of the hint are found. */
static bool find_near(struct search *s, uintptr_t start, uintptr_t end)
{
    for (uintptr_t step = FIRST_STEP; start < end && s->pages < s->hint->pages; step *= 4) {
        unsigned before = s->found.count;
        uintptr_t to = step < (end - start) / tracking.page ? start + step * tracking.page : end;
        to = find(s->fd, start, to, &s->found);
        if (to <= start)
            return false;
        count_pages(s, before);
        start = to;
    }
    return true;
}

/* Uses the hint to find the written pages without a scan of all pages. Returns false if that did not succeed;
 * s->found then contains what was found. */
static bool find_few(const struct page_tracker *t, struct search *s)
{
    const struct page_tracker_hint *hint = s->hint;
    s->fd = open_own(PAGEMAP);
    if (s->fd < 0)
        return false;
    uintptr_t middle = hint->near > t->start && hint->near < t->end ? hint->near : t->start;
    bool done = find_near(s, middle, t->end) && find_near(s, t->start, middle);
    close_own(s->fd);
    /* The page of a fault that occurred meanwhile may be among those found, instead of an earlier one. */
    return done && (s->pages < hint->pages || fault_log_count() == hint->faults);
}

bool page_tracker_take(struct page_tracker *t, const struct page_tracker_hint *hint,
                       page_tracker_written written, void *context)
{
    struct search s = {.hint = hint, .context = context};
    bool done = hint->pages <= FEW && find_few(t, &s);
    tell(&s.found, written, context);
    return done || page_tracker_look(&(struct page_run){t->start, t->end}, 1, true, written, context);
}

/* Adjacent pages are protected by a single system call. */
bool page_tracker_protect(const uintptr_t *pages, unsigned count)
{
    int fd = open_own(PAGEMAP);
    bool done = fd >= 0;
    for (unsigned i = 0, n; done && i < count; i += n) {
        n = 1;
        while (i + n < count && pages[i + n] == pages[i] + n * tracking.page)
            ++n;
        uintptr_t end = pages[i] + n * tracking.page;
        done = scan(fd, pages[i], &end, NULL, 0) >= 0;
    }
    if (fd >= 0)
        close_own(fd);
    return done;
}

static bool is_used(const struct registration *r, uintptr_t start, uintptr_t end)
{
    for (const struct page_tracker *t = r->users; t != NULL; t = t->next)
        if (t->start < end && start < t->end)
            return true;
    return false;
}

bool page_tracker_start(struct page_tracker *t, uintptr_t start, uintptr_t end)
{
    if (!is_supported() || start >= end)
        return false;
    struct registration *r = find_registration(start, end);
    if (r != NULL && is_used(r, start, end))
        return false;
    if (r != NULL && !protect(start, end)) { /* the memory was unmapped, and with it the registration */
        if (r->users != NULL)
            return false;
        drop(r);
        r = NULL;
    }
    if (r == NULL) {
        r = add_registration(start, end);
        if (r == NULL || !protect(start, end))
            return false;
    }
    r->last_used = ++tracking.uses;
    *t = (struct page_tracker){.start = start, .end = end, .next = r->users};
    r->users = t;
    return true;
}

static void stop_log_if_unused(void)
{
    for (unsigned i = 0; i < KEPT; ++i)
        if (tracking.kept[i].start != 0 && tracking.kept[i].users != NULL)
            return;
    if (tracking.group_runs == 0)
        fault_log_stop();
}

void page_tracker_stop(struct page_tracker *t)
{
    struct registration *r = find_registration(t->start, t->end);
    struct page_tracker **user = r != NULL ? &r->users : NULL;
    while (user != NULL && *user != NULL && *user != t)
        user = &(*user)->next;
    if (user != NULL && *user != NULL)
        *user = t->next;
    stop_log_if_unused();
}

/* --- groups ----------------------------------------------------------------------------------------- */

/* Keeps the runs of plain memory. All together wait no longer than one would. */
static size_t keep_plain_runs(struct page_run *runs, size_t count)
{
    size_t kept = 0;
    unsigned waits = DROP_WAITS;
    int fd = open_userfaultfd(0);
    for (size_t i = 0; fd >= 0 && i < count; ++i) {
        drop_unused(runs[i].start, runs[i].end);
        bool plain = register_at(fd, runs[i].start, runs[i].end);
        for (; !plain && errno == EBUSY && waits > 0; --waits) {
            wait_for_drops();
            plain = register_at(fd, runs[i].start, runs[i].end);
        }
        if (plain)
            runs[kept++] = runs[i];
    }
    if (fd >= 0)
        close_own(fd);
    return kept;
}

static size_t register_runs(int fd, struct page_run *runs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
        if (register_at(fd, runs[i].start, runs[i].end))
            runs[kept++] = runs[i];
    return kept;
}

int page_tracker_add_group(struct page_run *runs, size_t *count)
{
    int number = 0;
    while (number < PAGE_GROUPS_MAX && tracking.groups[number].runs > 0)
        number++;
    /* The program may have installed a filter since. */
    if (!is_supported() || is_filtered() || number == PAGE_GROUPS_MAX)
        return NO_PAGE_GROUP;
    size_t room = RUNS_MAX - tracking.group_runs;
    *count = keep_plain_runs(runs, *count < room ? *count : room);
    int fd = *count > 0 ? open_userfaultfd(FEATURE_WP_ASYNC | FEATURE_WP_UNPOPULATED) : -1;
    if (fd < 0)
        return NO_PAGE_GROUP;
    *count = register_runs(fd, runs, *count);
    struct page_group *g = &tracking.groups[number];
    bool kept = *count > 0 && keep_open(&g->poll, fd);
    close_own(fd);
    if (!kept)
        return NO_PAGE_GROUP;
    g->runs = *count;
    tracking.group_runs += *count;
    return number;
}

void page_tracker_drop_group(int number)
{
    struct page_group *g = &tracking.groups[number];
    end_poll(&g->poll);
    tracking.group_runs -= g->runs;
    g->runs = 0;
    stop_log_if_unused();
}

void page_tracker_forget_parent(void)
{
    memset(&tracking, 0, sizeof tracking);
    fault_log_forget_parent();
}
