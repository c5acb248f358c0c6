/* SPDX-License-Identifier: MIT */
#include "records/large_record.h"

#include "base/error.h"
#include "records/plain_records.h"

#define UNIT 8 /* records, and so pieces of a body, are multiples of this; no number lies in two of them */

void large_record_init(struct large_record *l)
{
    *l = (struct large_record){.limit = LARGE_RECORD_LIMIT};
}

static uint64_t available(const struct record_cursor *c)
{
    return (uint64_t)(c->end - c->at);
}

/* The values that follow are left out. */
static void give_up(struct large_record *l)
{
    l->is_bad = true;
    l->step = LARGE_COMPLETE;
}

static void give_up_value(struct large_record *l, struct record_values *values)
{
    trace_encode_null(&values->events);
    give_up(l);
}

/* --- which values there are -------------------------------------------------------------------------- */

/* Encodes scalars on the way. Returns NULL after the last argument. */
static const struct spec_param *next_argument(struct large_record *l, struct record_values *values)
{
    const struct spec_function *f = l->function;
    while (l->next < f->param_count) {
        unsigned i = l->next++;
        const struct spec_param *p = spec_param(f, i);
        if (record_is_scalar(p)) {
            record_encode_argument(values, f, i, l->words[i], NULL);
        } else if ((p->flags & SPEC_PARAM_OUT) == 0) {
            trace_encode_arg(&values->events, i);
            return p;
        }
    }
    return NULL;
}

/* The same for the results of a call. */
static const struct spec_param *next_result(struct large_record *l, struct record_values *values)
{
    const struct spec_function *f = l->function;
    while (l->next < f->param_count) {
        unsigned i = l->next++;
        const struct spec_param *p = spec_param(f, i);
        bool is_there = (p->flags & SPEC_PARAM_OUT) != 0 || (l->head.flags & RECORD_INPUTS) != 0;
        if (is_there && !record_is_scalar(p)) {
            trace_encode_arg(&values->events, i);
            return p;
        }
    }
    if (l->next++ > f->param_count || record_returns_nothing(f))
        return NULL;
    trace_encode_ret(&values->events);
    if (!record_is_scalar(&f->ret))
        return &f->ret;
    record_encode_scalar(values, &f->ret, l->words[0]);
    return NULL;
}

static void find_parameter(struct large_record *l, struct record_values *values)
{
    l->param = l->head.kind == RECORD_ENTER ? next_argument(l, values) : next_result(l, values);
    l->step = l->param != NULL ? LARGE_COUNT : LARGE_COMPLETE;
}

/* --- values -------------------------------------------------------------------------------------------- */

static void end_payload(struct large_record *l)
{
    l->step = l->items > 0 ? LARGE_ITEM : LARGE_PARAMETER;
}

/* Returns false if there cannot be so many elements. */
static bool begin_elements(struct large_record *l, const struct record_cursor *c, int64_t count, size_t size)
{
    uint64_t left = available(c) + l->left;
    if (size == 0 || (uint64_t)count > left / size)
        return false;
    l->bytes = (uint64_t)count * size;
    l->padding = (unsigned)(RECORD_PAD(l->bytes) - l->bytes);
    l->place = (struct record_list_place){.last = 0};
    l->step = LARGE_ELEMENTS;
    return true;
}

/* Of an array, in the program's memory. */
static size_t element_size(const struct spec_param *p, const struct record_values *values)
{
    return spec_type_size(spec_fixed_type(p->type, values->abi));
}

/* 0: there is no such struct. */
static size_t struct_size(const struct spec_param *p, const struct record_values *values)
{
    size_t size = p->group < spec_struct_count ? spec_structs[p->group].sizes[values->abi] : 0;
    return size <= LARGE_RECORD_STRUCT ? size : 0;
}

static bool is_blob(const struct spec_param *p)
{
    return p->form == SPEC_FORM_BLOB || p->form == SPEC_FORM_BLOBS;
}

static void begin_text(struct large_record *l, struct record_values *values, const struct record_cursor *c,
                       int64_t count)
{
    if (!begin_elements(l, c, count, 1))
        give_up_value(l, values);
    else if (is_blob(l->param))
        trace_encode_blob_head(&values->events, (uint64_t)count);
    else
        trace_encode_string_head(&values->events, (uint64_t)count);
}

static void begin_memory(struct large_record *l, struct record_values *values, const struct record_cursor *c,
                         int64_t count)
{
    const struct spec_param *p = l->param;
    switch ((enum spec_form)p->form) {
    case SPEC_FORM_BLOB:
    case SPEC_FORM_STRING:
        begin_text(l, values, c, count);
        return;
    case SPEC_FORM_ARRAY:
        if (!begin_elements(l, c, count, element_size(p, values)))
            break;
        trace_encode_array(&values->events, (uint64_t)count);
        return;
    case SPEC_FORM_STRINGS:
    case SPEC_FORM_BLOBS:
        if ((uint64_t)count > (available(c) + l->left) / sizeof count)
            break;
        trace_encode_array(&values->events, (uint64_t)count);
        l->items = (uint64_t)count;
        end_payload(l);
        return;
    case SPEC_FORM_STRUCT:
        if (!begin_elements(l, c, 1, struct_size(p, values)))
            break;
        l->memory_size = 0;
        l->step = LARGE_STRUCT;
        return;
    default:
        break;
    }
    give_up_value(l, values);
}

/* The count of a payload, or of one of its items. */
static void take_count(struct large_record *l, struct record_values *values, struct record_cursor *c)
{
    bool is_item = l->step == LARGE_ITEM;
    int64_t count;
    record_take(c, &count, sizeof count);
    l->items -= is_item;
    if (count == PAYLOAD_NULL) {
        trace_encode_null(&values->events);
        end_payload(l);
    } else if (count == PAYLOAD_OPAQUE) {
        l->step = LARGE_ADDRESS;
    } else if (count < 0) {
        give_up_value(l, values);
    } else if (is_item) {
        begin_text(l, values, c, count);
    } else {
        begin_memory(l, values, c, count);
    }
}

static void take_address(struct large_record *l, struct record_values *values, struct record_cursor *c)
{
    uint64_t address;
    record_take(c, &address, sizeof address);
    trace_encode_opaque(&values->events, address);
    end_payload(l);
}

static void take_padding(struct large_record *l, struct record_cursor *c)
{
    uint64_t size = available(c) < l->padding ? available(c) : l->padding;
    c->at += size;
}

static void take_elements(struct large_record *l, struct record_values *values, struct record_cursor *c)
{
    uint64_t size = available(c) < l->bytes ? available(c) : l->bytes;
    if (l->param->form != SPEC_FORM_ARRAY)
        trace_encode_bytes(&values->events, c->at, (size_t)size);
    else
        record_encode_elements(values, l->param, &l->place, c->at, size / element_size(l->param, values));
    c->at += size;
    l->bytes -= size;
    if (l->bytes > 0)
        return;
    take_padding(l, c);
    end_payload(l);
}

static void take_struct(struct large_record *l, struct record_values *values, struct record_cursor *c)
{
    uint64_t size = available(c) < l->bytes ? available(c) : l->bytes;
    record_take(c, l->memory + l->memory_size, (size_t)size);
    l->memory_size += (size_t)size;
    l->bytes -= size;
    if (l->bytes > 0)
        return;
    record_encode_struct(values, l->param->group, l->memory);
    take_padding(l, c);
    end_payload(l);
}

/* Encodes as much as there is. */
static void encode(struct large_record *l, struct record_values *values, struct record_cursor *c)
{
    while (l->step != LARGE_COMPLETE) {
        bool needs_bytes = l->step != LARGE_PARAMETER && (l->step != LARGE_ELEMENTS || l->bytes > 0);
        if (needs_bytes && c->at == c->end)
            return;
        if (l->step == LARGE_PARAMETER)
            find_parameter(l, values);
        else if (l->step == LARGE_COUNT || l->step == LARGE_ITEM)
            take_count(l, values, c);
        else if (l->step == LARGE_ADDRESS)
            take_address(l, values, c);
        else if (l->step == LARGE_ELEMENTS)
            take_elements(l, values, c);
        else
            take_struct(l, values, c);
    }
}

/* --- the event ----------------------------------------------------------------------------------------- */

/* What the event defines in these bytes has to be told before they are taken. */
static void tell_definitions(struct large_record *l, struct record_encoder *e, size_t start)
{
    if (e->values.events.definition_count > 0)
        record_tell_event(e,
                          &(struct record_encoded){.kind = l->head.kind,
                                                   .function = l->head.function,
                                                   .thread = l->thread,
                                                   .call = l->call,
                                                   .offset = l->offset,
                                                   .start = start,
                                                   .skipped = l->size,
                                                   .is_part = true},
                          0);
    e->values.events.definition_count = 0;
}

/* start: of the bytes of this piece in e->out. */
static void encode_piece(struct large_record *l, struct record_encoder *e, size_t start,
                         struct record_cursor *c)
{
    /* Modulo 2^64 if the beginning of the event has left the buffer. */
    e->values.events.event_start = start - l->size;
    encode(l, &e->values, c);
    tell_definitions(l, e, start);
    l->size += e->out.len - start;
    e->stream_size += e->out.len - start;
}

static int begin_event(struct large_record *l, struct record_encoder *e, struct record_thread *t,
                       struct record_cursor *c)
{
    const struct spec_function *f = l->function;
    if (l->head.kind == RECORD_ENTER) {
        const union spec_arg *args;
        int rc = record_begin_enter(e, t, &l->head, c, &args);
        l->is_selected = rc == 0;
        if (l->is_selected)
            memcpy(l->words, args, f->param_count * sizeof *args);
        return rc > 0 ? 0 : rc;
    }
    int rc = record_begin_leave(e, t, f, &l->call);
    l->is_selected = rc == 0 && l->call != RECORD_LEFT_OUT;
    if (l->is_selected && !record_returns_nothing(f) && !record_take(c, &l->words[0], sizeof l->words[0]))
        give_up(l);
    return rc;
}

static bool take_body_size(struct large_record *l, struct record_cursor *c)
{
    uint64_t bytes;
    if (!record_take(c, &bytes, sizeof bytes) || bytes % UNIT != 0 || bytes > l->limit ||
        l->head.time != record_open_check(bytes) || bytes < available(c))
        return false;
    l->left = bytes - available(c);
    return true;
}

int large_record_begin(struct large_record *l, struct record_encoder *e, struct record_thread *t,
                       const struct record *r, const uint8_t *body, const uint8_t *end)
{
    struct record_cursor c = {body, end};
    const uint64_t limit = l->limit;
    *l = (struct large_record){.limit = limit, .head = *r, .thread = t->number};
    if (r->function >= spec_function_count || !take_body_size(l, &c))
        return record_bad();
    plain_records_tell(e);
    size_t start = e->out.len;
    l->function = &spec_functions[r->function];
    l->offset = e->stream_size;
    l->call = e->next_call;
    int rc = begin_event(l, e, t, &c);
    if (rc != 0) {
        l->function = NULL;
        return rc;
    }
    if (!l->is_selected)
        l->step = LARGE_COMPLETE;
    encode_piece(l, e, start, &c);
    return 0;
}

void large_record_add(struct large_record *l, struct record_encoder *e, const uint8_t *piece,
                      const uint8_t *end)
{
    uint64_t size = (uint64_t)(end - piece);
    struct record_cursor c = {piece, piece + (size < l->left ? size : l->left)};
    l->left -= available(&c);
    if (l->is_selected)
        encode_piece(l, e, e->out.len, &c);
}

void large_record_complete(struct large_record *l, uint64_t ticks)
{
    l->is_over = true;
    l->is_cut = l->left > 0;
    l->ticks = ticks;
}

void large_record_cut(struct large_record *l)
{
    l->is_over = true;
    l->is_cut = true;
}

void large_record_abandon(struct large_record *l)
{
    l->is_over = true;
}

/* Values that an array of items still needs after the body has turned out to be bad. */
static uint64_t pad_items(struct large_record *l, struct record_encoder *e, uint64_t most)
{
    size_t start = e->out.len;
    uint64_t count = 0;
    if (l->is_selected && (l->step == LARGE_COUNT || l->step == LARGE_ITEM || l->step == LARGE_ADDRESS))
        give_up_value(l, &e->values);
    for (; l->is_bad && l->items > 0 && count < most; --l->items, ++count)
        trace_encode_null(&e->values.events);
    l->size += e->out.len - start;
    e->stream_size += e->out.len - start;
    return count;
}

/* Zeros are also counts of nothing, so all of them can be encoded. */
uint64_t large_record_pad(struct large_record *l, struct record_encoder *e, uint64_t most)
{
    static const uint8_t zeros[1 << 12];
    uint64_t padded = 0;
    if (l->step == LARGE_COMPLETE)
        l->left = 0;
    if (l->left == 0)
        return pad_items(l, e, most);
    while (l->left > 0 && padded < most) {
        uint64_t size = l->left < sizeof zeros ? l->left : sizeof zeros;
        large_record_add(l, e, zeros, zeros + size);
        padded += size;
    }
    return padded;
}

static bool is_padded(const struct large_record *l)
{
    return l->left == 0 && (!l->is_selected || l->step == LARGE_COMPLETE) && (!l->is_bad || l->items == 0);
}

int large_record_end(struct large_record *l, struct record_encoder *e, struct record_thread *t)
{
    if (!is_padded(l))
        return 0;
    size_t start = e->out.len;
    const struct spec_function *f = l->function;
    l->function = NULL;
    if (!l->is_selected)
        return 0;
    if (l->head.kind == RECORD_ENTER)
        l->call = record_end_enter(e, t, f->id);
    else
        trace_encode_end(&e->values.events);
    record_tell_event(e,
                      &(struct record_encoded){.kind = l->head.kind,
                                               .function = l->head.function,
                                               .thread = l->thread,
                                               .call = l->call,
                                               .offset = l->offset,
                                               .start = start,
                                               .skipped = l->size},
                      l->ticks);
    e->stream_size += e->out.len - start;
    if (e->values.events.failed)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: trace events");
    return l->is_bad ? record_bad() : 0;
}
