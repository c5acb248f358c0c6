/* SPDX-License-Identifier: MIT
 * Tracks the objects of all calls in an event stream, as `trace-cli leaks` does. Every finding must have been
 * created by an existing call, before it was freed. Findings must be the same with and without the text of
 * calls, and the report must contain all of them in order.
 */
#include "fuzz_target.h"
#include "fuzz_trace_file.h"

#include "leaks/leak_report.h"
#include "formats/apitrace/read/reader.h"
#include "runtime/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* Function of each call, by call number. */
struct functions {
    uint32_t *ids; /* id plus 1; 0: no such call */
    uint64_t count;
};

static void note_function(struct functions *f, const struct trace_call *call)
{
    if (call->number >= f->count) {
        uint64_t count = call->number + 1024;
        f->ids = realloc(f->ids, count * sizeof *f->ids);
        if (f->ids == NULL)
            abort();
        for (uint64_t i = f->count; i < count; ++i)
            f->ids[i] = 0;
        f->count = count;
    }
    f->ids[call->number] = call->sig->id + 1;
}

/* Passes the same calls to each tracker. */
static int follow_calls(struct leak_tracker *const trackers[2], struct trace_reader *reader,
                        struct functions *functions)
{
    const struct trace_call *call;
    int rc = 0;
    while (rc == 0 && trace_reader_next_call(reader, &call) == 0 && call != NULL) {
        note_function(functions, call);
        rc = leak_tracker_add_call(trackers[0], call);
        EXPECT(rc == leak_tracker_add_call(trackers[1], call));
        trace_call_release(reader, call);
    }
    if (rc == 0)
        rc = leak_tracker_end(trackers[0]);
    return rc == 0 ? leak_tracker_end(trackers[1]) : rc;
}

static void check_findings(const struct leak_findings *with, const struct leak_findings *without,
                           const struct functions *functions)
{
    EXPECT(with->count == without->count);
    for (size_t i = 0; i < with->count; ++i) {
        const struct leak_object *a = &with->items[i].object, *b = &without->items[i].object;
        EXPECT(a->name == b->name && a->kind == b->kind && a->call == b->call && a->owner == b->owner &&
               a->group == b->group && with->items[i].until == without->items[i].until);
        EXPECT(a->text != NULL && b->text == NULL);
        EXPECT(a->call < functions->count && functions->ids[a->call] != 0);
        EXPECT(a->kind != 0 && a->kind < spec_object_count);
        EXPECT(with->items[i].until == LEAK_AT_END ||
               (with->items[i].until < functions->count && functions->ids[with->items[i].until] != 0));
    }
}

static bool is_alive(const struct leak_finding *f)
{
    return f->until == LEAK_AT_END;
}

/* Objects that are alive come first. Then they are sorted by share group, with those of no group last. In a
 * section, they are sorted by kind, and those of one creator by call. */
static bool are_in_order(const struct leak_finding *a, const struct leak_finding *b)
{
    if (is_alive(a) != is_alive(b))
        return is_alive(a);
    if (a->object.group != b->object.group)
        return b->object.group == 0 || (a->object.group != 0 && a->object.group < b->object.group);
    if (!leak_report_same_section(a, b))
        return true;
    if (a->object.kind != b->object.kind)
        return a->object.kind < b->object.kind;
    return !leak_report_same_creator(a, b) || a->object.call <= b->object.call;
}

static void check_report(const struct leak_report *r)
{
    const struct leak_findings *all = &r->tracker->contexts.findings;
    size_t alive = 0;
    EXPECT(r->count == all->count);
    for (size_t i = 0; i < all->count; ++i)
        alive += is_alive(&all->items[i]);
    EXPECT(r->alive_count == alive);
    for (size_t i = 1; i < r->count; ++i)
        EXPECT(are_in_order(r->items[i - 1], r->items[i]));
}

static void use_trackers(struct leak_tracker *const trackers[2], struct trace_reader *reader)
{
    struct functions functions = {NULL, 0};
    struct leak_report report = {.tracker = trackers[0], .path = "a.trace", .until = LEAK_AT_END};
    if (follow_calls(trackers, reader, &functions) == 0) {
        check_findings(&trackers[0]->contexts.findings, &trackers[1]->contexts.findings, &functions);
        if (leak_report_init(&report) == 0) {
            check_report(&report);
            leak_report_fini(&report);
        }
    }
    free(functions.ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct leak_tracker *const trackers[2] = {malloc(sizeof *trackers[0]), malloc(sizeof *trackers[1])};
    struct trace_reader *reader;
    char path[40];
    int fd = fuzz_trace_file(bytes, count);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (trackers[0] == NULL || trackers[1] == NULL || leak_tracker_init(trackers[0], true) != 0 ||
        leak_tracker_init(trackers[1], false) != 0)
        abort();
    if (trace_reader_open(&reader, path) == 0) {
        use_trackers(trackers, reader);
        trace_reader_close(reader);
    }
    for (unsigned i = 0; i < 2; ++i) {
        leak_tracker_fini(trackers[i]);
        free(trackers[i]);
    }
    close(fd);
    return 0;
}
