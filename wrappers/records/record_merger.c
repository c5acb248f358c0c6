/* SPDX-License-Identifier: MIT */
#include "records/record_merger.h"

#include "base/error.h"
#include "records/plain_records.h"
#include "records/record_check.h"

#include <stdlib.h>

#define ALIGNED (~(uint64_t)7) /* where records start, whatever the program writes over its numbers */

int record_merger_init(struct record_merger *m, struct segment *segment, struct record_encoder *encoder)
{
    *m = (struct record_merger){.segment = segment, .encoder = encoder};
    large_record_init(&m->large);
    m->rings = calloc(segment->ring_count, sizeof *m->rings);
    return m->rings != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory: capture rings");
}

static void forget_others(struct ring_consumer *r)
{
    for (size_t i = 0; i < r->others.cap; ++i)
        if (r->others.slots[i].state == INT_MAP_USED)
            free((void *)(uintptr_t)r->others.slots[i].value);
    int_map_fini(&r->others);
}

void record_merger_fini(struct record_merger *m)
{
    if (m->rings == NULL)
        return;
    for (uint32_t i = 0; i < m->segment->ring_count; ++i) {
        if (m->mapped == NULL)
            segment_unmap_ring(m->rings[i].data);
        forget_others(&m->rings[i]);
        ring_stacks_fini(&m->rings[i].stacks);
    }
    free(m->rings);
    m->rings = NULL;
}

static struct ring_control *control_of(const struct record_merger *m, uint32_t index)
{
    return &m->segment->control->rings[index];
}

static void free_space(struct record_merger *m, uint32_t index)
{
    struct ring_control *c = control_of(m, index);
    m->rings[index].freed = m->rings[index].tail;
    atomic_store_explicit(&c->tail, m->rings[index].tail, memory_order_seq_cst);
    if (atomic_load_explicit(&c->waiting, memory_order_seq_cst) != 0 && atomic_exchange(&c->waiting, 0) != 0)
        futex_wake(&c->waiting);
}

static const uint8_t *at_tail(const struct ring_consumer *r)
{
    return r->data + (r->tail & (RING_SIZE - 1));
}

static bool is_large_of(const struct record_merger *m, uint32_t index)
{
    return large_record_is_open(&m->large) && m->large_ring == index;
}

/* Skips bytes of the ring. */
static void pass_over(struct record_merger *m, uint32_t index, uint64_t bytes)
{
    struct ring_consumer *r = &m->rings[index];
    r->tail += bytes;
    m->passed_over++;
    if (is_large_of(m, index)) /* it may have been a piece */
        large_record_cut(&m->large);
    free_space(m, index);
}

/* Returns how many published bytes have not been read yet. A number larger than RING_SIZE means that the
 * program has overwritten the ring's head. */
static uint64_t published(struct record_merger *m, uint32_t index)
{
    struct ring_consumer *r = &m->rings[index];
    if (r->head_seen == r->tail)
        r->head_seen = atomic_load_explicit(&control_of(m, index)->head, memory_order_acquire) & ALIGNED;
    if (r->head_seen - r->tail <= RING_SIZE)
        return r->head_seen - r->tail;
    r->head_seen = r->tail; /* looked at again: the producer knows better */
    return UINT64_MAX;
}

static bool read_sound(const struct ring_consumer *r, uint64_t available, struct record *out)
{
    if (available < sizeof *out)
        return false;
    memcpy(out, at_tail(r), sizeof *out);
    return record_is_sound(out, available);
}

/* Copies the record at the ring's tail to *out. Returns false if there is no valid record at the moment. */
static bool peek_record(struct record_merger *m, uint32_t index, struct record *out)
{
    struct ring_consumer *r = &m->rings[index];
    uint64_t available = published(m, index);
    if (available == 0 || available > RING_SIZE)
        return false;
    if (read_sound(r, available, out))
        return true;
    uint64_t bytes = record_next_sound(at_tail(r), available);
    if (bytes < available)
        pass_over(m, index, bytes);
    else /* there is nothing behind it, or the head is wrong: more will tell */
        r->head_seen = r->tail;
    return false;
}

/* Returns the state of a thread that shares the ring and is not its current one. Returns NULL without memory;
 * the thread's open calls are lost then. */
static struct record_thread *other_thread(struct ring_consumer *r, uint32_t number)
{
    uint64_t found;
    if (int_map_get(&r->others, number, &found))
        return (struct record_thread *)(uintptr_t)found;
    struct record_thread *t = malloc(sizeof *t);
    if (t == NULL || int_map_set(&r->others, number, (uintptr_t)t) != 0) {
        free(t);
        return NULL;
    }
    *t = (struct record_thread){.number = number};
    return t;
}

/* Makes another of the threads that share the ring its current one. Each keeps its open calls. */
static void switch_thread(struct ring_consumer *r, uint32_t number)
{
    struct record_thread *last = other_thread(r, r->thread.number), *next = other_thread(r, number);
    if (last != NULL)
        *last = r->thread;
    r->thread = next != NULL ? *next : (struct record_thread){.number = number};
}

/* If memory runs out, calls have no backtraces. */
static void take_stack(struct record_merger *m, struct ring_consumer *r, const struct record *rec)
{
    const uint8_t *body = at_tail(r) + sizeof *rec;
    size_t size = rec->size - sizeof *rec;
    if (rec->kind == RECORD_MODULE)
        ring_stacks_take_module(&r->stacks, &m->encoder->frames, body, size);
    else if (ring_stacks_take_stack(&r->stacks, &m->encoder->frames, rec, body, size) == 0)
        r->thread.stacks = &r->stacks;
}

static enum spec_abi abi_of(const struct segment_control *s)
{
    uint32_t size = atomic_load_explicit(&s->pointer_size, memory_order_relaxed);
    return size == sizeof(uint32_t) ? SPEC_ABI_32 : SPEC_ABI_64;
}

/* Processes a record that has no order number. */
static void take_unordered(struct record_merger *m, uint32_t index, const struct record *rec)
{
    struct ring_consumer *r = &m->rings[index];
    const uint8_t *body = at_tail(r) + sizeof *rec;
    size_t size = rec->size - sizeof *rec;
    uint64_t number = 0;
    /* RECORD_DATA and RECORD_END: of a large record that was damaged. */
    if (rec->kind == RECORD_THREAD && size == sizeof number) {
        memcpy(&number, body, sizeof number);
        r->thread = (struct record_thread){.number = (uint32_t)number};
        m->encoder->values.abi = abi_of(m->segment->control);
        r->full_time = 0;
        ring_stacks_reset(&r->stacks);
    } else if (rec->kind == RECORD_SWITCH && size == sizeof number) {
        memcpy(&number, body, sizeof number);
        switch_thread(r, (uint32_t)number);
    } else if (rec->kind == RECORD_STACK || rec->kind == RECORD_MODULE) {
        take_stack(m, r, rec);
        r->tail += rec->size; /* its call's record, which comes next, frees the space */
        return;
    }
    r->tail += rec->size;
    free_space(m, index);
}

static struct ring_place mapped_below(const struct record_merger *m, uint32_t index)
{
    while (index > 0)
        if (m->rings[--index].data != NULL)
            return (struct ring_place){m->rings[index].data, index};
    return (struct ring_place){NULL, 0};
}

#define FIRST_MEMORY                                                                                         \
    ((uint64_t)2 << 20) /* for the first ring of a process, whatever it records: most have no other */
#define MANY_RECORDS ((uint64_t)64 << 10) /* bytes of a ring that will be used as a whole */

/* Threads that write to new memory would have to wait for the kernel to clear it, and that takes longer than
 * the call. So memory is given ahead to those that seem to need it. */
static void give_memory(struct record_merger *m, uint32_t index)
{
    struct ring_consumer *r = &m->rings[index];
    uint64_t used = atomic_load_explicit(&control_of(m, index)->head, memory_order_relaxed) - r->emptied;
    uint64_t wanted = used >= MANY_RECORDS ? RING_SIZE : used > 0 && !m->has_given_memory ? FIRST_MEMORY : 0;
    if (r->given >= wanted)
        return;
    m->has_given_memory = true;
    segment_give_memory(r->data, r->emptied + r->given, wanted - r->given);
    r->given = wanted;
}

static int map_if_new(struct record_merger *m, uint32_t index)
{
    struct ring_consumer *r = &m->rings[index];
    if (r->data == NULL) {
        r->data = m->mapped != NULL ? m->mapped->slots[index].data
                                    : segment_map_ring(m->segment, index, mapped_below(m, index));
        r->tail = r->freed = r->head_seen = atomic_load(&control_of(m, index)->tail) & ALIGNED;
    }
    return r->data != NULL ? 0 : TRACE_ERR_MEMORY;
}

static uint64_t order_of(const struct record_merger *m, const struct record *rec)
{
    return record_extend(m->next_order, rec->order);
}

/* Returns true if a producer has taken the number. There is no point in waiting for any other number. */
static bool was_taken(const struct record_merger *m, uint64_t order)
{
    return order < atomic_load_explicit(&m->segment->control->next_order, memory_order_relaxed);
}

/* Returns true if the record must be encoded now: it is the next one, or it is late, or its number is
 * invalid.
 */
static bool is_next(const struct record_merger *m, const struct record *rec)
{
    uint64_t order = order_of(m, rec);
    return order <= m->next_order || !was_taken(m, order);
}

static void note_order(struct record_merger *m, uint64_t order)
{
    if (order < m->next_order)
        m->lost -= m->lost > 0; /* it had been given up */
    else if (order == m->next_order || was_taken(m, order))
        m->next_order = order + 1;
    else
        m->early++;
}

/* Finds the next record with an order number in the ring, and processes those without one before it. */
static int find_ordered(struct record_merger *m, uint32_t index, struct record *rec, bool *found)
{
    *found = false;
    if (m->rings[index].data == NULL) {
        int rc = map_if_new(m, index);
        if (rc != 0)
            return rc;
    }
    uint64_t start = m->rings[index].tail; /* others have their turn, too */
    while (m->rings[index].tail - start < RING_SIZE && peek_record(m, index, rec)) {
        if (rec->kind == RECORD_ENTER || rec->kind == RECORD_LEAVE) {
            *found = true;
            return 0;
        }
        take_unordered(m, index, rec);
    }
    return 0;
}

/* Returns the record's time. If it is stored after the body, *end is moved to the end of the body. */
static uint64_t take_time(struct ring_consumer *r, const struct record *rec, const uint8_t *body,
                          const uint8_t **end)
{
    if ((rec->flags & RECORD_FULL_TIME) != 0 && (size_t)(*end - body) >= sizeof r->full_time) {
        *end -= sizeof r->full_time;
        memcpy(&r->full_time, *end, sizeof r->full_time);
        return r->full_time;
    }
    return record_extend(r->full_time, rec->time);
}

static int encode_at_tail(struct record_merger *m, uint32_t index, const struct record *rec)
{
    struct ring_consumer *r = &m->rings[index];
    const uint8_t *body = at_tail(r) + sizeof *rec, *end = at_tail(r) + rec->size;
    int rc;
    if ((rec->flags & RECORD_OPEN) != 0) {
        rc = large_record_begin(&m->large, m->encoder, &r->thread, rec, body, end);
        m->large_ring = index;
        m->has_large = true;
    } else {
        uint64_t ticks = take_time(r, rec, body, &end);
        rc = record_encode(m->encoder, &r->thread, rec, ticks, body, end);
    }
    if (rc == TRACE_ERR_FORMAT) {
        m->damaged++;
        rc = 0;
    }
    note_order(m, order_of(m, rec));
    r->tail += rec->size;
    return rc;
}

/* Encodes the plain records at the ring's tail, at most max_bytes. */
static void drain_plain(struct record_merger *m, uint32_t index, size_t max_bytes)
{
    struct ring_consumer *r = &m->rings[index];
    uint64_t available = r->data != NULL ? published(m, index) : 0, count;
    if (available == 0 || available > RING_SIZE)
        return;
    size_t taken = plain_records_encode(m->encoder, &r->thread, at_tail(r),
                                        available < max_bytes ? available : max_bytes, m->next_order,
                                        r->full_time, &count);
    r->tail += taken;
    m->next_order += count;
}

#define FREED_AT_ONCE (RING_SIZE / 16) /* bytes */

/* Encodes one record if it is its turn. *found tells. */
static int take_ordered(struct record_merger *m, uint32_t index, bool *found)
{
    struct record rec;
    int rc = find_ordered(m, index, &rec, found);
    if (rc != 0 || !*found)
        return rc;
    *found = is_next(m, &rec);
    if (*found)
        return encode_at_tail(m, index, &rec);
    m->holders[order_of(m, &rec) % RECORD_HOLDERS] = (uint16_t)index;
    return 0;
}

/* Takes the next piece of the large record. Returns false if it has not come yet. Anything else in the ring
 * means that the rest will not come. */
static bool take_piece(struct record_merger *m)
{
    struct ring_consumer *r = &m->rings[m->large_ring];
    struct record rec;
    if (!peek_record(m, m->large_ring, &rec))
        return false;
    const uint8_t *body = at_tail(r) + sizeof rec, *end = at_tail(r) + rec.size;
    if (rec.kind == RECORD_DATA)
        large_record_add(&m->large, m->encoder, body, end);
    else if (rec.kind == RECORD_END)
        large_record_complete(&m->large, take_time(r, &rec, body, &end));
    else if (rec.kind == RECORD_SWITCH) /* see give_up_call() */
        large_record_abandon(&m->large);
    else
        large_record_cut(&m->large);
    if (rec.kind == RECORD_DATA || rec.kind == RECORD_END) {
        r->tail += rec.size;
        free_space(m, m->large_ring);
    }
    return true;
}

/* Encodes what there is of the large record, about max_bytes. *taken receives how much that was. */
static int drain_large(struct record_merger *m, size_t max_bytes, size_t *taken)
{
    struct ring_consumer *r = &m->rings[m->large_ring];
    uint64_t first = r->tail, padded = 0;
    bool more = true;
    int rc = 0;
    while (more && rc == 0 && large_record_is_open(&m->large) && r->tail - first + padded < max_bytes) {
        if (!large_record_is_over(&m->large)) {
            more = take_piece(m);
            continue;
        }
        padded += large_record_pad(&m->large, m->encoder, max_bytes);
        rc = large_record_end(&m->large, m->encoder, &r->thread);
        if (rc == TRACE_ERR_FORMAT) {
            m->damaged++;
            rc = 0;
        }
        m->cut += !large_record_is_open(&m->large) && m->large.is_cut;
    }
    *taken = (size_t)(r->tail - first + padded);
    return rc;
}

/* Encodes records of one ring as long as it is their turn. */
static int drain_ring(struct record_merger *m, uint32_t index, size_t max_bytes, size_t *taken)
{
    struct ring_consumer *r = &m->rings[index];
    uint64_t first = r->tail, wanted = max_bytes - *taken;
    int rc = 0;
    if (r->given < RING_SIZE && r->data != NULL && m->mapped == NULL)
        give_memory(m, index);
    for (bool found = true; rc == 0 && found && r->tail - first < wanted && !is_large_of(m, index);) {
        uint64_t left = wanted - (r->tail - first);
        drain_plain(m, index, left < FREED_AT_ONCE ? left : FREED_AT_ONCE);
        if (r->tail - first < wanted)
            rc = take_ordered(m, index, &found);
        if (r->tail - r->freed >= FREED_AT_ONCE)
            free_space(m, index);
    }
    *taken += r->tail - first;
    return rc;
}

/* Releases the memory of a ring that has no owner and is empty. */
static void recycle_released(struct record_merger *m, uint32_t index)
{
    struct ring_control *c = control_of(m, index);
    struct ring_consumer *r = &m->rings[index];
    uint32_t released = RING_RELEASED;
    if (r->data == NULL || atomic_load_explicit(&c->state, memory_order_relaxed) != released ||
        atomic_load_explicit(&c->head, memory_order_acquire) != r->tail ||
        !atomic_compare_exchange_strong(&c->state, &released, RING_EMPTYING))
        return;
    free_space(m, index);
    bool drained = atomic_load(&c->head) == r->tail; /* another thread may have been there meanwhile */
    if (drained) {
        segment_empty_ring(m->segment, index);
        r->emptied = r->tail;
        r->given = 0;
    }
    atomic_store(&c->state, drained ? RING_FREE : RING_RELEASED);
}

static uint32_t rings_in_use(const struct record_merger *m)
{
    uint32_t used = atomic_load_explicit(&m->segment->control->rings_used, memory_order_acquire);
    uint32_t count = m->segment->ring_count;
    return used < count ? used : count;
}

#define MUCH_MEMORY ((uint64_t)256 << 10) /* of one ring */

void record_merger_ask_for_idle(struct record_merger *m)
{
    bool wanted = false;
    for (uint32_t i = 0; i < rings_in_use(m); ++i) {
        struct ring_consumer *r = &m->rings[i];
        bool quiet = r->tail == r->tail_before;
        r->tail_before = r->tail;
        wanted |= quiet && r->tail - r->emptied >= MUCH_MEMORY;
    }
    if (wanted)
        atomic_store_explicit(&m->segment->control->tidy, 1, memory_order_relaxed);
}

/* Returns the ring to read after the current one: the one where the next record was seen, if it was seen.
 * With hundreds of threads, searching all rings would be slow. */
static uint32_t ring_after(const struct record_merger *m, bool has_taken, uint32_t count)
{
    uint32_t holder = m->holders[m->next_order % RECORD_HOLDERS];
    if (has_taken && holder < count)
        return holder;
    return m->current + 1 < count ? m->current + 1 : 0;
}

/* Frees the space of all encoded records. This is done once per drain, because the producer's cache line is
 * expensive to write. */
static void free_taken(struct record_merger *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if (m->rings[i].freed != m->rings[i].tail)
            free_space(m, i);
}

int record_merger_drain(struct record_merger *m, size_t max_bytes, size_t *taken)
{
    *taken = 0;
    uint32_t count = rings_in_use(m), idle = 0;
    int rc = 0;
    while (count > 0 && idle < count && *taken < max_bytes && rc == 0) {
        size_t before = *taken, pieces = 0;
        if (large_record_is_open(&m->large)) {
            rc = drain_large(m, max_bytes - *taken, &pieces);
            *taken += pieces;
            if (large_record_is_open(&m->large))
                break;
            idle = 0;
            continue;
        }
        rc = drain_ring(m, m->current, max_bytes, taken);
        bool has_taken = *taken != before;
        if (!has_taken && rc == 0)
            recycle_released(m, m->current);
        idle = has_taken ? 0 : idle + 1;
        m->current = ring_after(m, has_taken, count);
    }
    free_taken(m, count);
    plain_records_tell(m->encoder);
    return rc;
}

/* Skips damaged contents of rings if nothing more arrives. Otherwise the producer would wait forever. */
static bool skip_to_heads(struct record_merger *m)
{
    bool skipped = false;
    for (uint32_t i = 0; i < rings_in_use(m); ++i) {
        struct ring_consumer *r = &m->rings[i];
        struct record rec;
        uint64_t available = r->data != NULL ? published(m, i) : 0;
        if (available == 0 || (available <= RING_SIZE && read_sound(r, available, &rec)))
            continue;
        uint64_t head = atomic_load_explicit(&control_of(m, i)->head, memory_order_acquire) & ALIGNED;
        pass_over(m, i, available <= RING_SIZE ? record_next_sound(at_tail(r), available) : head - r->tail);
        r->head_seen = r->tail;
        skipped = true;
    }
    return skipped;
}

bool record_merger_is_held_up(const struct record_merger *m)
{
    bool held_up = false;
    for (uint32_t i = 0; large_record_is_open(&m->large) && i < rings_in_use(m); ++i)
        held_up |= i != m->large_ring && atomic_load(&control_of(m, i)->waiting) != 0;
    return held_up;
}

static int list_open_of(const struct record_thread *t, struct buf *out)
{
    int rc = 0;
    for (uint32_t i = 0; i < t->depth && rc == 0; ++i) {
        const struct record_open_call open = {t->open[i].call, t->open[i].function};
        if (open.call != RECORD_LEFT_OUT)
            rc = buf_append(out, &open, sizeof open);
    }
    return rc;
}

int record_merger_list_open(const struct record_merger *m, struct buf *out)
{
    int rc = 0;
    for (uint32_t i = 0; i < rings_in_use(m) && rc == 0; ++i) {
        const struct ring_consumer *r = &m->rings[i];
        uint32_t current = r->thread.number;
        rc = list_open_of(&r->thread, out);
        for (size_t k = 0; k < r->others.cap && rc == 0; ++k)
            if (r->others.slots[k].state == INT_MAP_USED && r->others.slots[k].key != current)
                rc = list_open_of((const struct record_thread *)(uintptr_t)r->others.slots[k].value, out);
    }
    return rc == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory: open calls");
}

bool record_merger_cut_large(struct record_merger *m)
{
    if (!large_record_is_open(&m->large))
        return false;
    large_record_cut(&m->large);
    return true;
}

bool record_merger_skip_gap(struct record_merger *m)
{
    if (large_record_is_open(&m->large))
        return false;
    if (skip_to_heads(m))
        return true;
    uint64_t lowest = UINT64_MAX;
    for (uint32_t i = 0; i < rings_in_use(m); ++i) {
        struct record rec;
        bool found;
        if (find_ordered(m, i, &rec, &found) == 0 && found && order_of(m, &rec) < lowest)
            lowest = order_of(m, &rec);
    }
    if (lowest == UINT64_MAX)
        return false;
    if (lowest > m->next_order) {
        uint64_t missing = lowest - m->next_order, came = missing < m->early ? missing : m->early;
        m->early -= came;
        m->lost += missing - came;
        m->next_order = lowest;
    }
    return true;
}
