/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/resync.h"

#include "formats/apitrace/scan/event_scan.h"
#include "formats/apitrace/read/stream_seek.h"

#include <stdio.h>
#include <stdlib.h>

/* Number of events that are skipped at first: the bytes before an event may look like an event, but not
 * twice. */
#define SKIPPED     2
#define MIN_EVENTS  10  /* number of consecutive events that are required in the window, including those */
#define MAX_EVENTS  256 /* number of events that are sufficient */
#define MAX_BYTES   ((ptrdiff_t)1 << 16) /* bytes that are checked from one position */
#define MAX_WORK    ((uint64_t)64 << 20) /* bytes that are checked from all positions of a window */
#define MAX_THREADS 4096
#define MAX_JUMP    (UINT64_C(1) << 32) /* highest number of calls in a damaged part */
#define MAX_OVERLAP (UINT64_C(1) << 16) /* highest number of calls that begin before an earlier one ends */

/* What follows from the events from one position on. */
struct trial {
    unsigned events;
    uint64_t bytes; /* number of bytes that were checked */
    /* Position after the skipped events; all members below refer to the events from here on. */
    const uint8_t *start;
    uint64_t enters;
    uint64_t base;   /* the lowest number that the first enter event can have */
    bool leaves;     /* a call returned */
    uint64_t lowest; /* lowest number of a call that returned */
};

static const uint8_t *try_enter(struct trace_scan *sc, const uint8_t *p, struct trial *t)
{
    const struct trace_function_sig *sig;
    uint32_t thread;
    p = trace_scan_enter_head(sc, p, &thread, &sig);
    if (thread > MAX_THREADS)
        return NULL;
    if (p != NULL)
        p = trace_scan_details(sc, p, sig->arg_count);
    t->enters++;
    return p;
}

/* A call that returns must have been entered, so its number is below those of later enter events. */
static const uint8_t *try_leave(struct trace_scan *sc, const uint8_t *p, struct trial *t)
{
    uint64_t number;
    p = trace_scan_uint(sc, p, &number);
    if (p == NULL || number > UINT64_MAX / 2)
        return NULL;
    if (number + 1 > t->base + t->enters)
        t->base = number + 1 - t->enters;
    t->leaves = true;
    t->lowest = number < t->lowest ? number : t->lowest;
    return trace_scan_details(sc, p, UINT32_MAX);
}

/* Checks how many events follow each other from p. */
static struct trial try_place(struct trace_scan *sc, const uint8_t *p, uint64_t next_number)
{
    struct trial t = {.base = next_number, .lowest = UINT64_MAX};
    const uint8_t *end = sc->s->end;
    const uint8_t *first = p;
    while (p < end && t.events < MAX_EVENTS) {
        if (t.events == SKIPPED)
            t = (struct trial){.events = SKIPPED, .start = p, .base = next_number, .lowest = UINT64_MAX};
        if (*p == TRACE_RAW_EVENT_ENTER)
            p = try_enter(sc, p + 1, &t);
        else if (*p == TRACE_RAW_EVENT_LEAVE)
            p = try_leave(sc, p + 1, &t);
        else
            p = NULL;
        if (p == NULL) {
            t.bytes = sc->s->p > first ? (uint64_t)(sc->s->p - first) : 0;
            if (sc->rc != TRACE_PARSE_MORE || t.events < MIN_EVENTS)
                t.events = 0;
            break;
        }
        t.events++;
        t.bytes = (uint64_t)(p - first);
    }
    return t;
}

static bool is_convincing(const struct trial *t, uint64_t next_number)
{
    return t->events >= MIN_EVENTS && t->leaves && t->enters > 0 && t->base - next_number < MAX_JUMP &&
           t->base - t->lowest + t->enters < MAX_OVERLAP + t->enters;
}

/* Discards the definitions of a trial, and their memory. */
static struct trial try_and_forget(struct trace_parser *s, const uint8_t *p, uint64_t next_number,
                                   struct arena *scratch)
{
    struct trace_scan scan = {.s = s};
    const uint8_t *end = s->end;
    struct arena arena = s->sigs.arena;
    s->p = p;
    s->end = end - p > MAX_BYTES ? p + MAX_BYTES : end;
    s->sigs.arena = *scratch;
    struct trial t = try_place(&scan, p, next_number);
    trace_signatures_rollback(&s->sigs);
    *scratch = s->sigs.arena;
    arena_reset(scratch);
    s->sigs.arena = arena;
    s->end = end;
    return t;
}

/* Searches the window from `from` on, with a limit. Returns true if it found an event; *number is then the
 * number of the next call. */
static bool find_event(struct trace_parser *s, const uint8_t *from, uint64_t next_number,
                       const uint8_t **event, uint64_t *number)
{
    struct arena scratch;
    uint64_t work = 0;
    bool found = false;
    arena_init(&scratch);
    for (const uint8_t *p = from; p < s->end && !found && work < MAX_WORK; ++p) {
        if (*p != TRACE_RAW_EVENT_ENTER && *p != TRACE_RAW_EVENT_LEAVE)
            continue;
        struct trial t = try_and_forget(s, p, next_number, &scratch);
        work += t.bytes + 1;
        found = is_convincing(&t, next_number);
        *event = t.start;
        *number = t.base;
    }
    arena_fini(&scratch);
    s->p = found ? *event : s->end;
    return found;
}

int trace_resync(struct trace_stream *st, const uint8_t *from, uint64_t *next_number, bool *found)
{
    struct trace_parser *s = &st->parser;
    struct trace_kept_error why;
    const uint8_t *event;
    uint64_t number;
    bool more = true;
    trace_error_keep(&why, TRACE_ERR_DAMAGED);
    trace_signatures_rollback(&s->sigs);
    s->damaged = true;
    *found = false;
    if (!trace_input_has_chunks(st->in))
        return trace_error_set(TRACE_ERR_DAMAGED, "%s; nothing after it can be read", why.message);
    while (!(*found = find_event(s, from, *next_number, &event, &number))) {
        int rc;
        do
            rc = trace_stream_skip(st, &more);
        while (rc == TRACE_ERR_FORMAT); /* another damaged chunk */
        if (rc != 0 && rc != TRACE_ERR_TRUNCATED)
            return rc;
        if (!more)
            return trace_error_set(TRACE_ERR_DAMAGED, "%s; no call can be found after it", why.message);
        trace_stream_locate(st);
        from = s->p;
    }
    unsigned long long lost = number - *next_number;
    *next_number = number;
    return trace_error_set(TRACE_ERR_DAMAGED, "%s; %llu call%s lost; continuing with call %llu in chunk %llu",
                           why.message, lost, lost == 1 ? " is" : "s are", (unsigned long long)number,
                           (unsigned long long)s->chunk->number);
}
