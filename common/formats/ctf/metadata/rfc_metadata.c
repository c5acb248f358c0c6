/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/rfc_metadata.h"

#include "base/error.h"
#include "formats/ctf/decode/rfc_content.h"

#include <inttypes.h>

bool rfc_metadata_has_packets(const uint8_t *bytes, size_t size)
{
    struct rfc_packet packet;
    return size >= RFC_PACKET_HEADER_SIZE && rfc_packet_read(&packet, bytes);
}

/* The document does not say whether the sizes include the header. Later versions do. A packet whose size is
 * less than that of a header shows that they do not; so does a header that follows at that distance only. */
static size_t header_not_included(const struct rfc_packet *packet, const uint8_t *bytes, size_t size)
{
    size_t with = packet->packet_size, without = with + RFC_PACKET_HEADER_SIZE;
    if (with < RFC_PACKET_HEADER_SIZE)
        return RFC_PACKET_HEADER_SIZE;
    bool ends_with = with == size || (with < size && rfc_metadata_has_packets(bytes + with, size - with));
    bool ends_without =
        without == size || (without < size && rfc_metadata_has_packets(bytes + without, size - without));
    return !ends_with && ends_without ? RFC_PACKET_HEADER_SIZE : 0;
}

/* Appends the text of a packet, which must be of the same session as the others. */
static int append_packet(const uint8_t *bytes, size_t size, uint32_t session, struct buf *text, size_t *end)
{
    struct rfc_packet packet;
    if (!rfc_metadata_has_packets(bytes, size))
        return trace_error_set(TRACE_ERR_FORMAT, "no packet begins here");
    rfc_packet_read(&packet, bytes);
    if (packet.session != session)
        return trace_error_set(TRACE_ERR_FORMAT,
                               "its session is 0x%" PRIx32 ", that of the first packet 0x%" PRIx32,
                               packet.session, session);
    size_t extra = header_not_included(&packet, bytes, size);
    size_t content = packet.content_size + extra;
    *end = packet.packet_size + extra;
    if (content < RFC_PACKET_HEADER_SIZE || content > *end || *end > size)
        return trace_error_set(TRACE_ERR_FORMAT,
                               "a packet of %zu bytes with %zu of content, where %zu are left", *end, content,
                               size);
    bytes += RFC_PACKET_HEADER_SIZE;
    content -= RFC_PACKET_HEADER_SIZE;
    int rc = rfc_content_check(&packet, bytes, content);
    return rc == 0 ? rfc_content_expand(&packet, bytes, content, text) : rc;
}

int rfc_metadata_extract(const char *file, const uint8_t *bytes, size_t size, struct buf *text)
{
    struct rfc_packet first = {.session = 0};
    int rc = 0;
    if (rfc_metadata_has_packets(bytes, size))
        rfc_packet_read(&first, bytes);
    for (size_t at = 0, end = 0; rc == 0 && at < size; at += end) {
        rc = append_packet(bytes + at, size - at, first.session, text, &end);
        if (rc == TRACE_ERR_DAMAGED)
            rc = TRACE_ERR_FORMAT;
        if (rc != 0)
            trace_error_prefix(rc, "%s: byte %zu", file, at);
    }
    return rc;
}
