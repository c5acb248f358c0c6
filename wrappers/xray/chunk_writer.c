/* SPDX-License-Identifier: MIT
 * The runtime saves only some registers around a handler, so this file is compiled to use no others than the
 * general ones, and calls no function of the C library but clock_gettime().
 */
#include "xray/chunk_writer.h"

#include "formats/xray/xray_records.h"
#include "process/kernel_call.h"
#include "xray/store_file.h"

#include <string.h>
#include <sys/syscall.h>

#if defined __x86_64__
#include <cpuid.h>
/* Some versions of clang call handlers of events with a stack that is not aligned. */
#define HANDLER __attribute__((force_align_arg_pointer))
#else
#define HANDLER
#endif

#define METADATA(kind) ((uint8_t)((kind) << 1 | 1)) /* its first byte */

#define MOST_DATA (XRAY_CHUNK_ROOM - 3 * XRAY_METADATA_SIZE) /* of an event */

static struct {
    enum capture_clock clock;
    uint64_t threshold;
    bool knows_processor;
} writer;

/* Of the calling thread. A signal handler may change them at any place. */
static __thread __attribute__((tls_model("initial-exec"))) struct {
    struct xray_chunk *chunk;
    uint16_t processor;
    uint32_t functions; /* where in the chunk the records of functions begin that go on to its end */
} thread;

/* What is written at one time. */
struct place {
    struct xray_chunk *chunk;
    uint32_t offset; /* in chunk->records */
    uint32_t delta;  /* ticks since the last record */
};

static uint64_t read_clock(uint16_t *processor)
{
    *processor = 0;
#if defined __x86_64__
    unsigned number;
    if (writer.clock == CAPTURE_CLOCK_COUNTER && writer.knows_processor) {
        uint64_t ticks = __builtin_ia32_rdtscp(&number);
        *processor = number & 0xfff; /* as Linux sets it; the node is above */
        return ticks;
    }
#endif
    return capture_clock_read(writer.clock);
}

static bool take_chunk(void)
{
    struct xray_chunk *c = store_file_take_chunk();
    if (c == NULL)
        return false;
    uint16_t processor;
    c->ticks = read_clock(&processor);
    c->processor = processor;
    c->thread = (int32_t)call_kernel(SYS_gettid, (const long[6]){0});
    atomic_store(&c->state, c->ticks << XRAY_USED_BITS);
    thread.processor = processor;
    thread.functions = 0;
    thread.chunk = c;
    return true;
}

/* Sets the time for the records that follow, where a difference cannot say it. */
static void put_time(struct place *p, uint16_t processor, uint64_t now)
{
    uint8_t *to = p->chunk->records + p->offset;
    if (processor != thread.processor) {
        to[0] = METADATA(XRAY_NEW_CPU);
        memcpy(to + 1, &processor, sizeof processor);
        memcpy(to + 3, &now, sizeof now);
    } else {
        to[0] = METADATA(XRAY_TSC_WRAP);
        memcpy(to + 1, &now, sizeof now);
    }
    thread.processor = processor;
    p->offset += XRAY_METADATA_SIZE;
    p->delta = 0;
    thread.functions = p->offset;
}

/* The ticks since the last record of the state, or a negative number. Only their low bits are known. */
static int64_t ticks_since(uint64_t state, uint64_t now)
{
    return (int64_t)((now - (state >> XRAY_USED_BITS)) << XRAY_USED_BITS) >> XRAY_USED_BITS;
}

/* Takes room for a record of the size at the end of the thread's chunk. A signal handler that records in
 * between makes this try again, so its records come before. */
static bool take_place(struct place *p, uint32_t size)
{
    for (;;) {
        struct xray_chunk *c = thread.chunk;
        uint16_t processor;
        if (*store_file_is_ours == 0 || (c == NULL && !take_chunk()))
            return false;
        if (c == NULL)
            continue;
        uint64_t state = atomic_load_explicit(&c->state, memory_order_relaxed), now = read_clock(&processor);
        int64_t delta = ticks_since(state, now);
        bool jumps = processor != thread.processor || delta < 0 || delta > INT32_MAX;
        uint32_t used = state & XRAY_USED_MASK, end = used + size + (jumps ? XRAY_METADATA_SIZE : 0);
        if (end > XRAY_CHUNK_ROOM) {
            if (!take_chunk())
                return false;
            continue;
        }
        if (!atomic_compare_exchange_strong(&c->state, &state, now << XRAY_USED_BITS | end))
            continue;
        *p = (struct place){c, used, (uint32_t)delta};
        if (jumps)
            put_time(p, processor, now);
        return true;
    }
}

static void put_function(const struct place *p, int32_t function, int action)
{
    const uint32_t words[2] = {(uint32_t)function << 4 | (uint32_t)action << 1, p->delta};
    memcpy(p->chunk->records + p->offset, words, sizeof words);
}

/* A call that was short is forgotten, if its entry is the last record. Returns whether it was. */
static bool forget_entry(int32_t function)
{
    struct xray_chunk *c = thread.chunk;
    uint16_t processor;
    uint32_t words[2];
    if (c == NULL || *store_file_is_ours == 0)
        return false;
    uint64_t state = atomic_load_explicit(&c->state, memory_order_relaxed);
    uint32_t used = state & XRAY_USED_MASK;
    int64_t took = ticks_since(state, read_clock(&processor));
    if (used < thread.functions + XRAY_FUNCTION_SIZE || took < 0 || (uint64_t)took >= writer.threshold)
        return false;
    memcpy(words, c->records + used - XRAY_FUNCTION_SIZE, sizeof words);
    if (words[0] != (uint32_t)function << 4)
        return false;
    uint64_t before = (state >> XRAY_USED_BITS) - words[1];
    return atomic_compare_exchange_strong(&c->state, &state,
                                          before << XRAY_USED_BITS | (used - XRAY_FUNCTION_SIZE));
}

static HANDLER void record_function(int32_t function, int action)
{
    struct place p;
    if ((uint32_t)function > XRAY_FUNCTION_MAX)
        return;
    if (writer.threshold > 0 && action == XRAY_EXIT && forget_entry(function))
        return;
    if (take_place(&p, XRAY_FUNCTION_SIZE))
        put_function(&p, function, action);
}

static HANDLER void record_argument(int32_t function, int action, uint64_t argument)
{
    struct place p;
    if (action != XRAY_ENTER_ARGS) {
        record_function(function, action);
        return;
    }
    if ((uint32_t)function > XRAY_FUNCTION_MAX || !take_place(&p, XRAY_FUNCTION_SIZE + XRAY_METADATA_SIZE))
        return;
    uint8_t *to = p.chunk->records + p.offset + XRAY_FUNCTION_SIZE;
    thread.functions = p.offset + XRAY_FUNCTION_SIZE + XRAY_METADATA_SIZE;
    put_function(&p, function, action);
    to[0] = METADATA(XRAY_CALL_ARGUMENT);
    memcpy(to + 1, &argument, sizeof argument);
}

/* Returns where the data goes, and how much of it, behind the marker; NULL if there is no room. */
static uint8_t *put_event(struct place *p, enum xray_kind kind, size_t *size)
{
    if (*size > MOST_DATA)
        *size = MOST_DATA;
    int32_t length = (int32_t)*size;
    if (length == 0 ||
        !take_place(p, XRAY_METADATA_SIZE + (uint32_t)length)) /* readers refuse one without data */
        return NULL;
    uint8_t *to = p->chunk->records + p->offset;
    thread.functions = p->offset + XRAY_METADATA_SIZE + (uint32_t)length;
    to[0] = METADATA(kind);
    memcpy(to + 1, &length, sizeof length);
    memcpy(to + 5, &p->delta, sizeof p->delta);
    return to;
}

static void copy_data(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        to[i] = from[i];
}

static HANDLER void record_custom_event(const void *data, size_t size)
{
    struct place p;
    uint8_t *to = put_event(&p, XRAY_CUSTOM_EVENT, &size);
    if (to != NULL)
        copy_data(to + XRAY_METADATA_SIZE, data, size);
}

static HANDLER void record_typed_event(uint16_t type, const void *data, size_t size)
{
    struct place p;
    uint8_t *to = put_event(&p, XRAY_TYPED_EVENT, &size);
    if (to == NULL)
        return;
    memcpy(to + 9, &type, sizeof type);
    copy_data(to + XRAY_METADATA_SIZE, data, size);
}

void chunk_writer_set(const struct chunk_writer_settings *settings)
{
    writer.clock = settings->clock;
    writer.threshold = settings->threshold;
#if defined __x86_64__
    unsigned a, b, c, d;
    writer.knows_processor = __get_cpuid(0x80000001, &a, &b, &c, &d) && (d & (1u << 27)) != 0; /* RDTSCP */
#endif
}

void chunk_writer_install(const struct xray_runtime *runtime)
{
    runtime->set_handler(record_function);
    runtime->set_handler_arg1(record_argument);
    runtime->set_customevent_handler(record_custom_event);
    runtime->set_typedevent_handler(record_typed_event);
}

void chunk_writer_forget(void)
{
    thread.chunk = NULL;
}
