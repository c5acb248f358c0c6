/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/rfc_content.h"

#include "base/error.h"

#include <bzlib.h>
#include <md5.h>
#include <sha1.h>
#include <zlib.h>

/* --- the header ------------------------------------------------------------------------------------ */

static uint64_t read_integer(const uint8_t *bytes, unsigned size, bool is_big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i)
        value |= (uint64_t)bytes[is_big ? size - 1 - i : i] << 8 * i;
    return value;
}

static uint32_t read_32(const uint8_t *bytes, bool is_big)
{
    return (uint32_t)read_integer(bytes, 4, is_big);
}

bool rfc_packet_read(struct rfc_packet *out, const uint8_t *bytes)
{
    bool big = read_32(bytes, true) == RFC_MAGIC;
    if (!big && read_32(bytes, false) != RFC_MAGIC)
        return false;
    *out = (struct rfc_packet){
        .is_big_endian = big,
        .session = read_32(bytes + 4, big),
        .content_size = read_32(bytes + 8, big),
        .packet_size = read_32(bytes + 12, big),
        .checksum = read_32(bytes + 16, big),
        .count = read_32(bytes + 20, big),
        .begin = read_integer(bytes + 24, 8, big),
        .end = read_integer(bytes + 32, 8, big),
        .discarded = read_32(bytes + 40, big),
        .count_bits = bytes[44],
        .compression = bytes[45],
        .encryption = bytes[46],
        .scheme = bytes[47],
    };
    return true;
}

/* --- the checksum ---------------------------------------------------------------------------------- */

static uint32_t sum_md5(const uint8_t *content, size_t size, bool is_big)
{
    uint8_t digest[MD5_DIGEST_LENGTH];
    MD5_CTX context;
    MD5Init(&context);
    MD5Update(&context, content, size);
    MD5Final(digest, &context);
    return read_32(digest, is_big);
}

static uint32_t sum_sha1(const uint8_t *content, size_t size, bool is_big)
{
    uint8_t digest[SHA1_DIGEST_LENGTH];
    SHA1_CTX context;
    SHA1Init(&context);
    SHA1Update(&context, content, size);
    SHA1Final(digest, &context);
    return read_32(digest, is_big);
}

int rfc_content_sum(uint8_t scheme, bool is_big_endian, const uint8_t *content, size_t size, uint32_t *out)
{
    switch (scheme) {
    case RFC_NO_CHECKSUM:
        *out = 0;
        return 0;
    case RFC_MD5:
        *out = sum_md5(content, size, is_big_endian);
        return 0;
    case RFC_SHA1:
        *out = sum_sha1(content, size, is_big_endian);
        return 0;
    case RFC_CRC32:
        *out = (uint32_t)crc32_z(0, content, size);
        return 0;
    default:
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "checksums of scheme %u are not known",
                               (unsigned)scheme);
    }
}

int rfc_content_check(const struct rfc_packet *packet, const uint8_t *content, size_t size)
{
    uint32_t sum = 0;
    int rc = rfc_content_sum(packet->scheme, packet->is_big_endian, content, size, &sum);
    if (rc != 0 || packet->scheme == RFC_NO_CHECKSUM || sum == packet->checksum)
        return rc;
    return trace_error_set(TRACE_ERR_DAMAGED, "the checksum is 0x%08x, but that of the content is 0x%08x",
                           (unsigned)packet->checksum, (unsigned)sum);
}

/* --- the compression ------------------------------------------------------------------------------- */

#define PART (64u << 10) /* bytes that are expanded at a time */

static int fail_expanding(const char *method)
{
    return trace_error_set(TRACE_ERR_DAMAGED, "the content is not compressed by %s, or is damaged", method);
}

static int reserve_part(struct buf *out, size_t before)
{
    if (out->len - before >= RFC_CONTENT_MAX)
        return trace_error_set(TRACE_ERR_DAMAGED, "the content expands to more than %d bytes",
                               RFC_CONTENT_MAX);
    return buf_reserve(out, PART) == 0 ? 0 : TRACE_ERR_MEMORY;
}

static int expand_gzip(const uint8_t *content, size_t size, struct buf *out)
{
    z_stream stream = {.next_in = (Bytef *)content, .avail_in = (uInt)size};
    size_t before = out->len;
    int status = Z_OK, rc = 0;
    if (inflateInit2(&stream, 15 + 16) != Z_OK) /* a gzip header is required */
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    while (rc == 0 && status == Z_OK) {
        rc = reserve_part(out, before);
        if (rc != 0)
            break;
        stream.next_out = out->data + out->len;
        stream.avail_out = PART;
        status = inflate(&stream, Z_NO_FLUSH);
        out->len += PART - stream.avail_out;
    }
    inflateEnd(&stream);
    return rc == 0 && status != Z_STREAM_END ? fail_expanding("gzip") : rc;
}

static int expand_bzip2(const uint8_t *content, size_t size, struct buf *out)
{
    bz_stream stream = {.next_in = (char *)content, .avail_in = (unsigned)size};
    size_t before = out->len;
    int status = BZ_OK, rc = 0;
    bool more = true;
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    while (rc == 0 && status == BZ_OK && more) {
        rc = reserve_part(out, before);
        if (rc != 0)
            break;
        stream.next_out = (char *)out->data + out->len;
        stream.avail_out = PART;
        status = BZ2_bzDecompress(&stream);
        out->len += PART - stream.avail_out;
        more = stream.avail_in > 0 || stream.avail_out == 0; /* it says nothing if the input ends early */
    }
    BZ2_bzDecompressEnd(&stream);
    return rc == 0 && status != BZ_STREAM_END ? fail_expanding("bzip2") : rc;
}

int rfc_content_expand(const struct rfc_packet *packet, const uint8_t *content, size_t size, struct buf *out)
{
    if (packet->encryption != RFC_NOT_ENCRYPTED)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "the content is encrypted%s, and the format has no key",
                               packet->encryption == RFC_AES ? " by AES" : "");
    switch (packet->compression) {
    case RFC_NOT_COMPRESSED:
        return buf_append(out, content, size) == 0 ? 0 : TRACE_ERR_MEMORY;
    case RFC_BZIP2:
        return expand_bzip2(content, size, out);
    case RFC_GZIP:
        return expand_gzip(content, size, out);
    default:
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "a compression of scheme %u is not known",
                               packet->compression);
    }
}
