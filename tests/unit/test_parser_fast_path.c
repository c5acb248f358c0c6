/* SPDX-License-Identifier: MIT
 * Tests that the fast path of the parser gives the same results as the general functions, which are used at
 * the end of the stream.
 */
#include "base/buf.h"
#include "formats/apitrace/parse/parser.h"

#include "cmocka_all.h"
#include "next_random.h"

#define ARGS     130 /* more than an index of one byte can express */
#define FUNCTION 200
#define NEGATIVE 7 /* ids of enums */
#define LARGE    300

static void put_uint(struct buf *b, uint64_t value)
{
    uint8_t bytes[VARINT_MAX_BYTES];
    assert_int_equal(buf_append(b, bytes, varint_put(bytes, value)), 0);
}

/* Appends a zero that takes more bytes than necessary. */
static void put_padded_zero(struct buf *b)
{
    for (unsigned i = 0; i < 11; ++i)
        buf_append_byte(b, 0x80);
    buf_append_byte(b, 0);
}

static void put_number(struct buf *b, uint8_t tag)
{
    buf_append_byte(b, tag);
    if (next_random() % 16 == 0)
        put_padded_zero(b);
    else
        put_uint(b, next_random() >> (next_random() % 64));
}

static void put_value(struct buf *b)
{
    uint8_t bytes[8];
    uint64_t random = next_random();
    memcpy(bytes, &random, sizeof bytes);
    switch (next_random() % 10) {
    case 0:
        buf_append_byte(b, (uint8_t)(random % 3)); /* NULL, FALSE, TRUE */
        break;
    case 1:
        put_number(b, TRACE_SINT);
        break;
    case 2:
        put_number(b, TRACE_OPAQUE);
        break;
    case 3:
    case 4:
        buf_append_byte(b, TRACE_FLOAT);
        buf_append(b, bytes, 4);
        break;
    case 5:
        buf_append_byte(b, TRACE_DOUBLE);
        buf_append(b, bytes, 8);
        break;
    case 6:
        buf_append_byte(b, TRACE_ENUM);
        put_uint(b, random % 2 != 0 ? NEGATIVE : LARGE);
        put_number(b, random % 8 == 0 ? TRACE_SINT : TRACE_UINT);
        break;
    case 7:
        if (random % 8 == 0) { /* not a scalar */
            buf_append(b, (const uint8_t[]){TRACE_STRING, 2, 'a', 'b'}, 4);
            break;
        }
        /* fall through */
    default:
        put_number(b, TRACE_UINT);
    }
}

static void put_args(struct buf *b, unsigned count)
{
    unsigned index = next_random() % 8 == 0; /* the first argument may be missing */
    for (unsigned i = 0; i < count; ++i, ++index) {
        index += next_random() % 32 == 0; /* or a later one */
        if (index >= ARGS)
            break;
        buf_append_byte(b, TRACE_DETAIL_ARG);
        put_uint(b, index);
        put_value(b);
    }
    buf_append_byte(b, TRACE_DETAIL_END);
}

/* An enter event that defines a function of ARGS arguments and two enums. */
static void put_definitions(struct buf *b)
{
    put_uint(b, 0);
    put_uint(b, FUNCTION);
    buf_append(b, "\1f", 2);
    put_uint(b, ARGS);
    for (unsigned i = 0; i < ARGS; ++i)
        buf_append(b, "\1x", 2);
    for (uint8_t i = 0; i < 2; ++i) {
        buf_append(b, (const uint8_t[]){TRACE_DETAIL_ARG, i, TRACE_ENUM}, 3);
        put_uint(b, i == 0 ? NEGATIVE : LARGE);
        buf_append(b, (const uint8_t[]){1, 1, 'E', TRACE_UINT, 1, TRACE_UINT, 1}, 7);
    }
    buf_append_byte(b, TRACE_DETAIL_END);
}

static int parse(struct trace_parser *s, struct trace_call_record *r, const struct buf *event, size_t end)
{
    arena_reset(&r->arena);
    s->p = event->data;
    s->end = event->data + end;
    return trace_parse_enter(s, r);
}

static void check_same(const struct trace_value *a, const struct trace_value *b)
{
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->element, b->element);
    assert_int_equal(a->negative, b->negative);
    assert_int_equal(a->count, b->count);
    if (a->type == TRACE_STRING)
        assert_string_equal(a->u.string, b->u.string);
    else
        assert_true(a->u.uint == b->u.uint);
    assert_ptr_equal(a->sig.enumeration, b->sig.enumeration);
}

/* Parses the event at the end of the window, and with other bytes behind it. */
static void check_event(struct trace_parser *s, struct trace_call_record r[2], struct buf *event)
{
    size_t size = event->len;
    for (unsigned i = 0; i < 64; ++i)
        buf_append_byte(event, (uint8_t)next_random());
    for (size_t cut = 0; cut < size; ++cut) {
        assert_int_equal(parse(s, &r[0], event, cut), TRACE_PARSE_MORE);
        assert_in_range(s->need, 1, size - cut);
    }
    assert_int_equal(parse(s, &r[0], event, size), 0);
    assert_ptr_equal(s->p, event->data + size);
    for (size_t behind = 1; behind <= 64; behind += 9) {
        assert_int_equal(parse(s, &r[1], event, size + behind), 0);
        assert_ptr_equal(s->p, event->data + size);
        assert_int_equal(r[1].call.thread, r[0].call.thread);
        assert_ptr_equal(r[1].call.sig, r[0].call.sig);
        for (unsigned i = 0; i < ARGS; ++i)
            check_same(&r[0].call.args[i], &r[1].call.args[i]);
    }
}

static void test_both_ways(void **state)
{
    struct trace_parser s;
    struct trace_call_record r[2] = {0};
    struct buf event = BUF_INIT;
    (void)state;
    trace_parser_init(&s);
    s.version = 6;
    put_definitions(&event);
    assert_int_equal(parse(&s, &r[0], &event, event.len), 0);
    for (unsigned round = 0; round < 600; ++round) {
        buf_clear(&event);
        put_uint(&event, next_random() >> (32 + next_random() % 32));
        put_uint(&event, FUNCTION);
        put_args(&event, round % 100 == 0 ? ARGS : next_random() % 12);
        check_event(&s, r, &event);
    }
    buf_fini(&event);
    arena_fini(&r[0].arena);
    arena_fini(&r[1].arena);
    trace_parser_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
