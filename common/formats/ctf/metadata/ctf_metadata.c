/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/ctf_metadata.h"

#include "base/buf.h"
#include "base/error.h"
#include "formats/ctf/metadata/ctf2.h"
#include "formats/ctf/metadata/rfc.h"
#include "formats/ctf/decode/rfc_content.h"
#include "formats/ctf/metadata/rfc_metadata.h"
#include "formats/ctf/metadata/tsdl.h"
#include "trace/trace_file.h"

#include <ctype.h>

#define BYTES_MAX   (UINT64_C(256) << 20) /* metadata are kept in memory */
#define HEADER_SIZE 37                    /* bytes; of a packet of metadata */
#define TEXT_MAGIC  UINT32_C(0x75d11d57)  /* of such a packet */

/* --- packets --------------------------------------------------------------------------------------- */

struct metadata_packet {
    uint32_t content_size; /* bytes; includes the header, like the next */
    uint32_t packet_size;
    uint8_t compression;
    uint8_t encryption;
    uint8_t major;
    uint8_t minor;
};

static uint32_t load(const uint8_t *p, bool is_big)
{
    uint32_t little = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return is_big ? __builtin_bswap32(little) : little;
}

/* Magic number, UUID, checksum, sizes in bits, schemes of compression, encryption and checksum, version. */
static int read_header(const char *path, const uint8_t *p, size_t left, size_t offset, bool is_big,
                       struct metadata_packet *out)
{
    if (left < HEADER_SIZE)
        return trace_error_set(TRACE_ERR_TRUNCATED,
                               "%s: the file ends within the header of the packet at offset %zu", path,
                               offset);
    if (load(p, is_big) != TEXT_MAGIC)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: no packet of metadata begins at offset %zu", path,
                               offset);
    *out = (struct metadata_packet){.content_size = load(p + 24, is_big) / 8,
                                    .packet_size = load(p + 28, is_big) / 8,
                                    .compression = p[32],
                                    .encryption = p[33],
                                    .major = p[35],
                                    .minor = p[36]};
    if (out->content_size < HEADER_SIZE || out->content_size > out->packet_size)
        return trace_error_set(TRACE_ERR_FORMAT,
                               "%s: the sizes of the packet at offset %zu contradict each other", path,
                               offset);
    if ((out->major != 1 || out->minor != 8) && out->major != 2)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "%s: the packet at offset %zu has text of version %u.%u, which is not known",
                               path, offset, (unsigned)out->major, (unsigned)out->minor);
    if (out->compression != 0 || out->encryption != 0)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "%s: the packet at offset %zu is compressed or encrypted", path, offset);
    if (out->content_size > left)
        return trace_error_set(TRACE_ERR_TRUNCATED, "%s: the file ends within the packet at offset %zu", path,
                               offset);
    return 0;
}

/* Appends the text of all packets. */
static int join_packets(const char *path, const uint8_t *bytes, size_t count, bool is_big, struct buf *out)
{
    struct metadata_packet packet = {.packet_size = 0};
    int rc = 0;
    for (size_t at = 0; rc == 0 && at < count;
         at += packet.packet_size < count - at ? packet.packet_size : count - at) {
        rc = read_header(path, bytes + at, count - at, at, is_big, &packet);
        if (rc == 0 && buf_append(out, bytes + at + HEADER_SIZE, packet.content_size - HEADER_SIZE) != 0)
            rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    return rc;
}

/* --- languages ------------------------------------------------------------------------------------- */

/* Metadata of version 1.1 that were written by hand have no packets. Only this language says the type of
 * headers, and it is older than the signature of the next. */
static bool is_rfc_text(const uint8_t *text, size_t count)
{
    static const char signature[] = "/* CTF 1.8", property[] = "header_type";
    if (count == 0)
        return false;
    bool is_signed = count >= sizeof signature - 1 && memcmp(text, signature, sizeof signature - 1) == 0;
    return !is_signed && memmem(text, count, property, sizeof property - 1) != NULL;
}

/* Text without a signature is read, but not that of another version. */
static int check_signature(const char *path, const uint8_t *text, size_t count)
{
    static const char begin[] = "/* CTF ", end[] = "1.8";
    const char *version = (const char *)text + sizeof begin - 1;
    size_t left = count < sizeof begin ? 0 : count - (sizeof begin - 1), length = 0;
    if (left == 0 || memcmp(text, begin, sizeof begin - 1) != 0)
        return 0;
    while (length < left && length < 32 &&
           (isalnum((unsigned char)version[length]) || version[length] == '.'))
        length++;
    if (length == sizeof end - 1 && memcmp(version, end, length) == 0)
        return 0;
    return trace_error_set(TRACE_ERR_FORMAT, "%s:1: version %.*s of the format is not known, only 1.8", path,
                           (int)length, version);
}

static int parse_text(struct ctf_trace *trace, const char *path, const uint8_t *text, size_t count)
{
    size_t blanks = 0;
    while (blanks < count && isspace(text[blanks]))
        blanks++;
    if (blanks < count && (text[blanks] == 0x1e || text[blanks] == '{'))
        return ctf2_parse(trace, path, (const char *)text, count);
    if (is_rfc_text(text, count))
        return rfc_parse(trace, path, (const char *)text, count);
    int rc = check_signature(path, text, count);
    return rc == 0 ? tsdl_parse(trace, path, (const char *)text, count) : rc;
}

/* All packets have the byte order of the machine. */
static int parse_rfc_packets(struct ctf_trace *trace, const char *path, const uint8_t *bytes, size_t count)
{
    struct rfc_packet first;
    struct buf text = BUF_INIT;
    rfc_packet_read(&first, bytes);
    trace->order = first.is_big_endian ? CTF_BIG_ENDIAN : CTF_LITTLE_ENDIAN;
    trace->has_session = true;
    trace->session = first.session;
    int rc = rfc_metadata_extract(path, bytes, count, &text);
    if (rc == 0)
        rc = rfc_parse(trace, path, (const char *)text.data, text.len);
    buf_fini(&text);
    return rc;
}

int ctf_metadata_parse(struct ctf_trace *trace, const char *path, const uint8_t *bytes, size_t count)
{
    if (rfc_metadata_has_packets(bytes, count))
        return parse_rfc_packets(trace, path, bytes, count);
    bool is_packets = count >= 4 && (load(bytes, false) == TEXT_MAGIC || load(bytes, true) == TEXT_MAGIC);
    if (!is_packets)
        return parse_text(trace, path, bytes, count);
    struct buf text = BUF_INIT;
    int rc = join_packets(path, bytes, count, load(bytes, true) == TEXT_MAGIC, &text);
    if (rc == 0)
        rc = parse_text(trace, path, text.data, text.len);
    buf_fini(&text);
    return rc;
}

int ctf_metadata_read(struct ctf_trace *trace, const char *path)
{
    struct buf bytes = BUF_INIT;
    struct trace_file file;
    int rc = trace_file_open(&file, path);
    if (rc != 0)
        return trace_error_prefix(rc, "%s", path);
    if (file.size > BYTES_MAX)
        rc = trace_error_set(TRACE_ERR_UNSUPPORTED, "more than 256 MiB of metadata are not supported");
    if (rc == 0)
        rc = trace_file_read_all(&file, 0, file.size, &bytes);
    trace_file_close(&file);
    if (rc != 0)
        trace_error_prefix(rc, "%s", path);
    else
        rc = ctf_metadata_parse(trace, path, bytes.data, bytes.len);
    buf_fini(&bytes);
    return rc;
}
