/* SPDX-License-Identifier: MIT
 * CTF 2 as it is written: the metadata are a sequence of JSON texts (RFC 7464; CTF2-SPEC-2.0, section 5).
 */
#include "formats/ctf/write/ctf2_adapt.h"
#include "formats/ctf/write/ctf2_print.h"
#include "formats/ctf/write/ctf_out_types.h"

#include "base/error.h"
#include "base/utf8.h"

#include <stdio.h>

#define ALIAS_LABELS 3 /* enumerations with so many labels are declared once */

/* --- fragments --------------------------------------------------------------------------------------- */

void ctf2_begin_fragment(struct ctf2_printer *p, const char *type)
{
    json_splice(&p->out, "\x1e", 1, false);
    json_begin(&p->out, '{');
    ctf2_print_text(p, "type", type);
}

void ctf2_end_fragment(struct ctf2_printer *p)
{
    json_end(&p->out, '}');
    json_splice(&p->out, "\n", 1, false);
}

static void print_preamble(struct ctf2_printer *p)
{
    ctf2_begin_fragment(p, "preamble");
    ctf2_print_uint(p, "version", 2);
    if (p->trace->has_uuid) {
        ctf2_print_name(p, "uuid");
        json_begin(&p->out, '[');
        for (size_t i = 0; i < sizeof p->trace->uuid; ++i)
            json_uint(&p->out, p->trace->uuid[i]);
        json_end(&p->out, ']');
    }
    ctf2_end_fragment(p);
}

static void print_environment(struct ctf2_printer *p)
{
    const struct ctf_trace *t = p->trace;
    if (t->variable_count == 0)
        return;
    ctf2_print_name(p, "environment");
    json_begin(&p->out, '{');
    for (size_t i = 0; i < t->variable_count; ++i)
        if (t->variables[i].text != NULL)
            ctf2_print_text(p, t->variables[i].name, t->variables[i].text);
        else
            ctf2_print_sint(p, t->variables[i].name, t->variables[i].number);
    json_end(&p->out, '}');
}

static void print_trace(struct ctf2_printer *p)
{
    ctf2_begin_fragment(p, "trace-class");
    ctf2_print_text(p, "namespace", p->trace->name_space);
    ctf2_print_text(p, "name", p->trace->name);
    ctf2_print_text(p, "uid", p->trace->uid);
    print_environment(p);
    ctf2_print_class(p, "packet-header-field-class", p->trace->packet_header);
    ctf2_end_fragment(p);
}

/* --- clocks ------------------------------------------------------------------------------------------ */

static void print_clock_id(struct ctf2_printer *p, const char *property, const struct ctf_clock *clock)
{
    char id[32];
    for (size_t i = 0; i < p->trace->clock_count; ++i)
        if (p->trace->clocks[i] == clock) {
            snprintf(id, sizeof id, "clock-%zu", i);
            ctf2_print_text(p, property, id);
        }
}

static void print_origin(struct ctf2_printer *p, const struct ctf_clock *c)
{
    if (c->has_unix_origin)
        ctf2_print_text(p, "origin", "unix-epoch");
    if (c->has_unix_origin || c->origin_name == NULL || c->origin_uid == NULL)
        return;
    ctf2_print_name(p, "origin");
    json_begin(&p->out, '{');
    ctf2_print_text(p, "namespace", c->origin_ns);
    ctf2_print_text(p, "name", c->origin_name);
    ctf2_print_text(p, "uid", c->origin_uid);
    json_end(&p->out, '}');
}

/* The cycles must be less than those of a second. */
static void print_offset(struct ctf2_printer *p, const struct ctf_clock *c)
{
    uint64_t cycles = c->offset;
    int64_t seconds;
    if (!__builtin_add_overflow(c->offset_s, (int64_t)(cycles / c->frequency), &seconds))
        cycles %= c->frequency;
    else
        seconds = c->offset_s;
    ctf2_print_name(p, "offset-from-origin");
    json_begin(&p->out, '{');
    ctf2_print_sint(p, "seconds", seconds);
    ctf2_print_uint(p, "cycles", cycles);
    json_end(&p->out, '}');
}

static void print_clock(struct ctf2_printer *p, const struct ctf_clock *c)
{
    ctf2_begin_fragment(p, "clock-class");
    print_clock_id(p, "id", c);
    ctf2_print_text(p, "name", c->name);
    ctf2_print_text(p, "uid", c->uuid);
    ctf2_print_text(p, "description", c->description);
    ctf2_print_uint(p, "frequency", c->frequency);
    if (c->precision != 0)
        ctf2_print_uint(p, "precision", c->precision);
    print_origin(p, c);
    print_offset(p, c);
    ctf2_end_fragment(p);
}

/* --- classes of streams and events --------------------------------------------------------------------- */

static void print_stream(struct ctf2_printer *p, const struct ctf_stream_class *s)
{
    ctf2_begin_fragment(p, "data-stream-class");
    ctf2_print_uint(p, "id", s->id);
    ctf2_print_text(p, "name", s->name);
    print_clock_id(p, "default-clock-class-id", s->clock);
    ctf2_print_class(p, "packet-context-field-class", s->packet_context);
    ctf2_print_class(p, "event-record-header-field-class", s->event_header);
    ctf2_print_class(p, "event-record-common-context-field-class", s->common_context);
    ctf2_end_fragment(p);
}

static void print_attributes(struct ctf2_printer *p, const struct ctf_event_class *e)
{
    if (e->log_level == INT64_MIN && e->emf_uri == NULL)
        return;
    ctf2_print_name(p, "attributes");
    json_begin(&p->out, '{');
    ctf2_print_name(p, "lttng.org,2009");
    json_begin(&p->out, '{');
    if (e->log_level != INT64_MIN)
        ctf2_print_sint(p, "log-level", e->log_level);
    ctf2_print_text(p, "emf-uri", e->emf_uri);
    json_end(&p->out, '}');
    json_end(&p->out, '}');
}

static void print_event(struct ctf2_printer *p, const struct ctf_stream_class *s,
                        const struct ctf_event_class *e)
{
    ctf2_begin_fragment(p, "event-record-class");
    ctf2_print_uint(p, "id", e->id);
    ctf2_print_uint(p, "data-stream-class-id", s->id);
    ctf2_print_text(p, "name", e->name);
    print_attributes(p, e);
    ctf2_print_class(p, "specific-context-field-class", e->context);
    ctf2_print_class(p, "payload-field-class", e->payload);
    ctf2_end_fragment(p);
}

/* --- aliases ------------------------------------------------------------------------------------------- */

static void print_alias(struct ctf2_printer *p, const struct ctf_class *type)
{
    char name[32];
    snprintf(name, sizeof name, "enum-%zu", p->aliases.len);
    ctf2_begin_fragment(p, "field-class-alias");
    ctf2_print_text(p, "name", name);
    ctf2_print_class(p, "field-class", type);
    ctf2_end_fragment(p);
    p->out.failed |= int_map_set(&p->aliases, (uintptr_t)type, p->aliases.len) != 0;
}

static void find_enumerations(struct ctf2_printer *p, const struct ctf_class *type)
{
    if (type == NULL)
        return;
    if (type->kind == CTF_STRUCT)
        for (uint32_t i = 0; i < type->u.structure.count; ++i)
            find_enumerations(p, type->u.structure.members[i].type);
    else if (type->kind >= CTF_ARRAY && type->kind <= CTF_BLOB_SEQUENCE)
        find_enumerations(p, type->u.array.element);
    else if (type->kind == CTF_INTEGER && type->u.integer.label_count >= ALIAS_LABELS &&
             !int_map_get(&p->aliases, (uintptr_t)type, NULL))
        print_alias(p, type);
}

void ctf2_print_aliases(struct ctf2_printer *p)
{
    for (size_t i = 0; i < p->trace->stream_count; ++i) {
        const struct ctf_stream_class *s = p->trace->streams[i];
        find_enumerations(p, s->common_context);
        for (size_t n = 0; n < s->event_count; ++n) {
            find_enumerations(p, s->events[n]->context);
            find_enumerations(p, s->events[n]->payload);
        }
    }
}

/* --- the dialect -----------------------------------------------------------------------------------------
 */

int ctf2_print_metadata(const struct ctf_trace *t, struct buf *out)
{
    struct ctf2_printer p = {.trace = t};
    json_writer_init(&p.out, out);
    print_preamble(&p);
    ctf2_print_aliases(&p);
    print_trace(&p);
    for (size_t i = 0; i < t->clock_count; ++i)
        print_clock(&p, t->clocks[i]);
    for (size_t i = 0; i < t->stream_count; ++i) {
        print_stream(&p, t->streams[i]);
        for (size_t n = 0; n < t->streams[i]->event_count; ++n)
            print_event(&p, t->streams[i], t->streams[i]->events[n]);
    }
    int_map_fini(&p.aliases);
    return p.out.failed ? TRACE_ERR_MEMORY : 0;
}

/* Names are strings of JSON, which are UTF-8. */
static int write_name(struct ctf_trace *t, const char *name, const char **out)
{
    struct buf repaired = BUF_INIT;
    size_t length = strlen(name);
    *out = name;
    if (utf8_is_valid(name, length))
        return 0;
    if (utf8_append_repaired(&repaired, name, length) == 0)
        *out = ctf_trace_copy_text(t, (const char *)repaired.data, repaired.len);
    else
        *out = NULL;
    buf_fini(&repaired);
    return *out != NULL ? 0 : TRACE_ERR_MEMORY;
}

const struct ctf_out_dialect ctf_out_ctf2 = {
    .id = CTF_2,
    .has_clocks = true,
    .has_packet_fields = true,
    .has_booleans = true,
    .set_packet_header = ctf_out_set_packet_header,
    .set_stream_headers = ctf_out_set_stream_headers,
    .adapt = ctf2_adapt,
    .write_name = write_name,
    .write_variable = write_name,
    .print = ctf2_print_metadata,
};
