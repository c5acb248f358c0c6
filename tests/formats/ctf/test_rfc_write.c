/* SPDX-License-Identifier: MIT
 * What is written of version 1.1 - metadata, and packets - is what is read.
 */
#include "cmocka_all.h"

#include "base/error.h"
#include "formats/ctf/metadata/ctf_metadata.h"
#include "formats/ctf/metadata/rfc_headers.h"
#include "formats/ctf/metadata/rfc_metadata.h"
#include "formats/ctf/write/rfc_adapt.h"
#include "formats/ctf/write/rfc_pack.h"
#include "formats/ctf/write/rfc_print.h"

#include <stdlib.h>

/* --- metadata ------------------------------------------------------------------------------------------ */

static const char tsdl[] =
    "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };\n"
    "stream { id = 0; event.header := struct { integer { size = 8; } id; };\n"
    "  event.context := struct { integer { size = 32; align = 32; signed = true; } _vpid; }; };\n"
    "event { name = \"demo:odd \\\"name\\\"\"; id = 0; stream_id = 0;\n"
    "  context := struct { integer { size = 64; base = 16; } _ip; };\n"
    "  fields := struct { integer { size = 5; } _five; integer { size = 16; byte_order = be; } _net;\n"
    "    enum : integer { size = 8; signed = true; } { MINUS = -3, \"two words\" = 4 ... 6, BIG = 10 ... "
    "100000, } _e;\n"
    "    floating_point { exp_dig = 8; mant_dig = 24; } _f; floating_point { exp_dig = 11; mant_dig = 53; } "
    "_d;\n"
    "    string _s; integer { size = 8; encoding = UTF8; } _t[7];\n"
    "    integer { size = 16; } _n; integer { size = 32; } _seq[_n]; struct { string _type; } _inner[2]; }; "
    "};\n"
    "event { name = plain; id = 1; stream_id = 0; };\n";

static void parse(struct ctf_trace *t, const void *text, size_t size)
{
    ctf_trace_init(t);
    int rc = ctf_metadata_parse(t, "file", text, size);
    if (rc != 0)
        print_error("%s\n", trace_error_message());
    assert_int_equal(rc, 0);
}

static const struct ctf_class *adapt(struct ctf_trace *t, const struct ctf_class *in)
{
    const struct ctf_class *out = NULL;
    if (in != NULL)
        assert_int_equal(rfc_adapt(t, in, &out), 0);
    return out;
}

/* A trace of version 1.1 with the classes of another one. */
static void copy(struct ctf_trace *t, const struct ctf_trace *from, unsigned header_type)
{
    ctf_trace_init(t);
    t->dialect = CTF_RFC;
    for (size_t i = 0; i < from->stream_count; ++i) {
        const struct ctf_stream_class *in = from->streams[i];
        struct ctf_stream_class *out = ctf_trace_add_stream(t, i);
        out->file_name = "high";
        out->common_context = adapt(t, in->common_context);
        assert_int_equal(rfc_make_event_header(t, header_type, &out->event_header), 0);
        for (size_t n = 0; n < in->event_count; ++n) {
            struct ctf_event_class *event = ctf_stream_add_event(t, out, in->events[n]->id);
            event->name = in->events[n]->name;
            event->context = adapt(t, in->events[n]->context);
            event->payload = adapt(t, in->events[n]->payload);
        }
    }
}

static const struct ctf_class *field(const struct ctf_class *structure, const char *name)
{
    const struct ctf_member *m = structure != NULL ? ctf_struct_find_member(structure, name) : NULL;
    if (m == NULL)
        fail_msg("there is no field \"%s\"", name);
    return m->type;
}

static void check_fields(const struct ctf_class *context, const struct ctf_class *payload)
{
    const struct ctf_class *e = field(payload, "e"), *ip = field(context, "ip");
    assert_int_equal(ip->u.integer.size, 64);
    assert_int_equal(ip->u.integer.base, 16);
    assert_int_equal(field(payload, "five")->u.integer.size, 5);
    assert_int_equal(field(payload, "five")->align, 8);
    assert_int_equal(field(payload, "net")->u.integer.order, CTF_BIG_ENDIAN);
    assert_true(e->u.integer.is_enum && e->u.integer.is_signed);
    assert_int_equal(e->u.integer.label_count, 4); /* the range that is too long has none */
    assert_int_equal((int64_t)e->u.integer.labels[0].range.from, -3);
    assert_string_equal(e->u.integer.labels[3].name, "two words");
    assert_int_equal(e->u.integer.labels[3].range.to, 6);
    assert_int_equal(field(payload, "f")->u.real.size, 32);
    assert_int_equal(field(payload, "d")->u.real.size, 64);
    assert_int_equal(field(payload, "s")->kind, CTF_STRING);
    assert_int_equal(field(payload, "t")->kind, CTF_STRING);
    assert_int_equal(field(payload, "seq")->kind, CTF_SEQUENCE);
    assert_int_equal(field(payload, "seq")->u.array.count_type->u.integer.size, 32);
    assert_int_equal(field(payload, "inner")->u.array.length, 2);
    assert_int_equal(field(field(payload, "inner")->u.array.element, "type")->kind, CTF_STRING);
}

static void test_metadata(void **state)
{
    (void)state;
    for (unsigned type = 1; type <= 2; ++type) {
        struct ctf_trace from, made, read, again;
        struct buf text = BUF_INIT, second = BUF_INIT;
        parse(&from, tsdl, sizeof tsdl - 1);
        copy(&made, &from, type);
        assert_int_equal(rfc_print_metadata(&made, &text), 0);
        parse(&read, text.data, text.len);
        assert_int_equal(read.dialect, CTF_RFC);
        assert_int_equal(read.stream_count, 1);
        const struct ctf_stream_class *s = read.streams[0];
        assert_string_equal(s->name, "high");
        assert_int_equal(s->event_header->u.structure.members[0].type->u.integer.size, type == 1 ? 5 : 32);
        assert_true(field(s->common_context, "vpid")->u.integer.is_signed);
        assert_int_equal(s->event_count, 2);
        assert_string_equal(s->events[0]->name, "demo:odd \"name\"");
        check_fields(s->events[0]->context, s->events[0]->payload);
        assert_int_equal(s->events[1]->payload->u.structure.count, 0);
        copy(&again, &read, type); /* nothing is lost any more */
        assert_int_equal(rfc_print_metadata(&again, &second), 0);
        assert_int_equal(second.len, text.len);
        assert_memory_equal(second.data, text.data, text.len);
        ctf_trace_fini(&from);
        ctf_trace_fini(&made);
        ctf_trace_fini(&read);
        ctf_trace_fini(&again);
        buf_fini(&text);
        buf_fini(&second);
    }
}

/* --- packets ------------------------------------------------------------------------------------------- */

static void check_packet(bool is_big, const struct rfc_style *style, const uint8_t *content, size_t size,
                         bool is_smaller)
{
    static const uint8_t magics[2][4] = {{0xc1, 0x1f, 0xfc, 0xc1}, {0xc1, 0xfc, 0x1f, 0xc1}};
    struct buf packet = BUF_INIT, out = BUF_INIT;
    struct rfc_packet header;
    assert_int_equal(buf_reserve(&packet, RFC_PACKET_HEADER_SIZE + size), 0);
    memset(packet.data, 0, RFC_PACKET_HEADER_SIZE);
    memcpy(packet.data, magics[is_big], 4);
    memcpy(packet.data + RFC_PACKET_HEADER_SIZE, content, size);
    packet.len = RFC_PACKET_HEADER_SIZE + size;
    assert_int_equal(rfc_pack(&packet, style), 0);
    assert_true(rfc_packet_read(&header, packet.data));
    assert_int_equal(header.content_size, packet.len);
    assert_int_equal(header.packet_size, packet.len);
    assert_int_equal(header.scheme, style->checksum);
    assert_int_equal(header.compression, is_smaller ? style->compression : RFC_NOT_COMPRESSED);
    assert_int_equal(packet.len < RFC_PACKET_HEADER_SIZE + size, is_smaller);
    content = packet.data + RFC_PACKET_HEADER_SIZE;
    assert_int_equal(rfc_content_check(&header, content, packet.len - RFC_PACKET_HEADER_SIZE), 0);
    assert_int_equal(rfc_content_expand(&header, content, packet.len - RFC_PACKET_HEADER_SIZE, &out), 0);
    assert_int_equal(out.len, size);
    buf_fini(&packet);
    if (style->checksum != RFC_NO_CHECKSUM) {
        header.checksum ^= 1;
        assert_int_equal(rfc_content_check(&header, out.data, out.len), TRACE_ERR_DAMAGED);
    }
    buf_fini(&out);
}

static void test_packets(void **state)
{
    uint8_t content[4096], noise[64];
    uint32_t seed = 5;
    (void)state;
    for (size_t i = 0; i < sizeof content; ++i)
        content[i] = (uint8_t)(i % 7);
    for (size_t i = 0; i < sizeof noise; ++i)
        noise[i] = (uint8_t)((seed = seed * 1664525u + 1013904223u) >> 24);
    for (uint8_t checksum = 0; checksum <= RFC_CRC32; ++checksum)
        for (uint8_t compression = 0; compression <= RFC_GZIP; ++compression)
            for (int is_big = 0; is_big < 2; ++is_big) {
                const struct rfc_style style = {compression, checksum};
                check_packet(is_big, &style, content, sizeof content, compression != RFC_NOT_COMPRESSED);
                check_packet(is_big, &style, noise, sizeof noise, false);
                check_packet(is_big, &style, noise, 0, false);
            }
}

static void test_metadata_packets(void **state)
{
    const struct rfc_style style = {RFC_GZIP, RFC_SHA1};
    struct buf text = BUF_INIT, file = BUF_INIT, read = BUF_INIT;
    (void)state;
    for (unsigned i = 0; i < 100000; ++i)
        assert_int_equal(buf_printf(&text, "/* line %u of many */\n", i), 0);
    assert_int_equal(rfc_pack_metadata(text.data, text.len, true, 0xabcd, &style, &file), 0);
    assert_true(rfc_metadata_has_packets(file.data, file.len));
    assert_int_equal(rfc_metadata_extract("file", file.data, file.len, &read), 0);
    size_t kept = 0, nuls = 0;
    for (size_t i = 0; i < read.len; ++i)
        if (read.data[i] != '\0')
            read.data[kept++] = read.data[i];
        else
            nuls++;
    assert_int_equal(kept, text.len);
    assert_memory_equal(read.data, text.data, text.len);
    assert_in_range(nuls, 2, 10);
    buf_fini(&text);
    buf_fini(&file);
    buf_fini(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_metadata), cmocka_unit_test(test_packets),
                                       cmocka_unit_test(test_metadata_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
