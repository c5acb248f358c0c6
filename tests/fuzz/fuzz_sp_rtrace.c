/* SPDX-License-Identifier: MIT
 * Reads any bytes as an sp-rtrace log, and writes the result in each of its forms. A binary log that we have
 * written must be valid and have the same contents.
 */
#include "fuzz_target.h"

#include "base/error.h"
#include "trace/sink.h"
#include "trace/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BINARY_MARK = 0xf0 };

/* Allocations and releases, in order. */
struct found {
    uint64_t events;
    uint64_t digest;
};

static void add_number(struct found *f, uint64_t number)
{
    for (int i = 0; i < 8; ++i)
        f->digest = (f->digest ^ (number >> 8 * i & 0xff)) * 1099511628211u;
}

static void add_bytes(struct found *f, const char *bytes, size_t count)
{
    add_number(f, count);
    for (size_t i = 0; i < count; ++i)
        f->digest = (f->digest ^ (uint8_t)bytes[i]) * 1099511628211u;
}

static void add_value(struct found *f, const struct trace_value *value)
{
    add_number(f, value->type);
    if (value->type == TRACE_STRING)
        add_bytes(f, value->u.string, value->count);
}

static void add_call(struct found *f, const struct trace_call *call)
{
    add_bytes(f, call->sig->name, strlen(call->sig->name));
    for (uint32_t i = 0; i < call->arg_count; ++i)
        add_value(f, &call->args[i]);
    for (uint32_t i = 0; i < call->frame_count; ++i)
        add_number(f, call->frames[i].address);
}

static void add_event(struct found *f, const struct trace_event *event)
{
    if (event->kind != TRACE_EVENT_ALLOC && event->kind != TRACE_EVENT_FREE)
        return;
    f->events++;
    add_number(f, event->kind);
    add_number(f, event->u.resource.id);
    add_number(f, event->u.resource.size);
    add_number(f, event->u.resource.type != NULL ? event->u.resource.type->id : 0);
    add_call(f, event->call);
}

/* Reads to the end, also past damage. sink may be NULL. */
static int use_events(struct trace_source *source, struct trace_sink *sink, struct found *f)
{
    struct trace_event event;
    int rc;
    do {
        rc = trace_source_next(source, &event);
        if (rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED)
            continue;
        if (rc != 0 || event.kind == TRACE_EVENT_END)
            return rc;
        add_event(f, &event);
        if (sink != NULL && (rc = trace_sink_put(sink, &event)) == TRACE_ERR_USAGE)
            abort();
        trace_source_release(source, &event);
    } while (rc == 0 || rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED);
    return rc;
}

static void check_copy(const char *path, const struct found *wanted)
{
    struct found f = {0, 0};
    struct trace_source *source;
    struct trace_event event;
    int rc = trace_source_open(&source, path);
    if (rc == 0) {
        while ((rc = trace_source_next(source, &event)) == 0 && event.kind != TRACE_EVENT_END) {
            add_event(&f, &event);
            trace_source_release(source, &event);
        }
        trace_source_close(source);
    }
    if (rc == 0 && f.events == wanted->events && f.digest == wanted->digest)
        return;
    fprintf(stderr, "%llu events, of which a copy has %llu: %d, %s\n", (unsigned long long)wanted->events,
            (unsigned long long)f.events, rc, rc != 0 ? trace_error_message() : "all read");
    abort();
}

/* Returns whether everything could be read. */
static bool copy_as(const char *from, const char *format, const char *to, struct found *f)
{
    struct trace_source *source;
    struct trace_sink *sink;
    if (trace_source_open(&source, from) != 0)
        return false;
    trace_source_resume_after_damage(source);
    struct trace_sink_options options = {.clock = trace_source_clock(source)};
    options.property_count = trace_source_properties(source, &options.properties);
    if (trace_sink_create(&sink, format, to, &options) != 0)
        abort();
    int rc = use_events(source, sink, f);
    if (rc == 0 && (trace_sink_finish(sink) | trace_sink_close(sink)) != 0)
        abort();
    if (rc != 0)
        trace_sink_abandon(sink);
    trace_source_close(source);
    return rc == 0;
}

static size_t checksum(const uint8_t *bytes, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += bytes[i];
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const char *const formats[] = {"sp-rtrace", "sp-rtrace-1.4", "sp-rtrace-text"};
    char from[40], to[40];
    int fd = memfd_create("fuzz.rtrace", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, count) != (ssize_t)count)
        abort();
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    snprintf(to, sizeof to, "/tmp/fuzz-copy-%d.rtrace", (int)getpid());
    size_t i = checksum(bytes, count) % (sizeof formats / sizeof *formats); /* files take time */
    struct found f = {0, 0};
    if (copy_as(from, formats[i], to, &f) && i == 0 && count != 0 && bytes[0] == BINARY_MARK)
        check_copy(to, &f);
    unlink(to);
    close(fd);
    return 0;
}
