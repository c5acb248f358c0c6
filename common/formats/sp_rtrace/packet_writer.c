/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/packet_writer.h"

#include "formats/sp_rtrace/packets.h"

#include "base/error.h"
#include "base/little_endian.h"

static void put(struct packet_writer *w, const void *bytes, size_t count)
{
    if (w->rc == 0 && buf_append(&w->packet, bytes, count) != 0)
        w->rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

void packet_put_u32(struct packet_writer *w, uint32_t value)
{
    uint8_t bytes[4];
    put_u32(bytes, value);
    put(w, bytes, sizeof bytes);
}

void packet_put_pointer(struct packet_writer *w, uint64_t value)
{
    uint8_t bytes[8];
    put_u64(bytes, value);
    put(w, bytes, sizeof bytes);
}

void packet_put_clamped(struct packet_writer *w, uint64_t value, const char *what)
{
    if (value > UINT32_MAX)
        trace_sink_leave_out(w->sink, what, 1);
    packet_put_u32(w, value < UINT32_MAX ? (uint32_t)value : UINT32_MAX);
}

void packet_put_string(struct packet_writer *w, const char *text, size_t length)
{
    static const uint8_t zeros[4];
    if (text != NULL && memchr(text, '\0', length) != NULL)
        trace_sink_leave_out(w->sink, "NUL in a text, and what follows it", 1);
    length = text != NULL ? strnlen(text, length) : 0;
    if (length > PACKET_STRING_MAX) {
        trace_sink_leave_out(w->sink, "end of a text of more than 65534 bytes", 1);
        length = PACKET_STRING_MAX;
    }
    size_t padding = -(2 + length) % 4;
    size_t counted = text == NULL ? 0 : w->plain_strings ? length : length + padding;
    const uint8_t head[2] = {(uint8_t)counted, (uint8_t)(counted >> 8)};
    put(w, head, sizeof head);
    put(w, text, length);
    put(w, zeros, padding);
}

void packet_begin(struct packet_writer *w, uint32_t type)
{
    w->rc = 0;
    buf_clear(&w->packet);
    packet_put_u32(w, type);
    packet_put_u32(w, 0); /* placeholder for the size */
}

int packet_end(struct packet_writer *w)
{
    if (w->rc != 0)
        return w->rc;
    put_u32(w->packet.data + 4, (uint32_t)(w->packet.len - PACKET_HEAD));
    return log_output_put(&w->output, w->packet.data, w->packet.len);
}
