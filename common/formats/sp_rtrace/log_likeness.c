/* SPDX-License-Identifier: MIT
 * Says what a file resembles that is not quite a log, for the message that says why it cannot be read.
 */
#include "formats/sp_rtrace/packets.h"
#include "formats/sp_rtrace/sp_rtrace.h"
#include "formats/sp_rtrace/text_header.h"

/* --- binary logs ----------------------------------------------------------------------------------- */

/* Checks for the head of a packet of a known type, in some style, which another packet follows, unless that
 * one is out of sight. *next is the offset of the next packet; SIZE_MAX: out of sight. */
static bool is_packet(const struct trace_probe *probe, const struct packet_style *style, size_t at,
                      size_t *next)
{
    uint32_t type, size;
    *next = SIZE_MAX;
    if (at > probe->head_count || probe->head_count - at < PACKET_HEAD ||
        !packet_read_head(style, probe->head + at, &type, &size) || !packet_type_is_known(type) ||
        size % 4 != 0)
        return false;
    size_t behind = at + PACKET_HEAD + size;
    if (behind <= probe->head_count - PACKET_HEAD)
        *next = behind;
    return true;
}

/* has_mark: the file begins with a log's magic number, so a single packet is sufficient. */
static bool begins_packets(const struct trace_probe *probe, size_t at, bool has_mark)
{
    for (unsigned i = 0; i < 4; ++i) {
        struct packet_style style = {.big_endian = (i & 1) != 0, .type_first = (i & 2) != 0};
        size_t next, behind;
        if (is_packet(probe, &style, at, &next) &&
            (next != SIZE_MAX ? is_packet(probe, &style, next, &behind) : has_mark))
            return true;
    }
    return false;
}

/* The whole file could be the beginning of a handshake. */
static bool is_cut_handshake(const struct trace_probe *probe)
{
    const uint8_t *bytes = probe->head;
    size_t count = probe->head_count;
    if (count < 3 || count >= TRACE_FILE_HEAD || bytes[0] != HANDSHAKE_MARK || bytes[2] < 1 || bytes[2] > 2)
        return false;
    for (size_t i = 5; i < count && i < 5 + (size_t)bytes[4]; ++i)
        if (bytes[i] <= ' ' || bytes[i] > '~')
            return false;
    return count < 5 || count < (5 + (size_t)bytes[4] + 2 + 3) / 4 * 4;
}

const char *sp_rtrace_binary_likeness(const struct trace_probe *probe)
{
    bool has_mark = probe->head_count > 0 && probe->head[0] == HANDSHAKE_MARK;
    if (begins_packets(probe, 0, false))
        return "an sp-rtrace log without its first bytes, the handshake";
    if (is_cut_handshake(probe))
        return "an sp-rtrace log that ends inside its first bytes, the handshake";
    for (size_t at = 1; at < probe->head_count; ++at)
        if (begins_packets(probe, at, has_mark))
            return "an sp-rtrace log whose first bytes, the handshake, are damaged";
    return NULL;
}

/* --- texts ----------------------------------------------------------------------------------------- */

const char *sp_rtrace_text_likeness(const struct trace_probe *probe)
{
    const char *text = (const char *)probe->head, *end = memchr(text, '\n', probe->head_count);
    size_t length = end != NULL ? (size_t)(end - text) : probe->head_count;
    const char *nul = memchr(text, '\0', length);
    if (nul != NULL)
        length = (size_t)(nul - text);
    return text_is_header((struct text_slice){text, length})
               ? "the text of an sp-rtrace log with zero bytes in it"
               : NULL;
}
