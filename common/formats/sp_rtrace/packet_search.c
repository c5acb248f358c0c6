/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/packet_search.h"

/* Bytes at an offset that may be far from the window, which stays where it is. */
static size_t peek(struct file_window *w, uint64_t offset, uint8_t *bytes, size_t count)
{
    size_t got;
    if (offset >= w->start && offset - w->start + count <= w->bytes.len) {
        memcpy(bytes, w->bytes.data + (offset - w->start), count);
        return count;
    }
    return trace_file_read_at(w->file, offset, bytes, count, &got) == 0 ? got : 0;
}

bool packet_may_begin(struct file_window *w, const struct packet_style *style, uint64_t offset, bool any)
{
    uint8_t head[PACKET_HEAD];
    uint32_t type, size;
    if (offset >= w->file->size)
        return offset == w->file->size;
    if (peek(w, offset, head, sizeof head) < sizeof head)
        return any; /* cut off: who knows */
    bool has_head = packet_read_head(style, head, &type, &size);
    if (has_head && packet_type_is_known(type))
        return true;
    return any && ((has_head && packet_type_is_likely(type)) || head[0] == HANDSHAKE_MARK);
}

/* A packet's fields are right, or cannot be looked through here and something follows its end. */
static bool fits(struct file_window *w, const struct packet_style *style, uint64_t offset,
                 const uint8_t *bytes, size_t count)
{
    uint32_t type, size;
    if (!packet_read_head(style, bytes, &type, &size) || !packet_type_is_known(type))
        return false;
    uint64_t behind = offset + PACKET_HEAD + size;
    if (behind > w->file->size)
        return false;
    count -= PACKET_HEAD;
    count = count < size ? count : size;
    size_t fields = packet_fields_size(style, type, size, bytes + PACKET_HEAD, count);
    if (fields == size)
        return true;
    return (fields != SIZE_MAX || size > PACKET_LOOKAHEAD) && packet_may_begin(w, style, behind, false);
}

static bool is_log(struct file_window *w, uint64_t offset, const uint8_t *bytes, size_t count)
{
    struct handshake handshake;
    uint8_t head[PACKET_HEAD];
    uint32_t type, size;
    if (bytes[0] != HANDSHAKE_MARK || !handshake_parse(&handshake, bytes, count))
        return false;
    if (peek(w, offset + handshake.size, head, sizeof head) < sizeof head)
        return false;
    packet_style_see_first(&handshake.style, head, sizeof head);
    return packet_read_head(&handshake.style, head, &type, &size) && packet_type_is_known(type);
}

int packet_search(struct file_window *w, const struct packet_style *style, uint64_t offset, uint64_t *found)
{
    const uint8_t *bytes;
    size_t got, type_at = style->type_first ? 0 : 4;
    for (;; ++offset) {
        int rc = file_window_get(w, offset, PACKET_HEAD, &bytes, &got);
        if (rc != 0)
            return rc;
        if (got < PACKET_HEAD)
            break;
        if (!packet_type_is_known(packet_u32(style, bytes + type_at)) && bytes[0] != HANDSHAKE_MARK)
            continue;
        rc = file_window_get(w, offset, PACKET_HEAD + PACKET_LOOKAHEAD, &bytes, &got);
        if (rc != 0)
            return rc;
        *found = offset;
        if (fits(w, style, offset, bytes, got) || is_log(w, offset, bytes, got))
            return 0;
    }
    *found = PACKET_NOT_FOUND;
    return 0;
}
