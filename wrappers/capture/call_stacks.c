/* SPDX-License-Identifier: MIT */
#include "capture/call_stacks.h"

#include "memory/own_stack.h"
#include "memory/unlocked_memory.h"
#include "process/capture_process.h"
#include "process/stack_setting.h"
#include "records/record.h"
#include "unwind/loaded_modules.h"
#include "unwind/stack_walk.h"

#include "spec_ids.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define MEMOS 64 /* a power of two */

/* What has been recorded in a ring. It belongs to the ring, whose threads use it one after another. */
struct told_stacks {
    uint32_t age;                           /* stack_walk_age() */
    const struct loaded_module *module;     /* the last one */
    struct stack_memos memos[MEMOS];        /* of stacks that the thread was called from lately */
    uint64_t digests[RECORD_STACK_NUMBERS]; /* of stacks, by number; 0: none */
};

static void map_told(struct ring_slot *slot)
{
    if (slot->told == NULL)
        slot->told =
            map_unlocked(sizeof(struct told_stacks), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    slot->told_size = sizeof(struct told_stacks);
}

static void make_told(void *thread)
{
    struct capture_thread *t = thread;
    struct ring_slot *slot = t->ring.slot != NULL ? t->ring.slot : capture_process_rings()->common.slot;
    map_told(slot);
    t->told = slot->told;
    if (t->told != NULL)
        *t->told = (struct told_stacks){.age = stack_walk_age()};
}

/* Returns NULL if there is no memory. */
static struct told_stacks *told_of(struct capture_thread *t)
{
    if (t->told == NULL)
        run_on_own_stack(make_told, t);
    struct told_stacks *told = t->told;
    uint32_t age = stack_walk_age();
    if (told != NULL && told->age != age) { /* the same addresses may belong to other modules */
        memset(told->digests, 0, sizeof told->digests);
        told->age = age;
    }
    return told;
}

static void reserve(void *unused)
{
    struct ring_pool *pool = capture_process_rings();
    (void)unused;
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->common.lock);
    if (pool->common.slot != NULL)
        map_told(pool->common.slot);
    pthread_mutex_unlock(&pool->common.lock);
}

void call_stacks_reserve(void)
{
    run_on_own_stack(reserve, NULL);
}

/* Never returns 0. The probability that two stacks have the same digest is 2^-64. */
static uint64_t digest_of(const uint64_t *places, unsigned count)
{
    uint64_t h = count;
    for (unsigned i = 0; i < count; ++i) {
        h = (h ^ places[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h | 1;
}

/* Writes the description of the module to `at`, the body of a record, which has room for it. */
static void put_module(uint8_t *at, const struct loaded_module *m, const char *path, size_t path_size)
{
    struct record_module body = {.start = m->start,
                                 .end = m->end,
                                 .base = m->base,
                                 .serial = m->serial,
                                 .is_program = m->path[0] == '\0',
                                 .build_id_size = m->build_id.size};
    memcpy(body.build_id, m->build_id.bytes, sizeof m->build_id.bytes);
    memcpy(at, &body, sizeof body);
    memset(at + sizeof body, 0, RECORD_PAD(path_size));
    memcpy(at + sizeof body, path, path_size - 1);
}

static bool tell_of_module(struct capture_thread *t, const struct loaded_module *m)
{
    const char *path = m->path[0] != '\0' ? m->path : program_invocation_name;
    size_t path_size = strlen(path) + 1;
    uint32_t size = (uint32_t)(sizeof(struct record) + sizeof(struct record_module) + RECORD_PAD(path_size));
    uint8_t *at = size <= RING_MAX_RECORD ? ring_reserve(&t->ring, size, capture_process_wait) : NULL;
    if (at == NULL)
        return false;
    const struct record header = {.size = size, .kind = RECORD_MODULE};
    memcpy(at, &header, sizeof header);
    put_module(at + sizeof header, m, path, path_size);
    ring_publish(&t->ring, size);
    return true;
}

/* Records the modules that have not been recorded. If one cannot be recorded, the later ones are not recorded
 * either, and their frames only have addresses. Returns false if nothing was recorded. */
static bool tell_of_modules(struct capture_thread *t, struct told_stacks *told)
{
    bool any = false;
    const struct loaded_module *m;
    while ((m = loaded_modules_next(told->module)) != NULL && tell_of_module(t, m)) {
        told->module = m;
        any = true;
    }
    return any;
}

/* A walk from there is likely to find what it found the last time. */
static struct stack_memos *memos_for(struct told_stacks *told, const struct spec_function *f,
                                     const void *frame)
{
    uint64_t key = (uintptr_t)frame + ((uint64_t)f->id << 32);
#if defined __x86_64__ || defined __i386__
    key = (uintptr_t)frame + ((const uintptr_t *)frame)[-1] * 31; /* the return address of the call */
#endif
    return &told->memos[key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (MEMOS - 1)];
}

/* Walks up the stack; the places are written where they will be if the stack is new. *digest tells which it
 * is; 0 when it was told of once and is no more. */
static unsigned walk(struct told_stacks *told, struct stack_memos *memos, uint8_t *at, const void *frame,
                     uint64_t *digest)
{
    struct stack_memo *memo;
    uint64_t *places = (uint64_t *)(void *)(at + sizeof(struct record));
    unsigned count = stack_walk(places, stack_setting.depth, frame, memos, &memo);
    if (count != STACK_SAME)
        memo->digest = digest_of(places, count);
    else if (told->digests[memo->digest % RECORD_STACK_NUMBERS] != memo->digest) {
        memo->read_count = 0;
        return walk(told, memos, at, frame, digest);
    }
    *digest = memo->digest;
    return count;
}

static void record_stack(struct capture_thread *t, const struct spec_function *f, const void *frame)
{
    struct told_stacks *told = told_of(t);
    const uint32_t most = (uint32_t)(sizeof(struct record) + stack_setting.depth * sizeof(uint64_t));
    unsigned count;
    uint64_t digest;
    uint8_t *at;
    if (told == NULL)
        return;
    struct stack_memos *memos = memos_for(told, f, frame);
    do {
        at = ring_reserve(&t->ring, most, capture_process_wait);
        if (at == NULL)
            return;
        count = walk(told, memos, at, frame, &digest);
    } while (told->digests[digest % RECORD_STACK_NUMBERS] != digest && tell_of_modules(t, told));
    uint32_t number = (uint32_t)(digest % RECORD_STACK_NUMBERS);
    bool known = told->digests[number] == digest;
    struct record header = {.size = sizeof header + (known ? 0 : count * (uint32_t)sizeof(uint64_t)),
                            .function = f->id,
                            .kind = RECORD_STACK,
                            .order = number,
                            .time = stack_setting.depth};
    told->digests[number] = digest;
    memcpy(at, &header, sizeof header);
    ring_publish(&t->ring, header.size);
}

void call_stacks_record(struct capture_thread *t, const struct spec_function *f, const void *frame)
{
    bool wanted = stack_setting_wants(f->id);
    t->waiting_frame = wanted && t->ring.control == NULL ? frame : NULL;
    if (wanted && t->ring.control != NULL)
        record_stack(t, f, frame);
}

void call_stacks_record_waiting(struct capture_thread *t, const struct spec_function *f)
{
    const void *frame = t->waiting_frame;
    t->waiting_frame = NULL;
    if (frame != NULL)
        record_stack(t, f, frame);
}
