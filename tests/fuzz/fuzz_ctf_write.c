/* SPDX-License-Identifier: MIT
 * Copies any bytes, as a stream of CTF, into a trace of each dialect, which must then be read without an
 * error. The copy is the same whether its fields were passed over or read. A copy in 1.8 has the same text.
 * The first byte chooses the byte order and the dialect.
 */
#include "fuzz_ctf_types.h"
#include "fuzz_target.h"

#include "base/error.h"
#include "trace/sink.h"
#include "trace/source.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(bool holds)
{
    if (!holds) {
        fprintf(stderr, "%s\n", trace_error_message());
        abort();
    }
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

static void make_trace(const uint8_t *data, size_t size)
{
    char metadata[sizeof fuzz_ctf_metadata + 8];
    int length = snprintf(metadata, sizeof metadata, fuzz_ctf_metadata, data[0] % 2 == 0 ? "le" : "be");
    mkdir("in", 0700);
    write_file("in/metadata", metadata, (size_t)length);
    write_file("in/stream", data + 1, size - 1);
}

/* Damaged parts are left out, if they may be there. Returns the number of events. */
static unsigned put_events(struct trace_source *source, struct trace_sink *sink, bool may_be_damaged)
{
    struct trace_event event;
    unsigned count = 0;
    int rc;
    trace_source_resume_after_damage(source);
    while ((rc = trace_source_next(source, &event)) != 0 || event.kind != TRACE_EVENT_END) {
        if (rc != 0) {
            check(may_be_damaged && (rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED));
            continue;
        }
        check(trace_sink_put(sink, &event) == 0);
        count += event.record != NULL;
        trace_source_release(source, &event);
    }
    return count;
}

/* Returns the number of events. *is_whole becomes false if the format cannot express all of them: its times
 * do not go back. */
static unsigned copy(const char *from, const char *format, const char *to, bool is_deferring, bool *is_whole)
{
    struct trace_source *source;
    struct trace_sink *sink;
    const struct trace_left_out *left_out;
    check(trace_source_open(&source, from) == 0);
    struct trace_sink_options options = {.clock = trace_source_clock(source)};
    options.property_count = trace_source_properties(source, &options.properties);
    check(trace_sink_create(&sink, format, to, &options) == 0);
    check(!is_deferring || trace_source_set_need(source, TRACE_NEEDS_PLACES));
    unsigned count = put_events(source, sink, strcmp(from, "in") == 0);
    check(trace_sink_finish(sink) == 0);
    *is_whole = trace_sink_left_out(sink, &left_out) == 0;
    check(trace_sink_close(sink) == 0);
    trace_source_close(source);
    return count;
}

static bool is_same(const char *a, const char *b)
{
    FILE *files[2] = {fopen(a, "rbe"), fopen(b, "rbe")};
    int bytes[2] = {0, 0};
    check((files[0] == NULL) == (files[1] == NULL));
    while (files[0] != NULL && bytes[0] == bytes[1] && bytes[0] != EOF)
        for (int i = 0; i < 2; ++i)
            bytes[i] = getc(files[i]);
    for (int i = 0; i < 2 && files[i] != NULL; ++i)
        fclose(files[i]);
    return bytes[0] == bytes[1];
}

static void check_dialect(const char *format)
{
    bool is_whole, was_whole, has_text;
    unsigned count = copy("in", format, "read", false, &is_whole);
    check(copy("in", format, "passed", true, &was_whole) == count && was_whole == is_whole);
    check(is_same("read/metadata", "passed/metadata") && is_same("read/stream", "passed/stream"));
    check(copy("read", "babeltrace", "read.txt", false, &has_text) == count);
    if (strcmp(format, "ctf") != 0 || !is_whole)
        return;
    copy("in", "babeltrace", "in.txt", false, &has_text);
    check(is_same("in.txt", "read.txt"));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"ctf", "ctf2", "ctf-rfc"};
    char folder[] = "/tmp/fuzz_ctf_write_XXXXXX";
    int start = open(".", O_DIRECTORY | O_CLOEXEC);
    if (size == 0)
        return 0;
    check(start >= 0 && mkdtemp(folder) != NULL && chdir(folder) == 0);
    make_trace(data, size);
    check_dialect(formats[data[0] / 2 % 3]);
    check(fchdir(start) == 0);
    close(start);
    check(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
    return 0;
}
