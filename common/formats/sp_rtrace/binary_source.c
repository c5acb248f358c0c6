/* SPDX-License-Identifier: MIT
 * Yields the events of a binary log: first its declarations, from the list of the first pass, then its calls.
 * A call is complete when the next one begins, because its arguments and its backtrace follow it in either
 * order.
 */
#include "formats/sp_rtrace/binary_events.h"
#include "formats/sp_rtrace/binary_scan.h"
#include "formats/sp_rtrace/log_clock.h"
#include "formats/shared/event_pool.h"
#include "formats/shared/source_errors.h"
#include "formats/sp_rtrace/sp_rtrace.h"

#include "base/error.h"
#include "trace/source_ops.h"

#include <stdio.h>
#include <stdlib.h>

#define PROPERTY_MAX 8

enum phase {
    PHASE_DECLARED,
    PHASE_CALLS,
    PHASE_LOSS,
    PHASE_END,
};

struct binary_source {
    struct trace_source base;
    char *name; /* name of the file, for messages */
    struct trace_file file;
    struct handshake handshake;
    struct log_summary summary;
    struct log_names names;
    struct event_pool pool;
    struct trace_property properties[PROPERTY_MAX];
    char numbers[4][32]; /* values of properties */

    enum phase phase;
    enum declared_kind kind; /* kind of the next declaration */
    size_t at;               /* its index in the list */
    bool in_rest;            /* it is not in the list, but in the rest of the log */
    struct packet_walk declared;

    struct packet_walk walk;
    struct event_block *call; /* the current call, whose parts may follow; NULL: none */
    bool has_args;
    bool has_frames;
    uint64_t number; /* of the last call */
    struct buf key;

    int held; /* an error that is returned before the next event */
    struct source_errors errors;
};

static struct binary_source *cast(struct trace_source *s)
{
    return (struct binary_source *)s;
}

static void end_with(struct trace_event *out)
{
    *out = (struct trace_event){.kind = TRACE_EVENT_END};
}

/* --- errors ---------------------------------------------------------------------------------------- */

/* Passes on an error after which reading continues, or should continue. */
static int pass_error(struct binary_source *s, int rc)
{
    return source_errors_pass(&s->errors, s->name, rc);
}

/* Damage after the current call ends it, because what follows may belong to another call. */
static int meet_error(struct binary_source *s, int rc, struct trace_event *out)
{
    struct event_block *call = s->call;
    bool ends_call = rc != TRACE_ERR_DAMAGED || s->walk.lost;
    if (call == NULL || !ends_call)
        return pass_error(s, rc);
    s->call = NULL;
    s->held = pass_error(s, rc);
    event_block_hand_out(call, out);
    return 0;
}

/* --- declarations ---------------------------------------------------------------------------------- */

/* Reads the packet at a place that the first pass has found to be valid. */
static int read_place(struct binary_source *s, const struct declared_place *place, struct packet *packet)
{
    int rc;
    s->declared.style = place->style;
    s->declared.offset = place->offset;
    s->declared.no_log_until = UINT64_MAX;
    s->declared.ended = false;
    do
        rc = packet_walk_next(&s->declared, packet);
    while (rc == TRACE_ERR_DAMAGED && s->declared.offset == place->offset); /* its size field was wrong */
    return rc;
}

/* Reads the next packet after the list that declares something of the kind, or the end of the log. */
static int read_rest(struct binary_source *s, struct packet *packet)
{
    enum declared_kind kind;
    int rc;
    do
        rc = packet_walk_next(&s->declared, packet);
    while (rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED ||
           (rc == 0 && packet->type != PACKET_NONE &&
            !(packet->known && packet_declares(packet->type, &kind) && kind == s->kind)));
    return rc;
}

static int next_declared_packet(struct binary_source *s, struct packet *packet)
{
    const struct declared_place *place;
    if (!s->in_rest) {
        place = declared_next(&s->summary.declared, s->kind, &s->at);
        if (place != NULL)
            return read_place(s, place, packet);
        packet->type = PACKET_NONE;
        if (!s->summary.declared.has_rest || s->kind == DECLARED_HEAP)
            return 0;
        s->in_rest = true;
        s->declared.style = s->summary.declared.rest.style;
        s->declared.offset = s->summary.declared.rest.offset;
        s->declared.no_log_until = s->summary.has_other_logs ? s->declared.offset : UINT64_MAX;
        s->declared.ended = false;
    }
    return read_rest(s, packet);
}

static int make_declared(struct binary_source *s, const struct packet *packet, struct trace_event *out)
{
    struct event_block *block = event_pool_take(&s->pool);
    int rc = block != NULL ? binary_declared_event(block, &s->names, &s->summary, &s->declared.style, packet)
                           : TRACE_ERR_MEMORY;
    if (rc == 0)
        event_block_hand_out(block, out);
    else if (block != NULL)
        event_pool_give_back(&s->pool, block);
    return rc == 0 ? 0 : pass_error(s, rc);
}

/* *found: there is a declaration. */
static int next_declared(struct binary_source *s, struct trace_event *out, bool *found)
{
    struct packet packet;
    for (; s->kind < DECLARED_KINDS; ++s->kind, s->at = 0, s->in_rest = false) {
        int rc = next_declared_packet(s, &packet);
        *found = true;
        if (rc != 0)
            return pass_error(s, rc);
        if (packet.type != PACKET_NONE)
            return make_declared(s, &packet, out);
    }
    *found = false;
    packet_walk_fini(&s->declared);
    memset(&s->declared, 0, sizeof s->declared);
    return 0;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Reports arguments or a backtrace that belong to no call, or to a call that already has them. */
static int refuse_part(struct binary_source *s, const struct packet *packet)
{
    trace_error_set(TRACE_ERR_DAMAGED, "%s at offset %llu belong%s to no call",
                    packet->type == PACKET_ARGS ? "the arguments" : "the backtrace",
                    (unsigned long long)packet->offset, packet->type == PACKET_ARGS ? "" : "s");
    return pass_error(s, TRACE_ERR_DAMAGED);
}

static int add_part(struct binary_source *s, const struct packet *packet)
{
    bool is_args = packet->type == PACKET_ARGS, *has = is_args ? &s->has_args : &s->has_frames;
    if (s->call == NULL || *has)
        return refuse_part(s, packet);
    *has = true;
    int rc = is_args ? binary_call_add_args(s->call, &s->names, &s->key, &s->walk.style, packet)
                     : binary_call_add_frames(s->call, &s->walk.style, packet);
    return rc == 0 ? 0 : pass_error(s, rc);
}

/* Completes the previous call, if there is one. */
static int begin_call(struct binary_source *s, const struct packet *packet, struct trace_event *out,
                      bool *found)
{
    struct event_block *before = s->call;
    s->call = event_pool_take(&s->pool);
    int rc =
        s->call != NULL ? binary_call_event(s->call, &s->names, &s->walk.style, packet) : TRACE_ERR_MEMORY;
    s->has_args = s->has_frames = false;
    *found = before != NULL;
    if (before != NULL)
        event_block_hand_out(before, out);
    if (rc != 0) {
        rc = pass_error(s, rc);
        if (before != NULL)
            event_pool_give_back(&s->pool, before);
        return rc;
    }
    s->call->event.number = s->call->call.number = ++s->number;
    return 0;
}

static int end_calls(struct binary_source *s, struct trace_event *out, bool *found)
{
    s->phase = PHASE_LOSS;
    *found = s->call != NULL;
    if (s->call != NULL)
        event_block_hand_out(s->call, out);
    s->call = NULL;
    return 0;
}

static int next_call(struct binary_source *s, struct trace_event *out, bool *found)
{
    struct packet packet;
    int rc = 0;
    *found = false;
    while (rc == 0 && !*found) {
        rc = packet_walk_next(&s->walk, &packet);
        if (rc != 0) {
            *found = true;
            return meet_error(s, rc, out);
        }
        if (packet.type == PACKET_CALL)
            rc = begin_call(s, &packet, out, found);
        else if (packet.type == PACKET_ARGS || packet.type == PACKET_BTRC)
            rc = add_part(s, &packet);
        else if (packet.type == PACKET_NONE)
            return end_calls(s, out, found);
    }
    return rc;
}

/* --- the source ------------------------------------------------------------------------------------ */

static bool next_loss(struct binary_source *s, struct trace_event *out)
{
    s->phase = PHASE_END;
    if (s->summary.unknown_packets == 0)
        return false;
    *out = (struct trace_event){.kind = TRACE_EVENT_LOSS, .time = TRACE_NO_TIME};
    out->u.loss = (struct trace_loss){.count = s->summary.unknown_packets,
                                      .reason = "packets of types that are not known"};
    return true;
}

static int source_next(struct trace_source *source, struct trace_event *out)
{
    struct binary_source *s = cast(source);
    bool found = false;
    int rc = s->errors.rc != 0 ? s->errors.rc : s->held;
    s->held = 0;
    if (rc != 0)
        return trace_error_set(rc, "%s", s->errors.message);
    if (s->phase == PHASE_DECLARED) {
        rc = next_declared(s, out, &found);
        if (found)
            return rc;
        s->phase = PHASE_CALLS;
    }
    if (s->phase == PHASE_CALLS) {
        rc = next_call(s, out, &found);
        if (rc != 0 || found)
            return rc;
    }
    if (s->phase == PHASE_LOSS && next_loss(s, out))
        return 0;
    end_with(out);
    return 0;
}

static void source_release(struct trace_source *source, const struct trace_event *event)
{
    event_pool_release(&cast(source)->pool, event);
}

static void source_resume_after_damage(struct trace_source *source)
{
    cast(source)->errors.resumes = true;
}

static void source_set_progress(struct trace_source *source, struct trace_progress_callback progress)
{
    struct binary_source *s = cast(source);
    s->walk.window.progress = progress;
    if (progress.report != NULL)
        progress.report(progress.context, 0, s->file.size);
}

static const struct trace_clock *source_clock(struct trace_source *source)
{
    (void)source;
    return &sp_rtrace_clock;
}

static void source_close(struct trace_source *source)
{
    struct binary_source *s = cast(source);
    if (s->call != NULL)
        event_pool_give_back(&s->pool, s->call);
    event_pool_fini(&s->pool);
    packet_walk_fini(&s->declared);
    packet_walk_fini(&s->walk);
    log_names_fini(&s->names);
    log_summary_fini(&s->summary);
    buf_fini(&s->key);
    trace_file_close(&s->file);
    free(s->name);
    free(s);
}

static const struct trace_source_ops ops = {
    .next = source_next,
    .release = source_release,
    .close = source_close,
    .resume_after_damage = source_resume_after_damage,
    .set_progress = source_set_progress,
    .clock = source_clock,
};

/* --- opening --------------------------------------------------------------------------------------- */

static void add_property(struct binary_source *s, const char *name, const char *value)
{
    s->properties[s->base.property_count++] = (struct trace_property){.name = name, .value = value};
}

static const char *print_number(char *out, uint64_t value)
{
    snprintf(out, 32, "%llu", (unsigned long long)value);
    return out;
}

/* Tools that know nothing about the process write zeros, because sp-rtrace's tools require PINF. */
static void add_process(struct binary_source *s, const struct log_summary *summary)
{
    uint64_t start = summary->seconds * UINT64_C(1000000000) + summary->microseconds * UINT64_C(1000);
    if (summary->process != NULL && summary->process[0] != '\0')
        add_property(s, "process.name", summary->process);
    if (summary->pid != 0) {
        add_property(s, "process.id", print_number(s->numbers[0], summary->pid));
        s->names.process = summary->pid;
    }
    if (start != 0)
        add_property(s, "process.start", print_number(s->numbers[1], start));
    if (summary->depth != NO_DEPTH)
        add_property(s, "backtrace.depth", print_number(s->numbers[2], summary->depth));
}

static void add_properties(struct binary_source *s)
{
    const struct log_summary *summary = &s->summary;
    if (s->handshake.arch[0] != '\0')
        add_property(s, "arch", s->handshake.arch);
    add_property(s, "pointer.size", s->handshake.style.pointer_size == 4 ? "4" : "8");
    add_property(s, "tracer", SP_RTRACE_TRACER);
    if (summary->has_process)
        add_process(s, summary);
    s->base.properties = s->properties;
}

static int read_handshake(struct binary_source *s, struct file_window *w)
{
    const uint8_t *bytes;
    size_t got;
    int rc = file_window_get(w, 0, HANDSHAKE_MAX, &bytes, &got);
    if (rc != 0)
        return rc;
    if (!handshake_parse(&s->handshake, bytes, got))
        return trace_error_set(TRACE_ERR_TRUNCATED, "the file ends inside the log's handshake");
    rc = file_window_get(w, s->handshake.size, PACKET_HEAD, &bytes, &got);
    if (rc == 0)
        packet_style_see_first(&s->handshake.style, bytes, got);
    return rc;
}

static int read_log(struct binary_source *s)
{
    struct file_window window;
    file_window_init(&window, &s->file);
    int rc = file_window_make_seekable(&s->file);
    if (rc == 0)
        rc = read_handshake(s, &window);
    file_window_fini(&window);
    if (rc == 0)
        rc = binary_scan(&s->summary, &s->names, &s->file, &s->handshake.style, s->handshake.size);
    if (rc != 0)
        return rc;
    packet_walk_init(&s->walk, &s->file, &s->handshake.style, s->handshake.size);
    packet_walk_init(&s->declared, &s->file, &s->handshake.style, s->handshake.size);
    if (!s->summary.has_other_logs)
        s->walk.no_log_until = UINT64_MAX;
    add_properties(s);
    return 0;
}

int sp_rtrace_binary_open(struct trace_source **out, struct trace_probe *probe)
{
    struct binary_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    log_names_init(&s->names);
    s->base.ops = &ops;
    s->base.format_name = "sp-rtrace";
    s->base.order = TRACE_ORDER_TIME;
    s->name = strdup(probe->name);
    trace_probe_take_file(probe, &s->file);
    int rc = s->name != NULL ? read_log(s) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0) {
        trace_error_prefix(rc, "%s", probe->name);
        source_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}

int sp_rtrace_binary_bid(const struct trace_probe *probe)
{
    struct handshake handshake;
    return handshake_parse(&handshake, probe->head, probe->head_count) ? TRACE_BID_CERTAIN : TRACE_BID_NONE;
}
