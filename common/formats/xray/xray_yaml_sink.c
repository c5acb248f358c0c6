/* SPDX-License-Identifier: MIT
 * Writes the text that LLVM's tool makes of a log, `llvm-xray convert -f yaml`.
 */
#include "formats/xray/xray.h"
#include "formats/xray/xray_args.h"
#include "formats/xray/xray_functions.h"
#include "formats/xray/yaml_scalar.h"

#include "base/error.h"
#include "base/format_number.h"
#include "formats/shared/file_sink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_ROOM  512  /* bytes of a line without names, arguments and data */
#define NAME_SLOTS 256u /* for names of functions that were written lately */

/* What a function is called in a line. */
struct yaml_name {
    const struct trace_function_sig *sig;
    struct buf text; /* empty: the slot is not used */
};

struct yaml_sink {
    struct file_sink file;
    bool has_ticks;
    bool is_named; /* functions have names, or else # and their numbers; otherwise numbers */
    bool
        threads_are_processes; /* version 2 of a recorder's log has no process; the tool takes the thread's */
    struct int_map
        last_functions; /* of each thread: its signature, which an event of its own is attributed to */
    struct buf data;    /* the text of an event's data */
    struct yaml_name names[NAME_SLOTS];
};

static struct yaml_sink *cast(struct trace_sink *s)
{
    return (struct yaml_sink *)s;
}

static int no_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* --- lines ----------------------------------------------------------------------------------------- */

#define PUT_LITERAL(p, text) ((char *)memcpy(p, text, sizeof text - 1) + sizeof text - 1)

static uint32_t number_of(const struct trace_function_sig *sig)
{
    return sig == NULL ? 0 : sig->number != 0 ? sig->number : sig->id + 1;
}

/* A function without a name is called by its number; # is before it where others have names. */
static int make_name(const struct yaml_sink *s, struct yaml_name *n)
{
    char number[16];
    int length = snprintf(number, sizeof number, "#%" PRIu32, number_of(n->sig));
    bool is_nameless = n->sig == NULL || (!s->is_named && strcmp(n->sig->name, number) == 0);
    const char *name = is_nameless ? number + !s->is_named : n->sig->name;
    size_t count = is_nameless ? (size_t)(length - !s->is_named) : strlen(n->sig->name);
    return yaml_scalar_append(&n->text, name, count) == 0 ? 0 : no_memory();
}

/* *out is lent until the next call. */
static int find_name(struct yaml_sink *s, const struct trace_function_sig *sig, const struct buf **out)
{
    struct yaml_name *n = &s->names[sig != NULL ? sig->id % NAME_SLOTS : 0];
    *out = &n->text;
    if (n->sig == sig && n->text.len > 0)
        return 0;
    n->sig = sig;
    buf_clear(&n->text);
    return make_name(s, n);
}

/* Takes the first arguments that are numbers, and those that are not known for none. */
static char *put_args(struct yaml_sink *s, char *p, const struct trace_call *call)
{
    const char *between = "args: [ ";
    for (uint32_t i = 0; i < call->arg_count; ++i) {
        if (call->args[i].type == TRACE_NONE)
            continue;
        if (!xray_arg_is_number(&call->args[i])) {
            trace_sink_leave_out(&s->file.base, "argument", xray_args_known_from(call, i));
            break;
        }
        size_t length = strlen(between);
        memcpy(p, between, length);
        p += length;
        p += format_uint(p, trace_value_to_uint(&call->args[i], 0));
        between = ", ";
    }
    return between[0] == 'a' ? p : PUT_LITERAL(p, " ], ");
}

static char *put_origin(const struct yaml_sink *s, char *p, const struct trace_event *event)
{
    const struct trace_origin *o = event->origin;
    int64_t thread = o != NULL && o->thread >= 0 ? o->thread : event->call->thread;
    int64_t process = s->threads_are_processes ? thread : o != NULL ? o->process : 0;
    p = PUT_LITERAL(p, "cpu: ");
    p += format_uint(p, o != NULL && o->cpu >= 0 ? (uint64_t)o->cpu : 0);
    if (thread > 0) {
        p = PUT_LITERAL(p, ", thread: ");
        p += format_uint(p, (uint64_t)thread);
    }
    if (process > 0) {
        p = PUT_LITERAL(p, ", process: ");
        p += format_uint(p, (uint64_t)process);
    }
    return p;
}

/* data: NULL: none. with_args: the arguments belong to the record. */
static int put_line(struct yaml_sink *s, const struct trace_event *event,
                    const struct trace_function_sig *sig, uint64_t type, const char *kind, bool with_args,
                    const struct trace_value *data)
{
    const struct buf *name;
    int rc = find_name(s, sig, &name);
    buf_clear(&s->data);
    if (rc == 0 && data != NULL && data->type != TRACE_NONE &&
        yaml_scalar_append(&s->data, data->u.string, (size_t)data->count) != 0)
        rc = no_memory();
    size_t room = LINE_ROOM + name->len + s->data.len + (with_args ? 24 * (size_t)event->call->arg_count : 0);
    char *p = rc == 0 ? log_output_reserve(&s->file.output, room) : NULL;
    if (p == NULL)
        return rc != 0 ? rc : TRACE_ERR_IO;
    p = PUT_LITERAL(p, "  - { type: ");
    p += format_uint(p, type);
    p = PUT_LITERAL(p, ", func-id: ");
    p += format_uint(p, number_of(sig));
    p = PUT_LITERAL(p, ", function: ");
    p = (char *)memcpy(p, name->data, name->len) + name->len;
    p = PUT_LITERAL(p, ", ");
    if (with_args)
        p = put_args(s, p, event->call);
    p = put_origin(s, p, event);
    p = PUT_LITERAL(p, ", kind: ");
    size_t length = strlen(kind);
    p = (char *)memcpy(p, kind, length) + length;
    p = PUT_LITERAL(p, ", tsc: ");
    p += format_uint(p, s->has_ticks ? event->ticks : event->time > 0 ? (uint64_t)event->time : 0);
    if (s->data.len == 0) {
        p = PUT_LITERAL(p, ", data: ''");
    } else {
        p = PUT_LITERAL(p, ", data: ");
        p = (char *)memcpy(p, s->data.data, s->data.len) + s->data.len;
    }
    log_output_take(&s->file.output, PUT_LITERAL(p, " }\n"));
    return 0;
}

/* --- events ---------------------------------------------------------------------------------------- */

static uint64_t thread_key(const struct trace_event *event)
{
    const struct trace_origin *o = event->origin;
    return o != NULL ? (uint64_t)o->process << 32 | (uint32_t)o->thread : event->call->thread;
}

static int put_function(struct yaml_sink *s, const struct trace_event *event, const char *kind, bool enters)
{
    const struct trace_function_sig *sig = event->call->sig;
    return put_line(s, event, sig, 0, kind, enters, NULL);
}

/* The tool attributes an event to the function of the record before it in the buffer. */
static int put_instant(struct yaml_sink *s, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    bool is_typed = strcmp(call->sig->name, XRAY_TYPED_NAME) == 0 && call->arg_count == 2;
    bool is_custom = strcmp(call->sig->name, XRAY_CUSTOM_NAME) == 0 && call->arg_count == 1;
    uint64_t address = 0;
    if (!is_typed && !is_custom)
        return trace_sink_leave_out(&s->file.base, trace_event_kind_name(event->kind), 1);
    int_map_get(&s->last_functions, thread_key(event), &address);
    return put_line(s, event, (const struct trace_function_sig *)(uintptr_t)address,
                    is_typed ? trace_value_to_uint(&call->args[0], 0) : 0,
                    is_typed ? "typed-event" : "custom-event", false, &call->args[is_typed]);
}

static int note_function(struct yaml_sink *s, const struct trace_event *event)
{
    uint64_t address = (uint64_t)(uintptr_t)event->call->sig;
    return int_map_set(&s->last_functions, thread_key(event), address) == 0 ? 0 : no_memory();
}

static int put_whole_call(struct yaml_sink *s, const struct trace_event *event)
{
    struct trace_event end = *event;
    int rc =
        put_function(s, event, event->call->arg_count > 0 ? "function-enter-arg" : "function-enter", true);
    end.time = event->call->leave_time;
    if (rc != 0 || (event->call->flags & TRACE_CALL_INCOMPLETE) != 0)
        return rc;
    return put_function(s, &end, "function-exit", false);
}

static void count_left_out(struct yaml_sink *s, const struct trace_event *event)
{
    if (event->call->frame_count > 0 && event->kind != TRACE_EVENT_EXIT)
        trace_sink_leave_out(&s->file.base, "backtrace", 1);
    if (event->call->ret.type != TRACE_NONE && event->kind != TRACE_EVENT_ENTER)
        trace_sink_leave_out(&s->file.base, "return value", 1);
    if (trace_record_has_contexts(event->record))
        trace_sink_leave_out(&s->file.base, "context fields of an event", 1);
}

static bool is_call(const struct trace_event *event)
{
    return event->kind == TRACE_EVENT_CALL || event->kind == TRACE_EVENT_ENTER ||
           event->kind == TRACE_EVENT_EXIT || event->kind == TRACE_EVENT_TAIL_EXIT;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    struct yaml_sink *s = cast(sink);
    if (is_call(event))
        count_left_out(s, event);
    int rc = event->call != NULL && event->kind != TRACE_EVENT_INSTANT ? note_function(s, event) : 0;
    if (rc != 0)
        return rc;
    switch (event->kind) {
    case TRACE_EVENT_CALL:
        return put_whole_call(s, event);
    case TRACE_EVENT_ENTER:
        return put_function(s, event, event->call->arg_count > 0 ? "function-enter-arg" : "function-enter",
                            true);
    case TRACE_EVENT_EXIT:
        return put_function(s, event, "function-exit", false);
    case TRACE_EVENT_TAIL_EXIT:
        return put_function(s, event, "function-tail-exit", false);
    case TRACE_EVENT_INSTANT:
        return put_instant(s, event);
    case TRACE_EVENT_CLOCK:
        return 0; /* as the tool does */
    default:
        return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
    }
}

/* --- the sink -------------------------------------------------------------------------------------- */

static int sink_finish(struct trace_sink *sink)
{
    struct yaml_sink *s = cast(sink);
    int rc = log_output_put(&s->file.output, "...\n", 4);
    return rc == 0 ? log_output_flush(&s->file.output) : rc;
}

static void release(struct file_sink *file)
{
    struct yaml_sink *s = (struct yaml_sink *)file;
    int_map_fini(&s->last_functions);
    buf_fini(&s->data);
    for (unsigned i = 0; i < NAME_SLOTS; ++i)
        buf_fini(&s->names[i].text);
    free(s);
}

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = file_sink_flush,
    .finish = sink_finish,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

static const char *property(const struct trace_sink_options *options, const char *name, const char *fallback)
{
    for (size_t i = 0; i < options->property_count; ++i)
        if (strcmp(options->properties[i].name, name) == 0)
            return options->properties[i].value;
    return fallback;
}

/* Without a header of a log, the one of the log that would be written. */
static int put_header(struct yaml_sink *s, const struct trace_sink_options *options)
{
    const char *version = property(options, XRAY_VERSION_PROPERTY, "5");
    bool is_fdr = strcmp(property(options, XRAY_TYPE_PROPERTY, "fdr"), "fdr") == 0;
    bool is_constant = strcmp(property(options, XRAY_CONSTANT_TSC_PROPERTY, "yes"), "yes") == 0;
    bool is_nonstop = strcmp(property(options, XRAY_NONSTOP_TSC_PROPERTY, "yes"), "yes") == 0;
    char text[256];
    int length =
        snprintf(text, sizeof text,
                 "---\nheader:\n  version:         %.20s\n  type:            %d\n  constant-tsc:    %s\n"
                 "  nonstop-tsc:     %s\n  cycle-frequency: %" PRIu64 "\nrecords:\n",
                 version, is_fdr, is_constant ? "true" : "false", is_nonstop ? "true" : "false",
                 s->has_ticks ? options->clock->frequency : 1000000000);
    s->is_named = strcmp(property(options, XRAY_NAMED_PROPERTY, "no"), "yes") == 0;
    s->threads_are_processes = is_fdr && strcmp(version, "2") == 0;
    return log_output_put(&s->file.output, text, (size_t)length);
}

int xray_yaml_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    struct yaml_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    s->has_ticks = options->clock != NULL && options->clock->has_ticks;
    int rc = file_sink_open(&s->file, &ops, release, path);
    if (rc != 0)
        return rc;
    for (size_t i = 0; i < options->property_count; ++i)
        if (strncmp(options->properties[i].name, "xray.", 5) != 0)
            trace_sink_leave_out(&s->file.base, "property", 1);
    rc = put_header(s, options);
    if (rc != 0) {
        file_sink_abandon(&s->file.base);
        return rc;
    }
    *out = &s->file.base;
    return 0;
}
