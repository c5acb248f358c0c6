/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_records.h"

#define SUFFICE 24 /* records in sequence that are no coincidence */

#define LINUX_THREAD_MAX (1u << 22)

/* --- bytes ----------------------------------------------------------------------------------------- */

static void decode_event(const struct xray_header *h, const uint8_t *data, struct xray_record *out)
{
    size_t at = 12; /* behind the size and the counter */
    out->size = (int32_t)xray_u32(h, data);
    out->is_relative = h->version >= 5;
    out->number = -1;
    if (out->is_relative) {
        out->delta = (int32_t)xray_u32(h, data + 4);
        at = 8;
    } else {
        out->value = xray_u64(h, data + 4);
    }
    if (out->kind == XRAY_TYPED_EVENT)
        out->type = xray_u16(h, data + at);
    else if (h->version == 4)
        out->number = xray_u16(h, data + at);
    if (out->size < 0)
        out->kind = XRAY_NOTHING;
}

/* A thread has 4 bytes, but 2 in the document of version 1. What follows these may be anything, and no thread
 * of Linux, the only system at that time, has such a number. */
static int32_t decode_thread(const struct xray_header *h, const uint8_t *data)
{
    uint32_t thread = xray_u32(h, data);
    return (int32_t)(h->version == 1 && thread > LINUX_THREAD_MAX ? xray_u16(h, data) : thread);
}

static void decode_metadata(const struct xray_header *h, const uint8_t *bytes, struct xray_record *out)
{
    unsigned kind = h->high_bit_first ? bytes[0] & 0x7f : bytes[0] >> 1;
    const uint8_t *data = bytes + 1;
    *out = (struct xray_record){.kind = kind < XRAY_KINDS ? (enum xray_kind)kind : XRAY_NOTHING};
    switch (out->kind) {
    case XRAY_NEW_BUFFER:
        out->number = decode_thread(h, data);
        break;
    case XRAY_PID:
        out->number = (int32_t)xray_u32(h, data);
        break;
    case XRAY_NEW_CPU:
        out->number = xray_u16(h, data);
        out->value = xray_u64(h, data + 2);
        break;
    case XRAY_WALL_TIME:
        out->value = xray_u64(h, data);
        out->microseconds = xray_u32(h, data + 8);
        break;
    case XRAY_TSC_WRAP:
    case XRAY_CALL_ARGUMENT:
    case XRAY_BUFFER_EXTENTS:
        out->value = xray_u64(h, data);
        break;
    case XRAY_CUSTOM_EVENT:
    case XRAY_TYPED_EVENT:
        decode_event(h, data, out);
        break;
    default:
        break;
    }
}

void xray_record_decode(const struct xray_header *h, const uint8_t *bytes, struct xray_record *out)
{
    if (xray_record_size(h, bytes[0]) == XRAY_METADATA_SIZE)
        decode_metadata(h, bytes, out);
    else
        xray_function_decode(h, bytes, out);
}

/* --- grammar --------------------------------------------------------------------------------------- */

/* What may stand anywhere after the preamble. */
static bool is_of_body(enum xray_kind kind)
{
    return kind == XRAY_FUNCTION || kind == XRAY_NEW_CPU || kind == XRAY_TSC_WRAP ||
           kind == XRAY_CUSTOM_EVENT || kind == XRAY_TYPED_EVENT || kind == XRAY_END_OF_BUFFER;
}

bool xray_may_follow(enum xray_kind before, enum xray_action action, enum xray_kind next)
{
    switch (before) {
    case XRAY_BUFFER_EXTENTS:
        return next == XRAY_NEW_BUFFER;
    case XRAY_NEW_BUFFER:
        return next == XRAY_WALL_TIME;
    case XRAY_WALL_TIME:
        return next == XRAY_PID || next == XRAY_NEW_CPU;
    case XRAY_PID:
        return next == XRAY_NEW_CPU;
    case XRAY_FUNCTION:
        if (next == XRAY_CALL_ARGUMENT)
            return action == XRAY_ENTER || action == XRAY_ENTER_ARGS;
        return is_of_body(next);
    case XRAY_CALL_ARGUMENT:
        return next == XRAY_CALL_ARGUMENT || is_of_body(next);
    case XRAY_NEW_CPU:
    case XRAY_TSC_WRAP:
    case XRAY_CUSTOM_EVENT:
    case XRAY_TYPED_EVENT:
        return is_of_body(next);
    default:
        return false;
    }
}

size_t xray_preamble_size(const struct xray_header *h)
{
    return XRAY_METADATA_SIZE * (h->version == 1 ? 3 : 4);
}

static uint8_t first_byte(const struct xray_header *h)
{
    unsigned kind = h->version == 1 ? XRAY_NEW_BUFFER : XRAY_BUFFER_EXTENTS;
    return (uint8_t)(h->high_bit_first ? 0x80 | kind : kind << 1 | 1);
}

bool xray_buffer_begins(const struct xray_header *h, const uint8_t *bytes, size_t count, bool *complete)
{
    size_t wanted = xray_preamble_size(h), at = 0;
    struct xray_record record = {.kind = XRAY_NOTHING};
    if (count == 0 || bytes[0] != first_byte(h))
        return false;
    for (; at < wanted && at + XRAY_METADATA_SIZE <= count; at += XRAY_METADATA_SIZE) {
        enum xray_kind before = record.kind;
        if (xray_record_size(h, bytes[at]) != XRAY_METADATA_SIZE)
            return false;
        xray_record_decode(h, bytes + at, &record);
        if (at > 0 && !xray_may_follow(before, XRAY_ENTER, record.kind))
            return false;
    }
    *complete = at == wanted;
    return true;
}

bool xray_records_follow(const struct xray_header *h, const uint8_t *bytes, size_t count, bool is_all)
{
    struct xray_record record = {.kind = XRAY_NEW_CPU}, before;
    for (unsigned i = 0; i < SUFFICE && count > 0; ++i) {
        size_t size = xray_record_size(h, bytes[0]);
        if (size > count)
            return !is_all;
        before = record;
        xray_record_decode(h, bytes, &record);
        if (!xray_may_follow(before.kind, before.action, record.kind))
            return false;
        if (record.kind == XRAY_END_OF_BUFFER)
            return true;
        if (record.kind == XRAY_CUSTOM_EVENT || record.kind == XRAY_TYPED_EVENT)
            size += (size_t)record.size;
        if (size > count)
            return !is_all;
        bytes += size;
        count -= size;
    }
    return true;
}
