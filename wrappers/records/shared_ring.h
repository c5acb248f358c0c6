/* SPDX-License-Identifier: MIT
 * Rings of records in shared memory, one for each traced thread.
 * A segment (a sealed memfd) holds the rings of one process. It outlives the process: what a thread has
 * published is there for the collector after exec, _exit, a crash or SIGKILL.
 */
#ifndef RECORDS_SHARED_RING_H
#define RECORDS_SHARED_RING_H

#include "records/call_filter.h"
#include "records/capture_clock.h"
#include "records/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define RING_SIZE       ((uint32_t)4 << 20) /* bytes of one ring: a power of two, a multiple of the page size */
#define RING_LIMIT      4096                /* rings in a segment: threads that may record at the same time */
#define SEGMENT_MAGIC   0x54524336u
#define RING_MAX_RECORD (RING_SIZE / 4) /* larger bodies come in pieces: RECORD_OPEN */

enum ring_state {
    RING_FREE,
    RING_OWNED,    /* a thread appends to it, or has ended and nobody has noticed yet */
    RING_RELEASED, /* its thread has left it: another may take it, drained or not */
    RING_EMPTYING, /* the consumer gives its memory back */
};

/* How order numbers are taken. */
enum order_state {
    ORDER_ALONE,    /* one thread records: plain loads and stores will do */
    ORDER_CHANGING, /* a second one waits until the first one knows */
    ORDER_SHARED,   /* atomic increments */
};

/* What the consumer says to a process that has claimed a segment. */
enum segment_answer { SEGMENT_NO_ANSWER, SEGMENT_ACCEPTED, SEGMENT_REFUSED };

struct ring_control {
    _Alignas(64) _Atomic uint64_t head;  /* bytes ever published */
    _Atomic uint32_t busy;               /* the producer takes an order number without locking */
    _Alignas(64) _Atomic uint64_t tail;  /* bytes ever consumed */
    _Atomic uint32_t waiting;            /* futex: 1 while the producer waits for space */
    _Alignas(64) _Atomic uint32_t state; /* enum ring_state */
};

struct segment_control {
    uint32_t magic;
    uint32_t ring_count;
    uint32_t ring_size;
    uint32_t clock; /* enum capture_clock: the collector's choice, made before it accepts the process */
    /* Of a segment that the consumer made ahead for a process that may not make one (spare_segment.h). */
    _Atomic uint32_t claimed; /* id of the process that has taken it; 0: none */
    _Atomic uint32_t answer;  /* futex: enum segment_answer */
    /* Bytes of a pointer in the process that records: payloads are copies of its memory. Set before its first
     * record is published. */
    _Atomic uint32_t pointer_size;
    _Atomic uint32_t ending; /* the process is running its destructors, so it does not crash in a call */
    _Alignas(64) _Atomic uint64_t next_order;
    _Atomic uint32_t shared_order;          /* enum order_state */
    _Alignas(64) _Atomic uint32_t doorbell; /* futex: 1 while the consumer sleeps */
    /* A robust futex: the id of the consumer's thread. The kernel sets FUTEX_OWNER_DIED in it when that
     * thread ends, however it does. 0: not in use. */
    _Atomic uint32_t consumer;
    _Atomic uint32_t closed;                  /* the consumer has gone for good */
    _Alignas(64) _Atomic uint32_t rings_used; /* rings from here on were never owned */
    _Atomic uint32_t tidy;                    /* the consumer asks: release rings whose threads have ended */
    _Atomic uint32_t producers;               /* rings ever taken */
    _Atomic uint32_t next_thread;             /* threads that have recorded so far */
    _Atomic uint64_t calls_lost;              /* made by threads that found no ring */
    _Atomic uint64_t calls_interrupting;      /* lost: made by signal handlers while the recorder worked */
    _Alignas(64) struct call_filter filter;   /* what need not be recorded */
    struct ring_control rings[];
};

/* A process's mapping of the control block of a segment. Rings are mapped one at a time, because the address
 * space of the program may be limited. */
struct segment {
    struct segment_control *control;
    int fd;              /* -1 once it is not needed any more: the mapping stays */
    uint32_t ring_count; /* here the other process cannot change it */
};

/* Makes a segment for this process and another one; *out owns the mapping and the descriptor. ring_limit:
 * rings wanted. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int segment_create(struct segment *out, uint32_t ring_limit);

/* Makes a segment for this process alone, without a descriptor. */
int segment_create_private(struct segment *out, uint32_t ring_limit);

/* Maps the segment behind fd, which is taken over even on an error. Errors: TRACE_ERR_FORMAT if fd is not a
 * segment, TRACE_ERR_MEMORY. */
int segment_attach(struct segment *out, int fd);
void segment_fini(struct segment *s);

/* Maps a segment that another process made in the file at path, and claims it for the process pid. Needs only
 * those system calls that loading a library needs. Returns 1 when another process was faster; errors:
 * TRACE_ERR_IO, TRACE_ERR_FORMAT. */
int segment_claim(struct segment *out, const char *path, uint32_t pid);

/* Undoes mlockall() for the control block, and so for rings that are mapped later. */
void segment_unlock(const struct segment *s);

/* A mapped ring, from which other rings can be mapped. */
struct ring_place {
    uint8_t *data; /* NULL: none */
    uint32_t index;
};

/* Maps ring index twice in a row, so that every record is contiguous. NULL with the message set on error.
 * A program may have closed the descriptor. Without it, the ring is reached from a ring that is mapped
 * already, `from`, which must have a lower index. */
uint8_t *segment_map_ring(const struct segment *s, uint32_t index, struct ring_place from);
void segment_unmap_ring(uint8_t *data);
void segment_unlock_ring(uint8_t *data);

/* Gives memory to the ring that is mapped at data: size bytes from the position `from`, which counts bytes as
 * a head does. So the threads that write there need not wait for it. Does nothing if the kernel cannot. */
void segment_give_memory(uint8_t *data, uint64_t from, size_t size);

/* Releases the memory of a ring, which contains zeros afterwards. Needs the descriptor. */
void segment_empty_ring(const struct segment *s, uint32_t index);

/* The state of a thread that writes to a ring. */
struct ring_producer {
    struct segment_control *segment;
    struct ring_control *control;
    uint8_t *data; /* mirrored */
    uint64_t head;
    uint64_t tail_seen;  /* a tail that was true once */
    uint64_t easy_until; /* see ring_is_easy() */
    enum capture_clock clock;
    uint64_t full_time;     /* of the last record with RECORD_FULL_TIME */
    uint64_t new_until;     /* up to this head, the ring's memory is not mapped yet */
    struct ring_slot *slot; /* the pool's (ring_pool.h); not used here */
};

/* Starts to append to ring index, which is mapped at data, after the records of its last producer. Returns
 * false if the ring cannot be used at the moment. The caller must own the ring. */
bool ring_producer_open(struct ring_producer *p, const struct segment *s, uint32_t index, uint8_t *data);

/* From now on, order numbers are taken by atomic increments, so that several threads can take them. barrier:
 * another thread is already recording. */
void segment_share_order(struct segment_control *s, bool barrier);

/* Wakes the consumer if it is asleep. */
void segment_ring_doorbell(struct segment_control *s);

/* Calls wait until size bytes (at most RING_MAX_RECORD) are free, and returns their place. Returns NULL if
 * wait returns false. */
uint8_t *ring_reserve_slow(struct ring_producer *p, uint32_t size, bool (*wait)(struct ring_producer *p));

static inline uint8_t *ring_reserve(struct ring_producer *p, uint32_t size,
                                    bool (*wait)(struct ring_producer *p))
{
    if (p->head + size - p->tail_seen <= RING_SIZE)
        return p->data + (p->head & (RING_SIZE - 1));
    return ring_reserve_slow(p, size, wait);
}

/* Is there room for a record of size bytes, and nothing to do after it is published? Then
 * ring_publish_easily() does for it, and no function has to be called. */
static inline bool ring_is_easy(const struct ring_producer *p, uint32_t size)
{
    return p->head + size <= p->easy_until;
}

/* Takes the next order number. While only one thread records, no locked instruction is used. It would wait
 * for cache lines that the consumer has read, which is several times slower than everything else. */
static inline uint64_t ring_take_order(struct ring_producer *p)
{
    struct segment_control *s = p->segment;
    if (__builtin_expect(atomic_load_explicit(&s->shared_order, memory_order_relaxed) == ORDER_ALONE, 1)) {
        struct ring_control *c = p->control;
        atomic_store_explicit(&c->busy, 1, memory_order_relaxed);
        atomic_signal_fence(
            memory_order_seq_cst); /* the other side makes it a real one: ring_producer_init() */
        bool alone = atomic_load_explicit(&s->shared_order, memory_order_relaxed) == ORDER_ALONE;
        if (__builtin_expect(alone, 1)) {
            uint64_t order = atomic_load_explicit(&s->next_order, memory_order_relaxed);
            atomic_store_explicit(&s->next_order, order + 1, memory_order_relaxed);
            atomic_store_explicit(&c->busy, 0, memory_order_release);
            return order;
        }
        atomic_store_explicit(&c->busy, 0, memory_order_release);
    }
    return atomic_fetch_add_explicit(&s->next_order, 1, memory_order_relaxed);
}

/* Stamps the record with time, in ticks of the segment's clock. It may grow by RECORD_TIME_SIZE. */
static inline void ring_put_time(struct ring_producer *p, struct record *r, uint64_t time)
{
    r->time = (uint32_t)time;
    if (__builtin_expect(record_is_far(p->full_time, time), 0)) {
        memcpy((uint8_t *)r + r->size, &time, sizeof time);
        r->size += RECORD_TIME_SIZE;
        r->flags |= RECORD_FULL_TIME;
        p->full_time = time;
    }
}

#define DOORBELL_STEP ((uint64_t)1 << 18) /* bytes between looks at the doorbell */
#define PASSING_STEP  ((uint64_t)1 << 14) /* bytes between calls of ring_passed() */

/* Called now and then after records have been published; head was `last` before. */
void ring_passed(struct ring_producer *p, uint64_t last);

static inline void ring_publish_easily(struct ring_producer *p, uint32_t size)
{
    p->head += size;
    atomic_store_explicit(&p->control->head, p->head, memory_order_release);
}

/* Publishes the record of size bytes that was written at the reserved place. A signal handler may leave this
 * function at any point, by siglongjmp(), and likewise the wait for space: a record that is not published
 * then is published with the next one. */
static inline void ring_publish(struct ring_producer *p, uint32_t size)
{
    uint64_t last = p->head;
    ring_publish_easily(p, size);
    if ((p->head ^ last) >= PASSING_STEP)
        ring_passed(p, last);
}

/* Sleeps for at most milliseconds while *word is value. */
void futex_wait(_Atomic uint32_t *word, uint32_t value, unsigned milliseconds);
void futex_wake(_Atomic uint32_t *word);

#endif
