/* SPDX-License-Identifier: MIT
 * Copies a call into the thread's ring: the cost that the program pays.
 */
#include "capture_internal.h"
#include "capture_process.h"
#include "record.h"

#include <string.h>

#define PAYLOADS 64 /* pointer parameters of one function, at most */

/* A pointer's memory, measured before anything is copied. */
struct payload {
    const struct spec_param *param;
    const void *memory;
    unsigned index; /* of the parameter; SPEC_NO_INDEX for the return value */
    int64_t count;  /* as in record.h */
    uint64_t bytes; /* of the payload, header and padding included */
};

struct payload_list {
    struct payload items[PAYLOADS];
    unsigned count;
    uint64_t bytes;
};

/* Where the body goes: straight into one record, or cut into RECORD_DATA pieces when it is too large. */
struct body {
    struct capture_thread *thread;
    uint8_t *at;    /* next free byte in the ring */
    uint32_t room;  /* bytes until the present record is full */
    uint32_t piece; /* bytes written to the present piece; pieces only */
    bool in_pieces;
    bool failed;
};

static bool is_payload(const struct spec_param *p)
{
    return p->form != SPEC_FORM_VALUE && p->form != SPEC_FORM_OPAQUE;
}

/* A pointer at pointers, each with a payload of its own. */
static bool has_items(const struct payload *p)
{
    return p->count > 0 && (p->param->form == SPEC_FORM_STRINGS || p->param->form == SPEC_FORM_BLOBS);
}

/* The count of the payload of item i. */
static int64_t item_count(const struct capture_thread *t, const struct spec_function *f,
                          const union spec_arg *args, const struct payload *p, int64_t i)
{
    if (p->param->form == SPEC_FORM_STRINGS)
        return spec_string_length(f, args, p->index, (size_t)i);
    const void *const *items = p->memory;
    if (items[i] == NULL)
        return PAYLOAD_NULL;
    int64_t bytes = spec_item_length(f, args, p->index, (size_t)i, &t->context->sizes);
    return bytes >= 0 ? bytes : PAYLOAD_OPAQUE;
}

static uint64_t items_bytes(const struct capture_thread *t, const struct spec_function *f,
                            const union spec_arg *args, const struct payload *p)
{
    uint64_t bytes = 0;
    for (int64_t i = 0; i < p->count; ++i) {
        int64_t count = item_count(t, f, args, p, i);
        bytes += sizeof count + (count > 0 ? RECORD_PAD((uint64_t)count) : 0);
        bytes += count == PAYLOAD_OPAQUE ? sizeof(int64_t) : 0;
    }
    return bytes;
}

static uint64_t element_size(const struct spec_param *p)
{
    switch ((enum spec_form)p->form) {
    case SPEC_FORM_ARRAY:
        return spec_type_size(p->type);
    case SPEC_FORM_STRUCT:
        return p->group < spec_struct_count ? spec_structs[p->group].size : 0;
    default:
        return 1;
    }
}

static void measure(const struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                    struct payload *p)
{
    if (p->memory == NULL)
        p->count = PAYLOAD_NULL;
    else if (p->count < 0)
        p->count = PAYLOAD_OPAQUE;
    p->bytes = sizeof p->count;
    if (p->count == PAYLOAD_OPAQUE)
        p->bytes += sizeof(int64_t);
    else if (has_items(p))
        p->bytes += items_bytes(t, f, args, p);
    else if (p->count > 0)
        p->bytes += RECORD_PAD((uint64_t)p->count * element_size(p->param));
}

static void add_payload(struct payload_list *list, const struct capture_thread *t,
                        const struct spec_function *f, const union spec_arg *args, const struct payload *item)
{
    if (list->count == PAYLOADS)
        return;
    struct payload *p = &list->items[list->count++];
    *p = *item;
    measure(t, f, args, p);
    list->bytes += p->bytes;
}

static void collect_parameters(struct payload_list *list, struct capture_thread *t,
                               const struct spec_function *f, const union spec_arg *args, uint8_t direction,
                               const struct capture_override *memory)
{
    list->count = 0;
    list->bytes = 0;
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *param = &f->params[i];
        if (!is_payload(param) || (param->flags & SPEC_PARAM_OUT) != direction)
            continue;
        struct payload p = {param, args[i].p, i, 0, 0};
        if (memory != NULL && memory->parameter == i) {
            p.memory = memory->memory;
            p.count = memory->count;
        } else if (p.memory != NULL) {
            p.count = spec_length(f, args, i, &t->context->sizes);
        }
        add_payload(list, t, f, args, &p);
    }
}

/* Room for a record of size bytes, and for what ring_put_time() may add. */
static uint8_t *reserve(struct capture_thread *t, uint32_t size)
{
    return ring_reserve(&t->ring, size + RECORD_TIME_SIZE, capture_process_wait);
}

/* left: of a LEAVE, when the call was over. */
static void publish(struct capture_thread *t, uint8_t *at, const struct spec_function *f, uint32_t size,
                    uint8_t kind, uint8_t flags, uint64_t left)
{
    struct record *r = (struct record *)(void *)at;
    r->size = size;
    r->function = f->id;
    r->kind = kind;
    r->flags = flags;
    ring_put_time(&t->ring, r, kind == RECORD_LEAVE ? left : capture_clock_read(t->ring.clock));
    /* Taken last, so that nothing but the publishing itself can come between. */
    r->order = (uint32_t)ring_take_order(&t->ring);
    ring_publish(&t->ring, r->size);
}

static void publish_piece(struct body *b, const struct spec_function *f)
{
    struct capture_thread *t = b->thread;
    uint32_t size = (uint32_t)sizeof(struct record) + b->piece;
    struct record *r = (struct record *)(void *)(b->at - size);
    *r = (struct record){.size = size, .function = f->id, .kind = RECORD_DATA};
    ring_publish(&t->ring, size);
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

/* Appends size bytes and pads them to 8. */
static void put(struct body *b, const struct spec_function *f, const void *bytes, uint64_t size)
{
    const uint8_t *from = bytes;
    while (size > 0 && !b->failed) {
        if (b->room == 0 && !start_piece(b))
            return;
        uint64_t n = size < b->room ? size : b->room;
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

static void put_items(struct body *b, const struct spec_function *f, const union spec_arg *args,
                      const struct payload *p)
{
    const void *const *items = p->memory;
    for (int64_t i = 0; i < p->count; ++i) {
        int64_t count = item_count(b->thread, f, args, p, i);
        put(b, f, &count, sizeof count);
        if (count == PAYLOAD_OPAQUE)
            put(b, f, &items[i], sizeof(int64_t));
        else if (count > 0)
            put(b, f, items[i], (uint64_t)count);
    }
}

static void put_payloads(struct body *b, const struct spec_function *f, const union spec_arg *args,
                         const struct payload_list *list)
{
    for (unsigned i = 0; i < list->count; ++i) {
        const struct payload *p = &list->items[i];
        put(b, f, &p->count, sizeof p->count);
        if (p->count == PAYLOAD_OPAQUE)
            put(b, f, &p->memory, sizeof(int64_t));
        else if (has_items(p))
            put_items(b, f, args, p);
        else if (p->count > 0)
            put(b, f, p->memory, (uint64_t)p->count * element_size(p->param));
    }
}

static void stop_recording(struct capture_thread *t)
{
    ring_producer_fini(&t->ring);
}

/* words come before the payloads in the body. */
static void write_record(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                         const union spec_arg *words, unsigned word_count, const struct payload_list *list,
                         uint8_t kind, uint8_t flags, uint64_t left)
{
    uint64_t size = sizeof(struct record) + word_count * sizeof *words + list->bytes;
    struct body b = {.thread = t, .in_pieces = size > RING_MAX_RECORD};
    if (b.in_pieces)
        size = sizeof(struct record);
    uint8_t *at = NULL;
    if (!b.in_pieces) {
        at = reserve(t, (uint32_t)size);
        b.failed = at == NULL;
        b.at = at + sizeof(struct record);
        b.room = (uint32_t)(size - sizeof(struct record));
    }
    put(&b, f, words, word_count * sizeof *words);
    put_payloads(&b, f, args, list);
    if (b.in_pieces && !b.failed) {
        if (b.piece > 0)
            publish_piece(&b, f);
        at = reserve(t, (uint32_t)size);
        b.failed = at == NULL;
    }
    if (b.failed)
        stop_recording(t);
    else
        publish(t, at, f, (uint32_t)size, kind, flags, left);
}

void record_write_enter(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        uint8_t flags, const struct capture_override *memory)
{
    if (t->ring.control == NULL)
        return;
    if ((f->flags & SPEC_FUNCTION_SCALAR) != 0) {
        uint32_t size = (uint32_t)(sizeof(struct record) + f->param_count * sizeof *args);
        uint8_t *at = reserve(t, size);
        if (at == NULL) {
            stop_recording(t);
            return;
        }
        for (unsigned i = 0; i < f->param_count; ++i)
            memcpy(at + sizeof(struct record) + i * sizeof *args, &args[i], sizeof *args);
        publish(t, at, f, size, RECORD_ENTER, flags, 0);
        return;
    }
    struct payload_list list;
    collect_parameters(&list, t, f, args, 0, memory);
    write_record(t, f, args, args, f->param_count, &list, RECORD_ENTER, flags, 0);
}

/* The memory that a returned pointer refers to, and what output parameters point at. */
static void write_results(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                          const union spec_arg *ret, unsigned word_count, uint8_t flags, uint64_t time)
{
    struct payload_list list;
    collect_parameters(&list, t, f, args, SPEC_PARAM_OUT, NULL);
    if (is_payload(&f->ret)) {
        struct payload p = {&f->ret, ret->p, SPEC_NO_INDEX, 0, 0};
        if (ret->p != NULL)
            p.count = spec_return_length(f, args, ret, &t->context->sizes);
        add_payload(&list, t, f, args, &p);
    }
    write_record(t, f, args, ret, word_count, &list, RECORD_LEAVE, flags, time);
}

void record_write_leave(struct capture_thread *t, const struct spec_function *f, const union spec_arg *args,
                        const union spec_arg *ret, uint8_t flags, uint64_t time)
{
    if (t->ring.control == NULL)
        return;
    unsigned word_count = f->ret.type != SPEC_VOID || is_payload(&f->ret);
    if ((f->flags & SPEC_FUNCTION_HAS_OUT) != 0 || is_payload(&f->ret)) {
        write_results(t, f, args, ret, word_count, flags, time);
        return;
    }
    uint32_t size = (uint32_t)(sizeof(struct record) + word_count * sizeof *ret);
    uint8_t *at = reserve(t, size);
    if (at == NULL) {
        stop_recording(t);
        return;
    }
    if (word_count > 0)
        memcpy(at + sizeof(struct record), ret, sizeof *ret);
    publish(t, at, f, size, RECORD_LEAVE, flags, time);
}
