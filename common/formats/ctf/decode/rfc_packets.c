/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/rfc_packets.h"

#include <stdlib.h>

#define HEADER_BITS (UINT64_C(8) * RFC_PACKET_HEADER_SIZE)

/* --- sections -------------------------------------------------------------------------------------- */

/* Whether a name is that of a section, up to "_" and a number. */
static bool is_file_of(const char *file, const char *section)
{
    size_t length = strlen(section);
    if (strncmp(file, section, length) != 0)
        return false;
    const char *rest = file + length;
    return *rest == '\0' ||
           (rest[0] == '_' && rest[1] != '\0' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

const struct ctf_stream_layout *rfc_packet_find_section(const struct ctf_stream *s)
{
    const struct ctf_layout *l = s->layout;
    const char *slash = strrchr(s->file.path, '/'), *file = slash != NULL ? slash + 1 : s->file.path;
    for (size_t i = 0; i < l->trace->stream_count; ++i)
        if (is_file_of(file, l->trace->streams[i]->file_name))
            return &l->streams[i];
    return l->trace->stream_count == 1 ? &l->streams[0] : NULL;
}

/* --- sizes ----------------------------------------------------------------------------------------- */

static int begins_packet(struct ctf_stream *s, uint64_t offset, bool *out)
{
    uint8_t header[RFC_PACKET_HEADER_SIZE];
    struct rfc_packet packet;
    size_t got = 0;
    int rc = offset < s->file.size ? ctf_file_read_at(&s->file, offset, header, sizeof header, &got) : 0;
    *out = rc == 0 && (offset == s->file.size || (got == sizeof header && rfc_packet_read(&packet, header)));
    return rc;
}

/* The document does not say whether sizes include the header; later versions do. A size below that of a
 * header shows that they do not, and so does a packet that begins at that distance only. */
int rfc_packet_include_header(struct ctf_stream *s, uint64_t *content, uint64_t *packet)
{
    uint64_t end = s->packet_at + *packet / 8;
    bool with = false, without = true;
    int rc = 0;
    if (*packet >= HEADER_BITS) {
        rc = begins_packet(s, end, &with);
        if (rc == 0)
            rc = begins_packet(s, end + RFC_PACKET_HEADER_SIZE, &without);
    }
    if (rc == 0 && !with && without) {
        *content += HEADER_BITS;
        *packet += HEADER_BITS;
    }
    return rc;
}

/* --- content --------------------------------------------------------------------------------------- */

/* The header, as it is in the file, then the content without its compression. */
static int expand(struct ctf_stream *s, const struct rfc_packet *packet, const uint8_t *bytes, size_t size)
{
    if (buf_append(&s->expanded, bytes, RFC_PACKET_HEADER_SIZE) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = rfc_content_expand(packet, bytes + RFC_PACKET_HEADER_SIZE, size - RFC_PACKET_HEADER_SIZE,
                                &s->expanded);
    if (rc != 0)
        buf_clear(&s->expanded);
    else
        s->content_bits = (uint64_t)s->expanded.len * 8;
    return rc == TRACE_ERR_UNSUPPORTED ? TRACE_ERR_DAMAGED : rc;
}

static int check_and_expand(struct ctf_stream *s, const uint8_t *bytes, size_t size)
{
    struct rfc_packet packet;
    if (size < RFC_PACKET_HEADER_SIZE || !rfc_packet_read(&packet, bytes))
        return trace_error_set(TRACE_ERR_DAMAGED, "the file has become shorter");
    int rc = rfc_content_check(&packet, bytes + RFC_PACKET_HEADER_SIZE, size - RFC_PACKET_HEADER_SIZE);
    if (rc == TRACE_ERR_UNSUPPORTED)
        rc = TRACE_ERR_DAMAGED;
    if (rc == 0 && (packet.compression != RFC_NOT_COMPRESSED || packet.encryption != RFC_NOT_ENCRYPTED))
        rc = expand(s, &packet, bytes, size);
    return rc;
}

/* Content that is as it was written needs no copy. */
static bool is_plain(const struct ctf_stream *s)
{
    const uint64_t *values = s->told.values;
    return values[CTF_CHECKSUM_SCHEME] == RFC_NO_CHECKSUM && values[CTF_COMPRESSION] == RFC_NOT_COMPRESSED &&
           values[CTF_ENCRYPTION] == RFC_NOT_ENCRYPTED;
}

int rfc_packet_open(struct ctf_stream *s)
{
    struct buf bytes = BUF_INIT;
    if (is_plain(s))
        return 0;
    if (s->is_cut || s->content_bits / 8 > RFC_CONTENT_MAX)
        return trace_error_set(TRACE_ERR_DAMAGED,
                               s->is_cut ? "the file ends within it, so its checksum or "
                                           "compression cannot be right"
                                         : "it has more than 64 MiB of compressed or checked content");
    int rc = ctf_file_read_all(&s->file, s->packet_at, s->content_bits / 8, &bytes);
    if (rc == 0)
        rc = check_and_expand(s, bytes.data, bytes.len);
    buf_fini(&bytes);
    return rc;
}

bool rfc_packet_find_first(const char *path, struct rfc_packet *out)
{
    uint8_t header[RFC_PACKET_HEADER_SIZE];
    struct trace_file file;
    size_t got = 0;
    if (trace_file_open(&file, path) != 0)
        return false;
    bool known = trace_file_read_at(&file, 0, header, sizeof header, &got) == 0 && got == sizeof header &&
                 rfc_packet_read(out, header);
    trace_file_close(&file);
    return known;
}
