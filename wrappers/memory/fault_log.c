/* SPDX-License-Identifier: MIT */
#include "memory/fault_log.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    TRIES = 3,
    HISTORY = 256,        /* number of addresses that are kept: as many as the kernel's ring has */
    FIRST_LIMIT = 64,     /* number of unanswered queries before the log is started */
    MAX_LIMIT = 64 * 1024 /* the same if starting the log did not help: the limit is doubled each time */
};

/* The record that the kernel writes for each fault. */
struct sample {
    struct perf_event_header header;
    uint64_t address;
};

/* In memory that the kernel clears in a forked child. The ring is not mapped there. */
struct log {
    struct perf_event_mmap_page *ring; /* its control page, followed by the page of samples; NULL: none */
    uint64_t logged;
    uintptr_t addresses[HISTORY]; /* fault number n is at n % HISTORY */
};

static struct {
    struct log *log;
    size_t page;      /* page size in bytes */
    const int *owner; /* identifies the thread whose faults are logged, by the address of its errno */
    bool refused;     /* the kernel refused the event, so it is not requested again */
    unsigned wanted;  /* number of queries since the log was last started */
    unsigned limit;
} faults;

static uint64_t count_faults(int who)
{
    struct rusage usage;
    return getrusage(who, &usage) == 0 ? (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt : 0;
}

/* A child may share the memory (vfork()). Its faults are known once it has been waited for. */
uint64_t fault_log_count(void)
{
    return count_faults(RUSAGE_SELF) + count_faults(RUSAGE_CHILDREN);
}

bool fault_log_is_running(void)
{
    return faults.log != NULL && faults.log->ring != NULL;
}

/* --- the kernel's ring -------------------------------------------------------------------------------- */

static void add_address(struct log *log, const uint8_t *samples, uint64_t at)
{
    struct sample s;
    /* The record of a lost sample, which has another size, was in between. */
    if (faults.page - at % faults.page < sizeof s)
        return;
    memcpy(&s, samples + at % faults.page, sizeof s);
    if (s.header.type == PERF_RECORD_SAMPLE && s.header.size == sizeof s)
        log->addresses[log->logged++ % HISTORY] = s.address;
}

/* Samples that are not understood are skipped. The two counts then differ. */
static void take_samples(struct log *log)
{
    const uint8_t *samples = (const uint8_t *)log->ring + faults.page;
    uint64_t head = __atomic_load_n(&log->ring->data_head, __ATOMIC_ACQUIRE), at = log->ring->data_tail;
    while (head - at >= sizeof(struct sample) && head - at <= faults.page) {
        struct perf_event_header header;
        memcpy(&header, samples + at % faults.page, sizeof header);
        add_address(log, samples, at);
        at += header.size > 0 ? header.size : head - at;
    }
    __atomic_store_n(&log->ring->data_tail, head, __ATOMIC_RELEASE);
}

static bool is_ring_empty(const struct log *log)
{
    return __atomic_load_n(&log->ring->data_head, __ATOMIC_RELAXED) == log->ring->data_tail;
}

/* The kernel counts a fault before it logs it. If the mark were taken in between, the logged address would be
 * taken for that of a later fault, and would hide another thread's. The caller itself may fault in between,
 * on its code or its stack; other threads may fault at any time. */
struct fault_mark fault_log_mark(void)
{
    struct fault_mark mark = {0, 0, false};
    if (!fault_log_is_running()) {
        mark.count = fault_log_count();
        return mark;
    }
    for (unsigned i = 0; i < TRIES && !mark.exact; ++i) {
        take_samples(faults.log);
        mark.count = fault_log_count();
        mark.exact = is_ring_empty(faults.log);
    }
    mark.exact = mark.exact && faults.owner == &errno;
    mark.logged = faults.log->logged;
    return mark;
}

bool fault_log_knows(const struct fault_mark *from, const struct fault_mark *to)
{
    return fault_log_is_running() && from->exact && to->logged - from->logged == to->count - from->count &&
           faults.log->logged - from->logged <= HISTORY;
}

uintptr_t fault_log_address(uint64_t number)
{
    return faults.log->addresses[number % HISTORY];
}

/* --- begin and end ------------------------------------------------------------------------------------ */

static struct log *new_log(void)
{
    faults.page = (size_t)sysconf(_SC_PAGESIZE);
    void *log = mmap(NULL, faults.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (log == MAP_FAILED)
        return NULL;
    if (madvise(log, faults.page, MADV_WIPEONFORK) == 0)
        return log;
    munmap(log, faults.page);
    return NULL;
}

/* The mapping keeps the event alive, so no descriptor is needed. */
static void *map_ring(void)
{
    /* The event for faults that do not read from a disk would be incremented for each of these faults, too.
     */
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
                                    .sample_period = 1,
                                    .sample_type = PERF_SAMPLE_ADDR,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1,
                                    .wakeup_events = INT32_MAX};
    int fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *ring = mmap(NULL, 2 * faults.page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    return ring != MAP_FAILED ? ring : NULL;
}

static void start(void)
{
    fault_log_stop();
    if (faults.log == NULL)
        faults.log = new_log();
    if (faults.log != NULL)
        faults.log->ring = map_ring();
    faults.owner = &errno;
    faults.refused = !fault_log_is_running();
}

void fault_log_want(void)
{
    if (faults.limit == 0)
        faults.limit = FIRST_LIMIT;
    if (faults.refused || ++faults.wanted < faults.limit)
        return;
    if (faults.limit < MAX_LIMIT)
        faults.limit *= 2;
    faults.wanted = 0;
    start();
}

void fault_log_stop(void)
{
    if (!fault_log_is_running())
        return;
    munmap(faults.log->ring, 2 * faults.page);
    faults.log->ring = NULL;
}

void fault_log_forget_parent(void)
{
    struct log *log = faults.log; /* cleared by the kernel */
    memset(&faults, 0, sizeof faults);
    if (log != NULL)
        munmap(log, (size_t)sysconf(_SC_PAGESIZE));
}
