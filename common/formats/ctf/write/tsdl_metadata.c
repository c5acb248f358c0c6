/* SPDX-License-Identifier: MIT
 * The metadata of CTF 1.8 as a text.
 */
#include "base/error.h"
#include "formats/ctf/ctf_uuid.h"
#include "formats/ctf/write/ctf_out_types.h"
#include "formats/ctf/write/tsdl_print.h"

#include <inttypes.h>

static void begin_block(struct tsdl_printer *p, const char *name)
{
    tsdl_printf(p, "\n\n%s {", name);
    p->depth++;
}

static void end_block(struct tsdl_printer *p)
{
    p->depth--;
    tsdl_printf(p, "\n};");
}

static void put_number(struct tsdl_printer *p, const char *name, int64_t value)
{
    tsdl_begin_line(p);
    tsdl_printf(p, "%s = %" PRId64 ";", name, value);
}

static void put_text(struct tsdl_printer *p, const char *name, const char *text)
{
    tsdl_begin_line(p);
    tsdl_printf(p, "%s = ", name);
    tsdl_print_text(p, text);
    tsdl_printf(p, ";");
}

static void put_structure(struct tsdl_printer *p, const char *name, const struct ctf_class *type)
{
    if (type == NULL)
        return;
    tsdl_begin_line(p);
    tsdl_printf(p, "%s := ", name);
    tsdl_print_structure(p, type);
    tsdl_printf(p, ";");
}

static void print_trace(struct tsdl_printer *p)
{
    const struct ctf_trace *t = p->trace;
    char uuid[CTF_UUID_TEXT];
    begin_block(p, "trace");
    put_number(p, "major", 1);
    put_number(p, "minor", 8);
    if (t->has_uuid) {
        ctf_uuid_print(t->uuid, uuid);
        put_text(p, "uuid", uuid);
    }
    tsdl_begin_line(p);
    tsdl_printf(p, "byte_order = %s;", t->order == CTF_BIG_ENDIAN ? "be" : "le");
    put_structure(p, "packet.header", t->packet_header);
    end_block(p);
}

static void print_environment(struct tsdl_printer *p)
{
    begin_block(p, "env");
    for (size_t i = 0; i < p->trace->variable_count; ++i) {
        const struct ctf_variable *v = &p->trace->variables[i];
        if (v->text != NULL)
            put_text(p, v->name, v->text);
        else
            put_number(p, v->name, v->number);
    }
    end_block(p);
}

static void print_clock(struct tsdl_printer *p, const struct ctf_clock *c)
{
    begin_block(p, "clock");
    tsdl_begin_line(p);
    tsdl_printf(p, "name = ");
    tsdl_print_clock_name(p, c);
    tsdl_printf(p, ";");
    if (c->uuid != NULL)
        put_text(p, "uuid", c->uuid);
    if (c->description != NULL)
        put_text(p, "description", c->description);
    tsdl_begin_line(p);
    tsdl_printf(p, "freq = %" PRIu64 ";", c->frequency);
    if (c->precision != 0)
        put_number(p, "precision", (int64_t)c->precision);
    put_number(p, "offset_s", c->offset_s);
    tsdl_begin_line(p);
    tsdl_printf(p, "offset = %" PRIu64 ";", c->offset);
    tsdl_begin_line(p);
    tsdl_printf(p, "absolute = %s;", c->is_absolute ? "TRUE" : "FALSE");
    end_block(p);
}

static void print_stream(struct tsdl_printer *p, const struct ctf_stream_class *s)
{
    begin_block(p, "stream");
    tsdl_begin_line(p);
    tsdl_printf(p, "id = %" PRIu64 ";", s->id);
    put_structure(p, "event.header", s->event_header);
    put_structure(p, "packet.context", s->packet_context);
    put_structure(p, "event.context", s->common_context);
    end_block(p);
}

static void print_event(struct tsdl_printer *p, const struct ctf_stream_class *s,
                        const struct ctf_event_class *e)
{
    begin_block(p, "event");
    put_text(p, "name", e->name);
    tsdl_begin_line(p);
    tsdl_printf(p, "id = %" PRIu64 ";", e->id);
    tsdl_begin_line(p);
    tsdl_printf(p, "stream_id = %" PRIu64 ";", s->id);
    if (e->log_level != INT64_MIN)
        put_number(p, "loglevel", e->log_level);
    if (e->emf_uri != NULL)
        put_text(p, "model.emf.uri", e->emf_uri);
    put_structure(p, "context", e->context);
    put_structure(p, "fields", e->payload);
    end_block(p);
}

static int print_metadata(const struct ctf_trace *t, struct buf *out)
{
    struct tsdl_printer p = {.out = out, .trace = t};
    tsdl_printf(&p, "/* CTF 1.8 */");
    print_trace(&p);
    print_environment(&p);
    for (size_t i = 0; i < t->clock_count; ++i)
        print_clock(&p, t->clocks[i]);
    tsdl_print_aliases(&p);
    for (size_t i = 0; i < t->stream_count; ++i) {
        print_stream(&p, t->streams[i]);
        for (size_t n = 0; n < t->streams[i]->event_count; ++n)
            print_event(&p, t->streams[i], t->streams[i]->events[n]);
    }
    tsdl_printf(&p, "\n");
    int_map_fini(&p.aliases);
    return p.failed ? TRACE_ERR_MEMORY : 0;
}

const struct ctf_out_dialect ctf_out_tsdl = {
    .id = CTF_1,
    .has_clocks = true,
    .has_packet_fields = true,
    .set_packet_header = ctf_out_set_packet_header,
    .set_stream_headers = ctf_out_set_stream_headers,
    .adapt = tsdl_adapt,
    .write_name = tsdl_write_name,
    .write_variable = tsdl_write_variable,
    .print = print_metadata,
};
