/* SPDX-License-Identifier: MIT */
#include "shared_ring.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(struct ring_control) % 64 == 0, "rings must not share cache lines");

static size_t control_bytes(uint32_t ring_count)
{
    size_t bytes = sizeof(struct segment_control) + ring_count * sizeof(struct ring_control);
    return (bytes + RING_SIZE - 1) & ~(size_t)(RING_SIZE - 1);
}

/* The file-size limit applies to a memfd too, and going over it would be a deadly signal for the program. */
static uint32_t rings_within_file_size_limit(uint32_t wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    while (wanted > 0 && control_bytes(wanted) + (uint64_t)wanted * RING_SIZE > limit.rlim_cur)
        wanted /= 2;
    return wanted;
}

static int map_segment(struct segment *s, uint32_t ring_count)
{
    size_t size = control_bytes(ring_count) + (size_t)ring_count * RING_SIZE;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, s->fd, 0);
    if (p == MAP_FAILED)
        return error_set_errno(ERR_IO, errno, "cannot map the capture buffer");
    madvise(p, size, MADV_DONTDUMP);
    s->size = size;
    s->control = p;
    return 0;
}

static int create_and_map(struct segment *s, uint32_t ring_count)
{
    off_t size = (off_t)(control_bytes(ring_count) + (uint64_t)ring_count * RING_SIZE);
    if (ftruncate(s->fd, size) != 0)
        return error_set_errno(ERR_IO, errno, "cannot size the capture buffer");
    int rc = map_segment(s, ring_count);
    if (rc != 0)
        return rc;
    fcntl(s->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    s->control->ring_count = ring_count;
    s->control->ring_size = RING_SIZE;
    s->control->magic = SEGMENT_MAGIC;
    return 0;
}

int segment_create(struct segment *out, uint32_t ring_limit)
{
    uint32_t ring_count = rings_within_file_size_limit(ring_limit);
    if (ring_count == 0)
        return error_set(ERR_IO, "the file size limit (ulimit -f) leaves no room for the capture buffer");
    *out = (struct segment){NULL, 0, memfd_create("trace-cli", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (out->fd < 0)
        return error_set_errno(ERR_IO, errno, "cannot create the capture buffer");
    int rc = create_and_map(out, ring_count);
    for (; rc != 0 && ring_count > 1; rc = create_and_map(out, ring_count))
        ring_count /= 2; /* the program's address space may be limited (ulimit -v) */
    if (rc != 0)
        segment_fini(out);
    return rc;
}

static int check_segment(struct segment *s)
{
    struct stat st;
    int seals = fcntl(s->fd, F_GET_SEALS);
    if (fstat(s->fd, &st) != 0 || seals < 0 || (seals & F_SEAL_SHRINK) == 0)
        return error_set(ERR_FORMAT, "the traced program sent no sealed capture buffer");
    struct segment_control head;
    if (pread(s->fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.magic != SEGMENT_MAGIC ||
        head.ring_size != RING_SIZE || head.ring_count == 0 || head.ring_count > RING_LIMIT ||
        (uint64_t)st.st_size < control_bytes(head.ring_count) + (uint64_t)head.ring_count * RING_SIZE)
        return error_set(ERR_FORMAT, "the capture buffer was made by another version of trace-cli");
    return map_segment(s, head.ring_count);
}

int segment_attach(struct segment *out, int fd)
{
    *out = (struct segment){NULL, 0, fd};
    int rc = check_segment(out);
    if (rc != 0)
        segment_fini(out);
    return rc;
}

void segment_fini(struct segment *s)
{
    if (s->control != NULL)
        munmap(s->control, s->size);
    if (s->fd >= 0)
        close(s->fd);
    *s = (struct segment){NULL, 0, -1};
}

uint8_t *segment_map_ring(const struct segment *s, uint32_t index)
{
    uint8_t *ring = (uint8_t *)s->control + control_bytes(s->control->ring_count) + (size_t)index * RING_SIZE;
    uint8_t *p =
        mmap(NULL, (size_t)2 * RING_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        error_set_errno(ERR_MEMORY, errno, "cannot map a capture ring");
        return NULL;
    }
    for (unsigned half = 0; half < 2; ++half) {
        /* An old size of 0 makes a second mapping of the same shared pages. */
        void *at = p + (size_t)half * RING_SIZE;
        if (mremap(ring, 0, RING_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, at) == MAP_FAILED) {
            error_set_errno(ERR_MEMORY, errno, "cannot map a capture ring");
            munmap(p, (size_t)2 * RING_SIZE);
            return NULL;
        }
    }
    return p;
}

void segment_unmap_ring(uint8_t *data)
{
    if (data != NULL)
        munmap(data, (size_t)2 * RING_SIZE);
}

static void raise_rings_used(struct segment_control *s, uint32_t used)
{
    uint32_t seen = atomic_load(&s->rings_used);
    while (seen < used && !atomic_compare_exchange_weak(&s->rings_used, &seen, used))
        ;
}

#define LOOK_MICROSECONDS 20
#define LOOKS             50000 /* a thread that longjmp()ed out of a stub would stay busy for ever */

static void wait_while(_Atomic uint32_t *word, uint32_t value)
{
    for (unsigned looks = 0; looks < LOOKS && atomic_load(word) == value; ++looks)
        usleep(LOOK_MICROSECONDS);
}

/* Another thread is about to record. Makes every one see that before its next order number: after the
 * process-wide barrier a thread either sees shared_order or is seen busy. Returns when nobody takes numbers
 * without locking. */
static void share_order(struct segment_control *s)
{
    uint32_t state = ORDER_ALONE;
    if (!atomic_compare_exchange_strong(&s->shared_order, &state, ORDER_CHANGING)) {
        wait_while(&s->shared_order, ORDER_CHANGING);
        return;
    }
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    for (uint32_t i = 0; i < atomic_load(&s->rings_used); ++i)
        wait_while(&s->rings[i].busy, 1);
    atomic_store(&s->shared_order, ORDER_SHARED);
}

/* The first thread to record is alone, if there is a barrier that can end its being so. */
static void note_producer(struct segment_control *s)
{
    if (atomic_fetch_add(&s->producers, 1) != 0 ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0)
        share_order(s);
}

int ring_producer_init(struct ring_producer *p, const struct segment *s)
{
    for (uint32_t i = 0; i < s->control->ring_count; ++i) {
        struct ring_control *c = &s->control->rings[i];
        uint32_t state = RING_FREE;
        if (!atomic_compare_exchange_strong(&c->state, &state, RING_OWNED))
            continue;
        uint8_t *data = segment_map_ring(s, i);
        if (data == NULL) {
            atomic_store(&c->state, RING_FREE);
            return ERR_MEMORY;
        }
        raise_rings_used(s->control, i + 1);
        atomic_store(&c->busy, 0);
        note_producer(s->control);
        *p = (struct ring_producer){.segment = s->control,
                                    .control = c,
                                    .data = data,
                                    .head = atomic_load(&c->head),
                                    .tail_seen = atomic_load(&c->tail),
                                    .clock = s->control->clock};
        return 0;
    }
    return error_set(ERR_MEMORY, "more than %u threads record at the same time", s->control->ring_count);
}

void ring_producer_fini(struct ring_producer *p)
{
    if (p->control == NULL)
        return;
    atomic_store_explicit(&p->control->state, RING_RELEASED, memory_order_release);
    segment_unmap_ring(p->data);
    *p = (struct ring_producer){.control = NULL};
}

void segment_ring_doorbell(struct segment_control *s)
{
    if (atomic_exchange(&s->doorbell, 0) != 0)
        futex_wake(&s->doorbell);
}

uint8_t *ring_reserve_slow(struct ring_producer *p, uint32_t size, bool (*wait)(struct ring_producer *p))
{
    for (;;) {
        p->tail_seen = atomic_load_explicit(&p->control->tail, memory_order_acquire);
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
