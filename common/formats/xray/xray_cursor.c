/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_cursor.h"

#include "formats/xray/xray_basic.h"

#include "base/error.h"

#include <stdlib.h>

#define MOST_BYTES (SIZE_MAX / 4)

void xray_cursor_init(struct xray_cursor *c, struct trace_file *file, const struct xray_header *header,
                      uint64_t offset, uint64_t end, size_t step)
{
    *c = (struct xray_cursor){.file = file};
    xray_cursor_move(c, header, offset, end, step);
}

void xray_cursor_move(struct xray_cursor *c, const struct xray_header *header, uint64_t offset, uint64_t end,
                      size_t step)
{
    *c = (struct xray_cursor){.file = c->file,
                              .header = header,
                              .offset = offset,
                              .end = end,
                              .bytes = c->bytes,
                              .cap = c->cap,
                              .args = c->args,
                              .step = step,
                              .is_usual = header->type == XRAY_FDR && !header->big_endian,
                              .before = header->version == 1 ? XRAY_NOTHING : XRAY_BUFFER_EXTENTS,
                              .cpu = -1,
                              .process = -1,
                              .thread = -1};
}

void xray_cursor_fini(struct xray_cursor *c)
{
    free(c->bytes);
    free(c->args);
    c->bytes = NULL;
    c->args = NULL;
}

/* --- bytes ----------------------------------------------------------------------------------------- */

static int grow(struct xray_cursor *c, size_t size)
{
    if (size <= c->cap)
        return 0;
    uint8_t *bytes = size < MOST_BYTES ? realloc(c->bytes, size) : NULL;
    if (bytes == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    c->bytes = bytes;
    c->cap = size;
    return 0;
}

/* Makes at least count bytes from the next record on available, unless the segment ends before. */
static int load(struct xray_cursor *c, size_t count)
{
    size_t rest = c->len - c->at, got = 1;
    if (rest > 0 && c->at > 0)
        memmove(c->bytes, c->bytes + c->at, rest);
    c->at = 0;
    c->len = rest;
    while (c->len < count && c->offset < c->end && got > 0) {
        uint64_t left = c->end - c->offset;
        size_t step = left < c->step ? (size_t)left : c->step;
        int rc = grow(c, c->len + step);
        if (rc == 0)
            rc = trace_file_read_at(c->file, c->offset, c->bytes + c->len, step, &got);
        if (rc != 0)
            return rc;
        c->len += got;
        c->offset += got;
    }
    if (got == 0) /* the file has become shorter meanwhile */
        c->end = c->offset;
    return 0;
}

static inline int need(struct xray_cursor *c, size_t count)
{
    return c->len - c->at >= count ? 0 : load(c, count);
}

static inline bool has(const struct xray_cursor *c, size_t count)
{
    return c->len - c->at >= count;
}

/* --- the beginning --------------------------------------------------------------------------------- */

/* Reads one record of metadata. Returns false in *ok if there is none that is allowed here. */
static int take_metadata(struct xray_cursor *c, struct xray_record *record, bool *ok, struct xray_item *item)
{
    int rc = need(c, XRAY_METADATA_SIZE);
    *ok = false;
    if (rc != 0)
        return rc;
    item->kind = has(c, XRAY_METADATA_SIZE) ? XRAY_ITEM_BAD : XRAY_ITEM_CUT;
    if (item->kind == XRAY_ITEM_CUT)
        return 0;
    xray_record_decode(c->header, c->bytes + c->at, record);
    *ok = c->before == XRAY_NOTHING ? record->kind == XRAY_NEW_BUFFER
                                    : xray_may_follow(c->before, XRAY_ENTER, record->kind);
    if (!*ok)
        return 0;
    c->before = record->kind;
    c->at += XRAY_METADATA_SIZE;
    return 0;
}

static int64_t wall_time(const struct xray_record *record)
{
    uint64_t most = INT64_MAX / UINT64_C(1000000000) - 5;
    uint64_t seconds = record->value < most ? record->value : most;
    return (int64_t)(seconds * UINT64_C(1000000000) + record->microseconds * UINT64_C(1000));
}

/* No thread or process has the number 0: it stands for none. */
static int64_t id_of(int32_t number)
{
    return number != 0 ? (int64_t)(uint32_t)number : -1;
}

static int begin_buffer(struct xray_cursor *c, struct xray_item *item)
{
    struct xray_record record;
    bool ok = true;
    while (ok && c->before != XRAY_NEW_CPU) {
        int rc = take_metadata(c, &record, &ok, item);
        if (rc != 0 || !ok)
            return rc;
        if (record.kind == XRAY_NEW_BUFFER)
            c->thread = id_of(record.number);
        else if (record.kind == XRAY_WALL_TIME)
            c->wall_time = wall_time(&record);
        else if (record.kind == XRAY_PID)
            c->process = id_of(record.number);
    }
    c->cpu = record.number;
    c->ticks = record.value;
    *item = (struct xray_item){
        .kind = XRAY_ITEM_CLOCK, .ticks = c->ticks, .cpu = c->cpu, .wall_time = c->wall_time};
    return 0;
}

/* Basic records have all of it in each of them. */
static int begin_basic(struct xray_cursor *c, struct xray_item *item)
{
    struct xray_basic_record record;
    int rc = need(c, XRAY_BASIC_SIZE);
    item->kind = XRAY_ITEM_CUT;
    if (rc != 0 || !has(c, XRAY_BASIC_SIZE))
        return rc;
    xray_basic_decode(c->header, c->bytes + c->at, &record);
    c->process = record.process;
    c->thread = record.thread;
    c->ticks = record.ticks;
    c->cpu = record.cpu;
    *item = (struct xray_item){.kind = XRAY_ITEM_NONE, .ticks = c->ticks, .cpu = c->cpu};
    return 0;
}

int xray_cursor_begin(struct xray_cursor *c, struct xray_item *item)
{
    return c->header->type == XRAY_FDR ? begin_buffer(c, item) : begin_basic(c, item);
}

void xray_cursor_follow(struct xray_cursor *c, uint64_t ticks)
{
    c->carried =
        c->header->type == XRAY_FDR && c->header->version == 1 && ticks < c->ticks ? c->ticks - ticks : 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

/* Until version 3, runtimes wrote the next record over the data of a custom event. So what follows the data
 * must be records; otherwise, what follows the marker. left: bytes in the segment. */
static int find_data(struct xray_cursor *c, size_t *size, uint64_t left, bool *lost)
{
    enum { VIEW = 512 };
    size_t data_size = *size <= left ? *size : 0;
    int rc = *size > 0 ? need(c, data_size + VIEW) : 0;
    if (rc != 0 || *size == 0)
        return rc;
    const uint8_t *data = c->bytes + c->at;
    size_t count = c->len - c->at;
    bool is_all = c->offset == c->end;
    if (*size <= count && xray_records_follow(c->header, data + *size, count - *size, is_all))
        return 0;
    *lost = xray_records_follow(c->header, data, count, is_all);
    if (*lost)
        *size = 0;
    return 0;
}

static int take_event(struct xray_cursor *c, const struct xray_record *record, struct xray_item *item)
{
    size_t size = (size_t)record->size;
    uint64_t left = c->end - xray_cursor_place(c) - XRAY_METADATA_SIZE;
    int rc = 0;
    c->at += XRAY_METADATA_SIZE;
    item->kind = XRAY_ITEM_CUT;
    item->data_lost = false;
    if (c->header->version <= 3)
        rc = find_data(c, &size, left, &item->data_lost);
    if (rc != 0 || size > left)
        return rc;
    if ((rc = need(c, size)) != 0)
        return rc;
    if (!has(c, size))
        return 0;
    item->kind = record->kind == XRAY_CUSTOM_EVENT ? XRAY_ITEM_CUSTOM : XRAY_ITEM_TYPED;
    if (record->is_relative)
        c->ticks += (uint64_t)record->delta;
    item->ticks = record->is_relative ? c->ticks : record->value;
    item->cpu = record->number >= 0 ? record->number : c->cpu;
    item->type = record->type;
    item->data = c->bytes + c->at;
    item->size = size;
    c->at += size;
    return 0;
}

/* --- functions ------------------------------------------------------------------------------------- */

static int add_arg(struct xray_cursor *c, struct xray_item *item, uint64_t value)
{
    if (item->arg_count == XRAY_ARGS_MAX) {
        item->lost_args++;
        return 0;
    }
    if (c->args == NULL && (c->args = malloc(XRAY_ARGS_MAX * sizeof *c->args)) == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    c->args[item->arg_count++] = value;
    item->args = c->args;
    return 0;
}

/* The arguments of a call follow its record. */
static int take_args(struct xray_cursor *c, struct xray_item *item)
{
    for (;;) {
        struct xray_record record;
        int rc = need(c, XRAY_METADATA_SIZE);
        if (rc != 0 || !has(c, XRAY_METADATA_SIZE) ||
            xray_record_size(c->header, c->bytes[c->at]) != XRAY_METADATA_SIZE)
            return rc;
        xray_record_decode(c->header, c->bytes + c->at, &record);
        if (record.kind != XRAY_CALL_ARGUMENT)
            return 0;
        rc = add_arg(c, item, record.value);
        if (rc != 0)
            return rc;
        c->at += XRAY_METADATA_SIZE;
    }
}

static int take_function(struct xray_cursor *c, struct xray_item *item)
{
    struct xray_record record;
    xray_function_decode(c->header, c->bytes + c->at, &record);
    if (record.kind == XRAY_NOTHING) {
        item->kind = XRAY_ITEM_BAD;
        return 0;
    }
    xray_cursor_set_function(c, item, record.action, record.function, (uint32_t)record.delta);
    bool enters = record.action == XRAY_ENTER || record.action == XRAY_ENTER_ARGS;
    return enters ? take_args(c, item) : 0;
}

static int next_basic(struct xray_cursor *c, struct xray_item *item)
{
    struct xray_basic_record record;
    int rc = need(c, XRAY_BASIC_SIZE);
    item->kind = c->len == c->at ? XRAY_ITEM_END : XRAY_ITEM_CUT;
    if (rc != 0 || !has(c, XRAY_BASIC_SIZE))
        return rc;
    xray_basic_decode(c->header, c->bytes + c->at, &record);
    item->kind = record.kind == XRAY_BASIC_FUNCTION ? XRAY_ITEM_FUNCTION : XRAY_ITEM_BAD;
    if (item->kind == XRAY_ITEM_BAD)
        return 0;
    item->action = record.action;
    item->function = record.function;
    item->ticks = c->ticks = record.ticks;
    item->cpu = c->cpu = record.cpu;
    item->arg_count = item->lost_args = 0;
    for (c->at += XRAY_BASIC_SIZE;; c->at += XRAY_BASIC_SIZE) {
        rc = need(c, XRAY_BASIC_SIZE);
        if (rc != 0 || !has(c, XRAY_BASIC_SIZE))
            return rc;
        xray_basic_decode(c->header, c->bytes + c->at, &record);
        if (record.kind != XRAY_BASIC_ARGUMENT || record.function != item->function)
            return 0;
        rc = add_arg(c, item, record.ticks);
        if (rc != 0)
            return rc;
    }
}

/* --- all of them ----------------------------------------------------------------------------------- */

/* *done: an item was made of the record. */
static int take_other(struct xray_cursor *c, struct xray_item *item, bool *done)
{
    struct xray_record record;
    xray_record_decode(c->header, c->bytes + c->at, &record);
    *done = true;
    c->carried = 0;
    switch (record.kind) {
    case XRAY_NEW_CPU:
        c->cpu = record.number;
        c->ticks = record.value;
        break;
    case XRAY_TSC_WRAP:
        c->ticks = record.value;
        break;
    case XRAY_CUSTOM_EVENT:
    case XRAY_TYPED_EVENT:
        return take_event(c, &record, item);
    case XRAY_END_OF_BUFFER:
        c->ended = c->header->version == 1;
        c->is_usual = false; /* nothing follows */
        item->kind = c->ended ? XRAY_ITEM_END : XRAY_ITEM_BAD;
        c->at += c->ended ? XRAY_METADATA_SIZE : 0;
        return 0;
    default:
        item->kind = XRAY_ITEM_BAD;
        return 0;
    }
    c->at += XRAY_METADATA_SIZE;
    *done = false;
    return 0;
}

static int next_any(struct xray_cursor *c, struct xray_item *item)
{
    int rc = 0;
    if (c->header->type == XRAY_BASIC)
        return next_basic(c, item);
    for (bool done = false; rc == 0 && !done;) {
        rc = need(c, XRAY_METADATA_SIZE);
        if (rc != 0)
            return rc;
        item->kind = XRAY_ITEM_END;
        if (c->len == c->at || c->ended)
            return 0;
        size_t size = xray_record_size(c->header, c->bytes[c->at]);
        item->kind = XRAY_ITEM_CUT;
        if (!has(c, size))
            return 0;
        if (size == XRAY_FUNCTION_SIZE)
            return take_function(c, item);
        rc = take_other(c, item, &done);
    }
    return rc;
}

int xray_cursor_next(struct xray_cursor *c, struct xray_item *item)
{
    return xray_cursor_take_usual(c, item) ? 0 : next_any(c, item);
}
