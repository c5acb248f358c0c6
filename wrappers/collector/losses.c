/* SPDX-License-Identifier: MIT */
#include "collector/losses.h"

#include "formats/apitrace/container/codecs.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/raw_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_regular(int file, struct stat *st)
{
    return fstat(file, st) == 0 && S_ISREG(st->st_mode);
}

/* Counts the calls whose enter event can be read. */
static uint64_t count_calls(int file)
{
    char path[40];
    struct trace_raw_events *events;
    const struct trace_raw_event *event;
    uint64_t count = 0, first;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file); /* works even if the file has been deleted */
    if (trace_raw_events_open(&events, path, false) != 0)
        return 0;
    do
        count += trace_raw_events_pass_known(events, UINT64_MAX, &first);
    while (trace_raw_events_next(events, &event) == 0 && event != NULL &&
           (count += event->tag == TRACE_RAW_EVENT_ENTER, true));
    trace_raw_events_close(events);
    return count;
}

/* Returns false if the file cannot be truncated. *stream receives the bytes of the stream that it has. */
static bool cut_after_last_chunk(struct trace_output *output, enum trace_container container, int file,
                                 uint64_t *stream)
{
    struct stat st;
    const struct trace_chunk_list *chunks = trace_output_chunks(output);
    off_t end = (off_t)trace_codec_of(container)->blocks->prologue_size;
    *stream = 0;
    if (chunks->count > 0) {
        const struct trace_chunk_entry *last = &chunks->entries[chunks->count - 1];
        end = (off_t)(last->file_offset + last->length);
        *stream = last->stream_offset + last->size;
    }
    return is_regular(file, &st) && (st.st_size <= end || ftruncate(file, end) == 0);
}

uint64_t losses_cut_file(struct trace_output *output, enum trace_container container, int file,
                         uint64_t calls)
{
    uint64_t stream;
    if (!cut_after_last_chunk(output, container, file, &stream))
        return calls;
    uint64_t written = count_calls(file);
    return written < calls ? calls - written : 0;
}

void losses_mark(struct losses_marks *m, uint64_t stream, uint64_t calls)
{
    m->marks[m->next % LOSSES_MARKS].stream = stream;
    m->marks[m->next % LOSSES_MARKS].calls = calls;
    m->next++;
}

uint64_t losses_cut_marked_file(struct trace_output *output, enum trace_container container, int file,
                                uint64_t calls, const struct losses_marks *m)
{
    uint64_t stream, written = 0;
    if (!cut_after_last_chunk(output, container, file, &stream))
        return calls;
    for (unsigned i = 0; i < LOSSES_MARKS; ++i)
        if (m->marks[i].stream <= stream && m->marks[i].calls > written)
            written = m->marks[i].calls;
    return written < calls ? calls - written : 0;
}

void losses_note(struct losses *l, const struct record_merger *merger, int file)
{
    struct stat st;
    l->unrecorded += atomic_load(&merger->segment->control->calls_lost);
    l->interrupting += atomic_load(&merger->segment->control->calls_interrupting);
    l->damaged += merger->damaged + merger->passed_over;
    l->missing += merger->lost;
    l->cut += merger->cut;
    l->deleted = is_regular(file, &st) && st.st_nlink == 0;
}

static bool tell(const char *name, uint64_t count, const char *what)
{
    if (count > 0)
        fprintf(stderr, "trace-cli: warning: %s: %" PRIu64 " %s\n", name, count, what);
    return count > 0;
}

bool losses_tell(const struct losses *l, const char *name)
{
    bool lost = tell(name, l->unwritten, "calls were lost: the file could not be written");
    lost |= tell(name, l->unrecorded, "calls were lost: there was no room to record them in");
    lost |= tell(name, l->interrupting,
                 "calls were lost: signal handlers made them while another call was being recorded");
    lost |= tell(name, l->damaged,
                 "records made no sense: the program has written over them; calls are missing or incomplete");
    lost |= tell(
        name, l->cut,
        "calls are cut off: the program ended while their data was recorded, and the rest of it is zeros");
    if (!lost)
        tell(name, l->missing,
             "events of calls that were cut off (by a killed thread or siglongjmp) are missing");
    if (l->deleted)
        fprintf(stderr,
                "trace-cli: warning: %s: the file was deleted while it was written, so there is no trace\n",
                name);
    return lost || l->deleted || l->undumped > 0;
}
