/* SPDX-License-Identifier: MIT */
#include "collector/session.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/worker_thread.h"
#include "formats/apitrace/index/index_writer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BATCH        ((size_t)1 << 18) /* bytes of records that are processed at a time */
#define SUBMIT_SIZE  ((size_t)1 << 18) /* bytes of events that a flight recorder gets at a time */
#define CHUNK_SIZE   ((size_t)1 << 20) /* to a file, which takes them without copying */
#define MARK_SIZE    ((size_t)1 << 18) /* bytes of events between marks */
#define ASK_MS       1000
#define IDLE_WAIT_MS 20
#define FLUSH_MS     1000
/* The highest time in milliseconds between taking an order number and publishing the record; it takes
 * nanoseconds unless the thread was killed. */
#define GAP_MS 1000
/* While a thread copies a large payload into its ring, all others may have to wait. After this time without
 * any progress, they could be what it is waiting for. */
#define STALL_MS 30000
/* For a file of the flight recorder, so many batches are taken at most: a busy program always has more. */
#define DUMP_DRAINS 64

static bool has_ended(const struct session *s)
{
    if (atomic_load(&s->replaced) || atomic_load(s->stop))
        return true;
    if (s->pid_fd < 0)
        return kill(s->pid, 0) != 0 && errno == ESRCH;
    struct pollfd p = {s->pid_fd, POLLIN, 0};
    return poll(&p, 1, 0) == 1;
}

/* The first error is reported at once and is permanent: the file ends there. */
static void note_error(struct session *s, int rc)
{
    if (rc == 0 || s->status != 0)
        return;
    s->status = rc;
    fprintf(stderr, "trace-cli: error: %s: %s; the trace ends there\n", s->name, trace_error_message());
}

/* Notes how many calls the stream has up to here. */
static void mark(struct session *s)
{
    if (s->status == 0)
        losses_mark(&s->marks, s->encoder.stream_size, s->encoder.next_call);
    s->marked = s->encoder.stream_size;
}

/* Passes the events on if there are enough. If the file has failed, they are still counted, and the program
 * is not stopped. */
static void submit_events(struct session *s, size_t enough)
{
    struct buf *out = &s->encoder.out;
    if (out->len == 0 || out->len < enough)
        return;
    if (s->status == 0 && s->flight == NULL && enough >= CHUNK_SIZE) {
        note_error(s, trace_output_take(s->output, out));
        return;
    }
    if (s->status == 0 && s->flight != NULL)
        note_error(s, flight_recorder_append(s->flight, out->data, out->len));
    else if (s->status == 0)
        note_error(s, trace_output_write(s->output, out->data, out->len));
    mark(s);
    buf_clear(out);
}

/* Makes sure that everything that was passed on is in the file. */
static void flush_output(struct session *s)
{
    if (s->status == 0 && s->flight == NULL)
        note_error(s, trace_output_flush(s->output));
}

static int drain(struct session *s, size_t *taken)
{
    tick_clock_refine(&s->index.clock);
    selection_update(&s->selection, s->merger.next_order);
    if (clock_milliseconds() - s->asked_for_idle >= ASK_MS) {
        s->asked_for_idle = clock_milliseconds();
        record_merger_ask_for_idle(&s->merger);
    }
    int rc = record_merger_drain(&s->merger, BATCH, taken);
    submit_events(s, s->flight != NULL ? SUBMIT_SIZE : CHUNK_SIZE);
    if (s->encoder.stream_size - s->marked >= MARK_SIZE)
        mark(s);
    atomic_store_explicit(&s->calls, s->encoder.next_call, memory_order_relaxed);
    atomic_store_explicit(&s->frames, s->encoder.ended_frames, memory_order_relaxed);
    return rc;
}

/* Sleeps until the program signals, or until a timeout. */
static int wait_for_records(struct session *s, size_t *taken)
{
    atomic_store(&s->segment.control->doorbell, 1);
    int rc = drain(s, taken);
    if (rc == 0 && *taken == 0)
        futex_wait(&s->segment.control->doorbell, 1, IDLE_WAIT_MS);
    atomic_store(&s->segment.control->doorbell, 0);
    return rc;
}

/* From here on, the file is a valid trace, even if this process is killed. */
static void write_header(struct session *s)
{
    submit_events(s, 1);
    flush_output(s);
}

/* Writes what was encoded for a second, so that little is lost if trace-cli is killed. *since: when the first
 * of it was encoded; 0: there is nothing to write. */
static void flush_when_due(struct session *s, int64_t *since)
{
    if (*since == 0 || clock_milliseconds() - *since < FLUSH_MS)
        return;
    submit_events(s, 1);
    flush_output(s);
    *since = 0;
}

/* Is the process stopped, by a signal or a debugger? */
static bool is_stopped(const struct session *s)
{
    char path[32], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)s->pid);
    FILE *f = fopen(path, "re");
    size_t size = f != NULL ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f != NULL)
        fclose(f);
    line[size] = '\0';
    const char *state = strrchr(line, ')'); /* the name before it may contain anything */
    return state != NULL && state[1] == ' ' && (state[2] == 'T' || state[2] == 't');
}

/* Returns true if there is more to drain although nothing arrives. idle: milliseconds without records. */
static bool skip_missing(struct session *s, bool ended, int64_t idle)
{
    if (!ended && idle < GAP_MS)
        return false;
    if (record_merger_skip_gap(&s->merger))
        return true;
    bool stalled = idle >= STALL_MS && record_merger_is_held_up(&s->merger) && !is_stopped(s);
    return (ended || stalled) && record_merger_cut_large(&s->merger);
}

/* Of signals, and of the program's markers. */
static void note_requests(struct session *s)
{
    unsigned dumps = atomic_load_explicit(s->dumps, memory_order_relaxed);
    for (; s->dumps_seen != dumps; ++s->dumps_seen)
        flight_requests_add(s->requests, FLIGHT_CALLED, "a signal");
    if (s->selection.wants_dump)
        flight_requests_add(s->requests, FLIGHT_APPENDED, "a marker");
    s->selection.wants_dump = false;
}

static int write_dump(struct session *s)
{
    struct buf open = BUF_INIT;
    int rc = record_merger_list_open(&s->merger, &open);
    if (rc == 0)
        flight_recorder_dump(s->flight, &open);
    buf_fini(&open);
    return rc;
}

/* Serves a request for a file. */
static int dump_when_due(struct session *s)
{
    enum flight_moment at;
    size_t taken = 1;
    int rc = 0;
    if (s->flight == NULL)
        return 0;
    note_requests(s);
    /* An event that is half written cannot be divided. */
    if (!flight_recorder_is_due(s->flight, &at) || large_record_is_open(&s->merger.large))
        return 0;
    for (unsigned i = 0; at == FLIGHT_CALLED && i < DUMP_DRAINS && rc == 0 && taken > 0; ++i)
        rc = drain(s, &taken);
    submit_events(s, 1);
    if (rc == 0 && !large_record_is_open(&s->merger.large))
        rc = write_dump(s);
    return rc;
}

static int collect(struct session *s)
{
    int64_t last = clock_milliseconds(), unflushed = 0;
    for (;;) {
        size_t taken;
        /* Checked first, because what the process published before must still be read. */
        bool ended = has_ended(s);
        int rc = drain(s, &taken);
        if (rc == 0)
            rc = dump_when_due(s);
        if (rc == 0 && taken == 0 && !ended)
            rc = wait_for_records(s, &taken);
        if (rc != 0)
            return rc;
        if (taken > 0) {
            last = clock_milliseconds();
            unflushed = unflushed != 0 ? unflushed : last;
        }
        flush_when_due(s, &unflushed);
        if (taken > 0)
            continue;
        submit_events(s, 1);
        if (skip_missing(s, ended, clock_milliseconds() - last))
            continue;
        if (ended)
            return 0;
    }
}

/* The index must describe all events, so it is left out if events are missing at the end. */
static void attach_index(struct session *s)
{
    event_index_add_modules(&s->index);
    if (s->index.builder != NULL && s->status == 0)
        trace_output_attach_index(s->output, s->index.builder);
    else if (s->status == 0)
        fprintf(stderr, "trace-cli: warning: %s: no index: %s\n", s->name, s->index.message);
}

static void end_flight(struct session *s)
{
    bool failed, stopped = atomic_load(s->stop), lives = stopped || atomic_load(&s->replaced);
    struct buf open = BUF_INIT;
    /* If the process has crashed, the call that did not return may be why. */
    bool leaves_out = lives || atomic_load(&s->segment.control->ending) != 0;
    if (leaves_out)
        note_error(s, record_merger_list_open(&s->merger, &open));
    note_requests(s);
    flight_recorder_finish(s->flight, stopped ? "the end of the recording" : "the end of the program",
                           leaves_out ? &open : NULL);
    buf_fini(&open);
    flight_requests_answered(s->requests, 0, s->name, sizeof s->name, &failed);
    s->losses.undumped = flight_requests_failures(s->requests);
    losses_note(&s->losses, &s->merger, s->file);
}

static void close_file(struct session *s)
{
    flush_output(s);
    if (s->status != 0)
        s->losses.unwritten =
            s->merger.has_large
                ? losses_cut_marked_file(s->output, s->container, s->file, s->encoder.next_call, &s->marks)
                : losses_cut_file(s->output, s->container, s->file, s->encoder.next_call);
    attach_index(s);
    note_error(s, trace_output_close(s->output));
    losses_note(&s->losses, &s->merger, s->file);
    struct stat st;
    s->bytes = fstat(s->file, &st) == 0 ? (uint64_t)st.st_size : 0;
    if (close(s->file) != 0)
        note_error(s, trace_error_set_errno(TRACE_ERR_IO, errno, "cannot close"));
}

static void *run_session(void *argument)
{
    struct session *s = argument;
    life_mark_set(&s->life, s->segment.control);
    sem_post(&s->ready);
    if (s->flight == NULL)
        write_header(s);
    note_error(s, collect(s));
    atomic_store(&s->segment.control->closed, 1);
    if (s->flight != NULL)
        end_flight(s);
    else
        close_file(s);
    life_mark_clear(&s->life, s->segment.control);
    atomic_store(&s->finished, true);
    return NULL;
}

static void release_session(struct session *s)
{
    flight_recorder_free(s->flight);
    s->flight = NULL;
    event_index_fini(&s->index);
    selection_fini(&s->selection);
    record_merger_fini(&s->merger);
    record_encoder_fini(&s->encoder);
    frame_symbols_free(s->symbols);
    s->symbols = NULL;
    segment_fini(&s->segment);
    if (s->pid_fd >= 0)
        close(s->pid_fd);
    s->pid_fd = -1;
    sem_destroy(&s->ready);
}

/* The encoder passes its events on to one of the two. */
static int open_receiver(struct session *s, const struct session_options *o)
{
    if (o->flight == NULL)
        return event_index_init(&s->index, &s->encoder, o->clock, &o->early);
    struct flight_setting setting = *o->flight;
    s->requests = malloc(sizeof *s->requests);
    if (s->requests == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: flight recorder");
    flight_requests_init(s->requests);
    tick_clock_init(&s->index.clock, o->clock, &o->early);
    setting.encoder = &s->encoder;
    setting.clock = &s->index.clock;
    setting.requests = s->requests;
    return flight_recorder_new(&s->flight, &setting);
}

static int open_file(struct session *s, const struct session_options *o)
{
    if (s->flight != NULL)
        return 0;
    record_encode_header(&s->encoder, o->program, o->arguments);
    return trace_output_open_fd(&s->output, s->file, o->container, o->level, 1);
}

static int open_session(struct session *s, const struct session_options *o)
{
    s->segment.control->clock = o->clock;
    int rc = record_encoder_init(&s->encoder);
    if (rc == 0)
        rc = open_receiver(s, o);
    if (rc == 0)
        rc = selection_init(&s->selection, o->selection, o->recording, &s->encoder, s->segment.control);
    if (rc == 0)
        rc = frame_symbols_new(
            &s->symbols, &s->encoder.frames,
            &(const struct frame_symbols_options){.pid = s->pid,
                                                  .program = o->program,
                                                  .expected = o->backtraces,
                                                  .verbose = o->verbose,
                                                  .debug_directories = o->debug_directories});
    if (rc == 0)
        rc = record_merger_init(&s->merger, &s->segment, &s->encoder);
    if (rc != 0)
        return rc;
    rc = open_file(s, o);
    if (rc == 0 && worker_thread_start(&s->thread, run_session, s) != 0) {
        if (s->output != NULL)
            trace_output_close(s->output);
        rc = trace_error_set(TRACE_ERR_MEMORY, "cannot start a thread");
    }
    while (rc == 0 && sem_wait(&s->ready) != 0)
        continue; /* interrupted by a signal */
    return rc;
}

static void free_session(struct session *s)
{
    if (s->requests != NULL)
        flight_requests_fini(s->requests);
    free(s->requests);
    free(s);
}

int session_start(struct session **out, const struct session_options *options)
{
    struct session *s = calloc(1, sizeof *s);
    if (s == NULL) {
        close(options->segment_fd);
        if (options->file >= 0)
            close(options->file);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    sem_init(&s->ready, 0, 0);
    s->pid = options->pid;
    s->pid_fd = (int)syscall(SYS_pidfd_open, s->pid, 0);
    s->file = options->file;
    s->stop = options->stop;
    s->dumps = options->dumps;
    s->dumps_seen = options->flight != NULL ? atomic_load(options->dumps) : 0;
    s->container = options->container;
    snprintf(s->name, sizeof s->name, "%s", options->name);
    int rc = segment_attach(&s->segment, options->segment_fd);
    if (rc == 0)
        rc = open_session(s, options);
    if (rc != 0) {
        if (s->file >= 0)
            close(s->file);
        release_session(s);
        free_session(s);
        return rc;
    }
    *out = s;
    return 0;
}

static void join(struct session *s)
{
    if (s->joined)
        return;
    pthread_join(s->thread, NULL);
    release_session(s);
    s->joined = true;
}

void session_end(struct session *s)
{
    join(s);
}

void session_reap(struct session *s)
{
    if (atomic_load(&s->finished))
        join(s);
}

uint64_t session_dump(struct session *s, const char *reason)
{
    uint64_t request = flight_requests_add(s->requests, FLIGHT_CALLED, reason);
    if (request != 0 && !s->joined)
        segment_ring_doorbell(s->segment.control);
    return request;
}

void session_notice(struct session *s)
{
    if (!s->joined)
        segment_ring_doorbell(s->segment.control);
}

bool session_is_settled(const struct session *s)
{
    return s->joined || atomic_load(&s->finished) || selection_is_settled(&s->selection);
}

bool session_has_dumped(const struct session *s, uint64_t request, char *path, size_t size, bool *failed)
{
    return flight_requests_answered(s->requests, request, path, size, failed);
}

double session_load(const struct session *s)
{
    uint32_t used = s->joined ? 0 : atomic_load(&s->segment.control->rings_used);
    uint64_t most = 0;
    for (uint32_t i = 0; i < used && i < s->segment.ring_count; ++i) {
        const struct ring_control *ring = &s->segment.control->rings[i];
        uint64_t tail = atomic_load(&ring->tail), filled = atomic_load(&ring->head) - tail;
        if (filled > most && filled <= RING_SIZE) /* otherwise the program has overwritten them */
            most = filled;
    }
    return (double)most / RING_SIZE;
}

bool session_join_ended(struct session *s)
{
    if (s->joined || !has_ended(s))
        return false;
    join(s);
    return true;
}

void session_join(struct session *s, struct session_result *result)
{
    join(s);
    result->status = s->status;
    result->lost = losses_tell(&s->losses, s->name);
    result->kept = !s->losses.deleted;
    result->calls = atomic_load(&s->calls);
    result->frames = atomic_load(&s->frames);
    result->bytes = s->bytes;
    free_session(s);
}
