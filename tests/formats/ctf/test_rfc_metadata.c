/* SPDX-License-Identifier: MIT
 * Metadata in the language of the request for comments, version 1.1: every construct of the document, its
 * ambiguities as docs/ctf.md reads them, and mistakes.
 */
#include "cmocka_all.h"

#include "base/error.h"
#include "formats/ctf/metadata/rfc.h"
#include "formats/ctf/decode/rfc_content.h"
#include "formats/ctf/metadata/rfc_metadata.h"

#include <stdio.h>

#define HEAD "trace { major = 1; minor = 1; }\nsection { name = s; event { header_type = type1; } }\n"

static struct ctf_trace trace;

static int parse(const char *text)
{
    ctf_trace_fini(&trace);
    ctf_trace_init(&trace);
    return rfc_parse(&trace, "metadata", text, strlen(text));
}

static void fails(const char *text, const char *message)
{
    assert_int_equal(parse(text), TRACE_ERR_FORMAT);
    assert_string_equal(trace_error_message(), message);
}

/* Parses the declarations and an event with the field { TYPE, f }, and returns the class of f. */
static const struct ctf_class *field(const char *declarations, const char *type)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "%s event { name = e; id = 0; section = s;"
                  " fields = type { parent = struct; fields = { { %s, f } }; }; }",
             declarations, type);
    if (parse(text) != 0)
        fail_msg("%s", trace_error_message());
    const struct ctf_class *payload = trace.streams[0]->events[0]->payload;
    assert_string_equal(payload->u.structure.members[0].name, "f");
    return payload->u.structure.members[0].type;
}

static int tear_down(void **state)
{
    (void)state;
    ctf_trace_fini(&trace);
    return 0;
}

/* --- integers -------------------------------------------------------------------------------------- */

static void test_integers(void **state)
{
    (void)state;
    const struct ctf_class *f = field("", "type { parent = integer; size = 5; signed = true; align = 1; }");
    assert_int_equal(f->kind, CTF_INTEGER);
    assert_int_equal(f->u.integer.size, 5);
    assert_true(f->u.integer.is_signed);
    assert_int_equal(f->align, 1);
    assert_int_equal(f->u.integer.order, CTF_ORDER_DEFAULT);

    f = field("", "type { parent = integer; size = 24; byte_order = network; }");
    assert_false(f->u.integer.is_signed);
    assert_int_equal(f->align, 8); /* sizes that are a multiple of 8 are aligned to 8, others to 1 */
    assert_int_equal(f->u.integer.order, CTF_BIG_ENDIAN);
    f = field("", "type { parent = integer; size = 12; byte_order = be; }");
    assert_int_equal(f->align, 1);
    assert_int_equal(f->u.integer.order, CTF_BIG_ENDIAN);
    assert_int_equal(field("", "type { parent = integer; size = 8; byte_order = le; }")->u.integer.order,
                     CTF_LITTLE_ENDIAN);
    assert_int_equal(field("", "type { parent = integer; size = 8; byte_order = native; }")->u.integer.order,
                     CTF_ORDER_DEFAULT);
}

/* The document's example of uint32_t has a size of 8: what is written counts. */
static void test_inherits(void **state)
{
    (void)state;
    const struct ctf_class *f =
        field("type uint32_t { parent = integer; size = 8; signed = false; align = 32; }", "uint32_t");
    assert_int_equal(f->u.integer.size, 8);
    assert_int_equal(f->align, 32);
    f = field(
        "type b { parent = a; size = 16; } abstract_type a { parent = integer; signed = true; size = 32; }",
        "b");
    assert_int_equal(f->u.integer.size, 16);
    assert_true(f->u.integer.is_signed);
    f = field("abstract_type integer { signed = true; } type a { parent = integer; size = 3; }", "a");
    assert_int_equal(f->u.integer.size, 3);
}

static void test_known_names(void **state)
{
    static const struct {
        const char *name;
        unsigned size, align;
        bool is_signed;
    } names[] = {{"uint8_t", 8, 8, false},  {"int16_t", 16, 16, true}, {"uint32_t", 32, 32, false},
                 {"int64_t", 64, 64, true}, {"uint5_t", 5, 1, false},  {"int27_t", 27, 1, true},
                 {"uint24_t", 24, 8, false}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct ctf_class *f = field("", names[i].name);
        assert_int_equal(f->u.integer.size, names[i].size);
        assert_int_equal(f->align, names[i].align);
        assert_int_equal(f->u.integer.is_signed, names[i].is_signed);
    }
    assert_int_equal(field("", "type { parent = uint16_t; byte_order = be; }")->u.integer.size, 16);
}

/* A structure is aligned to the units of its bit fields. */
static void test_bit_fields(void **state)
{
    (void)state;
    const struct ctf_class *f =
        field("type b { parent = gcc_bitfield; unit_size = 16; size = 12; signed = true; align = 1; }",
              "type { parent = struct; fields = { { b, x }, { b, y }, }; }");
    assert_int_equal(f->align, 16);
    assert_int_equal(f->u.structure.count, 2);
    assert_int_equal(f->u.structure.members[1].type->u.integer.unit, 16);
    assert_int_equal(f->u.structure.members[1].type->align, 1);
}

static void test_enumerations(void **state)
{
    (void)state;
    const struct ctf_class *f = field(
        "",
        "type { .parent = enum; size = 8; signed = true; .map = { { -1, GONE }, { 0x10, \"is here\" }, }; }");
    assert_true(f->u.integer.is_enum);
    assert_int_equal(f->u.integer.label_count, 2);
    assert_string_equal(f->u.integer.labels[0].name, "GONE");
    assert_int_equal((int64_t)f->u.integer.labels[0].range.to, -1);
    assert_string_equal(f->u.integer.labels[1].name, "is here");
    assert_int_equal(f->u.integer.labels[1].range.from, 16);
}

/* --- compound types -------------------------------------------------------------------------------- */

static void test_arrays(void **state)
{
    (void)state;
    const struct ctf_class *f = field("", "type { parent = array; length = 10; elem_type = uint32_t; }");
    assert_int_equal(f->kind, CTF_ARRAY);
    assert_int_equal(f->u.array.length, 10);
    assert_int_equal(f->align, 32);
    f = field("", "type { parent = sequence; length_type = uint8_t; elem_type = uint32_t; }");
    assert_int_equal(f->kind, CTF_SEQUENCE);
    assert_int_equal(f->u.array.count_type->u.integer.size, 8);
    assert_int_equal(f->u.array.element->align, 32);
    assert_int_equal(f->align, 8); /* the elements align themselves, after the length */
    f = field("type t { parent = string; encoding = ASCII; }", "t");
    assert_int_equal(f->kind, CTF_STRING);
    assert_int_equal(f->align, 8);
}

/* --- sections and events --------------------------------------------------------------------------- */

static void test_headers(void **state)
{
    (void)state;
    assert_int_equal(
        parse("section { name = \"a b\"; event { header_type = type2; context { event_size = true; } } }"
              "section { name = c; event { header_type = type1; context { type { parent = struct;"
              " fields = { { int32_t, pid } }; } } } }"),
        0);
    assert_int_equal(trace.stream_count, 2);
    const struct ctf_stream_class *s = trace.streams[0];
    assert_string_equal(s->file_name, "a b");
    const struct ctf_member *m = s->event_header->u.structure.members;
    assert_string_equal(m[0].name, "timestamp");
    assert_int_equal(m[0].type->u.integer.role, CTF_TIMESTAMP);
    assert_int_equal(m[1].type->u.integer.size, 16);
    assert_int_equal(m[2].type->u.optional.ranges[0].from, 65535);
    assert_int_equal(m[2].type->u.optional.type->align, 64);
    assert_int_equal(s->common_context->u.structure.members[0].type->u.integer.role, CTF_PAYLOAD_SIZE);
    s = trace.streams[1];
    m = s->event_header->u.structure.members;
    assert_int_equal(s->event_header->align, 32);
    assert_int_equal(m[0].type->u.integer.size, 5);
    assert_int_equal(m[1].type->u.integer.size, 27);
    assert_int_equal(m[1].type->align, 1);
    assert_int_equal(m[2].type->u.optional.ranges[0].to, 31);
    assert_int_equal(m[2].type->u.optional.type->align, 32); /* 96 bits, without a hole */
    assert_string_equal(s->common_context->u.structure.members[0].name, "pid");
}

/* 48 bytes, all of them naturally aligned. */
static void test_packet_header(void **state)
{
    unsigned at = 0;
    (void)state;
    assert_int_equal(parse(HEAD), 0);
    const struct ctf_class *h = trace.packet_header;
    for (uint32_t i = 0; i < h->u.structure.count; ++i) {
        const struct ctf_class *type = h->u.structure.members[i].type;
        assert_int_equal(at % type->align, 0);
        at += type->u.integer.size;
    }
    assert_int_equal(at, 8 * RFC_PACKET_HEADER_SIZE);
    assert_true(trace.sizes_are_bytes);
}

static void test_loosely_written(void **state)
{
    (void)state;
    assert_int_equal(
        parse("event { name = e, id = 1, section = s, fields = t };;"
              "type t { parent = struct, fields = { { uint8_t, a } { uint8_t, b } [ uint8_t, c } } }"
              "section { name = s; event { header_type = type1 } } // the last\n"),
        0);
    assert_int_equal(trace.streams[0]->events[0]->payload->u.structure.count, 3);
}

static void test_mistakes(void **state)
{
    (void)state;
    fails("", "metadata: there is no block");
    fails("section {", "metadata:1: the block that begins in line 1 does not end");
    fails("}", "metadata:1: a block ends that has not begun");
    fails("trace { }\nstream { }", "metadata:2: a block is expected: trace, section, event or type NAME");
    fails("section { name = s; }",
          "metadata:1: a section has no block \"event\", which says the type of headers");
    fails("section { name = s; event { header_type = type3; } }",
          "metadata:1: \"header_type\" must be type1 or type2");
    fails(HEAD HEAD, "metadata:4: the section \"s\" is declared twice");
    fails(HEAD "event { name = e; id = 0; section = t; }", "metadata:3: the section \"t\" is not declared");
    fails(HEAD "event { name = e; id = 0; section = s; }\nevent { name = f; id = 0; section = s; }",
          "metadata:4: the event id 0 is declared twice in the section \"s\"");
    fails(HEAD "event { name = e; id = 0; section = s; fields = uint8_t; }",
          "metadata:3: \"fields\" must be a structure");
    fails(HEAD "type a { parent = b; }\ntype b { parent = a; }\n"
               "event { name = e; id = 0; section = s; fields = a; }",
          "metadata:3: a type inherits from itself, or from more than 64 others");
    fails(HEAD "type a { parent = struct; fields = { { a, x } }; }\n"
               "event { name = e; id = 0; section = s; fields = a; }",
          "metadata:3: a type contains itself");
    fails(HEAD "event { name = e; id = 0; section = s; fields = type { parent = struct;"
               " fields = { { uint, x } }; }; }",
          "metadata:3: the type \"uint\" is not declared");
    fails(HEAD "event { name = e; id = 0; section = s; fields = type { parent = struct;"
               " fields = { { uint8_t, x }, { uint8_t, x } }; }; }",
          "metadata:3: the field \"x\" is declared twice");
    fails(HEAD "type i { parent = integer; align = 3; size = 8; }\nevent { name = e; id = 0; section = s;"
               " fields = type { parent = struct; fields = { { i, x } }; }; }",
          "metadata:3: an alignment must be a power of two");
}

/* --- packets of metadata --------------------------------------------------------------------------- */

static void put(uint8_t *at, uint64_t value, unsigned size, bool is_big)
{
    for (unsigned i = 0; i < size; ++i)
        at[is_big ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static size_t make_packet(uint8_t *out, const char *text, bool is_big, unsigned extra)
{
    size_t size = strlen(text) + 1;
    memset(out, 0, RFC_PACKET_HEADER_SIZE);
    put(out, RFC_MAGIC, 4, is_big);
    put(out + 8, RFC_PACKET_HEADER_SIZE + size - extra, 4, is_big);
    put(out + 12, RFC_PACKET_HEADER_SIZE + size - extra, 4, is_big);
    memcpy(out + RFC_PACKET_HEADER_SIZE, text, size);
    return RFC_PACKET_HEADER_SIZE + size;
}

static void test_packets(void **state)
{
    uint8_t bytes[512];
    (void)state;
    for (int big = 0; big < 2; ++big) {
        for (unsigned extra = 0; extra <= RFC_PACKET_HEADER_SIZE; extra += RFC_PACKET_HEADER_SIZE) {
            struct buf text = BUF_INIT;
            size_t size = make_packet(bytes, "section { name = s; ", big, extra);
            size += make_packet(bytes + size, "event { header_type = type1; } }", big, extra);
            assert_true(rfc_metadata_has_packets(bytes, size));
            assert_int_equal(rfc_metadata_extract("metadata", bytes, size, &text), 0);
            ctf_trace_fini(&trace);
            ctf_trace_init(&trace);
            assert_int_equal(rfc_parse(&trace, "metadata", (const char *)text.data, text.len), 0);
            assert_int_equal(rfc_metadata_extract("metadata", bytes, size - 1, &text), TRACE_ERR_FORMAT);
            buf_fini(&text);
        }
    }
}

static void test_checksums(void **state)
{
    static const struct {
        uint8_t scheme;
        uint32_t sum; /* of "abc" */
    } sums[] = {{RFC_CRC32, 0x352441c2}, {RFC_MD5, 0x98500190}, {RFC_SHA1, 0x363e99a9}};
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; ++i) {
        struct rfc_packet packet = {.scheme = sums[i].scheme, .checksum = sums[i].sum};
        assert_int_equal(rfc_content_check(&packet, (const uint8_t *)"abc", 3), 0);
        packet.checksum ^= 1;
        assert_int_equal(rfc_content_check(&packet, (const uint8_t *)"abc", 3), TRACE_ERR_DAMAGED);
    }
    struct rfc_packet unknown = {.scheme = 9};
    assert_int_equal(rfc_content_check(&unknown, NULL, 0), TRACE_ERR_UNSUPPORTED);
}

/* --- compressed content ------------------------------------------------------------------------------ */

/* printf hello | gzip -n, and printf hello | bzip2 */
static const uint8_t gzip[] = {0x1f, 0x8b, 8, 0, 0,    0,    0,    0,    0, 3, 0xcb, 0x48, 0xcd,
                               0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0, 0,    0};
static const uint8_t bzip2[] = {0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0x19,
                                0x31, 0x65, 0x3d, 0,    0,    0,    0x81, 0,    2,    0x44, 0xa0,
                                0,    0x21, 0x9a, 0x68, 0x33, 0x4d, 7,    0x33, 0x8b, 0xb9, 0x22,
                                0x9c, 0x28, 0x48, 0xc,  0x98, 0xb2, 0x9e, 0x80};

static void expands(uint8_t compression, const uint8_t *bytes, size_t size)
{
    struct rfc_packet packet = {.compression = compression};
    struct buf out = BUF_INIT;
    assert_int_equal(rfc_content_expand(&packet, bytes, size, &out), 0);
    assert_int_equal(out.len, 5);
    assert_memory_equal(out.data, "hello", 5);
    for (size_t cut = 0; cut < size; ++cut)
        assert_int_equal(rfc_content_expand(&packet, bytes, cut, &out), TRACE_ERR_DAMAGED);
    buf_fini(&out);
}

static void test_compression(void **state)
{
    struct rfc_packet packet = {.encryption = RFC_AES};
    struct buf out = BUF_INIT;
    (void)state;
    expands(RFC_GZIP, gzip, sizeof gzip);
    expands(RFC_BZIP2, bzip2, sizeof bzip2);
    assert_int_equal(rfc_content_expand(&packet, gzip, sizeof gzip, &out), TRACE_ERR_UNSUPPORTED);
    packet = (struct rfc_packet){.compression = 7};
    assert_int_equal(rfc_content_expand(&packet, gzip, sizeof gzip, &out), TRACE_ERR_UNSUPPORTED);
    buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_integers, tear_down),
        cmocka_unit_test_teardown(test_inherits, tear_down),
        cmocka_unit_test_teardown(test_known_names, tear_down),
        cmocka_unit_test_teardown(test_bit_fields, tear_down),
        cmocka_unit_test_teardown(test_enumerations, tear_down),
        cmocka_unit_test_teardown(test_arrays, tear_down),
        cmocka_unit_test_teardown(test_headers, tear_down),
        cmocka_unit_test_teardown(test_packet_header, tear_down),
        cmocka_unit_test_teardown(test_loosely_written, tear_down),
        cmocka_unit_test_teardown(test_mistakes, tear_down),
        cmocka_unit_test_teardown(test_packets, tear_down),
        cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_compression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
