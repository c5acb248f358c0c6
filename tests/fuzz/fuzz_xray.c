/* SPDX-License-Identifier: MIT
 * Reads any bytes as an XRay log, and writes the result in each of its forms. A log that we have written must
 * be valid, and the one of version 5 has the same events.
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

/* Digests of the events, regardless of their order: the times of a damaged log may lead to another order. */
struct found {
    uint64_t events;
    uint64_t sum; /* sum of their digests */
    uint64_t losses;
    bool has_ticks;
    bool has_large; /* functions of basic logs whose numbers have more bits than the copy's */
};

static uint64_t mix(uint64_t digest, uint64_t number)
{
    for (int i = 0; i < 8; ++i)
        digest = (digest ^ (number >> 8 * i & 0xff)) * 1099511628211u;
    return digest;
}

static uint64_t mix_value(uint64_t digest, const struct trace_value *value)
{
    bool is_data = value->type == TRACE_STRING || value->type == TRACE_BLOB;
    digest = mix(digest, value->type);
    if (!is_data)
        return mix(digest, value->type == TRACE_UINT ? value->u.uint : 0);
    for (uint64_t i = 0; i < value->count; ++i)
        digest = mix(digest, value->u.blob[i]);
    return digest;
}

/* Events without data and losses are not written. */
static bool is_kept(const struct trace_event *event)
{
    if (event->kind == TRACE_EVENT_INSTANT) {
        const struct trace_value *data = &event->call->args[event->call->arg_count - 1];
        return data->type != TRACE_NONE && data->count > 0;
    }
    return event->kind == TRACE_EVENT_ENTER || event->kind == TRACE_EVENT_EXIT ||
           event->kind == TRACE_EVENT_TAIL_EXIT;
}

static void add_event(struct found *f, const struct trace_event *event)
{
    f->losses += event->kind == TRACE_EVENT_LOSS;
    if (!is_kept(event))
        return;
    const struct trace_call *call = event->call;
    f->has_large |= call->sig->number >> 28 != 0;
    uint64_t digest = mix(mix(14695981039346656037u, event->kind), call->sig->number);
    digest = mix(mix(digest, (uint64_t)event->origin->process), (uint64_t)event->origin->thread);
    digest = mix(digest, f->has_ticks ? event->ticks : (uint64_t)event->time);
    for (uint32_t i = 0;
         event->kind != TRACE_EVENT_EXIT && event->kind != TRACE_EVENT_TAIL_EXIT && i < call->arg_count; ++i)
        digest = mix_value(digest, &call->args[i]);
    f->sum += digest;
    f->events++;
}

/* Reads to the end, also past damage. sink may be NULL. */
static int use_events(struct trace_source *source, struct trace_sink *sink, struct found *f)
{
    struct trace_event event;
    int rc;
    f->has_ticks = trace_source_clock(source)->has_ticks;
    for (;;) {
        rc = trace_source_next(source, &event);
        if (rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED)
            continue;
        if (rc != 0 || event.kind == TRACE_EVENT_END)
            return rc;
        add_event(f, &event);
        if (sink != NULL && trace_sink_put(sink, &event) != 0)
            abort();
        trace_source_release(source, &event);
    }
}

static void check_copy(const char *path, const struct found *wanted)
{
    struct found f = {0};
    struct trace_source *source;
    int rc = trace_source_open(&source, path);
    if (rc == 0) {
        rc = use_events(source, NULL, &f);
        trace_source_close(source);
    }
    if (rc == 0 && f.losses == 0 &&
        (wanted == NULL || (f.events == wanted->events && (f.sum == wanted->sum || wanted->has_large))))
        return;
    fprintf(stderr, "%llu events of which a copy has %llu: %d, %s\n",
            (unsigned long long)(wanted != NULL ? wanted->events : 0), (unsigned long long)f.events, rc,
            rc != 0 ? trace_error_message() : "all read");
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
    if (rc == 0 && (trace_sink_finish(sink) != 0 || trace_sink_close(sink) != 0))
        abort();
    if (rc != 0)
        trace_sink_abandon(sink);
    trace_source_close(source);
    return rc == 0;
}

/* Returns whether the header is a log's or a profile's. */
static bool is_log(const uint8_t *bytes, size_t count)
{
    if (count >= 32 && (memcmp(bytes, "forpyarx", 8) == 0 || memcmp(bytes, "xrayprof", 8) == 0))
        return true;
    return count >= 32 && (bytes[0] | bytes[1]) <= 7 && (bytes[2] | bytes[3]) <= 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char from[40], to[40];
    if (!is_log(bytes, count))
        return 0;
    int fd = memfd_create("fuzz.xray", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, count) != (ssize_t)count)
        abort();
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    snprintf(to, sizeof to, "/tmp/fuzz-copy-%d.xray", (int)getpid());
    bool is_new = bytes[count - 1] % 4 != 0; /* one of them: creating files takes time */
    struct found f = {0};
    if (copy_as(from, is_new ? "xray" : "xray-1", to, &f))
        check_copy(to, is_new ? &f : NULL);
    unlink(to);
    close(fd);
    return 0;
}
