/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_buffer_writer.h"

#include "base/error.h"
#include "base/little_endian.h"

static void put_u16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

void xray_put_header(uint8_t *bytes, const struct xray_header *h)
{
    memset(bytes, 0, XRAY_HEADER_SIZE);
    put_u16(bytes, h->version);
    put_u16(bytes + 2, h->type);
    put_u32(bytes + 4, (uint32_t)h->constant_tsc | (uint32_t)h->nonstop_tsc << 1);
    put_u64(bytes + 8, h->frequency);
    put_u64(bytes + 16, h->buffer_size);
}

static void begin_metadata(uint8_t *bytes, enum xray_kind kind)
{
    memset(bytes, 0, XRAY_METADATA_SIZE);
    bytes[0] = (uint8_t)(kind << 1 | 1);
}

void xray_put_extents(uint8_t *bytes, uint64_t size)
{
    begin_metadata(bytes, XRAY_BUFFER_EXTENTS);
    put_u64(bytes + 1, size);
}

/* Returns the place of new metadata, whose fields are zeros, or NULL if there is no memory. */
static uint8_t *add_metadata(struct xray_buffer_writer *w, enum xray_kind kind)
{
    if (buf_reserve(&w->bytes, XRAY_METADATA_SIZE) != 0) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        return NULL;
    }
    uint8_t *bytes = w->bytes.data + w->bytes.len;
    begin_metadata(bytes, kind);
    w->bytes.len += XRAY_METADATA_SIZE;
    return bytes + 1;
}

static int add_u64(struct xray_buffer_writer *w, enum xray_kind kind, uint64_t value)
{
    uint8_t *data = add_metadata(w, kind);
    if (data == NULL)
        return TRACE_ERR_MEMORY;
    put_u64(data, value);
    return 0;
}

static int add_cpu(struct xray_buffer_writer *w, const struct xray_moment *at)
{
    uint8_t *data = add_metadata(w, XRAY_NEW_CPU);
    if (data == NULL)
        return TRACE_ERR_MEMORY;
    put_u16(data, at->cpu);
    put_u64(data + 2, at->ticks);
    w->last = *at;
    return 0;
}

int xray_buffer_begin(struct xray_buffer_writer *w, const struct xray_moment *at, int64_t wall_time)
{
    uint64_t time = wall_time > 0 ? (uint64_t)wall_time : 0;
    uint8_t *data = add_metadata(w, XRAY_NEW_BUFFER);
    if (data == NULL)
        return TRACE_ERR_MEMORY;
    put_u32(data, w->thread);
    data = add_metadata(w, XRAY_WALL_TIME);
    if (data == NULL)
        return TRACE_ERR_MEMORY;
    put_u64(data, time / 1000000000);
    put_u32(data + 8, (uint32_t)(time % 1000000000 / 1000));
    if (w->version >= 3) {
        data = add_metadata(w, XRAY_PID);
        if (data == NULL)
            return TRACE_ERR_MEMORY;
        put_u32(data, w->process);
    }
    return add_cpu(w, at);
}

/* Sets processor and time, so that less than `most` ticks are left. *delta: these. */
static int move_to(struct xray_buffer_writer *w, const struct xray_moment *at, uint64_t most, uint32_t *delta)
{
    int rc = 0;
    if (at->cpu != w->last.cpu)
        rc = add_cpu(w, at);
    else if (at->ticks - w->last.ticks > most) /* also if it is before the last one */
        rc = add_u64(w, XRAY_TSC_WRAP, w->last.ticks = at->ticks);
    *delta = (uint32_t)(at->ticks - w->last.ticks);
    w->last.ticks = at->ticks;
    return rc;
}

int xray_buffer_put_function(struct xray_buffer_writer *w, const struct xray_moment *at, uint32_t number,
                             enum xray_action action, const uint64_t *args, uint32_t arg_count)
{
    uint32_t delta;
    int rc = move_to(w, at, INT32_MAX, &delta); /* as the runtime does, although more would fit */
    if (rc == 0 && buf_reserve(&w->bytes, XRAY_FUNCTION_SIZE) != 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0)
        return rc;
    put_u32(w->bytes.data + w->bytes.len, number << 4 | (uint32_t)action << 1);
    put_u32(w->bytes.data + w->bytes.len + 4, delta);
    w->bytes.len += XRAY_FUNCTION_SIZE;
    for (uint32_t i = 0; i < arg_count && rc == 0; ++i)
        rc = add_u64(w, XRAY_CALL_ARGUMENT, args[i]);
    return rc;
}

/* In version 1, an event has its own time, and sets none. */
int xray_buffer_put_event(struct xray_buffer_writer *w, const struct xray_moment *at, enum xray_kind kind,
                          uint16_t type, const void *data, uint32_t size)
{
    uint32_t delta = 0;
    int rc = 0;
    if (w->version >= 5)
        rc = move_to(w, at, INT32_MAX, &delta);
    else if (at->cpu != w->last.cpu)
        rc = add_cpu(w, at);
    uint8_t *fields = rc == 0 ? add_metadata(w, kind) : NULL;
    if (fields == NULL)
        return TRACE_ERR_MEMORY;
    put_u32(fields, size);
    if (w->version >= 5)
        put_u32(fields + 4, delta);
    else
        put_u64(fields + 4, at->ticks);
    if (kind == XRAY_TYPED_EVENT)
        put_u16(fields + 8, type);
    return buf_append(&w->bytes, data, size) == 0 ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

int xray_buffer_end(struct xray_buffer_writer *w)
{
    return w->version > 1 || add_metadata(w, XRAY_END_OF_BUFFER) != NULL ? 0 : TRACE_ERR_MEMORY;
}
