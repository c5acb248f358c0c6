/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/packet_search.h"

/* Reads bytes at an offset that may be far from the window. The window does not move. */
static size_t peek(struct file_window *w, uint64_t offset, uint8_t *bytes, size_t count)
{
    size_t got;
    if (offset >= w->start && offset - w->start + count <= w->len) {
        memcpy(bytes, w->data + (offset - w->start), count);
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
        return any; /* cut off: undecided */
    bool has_head = packet_read_head(style, head, &type, &size);
    if (has_head && packet_type_is_known(type))
        return true;
    return any && ((has_head && packet_type_is_likely(type)) || head[0] == HANDSHAKE_MARK);
}

/* The packet's fields fit its size. If they cannot be checked here, something must follow its end. */
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

/* Returns the bytes at an offset: in the window, or copied into room if they reach beyond it. */
static const uint8_t *look_at(struct file_window *w, uint64_t offset, uint8_t *room, size_t count,
                              size_t *got)
{
    uint64_t at = offset - w->start; /* wraps to a huge number if offset is before the window */
    *got = count;
    if (at <= w->len && w->len - at >= count)
        return w->data + at;
    *got = peek(w, offset, room, count);
    return room;
}

/* A handshake, and after it a packet of a known type, or of a later version. */
static bool is_log(struct file_window *w, uint64_t offset)
{
    struct handshake handshake;
    uint8_t room[HANDSHAKE_MAX], head[PACKET_HEAD];
    uint32_t type, size;
    size_t got;
    const uint8_t *bytes = look_at(w, offset, room, sizeof room, &got);
    if (!handshake_parse(&handshake, bytes, got))
        return false;
    offset += handshake.size;
    if (peek(w, offset, head, sizeof head) < sizeof head)
        return false;
    packet_style_see_first(&handshake.style, head, sizeof head);
    if (!packet_read_head(&handshake.style, head, &type, &size))
        return false;
    return packet_type_is_known(type) ||
           (packet_type_is_likely(type) &&
            packet_may_begin(w, &handshake.style, offset + PACKET_HEAD + size, false));
}

int packet_search_log(struct file_window *w, uint64_t offset, uint64_t end, uint64_t *until, bool *found)
{
    const uint8_t *bytes, *mark;
    size_t got;
    for (*found = false; offset < end; offset += got) {
        int rc = file_window_get(w, offset, 1, &bytes, &got);
        if (rc != 0)
            return rc;
        if (got == 0)
            break;
        for (const uint8_t *p = bytes; (mark = memchr(p, HANDSHAKE_MARK, (size_t)(bytes + got - p))) != NULL;
             p = mark + 1) {
            *until = offset + (uint64_t)(mark - bytes);
            *found = is_log(w, *until);
            if (*found)
                return 0;
        }
    }
    *until = offset;
    return 0;
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
        if (fits(w, style, offset, bytes, got) || (bytes[0] == HANDSHAKE_MARK && is_log(w, offset)))
            return 0;
    }
    *found = PACKET_NOT_FOUND;
    return 0;
}
