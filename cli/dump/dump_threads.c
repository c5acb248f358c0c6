/* SPDX-License-Identifier: MIT
 * The members of a team take turns at the reader, and each takes a batch of the trace. The texts are written
 * in the order in which the batches were taken. A thread that finds the next text ready writes it, so no
 * thread waits for another.
 */
#include "dump/dump_threads.h"

#include "base/error.h"
#include "base/worker_thread.h"
#include "shell/number_option.h"
#include "shell/write_output.h"
#include "formats/apitrace/read/reader_batches.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECES_EACH 2                 /* number of texts that each thread may be ahead of the output */
#define SERIAL_TEXT ((size_t)1 << 16) /* limits for a piece without a batch: bytes of text */
#define SERIAL_MAX  1024              /* and number of calls */

/* The text of a batch, and the error or warning to print after it. */
struct piece {
    bool ready;
    struct buf text;
    struct trace_kept_error error; /* printed after the text */
};

struct team;

struct member {
    struct team *team;
    pthread_t thread; /* of all members except the first, which is the caller */
    struct trace_reader *clone;
    struct dump_printer *printer;
};

struct team {
    struct dump_printer *printer; /* printer of the first member */
    unsigned thread_count;        /* number of threads that are wanted */
    struct call_input *in;
    unsigned member_count;
    struct member members[JOBS_MAX];

    pthread_mutex_t source; /* protects the source, and: */
    struct trace_reader *reader;
    uint64_t taken; /* number of pieces taken; piece i is pieces[i % piece_count] */
    bool ended;     /* there is nothing more to take */

    pthread_mutex_t sink; /* protects the following members; lock it after `source` if both are needed */
    pthread_cond_t room;  /* a piece was written */
    bool is_writing;      /* a thread is writing, without the lock */
    uint64_t written;
    unsigned piece_count;
    /* Buffers of texts that have been written, the most recently used last. */
    struct buf spare[PIECES_EACH * JOBS_MAX];
    unsigned spare_count;
    struct trace_kept_error error; /* why nothing more is written */
    struct piece pieces[];
};

static void note(struct piece *p, int rc)
{
    if (p->error.code == 0)
        trace_error_keep(&p->error, rc);
}

static bool ends_reading(int rc)
{
    return rc != 0 && rc != TRACE_ERR_DAMAGED && rc != TRACE_ERR_TRUNCATED;
}

/* --- taking ---------------------------------------------------------------------------------------- */

/* Waits for a free piece. Returns NULL if nothing more will be written. */
static struct piece *wait_for_room(struct team *t)
{
    pthread_mutex_lock(&t->sink);
    while (t->error.code == 0 && t->taken - t->written >= t->piece_count)
        pthread_cond_wait(&t->room, &t->sink);
    struct piece *p = t->error.code == 0 ? &t->pieces[t->taken++ % t->piece_count] : NULL;
    pthread_mutex_unlock(&t->sink);
    return p;
}

/* Prints calls up to the next batch, and begins that batch, of *size bytes. The caller holds the lock of the
 * source. */
static int gather(struct team *t, struct member *m, size_t *size)
{
    const struct buf *text = dump_printer_output(m->printer);
    *size = 0;
    for (unsigned i = 0; i < SERIAL_MAX && text->len < SERIAL_TEXT; ++i) {
        struct trace_batch batch;
        const struct trace_call *call;
        int rc = trace_reader_next_batch(t->reader, &batch, &call);
        if (rc == 0 && batch.chunk != NULL) {
            *size = (size_t)(batch.end - batch.start);
            return trace_reader_begin_batch(m->clone, t->reader, &batch);
        }
        t->ended = rc == 0 && call == NULL;
        if (rc == 0 && call != NULL)
            rc = dump_printer_put(m->printer, t->reader, call);
        trace_call_release(t->reader, call);
        if (rc != 0 || t->ended)
            return rc;
    }
    return 0;
}

/* Returns NULL if there is nothing more. */
static struct piece *take(struct member *m, size_t *size)
{
    struct team *t = m->team;
    pthread_mutex_lock(&t->source);
    struct piece *p = t->ended ? NULL : wait_for_room(t);
    if (p != NULL) {
        int rc = gather(t, m, size);
        if (rc != 0)
            note(p, rc);
        t->ended |= ends_reading(rc);
    }
    pthread_mutex_unlock(&t->source);
    return p;
}

/* --- printing -------------------------------------------------------------------------------------- */

static void print_batch(struct member *m, struct piece *p)
{
    for (;;) {
        const struct trace_call *call;
        dump_printer_put_scalar_calls(m->printer, m->clone);
        int rc = trace_reader_next_call(m->clone, &call);
        if (rc == 0 && call == NULL)
            return;
        if (rc == 0)
            rc = dump_printer_put(m->printer, m->clone, call);
        trace_call_release(m->clone, call);
        if (rc != 0)
            note(p, rc);
        if (ends_reading(rc))
            return;
    }
}

/* --- writing --------------------------------------------------------------------------------------- */

/* Writes the text, then the error or warning. */
static int write_piece(struct team *t, struct piece *p)
{
    int rc = write_output(&p->text);
    if (rc != 0 || p->error.code == 0)
        return rc;
    rc = trace_error_restore(&p->error);
    p->error.code = 0;
    return input_losses_add(&t->in->losses, rc);
}

/* Writes all texts that are ready. The lock must be held; it is released meanwhile. */
static void write_ready(struct team *t)
{
    struct piece *p = &t->pieces[t->written % t->piece_count];
    while (p->ready) {
        p->ready = false;
        if (t->error.code == 0) {
            pthread_mutex_unlock(&t->sink);
            int rc = write_piece(t, p);
            pthread_mutex_lock(&t->sink);
            trace_error_keep(&t->error, rc);
        }
        t->spare[t->spare_count++] = p->text;
        p->text = BUF_INIT;
        t->written++;
        pthread_cond_signal(&t->room);
        p = &t->pieces[t->written % t->piece_count];
    }
}

static void deliver(struct member *m, struct piece *p)
{
    struct team *t = m->team;
    struct buf *text = dump_printer_output(m->printer);
    pthread_mutex_lock(&t->sink);
    p->text = *text;
    *text = t->spare_count > 0 ? t->spare[--t->spare_count] : BUF_INIT;
    p->ready = true;
    if (!t->is_writing) {
        t->is_writing = true;
        write_ready(t);
        t->is_writing = false;
    }
    pthread_mutex_unlock(&t->sink);
}

/* --- members --------------------------------------------------------------------------------------- */

/* Prints a batch of `size` bytes. Room for its text is reserved in advance, so that the text is not copied
 * while it grows. Unused memory pages cost nothing. */
static void work(struct member *m, struct piece *p, size_t size)
{
    buf_reserve(dump_printer_output(m->printer), size < TRACE_BATCH_BYTES ? 2 * size : 2 * TRACE_BATCH_BYTES);
    print_batch(m, p);
    deliver(m, p);
}

/* The reader of the output may close it at any time. That must end the program, whichever thread writes. */
static void allow_broken_pipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void *run_member(void *argument)
{
    struct member *m = argument;
    struct piece *p;
    size_t size;
    allow_broken_pipe();
    dump_printer_expect_many(m->printer);
    while ((p = take(m, &size)) != NULL)
        work(m, p, size);
    return NULL;
}

static void free_member(struct member *m)
{
    if (m->printer != NULL && m->printer != m->team->printer) {
        dump_printer_fini(m->printer);
        free(m->printer);
    }
    trace_reader_close(m->clone);
}

/* If a thread cannot be started, there are fewer threads; that is not an error. */
static void add_members(struct team *t)
{
    for (unsigned i = 1; i < t->thread_count; ++i) {
        struct member *m = &t->members[i];
        m->team = t;
        m->printer = calloc(1, sizeof *m->printer);
        if (m->printer != NULL && dump_printer_init(m->printer, t->printer->options) != 0) {
            free(m->printer);
            m->printer = NULL;
        }
        if (m->printer == NULL || trace_reader_clone(&m->clone, t->reader) != 0 ||
            worker_thread_start(&m->thread, run_member, m) != 0) {
            free_member(m);
            return;
        }
        t->member_count++;
    }
}

/* The caller's share of the work. Other threads are started when there is enough work. */
static void lead(struct team *t)
{
    struct member *m = &t->members[0];
    struct piece *p;
    size_t size;
    while ((p = take(m, &size)) != NULL) {
        if (t->member_count == 1 && size >= TRACE_BATCH_BYTES) {
            add_members(t);
            dump_printer_expect_many(m->printer);
        }
        work(m, p, size);
    }
    for (unsigned i = 1; i < t->member_count; ++i)
        pthread_join(t->members[i].thread, NULL);
}

static int finish(struct team *t)
{
    int rc = t->error.code == 0 ? 0 : trace_error_restore(&t->error);
    for (unsigned i = 1; i < t->member_count; ++i)
        free_member(&t->members[i]);
    for (unsigned i = 0; i < t->piece_count; ++i)
        buf_fini(&t->pieces[i].text);
    while (t->spare_count > 0)
        buf_fini(&t->spare[--t->spare_count]);
    dump_printer_forget_signatures(t->printer); /* the first member's clone uses the same printer */
    trace_reader_close(t->members[0].clone);
    pthread_mutex_destroy(&t->source);
    pthread_mutex_destroy(&t->sink);
    pthread_cond_destroy(&t->room);
    free(t);
    return rc;
}

int dump_in_threads(struct dump_printer *printer, unsigned threads, struct call_input *in)
{
    unsigned piece_count = PIECES_EACH * threads;
    struct team *t = calloc(1, sizeof *t + piece_count * sizeof t->pieces[0]);
    if (t == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    t->printer = printer;
    t->thread_count = threads;
    t->in = in;
    /* The text of a piece is written before its warning. The printer may be at a later piece by then. */
    in->losses.flush = NULL;
    t->reader = in->reader;
    t->piece_count = piece_count;
    t->member_count = 1;
    t->members[0] = (struct member){.team = t, .printer = printer};
    pthread_mutex_init(&t->source, NULL);
    pthread_mutex_init(&t->sink, NULL);
    pthread_cond_init(&t->room, NULL);
    if (trace_error_keep(&t->error, trace_reader_clone(&t->members[0].clone, in->reader)) == 0)
        lead(t);
    return finish(t);
}
