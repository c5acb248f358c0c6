/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/ctf2.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/json_reader.h"
#include "formats/ctf/metadata/ctf2_types.h"

#include <inttypes.h>
#include <stdlib.h>

#define RECORD_SEPARATOR 0x1e

/* --- preamble -------------------------------------------------------------------------------------- */

static int take_uuid(struct ctf2_parser *p, const struct json_value *fragment)
{
    const struct json_value *list;
    int rc = ctf2_take_object(p, fragment, "uuid", JSON_ARRAY, CTF2_OPTIONAL, &list);
    if (rc != 0 || list == NULL)
        return rc;
    if (list->count != sizeof p->trace->uuid)
        return ctf2_fail(p, "a \"uuid\" must be an array of 16 integers");
    for (size_t i = 0; rc == 0 && i < list->count; ++i) {
        uint64_t byte = 0;
        rc = ctf2_take_integer(p, &list->items[i], &byte);
        if (rc == 0 && byte > UINT8_MAX)
            rc = ctf2_fail(p, "the bytes of a \"uuid\" must be from 0 to 255");
        p->trace->uuid[i] = (uint8_t)byte;
    }
    p->trace->has_uuid = true;
    return rc;
}

static int parse_preamble(struct ctf2_parser *p, const struct json_value *fragment)
{
    const struct json_value *extensions = ctf2_find(fragment, "extensions");
    int rc = ctf2_take_number(p, fragment, "version", CTF2_REQUIRED, UINT32_MAX, &p->trace->major);
    if (rc == 0 && p->trace->major != 2)
        rc = ctf2_fail(p, "version %" PRIu64 " of the format is not known", p->trace->major);
    if (rc == 0 && extensions != NULL && extensions->kind == JSON_OBJECT && extensions->count > 0) {
        ctf2_fail(p, "the extensions \"%.40s\" may change the format, and are not known",
                  extensions->members[0].name);
        return TRACE_ERR_UNSUPPORTED;
    }
    return rc == 0 ? take_uuid(p, fragment) : rc;
}

/* --- aliases of types ------------------------------------------------------------------------------ */

static int parse_alias(struct ctf2_parser *p, const struct json_value *fragment)
{
    const struct json_value *type = ctf2_find(fragment, "field-class");
    const char *name = NULL;
    int rc = ctf2_take_string(p, fragment, "name", CTF2_REQUIRED, &name);
    if (rc != 0)
        return rc;
    if (type == NULL)
        return ctf2_fail(p, "the alias \"%.40s\" has no \"field-class\"", name);
    if (string_map_get(&p->aliases, name, NULL))
        return ctf2_fail(p, "the type \"%.40s\" is declared twice", name);
    struct ctf2_alias *alias = arena_alloc(&p->arena, sizeof *alias);
    if (alias == NULL)
        return TRACE_ERR_MEMORY;
    *alias = (struct ctf2_alias){.type = type};
    return string_map_set(&p->aliases, name, (uintptr_t)alias);
}

/* --- trace class ----------------------------------------------------------------------------------- */

static int add_variable(struct ctf2_parser *p, const struct json_member *m)
{
    struct ctf_variable variable = {.name = ctf_trace_copy_text(p->trace, m->name, m->name_size)};
    uint64_t number = 0;
    int rc = variable.name != NULL ? 0 : TRACE_ERR_MEMORY;
    if (rc == 0 && m->value->kind == JSON_STRING) {
        variable.text = ctf_trace_copy_text(p->trace, m->value->text, m->value->count);
        rc = variable.text != NULL ? 0 : TRACE_ERR_MEMORY;
    } else if (rc == 0) {
        rc = ctf2_take_integer(p, m->value, &number);
        variable.number = (int64_t)number;
    }
    return rc == 0 ? ctf_trace_set_variable(p->trace, &variable) : rc;
}

static int take_names(struct ctf2_parser *p, const struct json_value *fragment, const char **name_space,
                      const char **name, const char **uid)
{
    int rc = ctf2_take_string(p, fragment, "namespace", CTF2_OPTIONAL, name_space);
    if (rc == 0)
        rc = ctf2_take_string(p, fragment, "name", CTF2_OPTIONAL, name);
    return rc == 0 ? ctf2_take_string(p, fragment, "uid", CTF2_OPTIONAL, uid) : rc;
}

static int parse_trace(struct ctf2_parser *p, const struct json_value *fragment)
{
    struct ctf_trace *t = p->trace;
    const struct json_value *environment;
    int rc = take_names(p, fragment, &t->name_space, &t->name, &t->uid);
    if (rc == 0)
        rc = ctf2_take_object(p, fragment, "environment", JSON_OBJECT, CTF2_OPTIONAL, &environment);
    for (size_t i = 0; rc == 0 && environment != NULL && i < environment->count; ++i)
        rc = add_variable(p, &environment->members[i]);
    if (rc == 0)
        rc = ctf2_type_make_scope(p, fragment, "packet-header-field-class", CTF_PACKET_HEADER,
                                  &t->packet_header);
    return rc;
}

/* --- clock class ----------------------------------------------------------------------------------- */

static int take_clock_origin(struct ctf2_parser *p, const struct json_value *fragment,
                             struct ctf_clock *clock)
{
    const struct json_value *origin = ctf2_find(fragment, "origin");
    clock->has_unix_origin = clock->is_absolute = ctf2_is(origin, "unix-epoch");
    if (origin == NULL || clock->has_unix_origin)
        return 0;
    if (origin->kind != JSON_OBJECT)
        return ctf2_fail(p, "the property \"origin\" must be \"unix-epoch\" or an object");
    return take_names(p, origin, &clock->origin_ns, &clock->origin_name, &clock->origin_uid);
}

static int take_clock_offset(struct ctf2_parser *p, const struct json_value *fragment,
                             struct ctf_clock *clock)
{
    const struct json_value *offset, *seconds;
    int rc = ctf2_take_object(p, fragment, "offset-from-origin", JSON_OBJECT, CTF2_OPTIONAL, &offset);
    uint64_t number = 0;
    if (rc != 0 || offset == NULL)
        return rc;
    seconds = ctf2_find(offset, "seconds");
    if (seconds != NULL)
        rc = ctf2_take_integer(p, seconds, &number);
    clock->offset_s = (int64_t)number;
    return rc == 0 ? ctf2_take_number(p, offset, "cycles", CTF2_OPTIONAL, UINT64_MAX, &clock->offset) : rc;
}

static int fill_clock(struct ctf2_parser *p, const struct json_value *fragment, struct ctf_clock *clock)
{
    const char *name_space = NULL;
    int rc = ctf2_take_number(p, fragment, "frequency", CTF2_REQUIRED, UINT64_MAX, &clock->frequency);
    if (rc == 0 && clock->frequency == 0)
        rc = ctf2_fail(p, "the frequency of a clock is 0");
    if (rc == 0)
        rc = take_names(p, fragment, &name_space, &clock->name, &clock->uuid);
    if (rc == 0)
        rc = ctf2_take_string(p, fragment, "description", CTF2_OPTIONAL, &clock->description);
    if (rc == 0)
        rc = ctf2_take_number(p, fragment, "precision", CTF2_OPTIONAL, UINT64_MAX, &clock->precision);
    if (rc == 0)
        rc = take_clock_origin(p, fragment, clock);
    return rc == 0 ? take_clock_offset(p, fragment, clock) : rc;
}

static int parse_clock(struct ctf2_parser *p, const struct json_value *fragment)
{
    const char *id = NULL;
    int rc = ctf2_take_string(p, fragment, "id", CTF2_REQUIRED, &id);
    if (rc == 0 && string_map_get(&p->clocks, id, NULL))
        rc = ctf2_fail(p, "the clock \"%.40s\" is declared twice", id);
    if (rc == 0)
        rc = string_map_set(&p->clocks, id, p->trace->clock_count);
    struct ctf_clock *clock = rc == 0 ? ctf_trace_add_clock(p->trace) : NULL;
    if (clock == NULL)
        return rc != 0 ? rc : TRACE_ERR_MEMORY;
    return fill_clock(p, fragment, clock);
}

/* --- data stream class ----------------------------------------------------------------------------- */

static int take_stream_clock(struct ctf2_parser *p, const struct json_value *fragment,
                             struct ctf_stream_class *stream)
{
    const char *id = NULL;
    uint64_t index;
    int rc = ctf2_take_string(p, fragment, "default-clock-class-id", CTF2_OPTIONAL, &id);
    if (rc != 0 || id == NULL)
        return rc;
    if (!string_map_get(&p->clocks, id, &index))
        return ctf2_fail(p, "the clock \"%.40s\" is not declared", id);
    stream->clock = p->trace->clocks[index];
    return 0;
}

static int fill_stream(struct ctf2_parser *p, const struct json_value *fragment,
                       struct ctf_stream_class *stream)
{
    int rc = ctf2_take_string(p, fragment, "name", CTF2_OPTIONAL, &stream->name);
    stream->line = p->line;
    if (rc == 0)
        rc = take_stream_clock(p, fragment, stream);
    if (rc == 0)
        rc = ctf2_type_make_scope(p, fragment, "packet-context-field-class", CTF_PACKET_CONTEXT,
                                  &stream->packet_context);
    if (rc == 0)
        rc = ctf2_type_make_scope(p, fragment, "event-record-header-field-class", CTF_EVENT_HEADER,
                                  &stream->event_header);
    if (rc == 0)
        rc = ctf2_type_make_scope(p, fragment, "event-record-common-context-field-class", CTF_COMMON_CONTEXT,
                                  &stream->common_context);
    return rc;
}

static int parse_stream(struct ctf2_parser *p, const struct json_value *fragment)
{
    uint64_t id = 0;
    int rc = ctf2_take_number(p, fragment, "id", CTF2_OPTIONAL, UINT64_MAX, &id);
    if (rc == 0 && ctf_trace_find_stream(p->trace, id) != NULL)
        rc = ctf2_fail(p, "the data stream class %" PRIu64 " is declared twice", id);
    struct ctf_stream_class *stream = rc == 0 ? ctf_trace_add_stream(p->trace, id) : NULL;
    if (stream == NULL)
        return rc != 0 ? rc : TRACE_ERR_MEMORY;
    return fill_stream(p, fragment, stream);
}

/* --- event record class ---------------------------------------------------------------------------- */

/* Tracers say the level of a log and the URI of a model in attributes of these namespaces. */
static int take_attributes(struct ctf2_parser *p, const struct json_value *fragment,
                           struct ctf_event_class *event)
{
    static const char *const name_spaces[] = {"babeltrace.org,2020", "lttng.org,2009"};
    const struct json_value *attributes = ctf2_find(fragment, "attributes");
    int rc = 0;
    for (size_t i = 0; rc == 0 && attributes != NULL && i < sizeof name_spaces / sizeof *name_spaces; ++i) {
        const struct json_value *object = ctf2_find(attributes, name_spaces[i]);
        const struct json_value *level = object != NULL ? ctf2_find(object, "log-level") : NULL;
        if (level != NULL && level->kind == JSON_INTEGER)
            event->log_level = strtoll(level->text, NULL, 10);
        if (object != NULL)
            rc = ctf2_take_string(p, object, "emf-uri", CTF2_OPTIONAL, &event->emf_uri);
    }
    return rc;
}

static int fill_event(struct ctf2_parser *p, const struct json_value *fragment, struct ctf_event_class *event)
{
    event->line = p->line;
    int rc = ctf2_take_string(p, fragment, "name", CTF2_OPTIONAL, &event->name);
    if (rc == 0)
        rc = take_attributes(p, fragment, event);
    if (rc == 0)
        rc = ctf2_type_make_scope(p, fragment, "specific-context-field-class", CTF_SPECIFIC_CONTEXT,
                                  &event->context);
    if (rc == 0)
        rc = ctf2_type_make_scope(p, fragment, "payload-field-class", CTF_PAYLOAD, &event->payload);
    return rc;
}

static int parse_event(struct ctf2_parser *p, const struct json_value *fragment)
{
    uint64_t id = 0, stream_id = 0;
    int rc = ctf2_take_number(p, fragment, "id", CTF2_OPTIONAL, UINT64_MAX, &id);
    if (rc == 0)
        rc = ctf2_take_number(p, fragment, "data-stream-class-id", CTF2_OPTIONAL, UINT64_MAX, &stream_id);
    if (rc != 0)
        return rc;
    struct ctf_stream_class *stream = ctf_trace_find_stream(p->trace, stream_id);
    if (stream == NULL)
        return ctf2_fail(p, "the data stream class %" PRIu64 " is not declared", stream_id);
    if (ctf_stream_find_event(stream, id) != NULL)
        return ctf2_fail(p, "the event record class %" PRIu64 " is declared twice", id);
    struct ctf_event_class *event = ctf_stream_add_event(p->trace, stream, id);
    return event != NULL ? fill_event(p, fragment, event) : TRACE_ERR_MEMORY;
}

/* --- all ------------------------------------------------------------------------------------------- */

struct fragment_name {
    const char *name;
    int (*parse)(struct ctf2_parser *p, const struct json_value *fragment);
};

static const struct fragment_name fragment_names[] = {
    {"preamble", parse_preamble}, {"field-class-alias", parse_alias},  {"trace-class", parse_trace},
    {"clock-class", parse_clock}, {"data-stream-class", parse_stream}, {"event-record-class", parse_event},
};

static int parse_fragment(struct ctf2_parser *p, const struct json_value *fragment, bool is_first)
{
    const struct json_value *type = ctf2_find(fragment, "type");
    if (is_first && !ctf2_is(type, "preamble"))
        return ctf2_fail(p, "the first fragment must be a \"preamble\"");
    if (!is_first && ctf2_is(type, "preamble"))
        return ctf2_fail(p, "only the first fragment can be a \"preamble\"");
    for (size_t i = 0; i < sizeof fragment_names / sizeof *fragment_names; ++i)
        if (ctf2_is(type, fragment_names[i].name))
            return fragment_names[i].parse(p, fragment);
    return ctf2_fail(p, "\"%.40s\" is not a type of fragments",
                     type != NULL && type->kind == JSON_STRING ? type->text : "");
}

static uint32_t count_lines(const char *from, const char *to)
{
    uint32_t lines = 0;
    for (; from < to; ++from)
        lines += *from == '\n';
    return lines;
}

/* Only the line of a fragment is known, not those of its parts. */
static int parse_fragments(struct ctf2_parser *p, struct json_reader *reader)
{
    struct json_value fragment;
    bool found = true, is_first = true;
    int rc = 0;
    p->line = 1;
    while (rc == 0 && found) {
        const char *before = reader->at;
        while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL)
            reader->at++;
        p->line += count_lines(before, reader->at);
        before = reader->at;
        rc = json_reader_next(reader, &fragment, &found);
        if (rc != 0)
            return trace_error_prefix(rc, "%s", p->file);
        if (found)
            rc = parse_fragment(p, &fragment, is_first);
        else if (is_first)
            rc = trace_error_set(TRACE_ERR_FORMAT, "%s: there is no \"preamble\"", p->file);
        p->line += count_lines(before, reader->at);
        is_first = false;
    }
    return rc;
}

/* Between fragments, a separator is as good as a blank. In strings, JSON does not have it. */
static int copy_without_separators(struct buf *out, const char *text, size_t length)
{
    if (buf_append(out, text, length) != 0 || buf_append_byte(out, '\0') != 0)
        return TRACE_ERR_MEMORY;
    for (size_t i = 0; i < length; ++i)
        if (out->data[i] == RECORD_SEPARATOR)
            out->data[i] = ' ';
    return 0;
}

int ctf2_parse(struct ctf_trace *trace, const char *file, const char *text, size_t length)
{
    struct ctf2_parser p = {.trace = trace, .file = file};
    struct json_reader reader;
    struct buf copy = BUF_INIT;
    trace->dialect = CTF_2;
    trace->order = CTF_LITTLE_ENDIAN; /* each number says its own */
    arena_init(&p.arena);
    int rc = copy_without_separators(&copy, text, length);
    if (rc == 0) {
        json_reader_init(&reader, &p.arena, copy.data, length);
        rc = parse_fragments(&p, &reader);
    }
    string_map_fini(&p.aliases);
    string_map_fini(&p.clocks);
    arena_fini(&p.arena);
    buf_fini(&copy);
    return rc;
}
