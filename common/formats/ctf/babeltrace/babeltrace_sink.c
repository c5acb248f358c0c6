/* SPDX-License-Identifier: MIT
 * Prints events as babeltrace2 does: a line with the time, the tracer's environment, the name, the contexts
 * and the fields. Events of other formats have arguments only.
 */
#include "formats/ctf/babeltrace/babeltrace.h"
#include "formats/ctf/babeltrace/babeltrace_contexts.h"
#include "formats/ctf/babeltrace/babeltrace_time.h"
#include "formats/ctf/babeltrace/babeltrace_values.h"

#include "base/error.h"
#include "base/format_number.h"
#include "formats/shared/file_sink.h"

#include <stdio.h>
#include <stdlib.h>

#define PREFIX_MAX 1024 /* bytes of the text between the time and the fields */

#define PREFIXES 64 /* that are kept: 2^6 */

/* The text between the time and the fields of a class of events. */
struct prefix {
    const struct trace_record_class *type; /* NULL: none is kept here */
    size_t length;
    char text[PREFIX_MAX];
};

struct babeltrace_sink {
    struct file_sink file;
    struct babeltrace_style style;
    struct babeltrace_time time;
    struct babeltrace_contexts contexts;
    struct prefix *prefix;            /* that is being made */
    struct prefix prefixes[PREFIXES]; /* by the address of the class */
};

static struct babeltrace_sink *cast(struct trace_sink *sink)
{
    return (struct babeltrace_sink *)sink;
}

/* --- between the time and the fields ----------------------------------------------------------------- */

static const char *find_variable(const struct trace_record_class *type, const char *name)
{
    for (size_t i = 0; i < type->environment_count; ++i)
        if (strcmp(type->environment[i].name, name) == 0)
            return type->environment[i].value;
    return NULL;
}

static void add(struct babeltrace_sink *s, const char *text)
{
    struct prefix *prefix = s->prefix;
    size_t length = strlen(text), room = sizeof prefix->text - prefix->length;
    length = length < room ? length : room;
    memcpy(prefix->text + prefix->length, text, length);
    prefix->length += length;
}

/* Adds "HOST:", or with names "trace:hostname = HOST, ". */
static void add_part(struct babeltrace_sink *s, const char *name, const char *value, bool *any)
{
    bool names = (s->style.names & BABELTRACE_HEADER_NAMES) != 0;
    if (*any && !names)
        add(s, ":");
    if (names) {
        add(s, name);
        add(s, " = ");
    }
    add(s, value);
    if (names)
        add(s, ", ");
    *any = true;
}

/* Adds the name of the trace: the host, and the folder below the one that was opened. babeltrace2 has no
 * separator after it, and with names one too many. */
static void add_trace(struct babeltrace_sink *s, const struct trace_record_class *type)
{
    bool names = (s->style.names & BABELTRACE_HEADER_NAMES) != 0;
    const char *host = find_variable(type, "hostname");
    if ((s->style.fields & BABELTRACE_TRACE) == 0 || type->folder == NULL)
        return;
    add(s, names ? "trace = " : "");
    add(s, host != NULL ? host : "");
    add(s, host != NULL && type->folder[0] != '\0' ? "/" : "");
    add(s, type->folder);
    add(s, names ? ", , " : "");
}

static void add_variable(struct babeltrace_sink *s, const struct trace_record_class *type, unsigned field,
                         const char *name, bool *any)
{
    const char *value = (s->style.fields & field) != 0 ? find_variable(type, strchr(name, ':') + 1) : NULL;
    char number[64];
    if (value == NULL)
        return;
    if (field == BABELTRACE_VPID)
        snprintf(number, sizeof number, "(%.40s)", value);
    add_part(s, name, field == BABELTRACE_VPID ? number : value, any);
}

/* The levels of LTTng-UST. */
static void add_log_level(struct babeltrace_sink *s, int64_t level, bool *any)
{
    static const char *const levels[] = {"EMERG",          "ALERT",         "CRIT",         "ERR",
                                         "WARNING",        "NOTICE",        "INFO",         "DEBUG_SYSTEM",
                                         "DEBUG_PROGRAM",  "DEBUG_PROCESS", "DEBUG_MODULE", "DEBUG_UNIT",
                                         "DEBUG_FUNCTION", "DEBUG_LINE",    "DEBUG"};
    char text[64];
    if ((s->style.fields & BABELTRACE_LOG_LEVEL) == 0 || level < 0 || level > 14)
        return;
    snprintf(text, sizeof text, "TRACE_%s (%d)", levels[level], (int)level);
    add_part(s, "loglevel", text, any);
}

static void make_prefix(struct babeltrace_sink *s, const struct trace_record_class *type)
{
    bool names = (s->style.names & BABELTRACE_HEADER_NAMES) != 0, any = false;
    s->prefix->length = 0;
    s->prefix->type = type;
    add_trace(s, type);
    add_variable(s, type, BABELTRACE_HOSTNAME, "trace:hostname", &any);
    add_variable(s, type, BABELTRACE_DOMAIN, "trace:domain", &any);
    add_variable(s, type, BABELTRACE_PROCNAME, "trace:procname", &any);
    add_variable(s, type, BABELTRACE_VPID, "trace:vpid", &any);
    add_log_level(s, type->log_level, &any);
    if ((s->style.fields & BABELTRACE_EMF) != 0 && type->uri != NULL)
        add_part(s, "model.emf.uri", type->uri, &any);
    if (any && !names)
        add(s, " ");
    add(s, names ? "name = " : "");
    add(s, type->name);
    add(s, names ? ", " : ": ");
}

static const struct prefix *find_prefix(struct babeltrace_sink *s, const struct trace_record_class *type)
{
    s->prefix = &s->prefixes[(uintptr_t)type * UINT64_C(0x9e3779b97f4a7c15) >> 58];
    if (s->prefix->type != type)
        make_prefix(s, type);
    return s->prefix;
}

/* --- events ---------------------------------------------------------------------------------------- */

/* Puts what stands before the value of a scope. */
static int put_scope_name(struct babeltrace_sink *s, const char *name, bool is_first)
{
    char *p = log_output_reserve(&s->file.output, 64);
    if (p == NULL)
        return TRACE_ERR_IO;
    if (!is_first) {
        memcpy(p, ", ", 2);
        p += 2;
    }
    if ((s->style.names & BABELTRACE_SCOPE_NAMES) != 0) {
        size_t length = strlen(name);
        memcpy(p, name, length);
        memcpy(p + length, " = ", 3);
        p += length + 3;
    }
    log_output_take(&s->file.output, p);
    return 0;
}

static int put_contexts(struct babeltrace_sink *s, const struct trace_value *scopes, bool *any)
{
    static const char *const names[] = {
        [TRACE_SCOPE_PACKET] = "stream.packet.context",
        [TRACE_SCOPE_COMMON] = "stream.event.context",
        [TRACE_SCOPE_SPECIFIC] = "event.context",
    };
    const bool with_names = (s->style.names & BABELTRACE_CONTEXT_NAMES) != 0;
    int rc = 0;
    for (unsigned i = TRACE_SCOPE_PACKET; rc == 0 && i <= TRACE_SCOPE_SPECIFIC; ++i) {
        if (scopes[i].type == TRACE_NONE)
            continue;
        rc = put_scope_name(s, names[i], !*any);
        if (rc == 0)
            rc = babeltrace_put_context(&s->contexts, &s->file.output, &scopes[i], with_names);
        *any = true;
    }
    return rc;
}

static int put_payload(struct babeltrace_sink *s, const struct trace_value *payload, bool any)
{
    if (payload->type == TRACE_NONE)
        return 0;
    int rc = put_scope_name(s, "event.fields", !any);
    return rc == 0 ? babeltrace_put_value(&s->file.output, payload,
                                          (s->style.names & BABELTRACE_PAYLOAD_NAMES) != 0)
                   : rc;
}

static int put_record(struct babeltrace_sink *s, const struct trace_event *event)
{
    const struct trace_value *scopes = event->record->scopes;
    char *p = log_output_reserve(&s->file.output, BABELTRACE_TIME_BYTES + PREFIX_MAX);
    bool any = false;
    if (p == NULL)
        return TRACE_ERR_IO;
    const struct prefix *prefix = find_prefix(s, event->record->type);
    p = babeltrace_time_put(&s->time, event, p);
    memcpy(p, prefix->text, prefix->length);
    log_output_take(&s->file.output, p + prefix->length);
    int rc = put_contexts(s, scopes, &any);
    if (rc == 0)
        rc = put_payload(s, &scopes[TRACE_SCOPE_PAYLOAD], any);
    return rc == 0 ? log_output_put(&s->file.output, "\n", 1) : rc;
}

static int put_call(struct babeltrace_sink *s, const struct trace_event *event)
{
    const struct trace_call *call = event->call;
    const bool with_names = (s->style.names & BABELTRACE_PAYLOAD_NAMES) != 0;
    char *p = log_output_reserve(&s->file.output, BABELTRACE_TIME_BYTES);
    if (p == NULL)
        return TRACE_ERR_IO;
    log_output_take(&s->file.output, babeltrace_time_put(&s->time, event, p));
    int rc = log_output_put(&s->file.output, call->sig->name, strlen(call->sig->name));
    if (rc == 0)
        rc = log_output_put(&s->file.output, ": ", 2);
    if (rc == 0)
        rc = babeltrace_put_members(&s->file.output, call->sig->arg_names, call->args, call->sig->arg_count,
                                    with_names);
    return rc == 0 ? log_output_put(&s->file.output, "\n", 1) : rc;
}

static int sink_put(struct trace_sink *sink, const struct trace_event *event)
{
    if (event->record != NULL)
        return put_record(cast(sink), event);
    if (event->call != NULL && event->call->sig != NULL)
        return put_call(cast(sink), event);
    return trace_sink_leave_out(sink, trace_event_kind_name(event->kind), 1);
}

/* --- the sink -------------------------------------------------------------------------------------- */

static const struct trace_sink_ops ops = {
    .put = sink_put,
    .flush = file_sink_flush,
    .finish = file_sink_flush,
    .close = file_sink_close,
    .abandon = file_sink_abandon,
};

int babeltrace_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options)
{
    struct babeltrace_sink *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", path);
    if (options->babeltrace != NULL)
        s->style = *options->babeltrace;
    if (!s->style.has_names)
        s->style.names = BABELTRACE_PAYLOAD_NAMES | BABELTRACE_CONTEXT_NAMES;
    if (!s->style.has_fields)
        s->style.fields = BABELTRACE_HOSTNAME | BABELTRACE_PROCNAME | BABELTRACE_VPID;
    s->time.style = &s->style;
    if (options->clock != NULL && options->clock->wall_offset != TRACE_NO_TIME)
        s->time.wall_offset = options->clock->wall_offset;
    int rc = file_sink_open(&s->file, &ops, file_sink_free, path);
    if (rc != 0)
        return rc;
    s->file.base.need = TRACE_NEEDS_RECORDS;
    *out = &s->file.base;
    return 0;
}
