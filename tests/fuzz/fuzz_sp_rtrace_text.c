/* SPDX-License-Identifier: MIT
 * Reads any bytes as an sp-rtrace text. The result, written as a text, must have the same contents: it does
 * not change when it is read and written again.
 */
#include "fuzz_target.h"

#include "trace/sink.h"
#include "trace/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A copy of a log, as text. */
struct copy {
    char path[48];
    char *bytes;
    size_t count;
};

static void read_copy(struct copy *c)
{
    int fd = open(c->path, O_RDONLY | O_CLOEXEC);
    off_t size = lseek(fd, 0, SEEK_END);
    c->bytes = malloc((size_t)size + 1);
    if (c->bytes == NULL || pread(fd, c->bytes, (size_t)size, 0) != size)
        abort();
    c->bytes[size] = '\0';
    c->count = (size_t)size;
    close(fd);
}

static void put_events(struct trace_source *source, struct trace_sink *sink)
{
    struct trace_event event;
    for (;;) {
        if (trace_source_next(source, &event) != 0)
            abort(); /* nothing in a text counts as damage */
        if (event.kind == TRACE_EVENT_END)
            return;
        if (trace_sink_put(sink, &event) != 0)
            abort();
        trace_source_release(source, &event);
    }
}

/* Returns false if the log is not a text. */
static bool make_copy(struct copy *c, const char *from, int number)
{
    struct trace_source *source;
    struct trace_sink *sink;
    struct trace_sink_options options = {0};
    if (trace_source_open(&source, from) != 0)
        return false;
    if (strcmp(trace_source_format_name(source), "sp-rtrace-text") != 0) {
        trace_source_close(source);
        return false;
    }
    snprintf(c->path, sizeof c->path, "/tmp/fuzz-text-%d.%d", (int)getpid(), number);
    options.property_count = trace_source_properties(source, &options.properties);
    if (trace_sink_create(&sink, "sp-rtrace-text", c->path, &options) != 0)
        abort();
    put_events(source, sink);
    if (trace_sink_finish(sink) != 0 || trace_sink_close(sink) != 0)
        abort();
    trace_source_close(source);
    read_copy(c);
    return true;
}

static void free_copy(struct copy *c)
{
    if (c->path[0] != '\0')
        unlink(c->path);
    free(c->bytes);
}

/* Returns whether there are heap statistics. Lines that moved may complete them, so the first copy may differ
 * from the second. */
static bool has_heap(const uint8_t *bytes, size_t count)
{
    static const char title[] = "## heap status information:";
    return memmem(bytes, count, title, strlen(title)) != NULL;
}

static void check(const struct copy *first, const struct copy *second)
{
    if (first->count == second->count && memcmp(first->bytes, second->bytes, first->count) == 0)
        return;
    fprintf(stderr, "a text\n%s\nbecame\n%s\n", first->bytes, second->bytes);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct copy copies[3] = {{.path = ""}, {.path = ""}, {.path = ""}};
    char from[40];
    int fd = memfd_create("fuzz.txt", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, count) != (ssize_t)count)
        abort();
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (make_copy(&copies[0], from, 0)) {
        if (!make_copy(&copies[1], copies[0].path, 1) || !make_copy(&copies[2], copies[1].path, 2))
            abort();
        if (!has_heap(bytes, count))
            check(&copies[0], &copies[1]);
        check(&copies[1], &copies[2]);
    }
    for (size_t i = 0; i < 3; ++i)
        free_copy(&copies[i]);
    close(fd);
    return 0;
}
