/* SPDX-License-Identifier: MIT */
#include "capture/record_writer.h"

#include "capture/call_stacks.h"
#include "capture/record_payloads.h"
#include "capture/scalar_record.h"
#include "memory/program_memory.h"
#include "process/capture_process.h"
#include "records/record.h"

#include <string.h>

/* Where the body goes: straight into one record, or in pieces when it is too large. */
struct body {
    struct capture_thread *thread;
    uint8_t *at;    /* next free byte in the ring */
    uint32_t room;  /* bytes until the present record is full */
    uint32_t piece; /* bytes written to the present piece; pieces only */
    bool in_pieces;
    bool is_open; /* the first piece has been published */
    bool failed;
    uint8_t kind, flags; /* of the record */
    uint64_t bytes;      /* of the whole body; pieces only */
};

/* The first piece has the place in the order of all records, so that the receiver need not keep the others
 * until it knows that. */
static void publish_piece(struct body *b, const struct spec_function *f)
{
    struct capture_thread *t = b->thread;
    uint32_t size = (uint32_t)sizeof(struct record) + b->piece;
    struct record *r = (struct record *)(void *)(b->at - size);
    *r = (struct record){.size = size, .function = f->id, .kind = RECORD_DATA};
    if (!b->is_open) {
        r->kind = b->kind;
        r->flags = (uint8_t)(b->flags | RECORD_OPEN);
        r->time = record_open_check(b->bytes);
        t->in_body = true;
        r->order = (uint32_t)ring_take_order(&t->ring);
    }
    ring_publish(&t->ring, size);
    b->is_open = true;
    b->piece = 0;
    b->room = 0;
}

static bool start_piece(struct body *b)
{
    uint8_t *at = ring_reserve(&b->thread->ring, RING_MAX_RECORD, capture_process_wait);
    if (at == NULL) {
        b->failed = true;
        return false;
    }
    b->at = at + sizeof(struct record);
    b->room = RING_MAX_RECORD - (uint32_t)sizeof(struct record);
    return true;
}

/* Appends size bytes and pads them to 8. gaps: some cannot be read, and become zeros. */
static void put(struct body *b, const struct spec_function *f, const void *bytes, uint64_t size, bool gaps)
{
    const uint8_t *from = bytes;
    while (size > 0 && !b->failed) {
        if (b->room == 0 && !start_piece(b))
            return;
        uint64_t n = size < b->room ? size : b->room;
        if (gaps)
            program_memory_copy(b->at, from, n);
        else
            memcpy(b->at, from, n);
        from += n;
        size -= n;
        n = RECORD_PAD(n); /* room is a multiple of 8, too */
        b->at += n;
        b->room -= (uint32_t)n;
        b->piece += (uint32_t)n;
        if (b->room == 0 && b->in_pieces)
            publish_piece(b, f);
    }
}

/* Appends a count and, unless it is one of the negative codes, size bytes. */
static void put_counted(struct body *b, const struct spec_function *f, int64_t count, const void *memory,
                        uint64_t size, bool gaps)
{
    put(b, f, &count, sizeof count, false);
    if (count == PAYLOAD_OPAQUE)
        put(b, f, &memory, sizeof(int64_t), false);
    else if (count > 0)
        put(b, f, memory, size, gaps);
}

static void put_payloads(struct body *b, const struct spec_function *f, const struct payload_list *list)
{
    for (unsigned i = 0; i < list->count; ++i) {
        const struct payload *p = &list->payloads[i];
        put_counted(b, f, p->count, p->memory, p->items != NULL ? 0 : p->size, p->gaps);
        for (int64_t k = 0; p->items != NULL && k < p->count; ++k)
            put_counted(b, f, p->items[k].count, p->items[k].memory, (uint64_t)p->items[k].count,
                        p->items[k].gaps);
    }
}

static void stop_recording(struct capture_thread *t)
{
    ring_producer_fini(&t->ring);
}

/* words come before the payloads in the body. */
static void write_in_pieces(struct capture_thread *t, const struct spec_function *f,
                            const union spec_arg *words, unsigned word_count, const struct payload_list *list,
                            uint8_t kind, uint8_t flags, uint64_t left)
{
    struct body b = {.thread = t, .in_pieces = true, .kind = kind, .flags = flags};
    const uint32_t size = sizeof(struct record);
    b.bytes = word_count * sizeof *words + list->bytes;
    put(&b, f, &b.bytes, sizeof b.bytes, false);
    put(&b, f, words, word_count * sizeof *words, false);
    put_payloads(&b, f, list);
    if (!b.failed && b.piece > 0)
        publish_piece(&b, f);
    uint8_t *at = b.failed ? NULL : record_reserve(&t->ring, size);
    if (at == NULL) {
        stop_recording(t);
    } else {
        struct record *r = (struct record *)(void *)at;
        *r = (struct record){.size = size, .function = f->id, .kind = RECORD_END};
        ring_put_time(&t->ring, r, kind == RECORD_LEAVE ? left : capture_clock_read(t->ring.clock));
        ring_publish(&t->ring, r->size);
    }
    t->in_body = false;
}

static void write_record(struct capture_thread *t, const struct spec_function *f, const union spec_arg *words,
                         unsigned word_count, const struct payload_list *list, uint8_t kind, uint8_t flags,
                         uint64_t left)
{
    uint64_t size = sizeof(struct record) + word_count * sizeof *words + list->bytes;
    if (size > RING_MAX_RECORD) {
        write_in_pieces(t, f, words, word_count, list, kind, flags, left);
        return;
    }
    uint8_t *at = record_reserve(&t->ring, (uint32_t)size);
    if (at == NULL) {
        stop_recording(t);
        return;
    }
    struct body b = {
        .thread = t, .at = at + sizeof(struct record), .room = (uint32_t)(size - sizeof(struct record))};
    put(&b, f, words, word_count * sizeof *words, false);
    put_payloads(&b, f, list);
    if (kind == RECORD_ENTER && __builtin_expect(call_filter_is_marker(f->id), 0))
        call_filter_obey(&t->ring.segment->filter, at + sizeof(struct record),
                         (size_t)size - sizeof(struct record));
    record_publish(&t->ring, at, f, (uint32_t)size, kind, flags, left);
}

static void write_enter(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        uint8_t flags, const struct capture_override *memory)
{
    if ((f->flags & SPEC_FUNCTION_SCALAR) != 0) {
        record_put_words(&t->ring, f, args, f->param_count, RECORD_ENTER, flags, 0);
        return;
    }
    struct payload_list list;
    payload_list_init(&list, t, f, args, memory);
    if (list.has_gaps && memory == NULL && (flags & RECORD_FAKE) == 0)
        t->missed = t->outermost;
    write_record(t, f, args, f->param_count, &list, RECORD_ENTER, flags, 0);
    payload_list_fini(&list);
}

/* The memory that a returned pointer refers to, and what output parameters point at. */
static void write_results(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                          const union spec_arg *ret, unsigned word_count, uint8_t flags, uint64_t time)
{
    struct payload_list list;
    payload_list_init_results(&list, t, f, args, ret, (flags & RECORD_INPUTS) != 0);
    if (list.has_gaps) { /* GL has not read it, either */
        payload_list_fini(&list);
        flags &= (uint8_t)~RECORD_INPUTS;
        payload_list_init_results(&list, t, f, args, ret, false);
    }
    write_record(t, f, ret, word_count, &list, RECORD_LEAVE, flags, time);
    payload_list_fini(&list);
}

static void write_leave(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        const union spec_arg *ret, uint8_t flags, uint64_t time)
{
    unsigned word_count = record_result_words(f);
    if ((flags & RECORD_INPUTS) != 0 || (f->flags & SPEC_FUNCTION_HAS_OUT) != 0 || is_payload(&f->ret)) {
        write_results(t, f, args, ret, word_count, flags, time);
        return;
    }
    record_put_words(&t->ring, f, ret, word_count, RECORD_LEAVE, flags, time);
}

/* What a thread without a ring wants to have written. */
struct waiting_record {
    const struct spec_function *function;
    const union spec_arg *args, *ret;
    const struct capture_override *memory;
    uint64_t time;
    uint8_t flags;
};

static void write_waiting_enter(struct capture_thread *t, const void *waiting)
{
    const struct waiting_record *w = waiting;
    if ((w->flags & RECORD_FAKE) == 0)
        call_stacks_record_waiting(t, w->function);
    if (t->ring.control != NULL)
        write_enter(t, w->function, w->args, w->flags, w->memory);
}

static void write_waiting_leave(struct capture_thread *t, const void *waiting)
{
    const struct waiting_record *w = waiting;
    write_leave(t, w->function, w->args, w->ret, w->flags, w->time);
}

void record_write_enter(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        uint8_t flags, const struct capture_override *memory)
{
    if (__builtin_expect(t->ring.control != NULL, 1)) {
        write_enter(t, f, args, flags, memory);
        return;
    }
    const struct waiting_record w = {.function = f, .args = args, .memory = memory, .flags = flags};
    capture_thread_borrow(t, write_waiting_enter, &w);
}

void record_write_leave(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        const union spec_arg *ret, uint8_t flags, uint64_t time)
{
    if (__builtin_expect(t->ring.control != NULL, 1)) {
        write_leave(t, f, args, ret, flags, time);
        return;
    }
    const struct waiting_record w = {.function = f, .args = args, .ret = ret, .time = time, .flags = flags};
    capture_thread_borrow(t, write_waiting_leave, &w);
}
