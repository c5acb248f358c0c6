/* SPDX-License-Identifier: MIT
 * Reads any bytes as an event stream, call by call and in batches. Both must find the same calls and report
 * the same errors. So must batches whose text is written straight from their bytes. Counting by the shapes of
 * calls must agree, too.
 */
#include "fuzz_target.h"
#include "fuzz_trace_file.h"

#include "base/error.h"
#include "formats/apitrace/read/raw_events.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/read/reader_batches.h"
#include "formats/apitrace/read/scalar_calls.h"
#include "trace/text/call_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLONES 2

/* What was read: the texts of calls and messages. */
struct findings {
    struct trace_call_text text;
    uint64_t calls; /* number of calls that returned */
    bool straight;  /* writes text directly where possible, and no lines for backtraces */
};

static void add_call(struct findings *f, const struct trace_reader *r, const struct trace_call *call)
{
    trace_call_text_add(&f->text, call);
    if (!f->straight)
        buf_printf(&f->text.out, "frame %llu\n", (unsigned long long)trace_reader_frame(r));
    f->calls += (call->flags & TRACE_CALL_INCOMPLETE) == 0;
}

/* Returns whether there is more to read. */
static bool add_error(struct findings *f, int rc)
{
    buf_printf(&f->text.out, "%d %s\n", rc, trace_error_message());
    return rc == TRACE_ERR_TRUNCATED || rc == TRACE_ERR_DAMAGED;
}

static void read_calls(struct trace_reader *r, struct findings *f)
{
    for (;;) {
        const struct trace_call *call;
        f->calls += f->straight ? trace_reader_put_scalar_calls(r, &f->text, true) : 0;
        int rc = trace_reader_next_call(r, &call);
        if (rc != 0 && !add_error(f, rc))
            return;
        if (rc == 0 && call == NULL)
            return;
        if (rc == 0)
            add_call(f, r, call);
        trace_call_release(r, call);
    }
}

static void read_batches(struct trace_reader *r, struct findings *f)
{
    struct trace_reader *clones[CLONES];
    unsigned batches = 0;
    for (unsigned i = 0; i < CLONES; ++i)
        if (trace_reader_clone(&clones[i], r) != 0)
            abort();
    for (;;) {
        struct trace_batch batch;
        const struct trace_call *call;
        int rc = trace_reader_next_batch(r, &batch, &call);
        if (rc != 0 && !add_error(f, rc))
            break;
        if (rc == 0 && batch.chunk != NULL) {
            struct trace_reader *clone = clones[batches++ % CLONES];
            if (trace_reader_begin_batch(clone, r, &batch) != 0)
                abort();
            read_calls(clone, f);
            continue;
        }
        if (rc == 0 && call == NULL)
            break;
        if (rc == 0)
            add_call(f, r, call);
        trace_call_release(r, call);
    }
    trace_call_text_forget_signatures(&f->text);
    for (unsigned i = 0; i < CLONES; ++i)
        trace_reader_close(clones[i]);
}

static void find(struct findings *f, const char *path, bool resumes,
                 void (*read)(struct trace_reader *, struct findings *))
{
    static const struct trace_call_text_style style = {
        .call_nos = true, .thread_ids = true, .arg_names = true, .multiline = true};
    struct trace_reader *r;
    f->calls = 0;
    trace_call_text_init(&f->text, &style);
    if (trace_reader_open(&r, path) != 0)
        return;
    if (resumes)
        trace_reader_resume_after_damage(r);
    read(r, f);
    trace_call_text_forget_signatures(&f->text);
    trace_reader_close(r);
}

/* Counts calls that returned, by their shapes where possible. UINT64_MAX: some could not be read. */
static uint64_t count_calls(const char *path)
{
    struct trace_raw_events *e;
    const struct trace_raw_event *event;
    uint64_t count = 0;
    int rc;
    if (trace_raw_events_open(&e, path, false) != 0)
        return UINT64_MAX;
    do {
        uint64_t first;
        count += trace_raw_events_pass_known(e, UINT64_MAX, &first);
        rc = trace_raw_events_next(e, &event);
        count += rc == 0 && event != NULL && event->tag == TRACE_RAW_EVENT_LEAVE && event->sig != NULL;
    } while (rc == 0 && event != NULL);
    trace_raw_events_close(e);
    return rc == 0 ? count : UINT64_MAX;
}

static void compare_text(const struct findings *whole, const struct findings *batches)
{
    const struct buf *a = &whole->text.out;
    const struct buf *b = &batches->text.out;
    if (a->len != b->len || (a->len > 0 && memcmp(a->data, b->data, a->len) != 0)) {
        fprintf(stderr, "call by call:\n%.*s\nin batches:\n%.*s\n", (int)a->len, (const char *)a->data,
                (int)b->len, (const char *)b->data);
        abort();
    }
}

static void compare(const struct findings *whole, const struct findings *batches, uint64_t count)
{
    compare_text(whole, batches);
    if (whole->calls != batches->calls || (count != UINT64_MAX && count != whole->calls)) {
        fprintf(stderr, "%llu calls, %llu in batches, counted as %llu\n", (unsigned long long)whole->calls,
                (unsigned long long)batches->calls, (unsigned long long)count);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct findings whole, batches;
    char path[40];
    int fd = fuzz_trace_file(bytes, count);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int straight = 0; straight < 2; ++straight) {
        whole.straight = batches.straight = straight == 1;
        find(&whole, path, count % 2 == 0, read_calls);
        find(&batches, path, count % 2 == 0, read_batches);
        compare(&whole, &batches, count_calls(path));
        trace_call_text_fini(&whole.text);
        trace_call_text_fini(&batches.text);
    }
    close(fd);
    return 0;
}
