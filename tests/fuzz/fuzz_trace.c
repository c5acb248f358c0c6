/* SPDX-License-Identifier: MIT
 * Reads any bytes as a trace. All calls found are dumped, and encoded again, which must give the same calls.
 * Parsing, scanning and skipping events must give the same calls and the same end.
 */
#include "fuzz_target.h"
#include "fuzz_trace_file.h"

#include "base/error.h"
#include "trace/text/trace_json.h"
#include "trace/text/call_text.h"
#include "formats/apitrace/encoder.h"
#include "formats/apitrace/copy/raw_event_copier.h"
#include "formats/apitrace/format.h"
#include "formats/apitrace/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct formatters {
    struct trace_call_text text;
    struct trace_json json;
};

/* Calls that are encoded again, and their text. */
struct again {
    struct buf stream;
    struct trace_encoder encoder;
    struct buf text;
    uint64_t calls;
};

#define AGAIN_LIMIT ((size_t)1 << 20) /* a limit in bytes, to save time */

/* Encodes the call as if calls were consecutive and all of them returned. */
static void encode_again(struct again *a, struct formatters *f, const struct trace_call *call)
{
    struct trace_call alone = *call;
    if (a->stream.len > AGAIN_LIMIT)
        return;
    alone.number = a->calls++;
    alone.flags &= ~(uint32_t)TRACE_CALL_INCOMPLETE;
    trace_encode_call_enter(&a->encoder, &alone);
    trace_encode_call_leave(&a->encoder, alone.number, &alone, false);
    trace_call_text_add(&f->text, &alone);
    buf_append(&a->text, f->text.out.data, f->text.out.len);
    buf_clear(&f->text.out);
}

/* Reads the encoded calls and compares their text. */
static void check_again(const struct again *a, struct formatters *f)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    char path[40];
    int fd = fuzz_trace_write(a->stream.data, a->stream.len), rc;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if ((rc = trace_reader_open(&reader, path)) != 0)
        abort();
    buf_clear(&f->text.out);
    while ((rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL) {
        trace_call_text_add(&f->text, call);
        trace_call_release(reader, call);
    }
    if (rc != 0 || f->text.out.len != a->text.len ||
        memcmp(f->text.out.data, a->text.data, a->text.len) != 0) {
        fprintf(stderr, "encoded again (%d %s):\n%.*s\nread first:\n%.*s\n", rc,
                rc != 0 ? trace_error_message() : "", (int)f->text.out.len, (const char *)f->text.out.data,
                (int)a->text.len, (const char *)a->text.data);
        abort();
    }
    trace_reader_close(reader);
    close(fd);
}

static void use_calls(struct trace_reader *reader, struct formatters *f)
{
    struct again again = {.stream = BUF_INIT, .text = BUF_INIT};
    const struct trace_call *call;
    int rc;
    trace_encoder_init(&again.encoder, &again.stream);
    trace_encode_header(&again.encoder, 6, NULL, 0);
    do {
        rc = trace_reader_next_call(reader, &call);
        if (rc == 0 && call != NULL) {
            trace_call_text_add(&f->text, call);
            trace_json_call(&f->json, call, trace_reader_frame(reader));
            buf_clear(&f->text.out);
            encode_again(&again, f, call);
            trace_call_release(reader, call);
        }
        buf_clear(&f->json.out);
    } while (rc == TRACE_ERR_TRUNCATED || rc == TRACE_ERR_DAMAGED || (rc == 0 && call != NULL));
    if (!again.encoder.failed && again.calls > 0)
        check_again(&again, f);
    buf_clear(&f->text.out);
    trace_encoder_fini(&again.encoder);
    buf_fini(&again.stream);
    buf_fini(&again.text);
}

/* A copy of the readable part of any trace is sound. */
static void check_copy(int fd)
{
    struct trace_reader *reader;
    const struct trace_call *call;
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int rc = trace_reader_open(&reader, path);
    if (rc == TRACE_ERR_FORMAT)
        abort();
    while (rc == 0 && (rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL)
        trace_call_release(reader, call);
    if (rc == TRACE_ERR_FORMAT || rc == TRACE_ERR_TRUNCATED) {
        fprintf(stderr, "a copy is damaged: %s\n", trace_error_message());
        abort();
    }
    trace_reader_close(reader);
}

static int copy_calls(struct trace_raw_events *events, struct trace_copier *copier, unsigned step)
{
    const struct trace_raw_event *event;
    int rc = trace_copier_header(copier);
    do {
        int read_rc = trace_raw_events_next(events, &event);
        if (read_rc != 0 && read_rc != TRACE_ERR_DAMAGED)
            break;
        if (event != NULL)
            rc = trace_copier_event(copier, event, event->call % step == 0, NULL, 0);
        else if (read_rc == 0)
            break;
    } while (rc == 0);
    return rc != 0 ? rc : trace_copier_flush(copier);
}

/* Copies every step-th call. */
static void copy_events(struct trace_raw_events *events, unsigned step)
{
    struct trace_output *output;
    struct trace_copier *copier;
    int fd = memfd_create("copy", MFD_CLOEXEC);
    if (fd < 0 || trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0) != 0)
        abort();
    copier = NULL;
    int rc = trace_copier_open(&copier, events, output);
    if (rc == 0)
        rc = copy_calls(events, copier, step);
    trace_copier_close(copier);
    if (trace_output_close(output) == 0 && rc == 0)
        check_copy(fd);
    close(fd);
}

static void use_events(const char *path, size_t count)
{
    struct trace_raw_events *events;
    if (trace_raw_events_open(&events, path, true) != 0)
        return;
    if (count % 2 == 0)
        trace_raw_events_resume_after_damage(events);
    copy_events(events, 1 + count / 2 % 3);
    trace_raw_events_close(events);
}

/* The result of reading, and the calls before it ended. */
struct found {
    int rc;
    uint64_t calls;
    uint64_t numbers; /* a digest of their numbers, in order */
};

static void add_call(struct found *f, uint64_t number)
{
    f->calls++;
    f->numbers = f->numbers * 1099511628211u + number;
}

static struct found find_calls(const char *path)
{
    struct found f = {0, 0, 0};
    struct trace_reader *reader;
    const struct trace_call *call;
    if ((f.rc = trace_reader_open(&reader, path)) != 0)
        return f;
    while ((f.rc = trace_reader_next_call(reader, &call)) == 0 && call != NULL) {
        add_call(&f, call->number);
        trace_call_release(reader, call);
    }
    trace_reader_close(reader);
    return f;
}

static struct found find_events(const char *path, bool pass)
{
    struct found f = {0, 0, 0};
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    struct trace_raw_event rest;
    uint64_t first;
    if ((f.rc = trace_raw_events_open(&events, path, !pass)) != 0)
        return f;
    while ((f.rc = trace_raw_events_next(events, &event)) == 0 && event != NULL) {
        if (event->tag == TRACE_RAW_EVENT_LEAVE && event->sig != NULL)
            add_call(&f, event->call);
        uint64_t count = pass ? trace_raw_events_pass_known(events, UINT64_MAX, &first) : 0;
        for (uint64_t i = 0; i < count; ++i)
            add_call(&f, first + i);
    }
    while (f.rc == 0 && trace_raw_events_next_incomplete(events, &rest))
        add_call(&f, rest.call);
    trace_raw_events_close(events);
    return f;
}

static void check_same(const struct found *a, const struct found *b)
{
    if (a->rc == b->rc && a->calls == b->calls && a->numbers == b->numbers)
        return;
    fprintf(stderr, "%llu calls, then %d; or %llu calls, then %d\n", (unsigned long long)a->calls, a->rc,
            (unsigned long long)b->calls, b->rc);
    abort();
}

static void check_calls(const char *path)
{
    struct found parsed = find_calls(path), scanned = find_events(path, false),
                 passed = find_events(path, true);
    check_same(&parsed, &scanned);
    check_same(&parsed, &passed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const struct trace_call_text_style style = {.call_nos = true,
                                                       .thread_ids = true,
                                                       .arg_names = true,
                                                       .multiline = true,
                                                       .color = true,
                                                       .blob_checksums = true,
                                                       .exact_floats = true,
                                                       .utf8 = true};
    struct trace_reader *reader;
    struct formatters *f = malloc(sizeof *f);
    char path[40];
    int fd = fuzz_trace_file(bytes, count);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (f != NULL && trace_reader_open(&reader, path) == 0) {
        trace_call_text_init(&f->text, &style);
        trace_json_init(&f->json, TRACE_JSON_BLOBS_INLINE);
        if (count % 2 == 0)
            trace_reader_resume_after_damage(reader);
        use_calls(reader, f);
        trace_call_text_fini(&f->text);
        trace_json_fini(&f->json);
        trace_reader_close(reader);
    }
    free(f);
    use_events(path, count);
    check_calls(path);
    close(fd);
    return 0;
}
