/* SPDX-License-Identifier: MIT
 * Metadata of CTF 2: every fragment, every type of fields, roles by their scope, and mistakes.
 */
#include "cmocka_all.h"

#include "base/buf.h"
#include "base/error.h"
#include "formats/ctf/metadata/ctf2.h"

#include <stdio.h>

#define PREAMBLE "\x1e{\"type\":\"preamble\",\"version\":2}\n"
#define STREAM   "\x1e{\"type\":\"data-stream-class\"}\n"
#define U8       "{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,\"byte-order\":\"little-endian\"}"

static struct ctf_trace trace;

static int parse(const char *text)
{
    ctf_trace_fini(&trace);
    ctf_trace_init(&trace);
    return ctf2_parse(&trace, "metadata", text, strlen(text));
}

static void fails(const char *text, const char *message)
{
    assert_int_equal(parse(text), TRACE_ERR_FORMAT);
    assert_string_equal(trace_error_message(), message);
}

/* Parses an event whose payload has the fields n, a number, and f; returns the class of f. */
static const struct ctf_class *field(const char *type)
{
    char text[2048];
    snprintf(text, sizeof text,
             PREAMBLE STREAM
             "{\"type\":\"event-record-class\",\"payload-field-class\":{\"type\":\"structure\","
             "\"member-classes\":[{\"name\":\"n\",\"field-class\":" U8
             "},{\"name\":\"f\",\"field-class\":%s}]}}",
             type);
    if (parse(text) != 0)
        fail_msg("%s", trace_error_message());
    return trace.streams[0]->events[0]->payload->u.structure.members[1].type;
}

static int tear_down(void **state)
{
    (void)state;
    ctf_trace_fini(&trace);
    return 0;
}

/* --- numbers --------------------------------------------------------------------------------------- */

static void test_integers(void **state)
{
    (void)state;
    const struct ctf_class *f =
        field("{\"type\":\"fixed-length-signed-integer\",\"length\":12,\"byte-order\":\"big-endian\","
              "\"alignment\":4,\"preferred-display-base\":16}");
    assert_int_equal(f->u.integer.size, 12);
    assert_int_equal(f->align, 4);
    assert_int_equal(f->u.integer.order, CTF_BIG_ENDIAN);
    assert_int_equal(f->u.integer.base, 16);
    assert_true(f->u.integer.is_signed);
    f = field(U8);
    assert_int_equal(f->align, 1);
    assert_int_equal(f->u.integer.base, 10);
    f = field("{\"type\":\"variable-length-signed-integer\"}");
    assert_true(f->u.integer.is_variable && f->u.integer.is_signed);
    assert_int_equal(f->align, 8);
    assert_false(field("{\"type\":\"variable-length-unsigned-integer\"}")->u.integer.is_signed);
    assert_int_equal(
        field("{\"type\":\"fixed-length-boolean\",\"length\":1,\"byte-order\":\"little-endian\"}")->kind,
        CTF_BOOL);
}

/* Bits whose order is not that of their bytes are not read, and this is said. */
static void test_bit_order(void **state)
{
    static const struct {
        const char *byte, *bit;
        int rc;
    } orders[] = {{"little-endian", "first-to-last", 0},
                  {"little-endian", "last-to-first", 0},
                  {"big-endian", "last-to-first", 0},
                  {"big-endian", "first-to-last", 0},
                  {"big-endian", "both", TRACE_ERR_FORMAT}};
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i) {
        snprintf(text, sizeof text,
                 PREAMBLE
                 "{\"type\":\"data-stream-class\",\"packet-context-field-class\":{\"type\":\"structure\","
                 "\"member-classes\":[{\"name\":\"f\",\"field-class\":{\"type\":"
                 "\"fixed-length-unsigned-integer\",\"length\":8,\"byte-order\":\"%s\","
                 "\"bit-order\":\"%s\"}}]}}",
                 orders[i].byte, orders[i].bit);
        assert_int_equal(parse(text), orders[i].rc);
    }
}

static void test_names_of_values(void **state)
{
    (void)state;
    const struct ctf_class *f =
        field("{\"type\":\"variable-length-signed-integer\","
              "\"mappings\":{\"a\":[[-5,1],[9223372036854775807,9223372036854775807]],\"b\":[[0,0]]}}");
    assert_true(f->u.integer.is_enum);
    assert_int_equal(f->u.integer.label_count, 3);
    assert_string_equal(f->u.integer.labels[1].name, "a");
    assert_int_equal((int64_t)f->u.integer.labels[0].range.from, -5);
    assert_int_equal((int64_t)f->u.integer.labels[1].range.to, INT64_MAX);
    f = field("{\"type\":\"fixed-length-bit-map\",\"length\":16,\"byte-order\":\"little-endian\","
              "\"flags\":{\"A\":[[3,3]],\"B\":[[0,1]]}}");
    assert_int_equal(f->kind, CTF_BITS);
    assert_int_equal(f->u.integer.label_count, 2);
    assert_int_equal(f->u.integer.labels[0].range.from, 3);
}

static void test_floats(void **state)
{
    (void)state;
    const struct ctf_class *f = field("{\"type\":\"fixed-length-floating-point-number\",\"length\":64,"
                                      "\"byte-order\":\"big-endian\",\"alignment\":32}");
    assert_int_equal(f->kind, CTF_FLOAT);
    assert_int_equal(f->u.real.size, 64);
    assert_int_equal(f->u.real.order, CTF_BIG_ENDIAN);
    assert_int_equal(f->align, 32);
}

/* --- texts and arrays ------------------------------------------------------------------------------ */

static void test_texts(void **state)
{
    (void)state;
    const struct ctf_class *f = field("{\"type\":\"null-terminated-string\",\"encoding\":\"utf-16be\"}");
    assert_int_equal(f->u.encoding, CTF_UTF16BE);
    assert_int_equal(f->align, 8);
    f = field("{\"type\":\"static-length-string\",\"length\":12}");
    assert_int_equal(f->kind, CTF_TEXT);
    assert_int_equal(f->u.array.length, 12);
    f = field("{\"type\":\"dynamic-length-string\",\"length-field-location\":{\"path\":[\"n\"]}}");
    assert_int_equal(f->kind, CTF_TEXT_SEQUENCE);
    assert_int_equal(f->u.array.count.scope, CTF_NO_SCOPE);
    assert_string_equal(f->u.array.count.names[0], "n");
    f = field("{\"type\":\"dynamic-length-blob\",\"length-field-location\":"
              "{\"origin\":\"event-record-payload\",\"path\":[\"n\"]}}");
    assert_int_equal(f->kind, CTF_BLOB_SEQUENCE);
    assert_int_equal(f->u.array.count.scope, CTF_PAYLOAD);
}

static void test_arrays(void **state)
{
    (void)state;
    const struct ctf_class *f =
        field("{\"type\":\"static-length-array\",\"length\":3,\"minimum-alignment\":64,"
              "\"element-field-class\":" U8 "}");
    assert_int_equal(f->kind, CTF_ARRAY);
    assert_int_equal(f->align, 64);
    f = field("{\"type\":\"structure\",\"member-classes\":[{\"name\":\"a\",\"field-class\":{\"type\":"
              "\"dynamic-length-array\",\"length-field-location\":{\"path\":[null,\"n\"]},"
              "\"element-field-class\":{\"type\":\"null-terminated-string\"}}}]}");
    assert_int_equal(f->align, 8);
    const struct ctf_class *a = f->u.structure.members[0].type;
    assert_int_equal(a->u.array.count.count, 2);
    assert_string_equal(a->u.array.count.names[0], "");
    assert_string_equal(a->u.array.count.names[1], "n");
}

static void test_selected(void **state)
{
    (void)state;
    const struct ctf_class *f = field(
        "{\"type\":\"optional\",\"selector-field-location\":{\"path\":[\"n\"]},"
        "\"selector-field-ranges\":[[1,255]],\"field-class\":{\"type\":\"variant\","
        "\"selector-field-location\":{\"path\":[\"n\"]},\"options\":[{\"selector-field-ranges\":[[1,1]],"
        "\"field-class\":" U8 "},{\"name\":\"two\",\"selector-field-ranges\":[[2,2],[4,9]],"
        "\"field-class\":{\"type\":\"null-terminated-string\"}}]}}");
    assert_int_equal(f->kind, CTF_OPTIONAL);
    assert_int_equal(f->u.optional.ranges[0].to, 255);
    const struct ctf_class *v = f->u.optional.type;
    assert_int_equal(v->u.variant.count, 2);
    assert_null(v->u.variant.options[0].name);
    assert_string_equal(v->u.variant.options[1].name, "two");
    assert_int_equal(v->u.variant.options[1].ranges[1].to, 9);
}

/* --- fragments ------------------------------------------------------------------------------------- */

/* The same alias has another role in another scope. */
static void test_roles(void **state)
{
    static const char text[] =
        PREAMBLE "{\"type\":\"field-class-alias\",\"name\":\"time\",\"field-class\":{\"type\":"
                 "\"fixed-length-unsigned-integer\",\"length\":64,\"byte-order\":\"little-endian\","
                 "\"roles\":[\"default-clock-timestamp\"]}}"
                 "{\"type\":\"field-class-alias\",\"name\":\"also\",\"field-class\":\"time\"}"
                 "{\"type\":\"clock-class\",\"id\":\"c\",\"frequency\":1000,\"origin\":\"unix-epoch\","
                 "\"offset-from-origin\":{\"seconds\":-3,\"cycles\":7}}"
                 "{\"type\":\"data-stream-class\",\"id\":4,\"default-clock-class-id\":\"c\","
                 "\"packet-context-field-class\":{\"type\":\"structure\",\"member-classes\":["
                 "{\"name\":\"t\",\"field-class\":\"also\"},{\"name\":\"cpu_id\",\"field-class\":" U8 "}]},"
                 "\"event-record-header-field-class\":{\"type\":\"structure\",\"member-classes\":["
                 "{\"name\":\"t\",\"field-class\":\"also\"}]}}"
                 "{\"type\":\"event-record-class\",\"data-stream-class-id\":4,\"id\":9,\"name\":\"e\","
                 "\"attributes\":{\"lttng.org,2009\":{\"log-level\":6,\"emf-uri\":\"http://x\"}},"
                 "\"payload-field-class\":{\"type\":\"structure\",\"member-classes\":["
                 "{\"name\":\"t\",\"field-class\":\"also\"},{\"name\":\"cpu_id\",\"field-class\":" U8 "}]}}";
    (void)state;
    assert_int_equal(parse(text), 0);
    const struct ctf_stream_class *s = ctf_trace_find_stream(&trace, 4);
    assert_int_equal(s->clock->frequency, 1000);
    assert_int_equal(s->clock->offset_s, -3);
    assert_int_equal(s->clock->offset, 7);
    assert_true(s->clock->has_unix_origin);
    assert_int_equal(s->packet_context->u.structure.members[0].type->u.integer.role, CTF_BEGIN_TIME);
    assert_int_equal(s->packet_context->u.structure.members[1].type->u.integer.role, CTF_CPU);
    assert_int_equal(s->event_header->u.structure.members[0].type->u.integer.role, CTF_TIMESTAMP);
    const struct ctf_event_class *e = ctf_stream_find_event(s, 9);
    assert_string_equal(e->name, "e");
    assert_int_equal(e->log_level, 6);
    assert_string_equal(e->emf_uri, "http://x");
    assert_int_equal(e->payload->u.structure.members[0].type->u.integer.role, CTF_NO_ROLE);
    assert_int_equal(e->payload->u.structure.members[1].type->u.integer.role, CTF_NO_ROLE);
}

static void test_trace_class(void **state)
{
    static const char text[] =
        "{\"type\":\"preamble\",\"version\":2,\"uuid\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,255]}"
        "{\"type\":\"trace-class\",\"namespace\":\"n\",\"name\":\"t\",\"uid\":\"u\","
        "\"environment\":{\"host\":\"x\",\"n\":-5},\"packet-header-field-class\":{\"type\":\"structure\","
        "\"member-classes\":[{\"name\":\"id\",\"field-class\":{\"type\":\"static-length-blob\",\"length\":16,"
        "\"roles\":[\"metadata-stream-uuid\"]}}]}}" STREAM;
    (void)state;
    assert_int_equal(parse(text), 0);
    assert_true(trace.has_uuid);
    assert_int_equal(trace.uuid[15], 255);
    assert_string_equal(trace.name_space, "n");
    assert_string_equal(ctf_trace_find_variable(&trace, "host")->text, "x");
    assert_int_equal(ctf_trace_find_variable(&trace, "n")->number, -5);
    assert_int_equal(trace.packet_header->u.structure.members[0].type->u.array.role, CTF_UUID);
    assert_int_equal(trace.dialect, CTF_2);
}

static void test_mistakes(void **state)
{
    (void)state;
    fails("", "metadata: there is no \"preamble\"");
    fails(STREAM, "metadata:1: the first fragment must be a \"preamble\"");
    fails("{\"type\":\"preamble\",\"version\":3}", "metadata:1: version 3 of the format is not known");
    fails(PREAMBLE PREAMBLE, "metadata:2: only the first fragment can be a \"preamble\"");
    fails(PREAMBLE STREAM "\n" STREAM, "metadata:4: the data stream class 0 is declared twice");
    fails(PREAMBLE "{\"type\":\"what\"}", "metadata:2: \"what\" is not a type of fragments");
    fails(PREAMBLE "{", "metadata: line 2: a string is expected");
    fails(PREAMBLE "{\"type\":\"event-record-class\"}",
          "metadata:2: the data stream class 0 is not declared");
#define RANGES(ranges)                                                                                       \
    "{\"type\":\"data-stream-class\",\"packet-context-field-class\":{\"type\":\"structure\","                \
    "\"member-classes\":[{\"name\":\"f\",\"field-class\":{\"type\":\"variable-length-signed-integer\","      \
    "\"mappings\":{\"x\":[" ranges "]}}}]}}"
    fails(PREAMBLE RANGES("[5,4]"), "metadata:2: the range [5, 4] ends before it begins");
    fails(PREAMBLE RANGES("[5,-6]"), "metadata:2: the range [5, -6] ends before it begins");
    fails(PREAMBLE RANGES("[-5,-6]"), "metadata:2: the range [-5, -6] ends before it begins");
    assert_int_equal(parse(PREAMBLE RANGES("[-6,-5],[-1,0],[0,18446744073709551615]")), 0);
    fails(PREAMBLE "{\"type\":\"data-stream-class\",\"default-clock-class-id\":\"c\"}",
          "metadata:2: the clock \"c\" is not declared");
    fails(PREAMBLE "{\"type\":\"data-stream-class\",\"packet-context-field-class\":\"x\"}",
          "metadata:2: the type \"x\" is not declared");
    fails(PREAMBLE "{\"type\":\"data-stream-class\",\"packet-context-field-class\":" U8 "}",
          "metadata:2: \"packet-context-field-class\" must be a structure");
    fails(PREAMBLE "{\"type\":\"data-stream-class\",\"id\":-1}",
          "metadata:2: the property \"id\" must be an integer from 0 to 18446744073709551615");
    assert_int_equal(parse("{\"type\":\"preamble\",\"version\":2,\"extensions\":{\"x\":{\"y\":1}}}"),
                     TRACE_ERR_UNSUPPORTED);
}

/* Aliases of aliases do not exhaust the stack. */
static void test_many_aliases(void **state)
{
    struct buf text = BUF_INIT;
    (void)state;
    buf_append_string(&text, PREAMBLE "{\"type\":\"field-class-alias\",\"name\":\"a0\",\"field-class\":"
                                      "{\"type\":\"structure\"}}");
    for (int i = 1; i < 100000; ++i)
        buf_printf(&text, "{\"type\":\"field-class-alias\",\"name\":\"a%d\",\"field-class\":\"a%d\"}\n", i,
                   i - 1);
    buf_printf(&text, "{\"type\":\"data-stream-class\",\"packet-context-field-class\":\"a99999\"}");
    ctf_trace_init(&trace);
    assert_int_equal(ctf2_parse(&trace, "metadata", (const char *)text.data, text.len), TRACE_ERR_FORMAT);
    assert_string_equal(trace_error_message(), "metadata:100001: more than 256 types are nested");
    buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_integers, tear_down),
        cmocka_unit_test_teardown(test_bit_order, tear_down),
        cmocka_unit_test_teardown(test_names_of_values, tear_down),
        cmocka_unit_test_teardown(test_floats, tear_down),
        cmocka_unit_test_teardown(test_texts, tear_down),
        cmocka_unit_test_teardown(test_arrays, tear_down),
        cmocka_unit_test_teardown(test_selected, tear_down),
        cmocka_unit_test_teardown(test_roles, tear_down),
        cmocka_unit_test_teardown(test_trace_class, tear_down),
        cmocka_unit_test_teardown(test_mistakes, tear_down),
        cmocka_unit_test_teardown(test_many_aliases, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
