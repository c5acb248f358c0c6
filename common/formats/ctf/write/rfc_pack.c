/* SPDX-License-Identifier: MIT */
#include "formats/ctf/write/rfc_pack.h"

#include "base/error.h"

#include <bzlib.h>
#include <stdlib.h>
#include <zlib.h>

#define TEXT_BYTES ((size_t)1 << 20) /* of a packet of metadata */
#define BLOCK      1                 /* of bzip2, in 100 kB: packets are not larger */

/* Offsets of fields of the header that have 32 bits, or 8. */
enum {
    MAGIC_AT = 0,
    SESSION_AT = 4,
    CONTENT_SIZE_AT = 8,
    PACKET_SIZE_AT = 12,
    CHECKSUM_AT = 16,
    COMPRESSION_AT = 45,
    SCHEME_AT = 47,
};

static void put_32(uint8_t *out, uint32_t value, bool is_big)
{
    for (unsigned i = 0; i < 4; ++i)
        out[is_big ? 3 - i : i] = (uint8_t)(value >> 8 * i);
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- compression --------------------------------------------------------------------------------------- */

/* *size is the room, then what was used; 0 if that is not enough. */
static int compress_gzip(const uint8_t *content, size_t count, uint8_t *out, size_t *size)
{
    z_stream z = {
        .next_in = (Bytef *)content, .avail_in = (uInt)count, .next_out = out, .avail_out = (uInt)*size};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return no_memory();
    bool is_complete = deflate(&z, Z_FINISH) == Z_STREAM_END;
    *size = is_complete ? (size_t)z.total_out : 0;
    deflateEnd(&z);
    return 0;
}

static int compress_bzip2(const uint8_t *content, size_t count, uint8_t *out, size_t *size)
{
    unsigned room = (unsigned)*size;
    int rc = BZ2_bzBuffToBuffCompress((char *)out, &room, (char *)content, (unsigned)count, BLOCK, 0, 0);
    *size = rc == BZ_OK ? room : 0;
    return rc == BZ_MEM_ERROR ? no_memory() : 0;
}

/* *is_smaller: the content was replaced. */
static int compress_content(struct buf *packet, uint8_t scheme, bool *is_smaller)
{
    uint8_t *content = packet->data + RFC_PACKET_HEADER_SIZE;
    size_t count = packet->len - RFC_PACKET_HEADER_SIZE, size = count > 0 ? count - 1 : 0;
    *is_smaller = false;
    if (scheme == RFC_NOT_COMPRESSED || size == 0 || count > RFC_CONTENT_MAX)
        return 0;
    uint8_t *out = malloc(size);
    if (out == NULL)
        return no_memory();
    int rc = (scheme == RFC_GZIP ? compress_gzip : compress_bzip2)(content, count, out, &size);
    if (rc == 0 && size > 0) {
        memcpy(content, out, size);
        packet->len = RFC_PACKET_HEADER_SIZE + size;
        *is_smaller = true;
    }
    free(out);
    return rc;
}

/* --- packets ------------------------------------------------------------------------------------------- */

int rfc_pack(struct buf *packet, const struct rfc_style *style)
{
    struct rfc_packet header;
    uint32_t sum = 0;
    bool is_smaller;
    rfc_packet_read(&header, packet->data);
    int rc = compress_content(packet, style->compression, &is_smaller);
    if (rc == 0 && packet->len > UINT32_MAX)
        rc = trace_error_set(TRACE_ERR_UNSUPPORTED,
                             "a packet has more than 4 GiB, which version 1.1 cannot tell");
    if (rc == 0)
        rc = rfc_content_sum(style->checksum, header.is_big_endian, packet->data + RFC_PACKET_HEADER_SIZE,
                             packet->len - RFC_PACKET_HEADER_SIZE, &sum);
    if (rc != 0)
        return rc;
    put_32(packet->data + CONTENT_SIZE_AT, (uint32_t)packet->len, header.is_big_endian);
    put_32(packet->data + PACKET_SIZE_AT, (uint32_t)packet->len, header.is_big_endian);
    put_32(packet->data + CHECKSUM_AT, sum, header.is_big_endian);
    packet->data[COMPRESSION_AT] = is_smaller ? style->compression : RFC_NOT_COMPRESSED;
    packet->data[SCHEME_AT] = style->checksum;
    return 0;
}

/* A string, with its NUL. */
static int pack_text(const uint8_t *text, size_t size, bool is_big_endian, uint32_t session,
                     const struct rfc_style *style, struct buf *out)
{
    uint8_t header[RFC_PACKET_HEADER_SIZE] = {0};
    struct buf packet = BUF_INIT;
    put_32(header + MAGIC_AT, RFC_MAGIC, is_big_endian);
    put_32(header + SESSION_AT, session, is_big_endian);
    int rc = buf_append(&packet, header, sizeof header);
    if (rc == 0)
        rc = buf_append(&packet, text, size);
    if (rc == 0)
        rc = buf_append_byte(&packet, '\0');
    if (rc == 0)
        rc = rfc_pack(&packet, style);
    if (rc == 0)
        rc = buf_append(out, packet.data, packet.len);
    buf_fini(&packet);
    return rc == 0 ? 0 : rc == TRACE_ERR_UNSUPPORTED ? rc : no_memory();
}

int rfc_pack_metadata(const uint8_t *text, size_t size, bool is_big_endian, uint32_t session,
                      const struct rfc_style *style, struct buf *out)
{
    int rc = 0;
    for (size_t at = 0; rc == 0 && at < size;) {
        const uint8_t *end = size - at > TEXT_BYTES ? memrchr(text + at, '\n', TEXT_BYTES) : NULL;
        size_t count = end != NULL ? (size_t)(end - (text + at)) + 1 : size - at;
        rc = pack_text(text + at, count, is_big_endian, session, style, out);
        at += count;
    }
    return rc;
}
