/* SPDX-License-Identifier: MIT */
#include "records/shared_ring.h"

#include "memory/unlocked_memory.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(struct ring_control) % 64 == 0, "rings must not share cache lines");

/* The program may have pointers of 32 bits, and the collector of 64: both have the same layout. */
#define IS_AT(type, member, offset)                                                                          \
    _Static_assert(offsetof(struct type, member) == (offset), "struct " #type ": " #member)
IS_AT(ring_control, busy, 8);
IS_AT(ring_control, tail, 64);
IS_AT(ring_control, waiting, 72);
IS_AT(ring_control, state, 128);
_Static_assert(sizeof(struct ring_control) == 192, "struct ring_control");
IS_AT(segment_control, clock, 12);
IS_AT(segment_control, pointer_size, 24);
IS_AT(segment_control, next_order, 64);
IS_AT(segment_control, shared_order, 72);
IS_AT(segment_control, doorbell, 128);
IS_AT(segment_control, closed, 136);
IS_AT(segment_control, rings_used, 192);
IS_AT(segment_control, calls_lost, 208);
IS_AT(segment_control, calls_interrupting, 216);
IS_AT(segment_control, filter, 256);
IS_AT(call_filter, frames_ended, 16);
IS_AT(call_filter, ranges, 24);
IS_AT(call_filter, classes, 448);
IS_AT(segment_control, rings, 4800);
_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && ATOMIC_LLONG_LOCK_FREE == 2, "locks are not shared by processes");
_Static_assert(sizeof(struct record) == 16 && sizeof(struct record_module) == 72, "records");

#define CONTROL_ALIGNMENT ((size_t)64 << 10) /* a multiple of every page size */

static size_t control_bytes(uint32_t ring_count)
{
    size_t bytes = sizeof(struct segment_control) + ring_count * sizeof(struct ring_control);
    return (bytes + CONTROL_ALIGNMENT - 1) & ~(CONTROL_ALIGNMENT - 1);
}

static uint64_t segment_bytes(uint32_t ring_count)
{
    return control_bytes(ring_count) + (uint64_t)ring_count * RING_SIZE;
}

/* The file-size limit applies to a memfd too, and going over it would be a deadly signal for the program. */
static uint32_t rings_within_file_size_limit(uint32_t wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    while (wanted > 0 && segment_bytes(wanted) > limit.rlim_cur)
        wanted /= 2;
    return wanted;
}

static int map_control(struct segment *s, uint32_t ring_count)
{
    s->ring_count = ring_count;
    s->control = map_unlocked(control_bytes(ring_count), MAP_SHARED | MAP_NORESERVE, s->fd, 0);
    /* What is mapped from here inherits it. */
    if (s->control != NULL)
        madvise(s->control, control_bytes(ring_count), MADV_DONTDUMP);
    return s->control != NULL ? 0
                              : trace_error_set_errno(TRACE_ERR_IO, errno, "cannot map the capture buffer");
}

static void describe_segment(struct segment *s, uint32_t ring_count)
{
    s->control->ring_count = ring_count;
    s->control->ring_size = RING_SIZE;
    s->control->pointer_size = sizeof(void *);
    s->control->magic = SEGMENT_MAGIC;
}

static int size_and_map(struct segment *s, uint32_t ring_count)
{
    if (ftruncate(s->fd, (off_t)segment_bytes(ring_count)) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot size the capture buffer");
    int rc = map_control(s, ring_count);
    if (rc != 0)
        return rc;
    fcntl(s->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    describe_segment(s, ring_count);
    return 0;
}

int segment_create(struct segment *out, uint32_t ring_limit)
{
    uint32_t ring_count = rings_within_file_size_limit(ring_limit);
    if (ring_count == 0)
        return trace_error_set(TRACE_ERR_IO,
                               "the file size limit (ulimit -f) leaves no room for the capture buffer");
    *out = (struct segment){.fd = memfd_create("trace-cli", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (out->fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "cannot create the capture buffer");
    int rc = size_and_map(out, ring_count);
    if (rc != 0)
        segment_fini(out);
    return rc;
}

int segment_create_private(struct segment *out, uint32_t ring_limit)
{
    *out = (struct segment){.fd = -1};
    uint32_t ring_count = ring_limit;
    void *p = NULL;
    while (segment_bytes(ring_count) > SIZE_MAX / 8) /* leaves a program of 32 bits most of its addresses */
        ring_count /= 2;
    for (; ring_count > 0; ring_count /= 2) { /* the address space may be limited (ulimit -v) */
        p = map_unlocked(segment_bytes(ring_count), MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != NULL)
            break;
    }
    if (p == NULL)
        return trace_error_set_errno(TRACE_ERR_MEMORY, errno, "cannot map the capture buffer");
    /* The memory keeps its size, and the rest can be mapped anew. */
    munmap((uint8_t *)p + control_bytes(ring_count), (size_t)ring_count * RING_SIZE);
    madvise(p, control_bytes(ring_count), MADV_DONTDUMP);
    out->control = p;
    out->ring_count = ring_count;
    describe_segment(out, ring_count);
    return 0;
}

static int check_segment(struct segment *s)
{
    struct stat st;
    int seals = fcntl(s->fd, F_GET_SEALS);
    if (fstat(s->fd, &st) != 0 || seals < 0 || (seals & F_SEAL_SHRINK) == 0)
        return trace_error_set(TRACE_ERR_FORMAT, "the traced program sent no sealed capture buffer");
    struct segment_control head;
    if (pread(s->fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.magic != SEGMENT_MAGIC ||
        head.ring_size != RING_SIZE || head.ring_count == 0 || head.ring_count > RING_LIMIT ||
        (uint64_t)st.st_size < segment_bytes(head.ring_count))
        return trace_error_set(TRACE_ERR_FORMAT,
                               "the capture buffer was made by another version of trace-cli");
    return map_control(s, head.ring_count);
}

int segment_attach(struct segment *out, int fd)
{
    *out = (struct segment){.fd = fd};
    int rc = check_segment(out);
    if (rc != 0)
        segment_fini(out);
    return rc;
}

static int claim_mapped(struct segment *s, uint32_t pid)
{
    struct segment_control head;
    struct stat st;
    if (read(s->fd, &head, sizeof head) != (ssize_t)sizeof head || fstat(s->fd, &st) != 0 ||
        head.magic != SEGMENT_MAGIC || head.ring_size != RING_SIZE || head.ring_count > RING_LIMIT ||
        (uint64_t)st.st_size < segment_bytes(head.ring_count))
        return trace_error_set(TRACE_ERR_FORMAT,
                               "the capture buffer was made by another version of trace-cli");
    int rc = map_control(s, head.ring_count);
    if (rc != 0)
        return rc;
    uint32_t nobody = 0;
    if (!atomic_compare_exchange_strong(&s->control->claimed, &nobody, pid))
        return 1;
    s->control->pointer_size = sizeof(void *);
    return 0;
}

int segment_claim(struct segment *out, const char *path, uint32_t pid)
{
    *out = (struct segment){.fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)};
    if (out->fd < 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot open", path);
    int rc = claim_mapped(out, pid);
    if (rc != 0)
        segment_fini(out);
    return rc;
}

void segment_fini(struct segment *s)
{
    if (s->control != NULL)
        munmap(s->control, control_bytes(s->ring_count));
    if (s->fd >= 0)
        close(s->fd);
    *s = (struct segment){.fd = -1};
}

void segment_unlock(const struct segment *s)
{
    munlock(s->control, control_bytes(s->ring_count));
}

static off_t ring_offset(const struct segment *s, uint32_t index)
{
    return (off_t)control_bytes(s->ring_count) + (off_t)index * (off_t)RING_SIZE;
}

/* Two rings' length from the ring on, by the descriptor; MAP_FAILED on error. */
static uint8_t *map_from_file(const struct segment *s, uint32_t index)
{
    uint8_t *p =
        map_unlocked((size_t)2 * RING_SIZE, MAP_SHARED | MAP_NORESERVE, s->fd, ring_offset(s, index));
    return p != NULL ? p : MAP_FAILED;
}

/* The same without a descriptor. An old size of 0 makes a second mapping of the same shared pages, which may
 * be longer and so reach what the first one does not. */
static uint8_t *map_from_place(const struct segment *s, uint32_t index, struct ring_place from)
{
    uint8_t *start = from.data;
    size_t lead = (size_t)(index - from.index) * RING_SIZE;
    if (start == NULL) {
        start = (uint8_t *)s->control;
        lead = (size_t)ring_offset(s, index);
    }
    uint8_t *whole = mremap(start, 0, lead + (size_t)2 * RING_SIZE, MREMAP_MAYMOVE);
    if (whole == MAP_FAILED)
        return MAP_FAILED;
    if (lead > 0)
        munmap(whole, lead);
    return whole + lead;
}

uint8_t *segment_map_ring(const struct segment *s, uint32_t index, struct ring_place from)
{
    uint8_t *p = s->fd >= 0 ? map_from_file(s, index) : map_from_place(s, index, from);
    if (p == MAP_FAILED) {
        trace_error_set_errno(TRACE_ERR_MEMORY, errno, "cannot map a capture ring");
        return NULL;
    }
    /* The ring again, in place of what follows it. valgrind does not know the former way. */
    if (mremap(p, 0, RING_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, p + RING_SIZE) != MAP_FAILED ||
        (s->fd >= 0 &&
         mmap(p + RING_SIZE, RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, s->fd,
              ring_offset(s, index)) != MAP_FAILED))
        return p;
    trace_error_set_errno(TRACE_ERR_MEMORY, errno, "cannot map a capture ring");
    munmap(p, (size_t)2 * RING_SIZE);
    return NULL;
}

void segment_unmap_ring(uint8_t *data)
{
    if (data != NULL)
        munmap(data, (size_t)2 * RING_SIZE);
}

void segment_unlock_ring(uint8_t *data)
{
    if (data != NULL)
        munlock(data, (size_t)2 * RING_SIZE);
}

/* The mapping is mirrored, so a part that goes over the ring's end is in one piece, too. */
void segment_give_memory(uint8_t *data, uint64_t from, size_t size)
{
    const int populate_write = 23; /* MADV_POPULATE_WRITE, since Linux 5.14 */
    const uint64_t page = sysconf(_SC_PAGESIZE) > 0 ? (uint64_t)sysconf(_SC_PAGESIZE) : CONTROL_ALIGNMENT;
    uint64_t start = from & (RING_SIZE - 1) & ~(page - 1);
    int saved = errno;
    madvise(data + start, size, populate_write);
    errno = saved;
}

void segment_empty_ring(const struct segment *s, uint32_t index)
{
    if (s->fd >= 0)
        fallocate(s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, ring_offset(s, index), RING_SIZE);
}

static void raise_rings_used(struct segment_control *s, uint32_t used)
{
    uint32_t seen = atomic_load(&s->rings_used);
    while (seen < used && !atomic_compare_exchange_weak(&s->rings_used, &seen, used))
        ;
}

#define LOOKS     1000 /* a thread that longjmp()ed out of a stub would stay busy for ever */
#define FAST_ONES 50

/* Nobody wakes this thread: the futex is there to sleep by a system call that all programs may make. */
static void wait_while(_Atomic uint32_t *word, uint32_t value)
{
    for (unsigned looks = 0; looks < LOOKS && atomic_load(word) == value; ++looks) {
        if (looks < FAST_ONES)
            sched_yield();
        else
            futex_wait(word, value, 1);
    }
}

/* After the process-wide barrier a thread either sees shared_order or is seen busy. Returns when nobody takes
 * numbers without locking. */
void segment_share_order(struct segment_control *s, bool barrier)
{
    uint32_t state = ORDER_ALONE;
    if (!atomic_compare_exchange_strong(&s->shared_order, &state, ORDER_CHANGING)) {
        wait_while(&s->shared_order, ORDER_CHANGING);
        return;
    }
    if (barrier)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    for (uint32_t i = 0; barrier && i < atomic_load(&s->rings_used); ++i)
        wait_while(&s->rings[i].busy, 1);
    atomic_store(&s->shared_order, ORDER_SHARED);
}

/* The first thread to record is alone, if there is a barrier that can end its being so. */
static void note_producer(struct segment_control *s)
{
    if (atomic_fetch_add(&s->producers, 1) != 0)
        segment_share_order(s, true);
    else if (atomic_load(&s->shared_order) == ORDER_ALONE &&
             syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
        segment_share_order(s, false);
}

/* Until the head's next step if there is room. */
static void find_easy(struct ring_producer *p)
{
    uint64_t step = p->head | (PASSING_STEP - 1), room = p->tail_seen + RING_SIZE;
    p->easy_until = step < room ? step : room;
}

bool ring_producer_open(struct ring_producer *p, const struct segment *s, uint32_t index, uint8_t *data)
{
    struct ring_control *c = &s->control->rings[index];
    uint32_t state = atomic_load(&c->state);
    do {
        if (state == RING_EMPTYING)
            return false;
    } while (!atomic_compare_exchange_weak(&c->state, &state, RING_OWNED));
    raise_rings_used(s->control, index + 1);
    atomic_store(&c->busy, 0);
    note_producer(s->control);
    *p = (struct ring_producer){.segment = s->control,
                                .control = c,
                                .data = data,
                                .head = atomic_load(&c->head),
                                .tail_seen = atomic_load(&c->tail),
                                .new_until = atomic_load(&c->head) + RING_SIZE,
                                .clock = s->control->clock};
    find_easy(p);
    return true;
}

void segment_ring_doorbell(struct segment_control *s)
{
    if (atomic_exchange(&s->doorbell, 0) != 0)
        futex_wake(&s->doorbell);
}

#define NEXT_PAGES ((uint64_t)1 << 16) /* how much the kernel maps around a page that is read first */

/* The kernel maps pages one by one if they are first written to, but many at a time if one of them is read.
 * That takes a twentieth of the time, provided that they have memory: the consumer gives it ahead. */
static void map_next_pages(const struct ring_producer *p)
{
    uint64_t next = (p->head + NEXT_PAGES) & (RING_SIZE - 1) & ~(PASSING_STEP - 1);
    (void)*(const volatile uint8_t *)(p->data + next);
}

void ring_passed(struct ring_producer *p, uint64_t last)
{
    find_easy(p);
    if (p->head < p->new_until)
        map_next_pages(p);
    if ((p->head ^ last) >= DOORBELL_STEP &&
        atomic_load_explicit(&p->segment->doorbell, memory_order_relaxed) != 0)
        segment_ring_doorbell(p->segment);
}

uint8_t *ring_reserve_slow(struct ring_producer *p, uint32_t size, bool (*wait)(struct ring_producer *p))
{
    for (;;) {
        p->tail_seen = atomic_load_explicit(&p->control->tail, memory_order_acquire);
        find_easy(p);
        if (p->head + size - p->tail_seen <= RING_SIZE)
            return p->data + (p->head & (RING_SIZE - 1));
        if (!wait(p))
            return NULL;
    }
}

void futex_wait(_Atomic uint32_t *word, uint32_t value, unsigned milliseconds)
{
    struct timespec t = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    syscall(SYS_futex, word, FUTEX_WAIT, value, &t, NULL, 0);
}

void futex_wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
