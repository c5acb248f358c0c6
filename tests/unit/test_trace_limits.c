/* SPDX-License-Identifier: MIT
 * Tests the largest and most unusual contents of a stream, byte by byte: the text of what the reader returns,
 * in one chunk and in chunks of a single byte, and that the scan of events agrees.
 */
#include "base/error.h"
#include "formats/apitrace/format.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/reader.h"
#include "trace/text/call_text.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#define HEADER "\6\6\0"      /* version 6, semantic version 6, no properties */
#define FN     "\5\2fn\1\1x" /* function 5: fn(x) */
#define ENTER  "\0\0" FN     /* thread 0 */
#define LEAVE  "\0\1\0\0"    /* end of the enter; the leave of call 0 */
#define ERROR  "\0\0\1\12glGetError\0"
#define MAX_32 "\xff\xff\xff\xff\17"
#define MAX_64 "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"

static const struct {
    const char *bytes;
    size_t count;
    uint32_t flags;
    const char *text; /* the call as printed by dump */
} cases[] = {
#define CASE(bytes, ...)                                                                                     \
    {                                                                                                        \
        HEADER bytes, sizeof(HEADER bytes) - 1, __VA_ARGS__                                                  \
    }
    /* The highest thread number, and the highest id of a function. */
    CASE("\0" MAX_32 FN LEAVE, 0, "0 @ffffffff fn(x = ?)\n"),
    CASE("\0\0\xff\xff\xff\7\2fn\1\1x" LEAVE, 0, "0 @0 fn(x = ?)\n"),
    /* Names may contain anything. "?" only stands for a lost name in damaged traces. */
    CASE("\0\0\5\7?f@@YAX\1\1x" LEAVE, 0, "0 @0 ?f@@YAX(x = ?)\n"),
    CASE("\0\0\5\1?\1\1x" LEAVE, 0, "0 @0 ?(x = ?)\n"),
    /* Only one of the flags' bits is defined. */
    CASE(ENTER "\5\1" LEAVE, TRACE_CALL_FAKE, "0 @0 fn(x = ?) // fake\n"),
    CASE(ENTER "\5\xfe\xff\3" LEAVE, 0, "0 @0 fn(x = ?)\n"),
    CASE(ENTER "\5\xff\xff\3" LEAVE, TRACE_CALL_FAKE, "0 @0 fn(x = ?) // fake\n"),
    CASE(ENTER "\5" MAX_64 LEAVE, TRACE_CALL_FAKE, "0 @0 fn(x = ?) // fake\n"),
    /* A glGetError that returned 0 is verbose. Others, and those that did not return, are not. */
    CASE(ERROR "\0\1\0\2\4\0\0", TRACE_CALL_VERBOSE | TRACE_CALL_NO_SIDE_EFFECTS, "0 @0 glGetError() = 0\n"),
    CASE(ERROR "\0\1\0\2\4\1\0", TRACE_CALL_NO_SIDE_EFFECTS, "0 @0 glGetError() = 1\n"),
    CASE(ERROR "\0\1\0\2\0\0", TRACE_CALL_VERBOSE | TRACE_CALL_NO_SIDE_EFFECTS, "0 @0 glGetError() = NULL\n"),
    CASE(ERROR "\0\1\0\0", TRACE_CALL_NO_SIDE_EFFECTS, "0 @0 glGetError()\n"),
    /* The largest and smallest numbers, alone and in an array. A negative 0 is 0. */
    CASE(ENTER "\1\0\4" MAX_64 LEAVE, 0, "0 @0 fn(x = 18446744073709551615)\n"),
    CASE(ENTER "\1\0\3\xff\xff\xff\xff\xff\xff\xff\xff\x7f" LEAVE, 0, "0 @0 fn(x = -9223372036854775807)\n"),
    CASE(ENTER "\1\0\x0b\2\3\1\4\xff\xff\xff\xff\xff\xff\xff\xff\x7f" LEAVE, 0,
         "0 @0 fn(x = {-1, 9223372036854775807})\n"),
    CASE(ENTER "\1\0\x0b\2\3\1\4\x80\x80\x80\x80\x80\x80\x80\x80\x80\1" LEAVE, 0,
         "0 @0 fn(x = {-1, 9223372036854775808})\n"),
    CASE(ENTER "\1\0\x0b\2\4" MAX_64 "\3\1" LEAVE, 0, "0 @0 fn(x = {18446744073709551615, -1})\n"),
    CASE(ENTER "\1\0\x0b\2\3\0\4" MAX_64 LEAVE, 0, "0 @0 fn(x = {0, 18446744073709551615})\n"),
    /* If something occurs twice, the last one counts. */
    CASE(ENTER "\1\0\4\1\1\0\4\2" LEAVE, 0, "0 @0 fn(x = 2)\n"),
#undef CASE
};
#define CASES (sizeof cases / sizeof *cases)

static void compress(struct sample_file *f, const char *bytes, size_t count, size_t chunk)
{
    struct trace_output *out;
    sample_file_set(f, NULL, 0);
    assert_int_equal(trace_output_open_fd(&out, f->fd, TRACE_CONTAINER_SNAPPY, -1, 0), 0);
    for (size_t i = 0; i < count; i += chunk) {
        assert_int_equal(trace_output_write(out, bytes + i, count - i < chunk ? count - i : chunk), 0);
        assert_int_equal(trace_output_flush(out), 0);
    }
    assert_int_equal(trace_output_close(out), 0);
}

static void check_calls(const struct sample_file *f, size_t i)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    struct trace_call_text *text = malloc(sizeof *text);
    assert_non_null(text);
    trace_call_text_init(
        text, &(struct trace_call_text_style){.call_nos = true, .thread_ids = true, .arg_names = true});
    assert_int_equal(trace_reader_open(&reader, f->path), 0);
    if (trace_reader_next_call(reader, &call) != 0)
        fail_msg("%s: %s", cases[i].text, trace_error_message());
    assert_non_null(call);
    assert_int_equal(trace_call_text_add(text, call), 0);
    uint32_t flags = call->flags;
    trace_call_release(reader, call);
    assert_int_equal(trace_reader_next_call(reader, &call), 0);
    assert_null(call);
    assert_int_equal(buf_append_byte(&text->out, '\0'), 0);
    assert_string_equal((const char *)text->out.data, cases[i].text);
    assert_int_equal(flags, cases[i].flags);
    trace_reader_close(reader);
    trace_call_text_fini(text);
    free(text);
}

static void check_events(const struct sample_file *f, bool marks)
{
    struct trace_raw_events *e;
    const struct trace_raw_event *event;
    unsigned found = 0;
    assert_int_equal(trace_raw_events_open(&e, f->path, marks), 0);
    while (trace_raw_events_next(e, &event) == 0 && event != NULL)
        assert_int_equal(event->tag, found++ % 2 == 0 ? TRACE_RAW_EVENT_ENTER : TRACE_RAW_EVENT_LEAVE);
    assert_int_equal(found, 2);
    trace_raw_events_close(e);
}

static void test_every_case(void **state)
{
    (void)state;
    struct sample_file file;
    sample_file_open(&file);
    for (size_t i = 0; i < CASES; ++i)
        for (int small = 0; small < 2; ++small) {
            compress(&file, cases[i].bytes, cases[i].count, small ? 1 : cases[i].count);
            check_calls(&file, i);
            check_events(&file, false);
            check_events(&file, true);
        }
    sample_file_close(&file);
}

/* --- values in values ------------------------------------------------------------------------------ */

#define MUCH 400000 /* deeper than any stack allows */

/* The start of a value that contains another one, first with the definition. Each of them ends with
 * `behind`. */
static const struct {
    const char *first;
    size_t first_size;
    const char *next;
    size_t next_size;
    const char *behind;
    size_t behind_size;
} nestings[] = {
#define NESTING(first, next, behind)                                                                         \
    {                                                                                                        \
        first, sizeof(first) - 1, next, sizeof(next) - 1, behind, sizeof(behind) - 1                         \
    }
    NESTING("\x0b\1", "\x0b\1", ""),                /* arrays */
    NESTING("\x0c\0\1S\1\1m", "\x0c\0", ""),        /* structures */
    NESTING("\x0e", "\x0e", "\0"),                  /* representations, as their first halves */
    NESTING("\x0e\0", "\x0e\0", ""),                /* and as their second halves */
    NESTING("\x09\0\1\1N\4\1", "\x09\0", ""),       /* enums */
    NESTING("\x09\0\1\1N\4\1", "\x09\0\x0b\1", ""), /* enums and arrays in turn */
#undef NESTING
};

static void put(struct buf *b, const char *bytes, size_t count)
{
    assert_int_equal(buf_append(b, bytes, count), 0);
}

static void put_nested(struct buf *b, size_t kind, unsigned depth)
{
    static const char head[] = HEADER ENTER "\1\0", tail[] = "\0" LEAVE;
    put(b, head, sizeof head - 1);
    for (unsigned i = 0; i < depth; ++i)
        if (i == 0)
            put(b, nestings[kind].first, nestings[kind].first_size);
        else
            put(b, nestings[kind].next, nestings[kind].next_size);
    put(b, "\0", 1);
    for (unsigned i = 0; i < depth; ++i)
        put(b, nestings[kind].behind, nestings[kind].behind_size);
    put(b, tail + 1, sizeof tail - 2);
}

static int read_call(const char *path)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    assert_int_equal(trace_reader_open(&reader, path), 0);
    int rc = trace_reader_next_call(reader, &call);
    trace_call_release(reader, call);
    trace_reader_close(reader);
    return rc;
}

static int read_event(const char *path, bool marks)
{
    struct trace_raw_events *e;
    const struct trace_raw_event *event;
    assert_int_equal(trace_raw_events_open(&e, path, marks), 0);
    int rc = trace_raw_events_next(e, &event);
    trace_raw_events_close(e);
    return rc;
}

/* In the last kind, each step nests two values, except the first step. */
static bool is_allowed(size_t kind, unsigned depth)
{
    bool is_double = kind == sizeof nestings / sizeof *nestings - 1;
    return (is_double ? 2 * depth - 1 : depth) <= TRACE_DEPTH_LIMIT;
}

/* Values are nested as deep as is allowed, one level deeper, and much deeper. */
static void test_nesting(void **state)
{
    (void)state;
    static const unsigned depths[] = {
        1, TRACE_DEPTH_LIMIT / 2, TRACE_DEPTH_LIMIT / 2 + 1, TRACE_DEPTH_LIMIT, TRACE_DEPTH_LIMIT + 1, MUCH};
    struct sample_file file;
    sample_file_open(&file);
    for (size_t kind = 0; kind < sizeof nestings / sizeof *nestings; ++kind)
        for (size_t i = 0; i < sizeof depths / sizeof *depths; ++i) {
            struct buf stream = BUF_INIT;
            int expected = is_allowed(kind, depths[i]) ? 0 : TRACE_ERR_FORMAT;
            put_nested(&stream, kind, depths[i]);
            sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
            assert_int_equal(read_call(file.path), expected);
            assert_int_equal(read_event(file.path, false), expected);
            if (expected != 0)
                assert_non_null(strstr(trace_error_message(), "nested deeper"));
            assert_int_equal(read_event(file.path, true), expected);
            buf_fini(&stream);
        }
    sample_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_case), cmocka_unit_test(test_nesting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
