/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/rfc.h"

#include "base/error.h"
#include "formats/ctf/metadata/rfc_headers.h"
#include "formats/ctf/metadata/rfc_types.h"

/* The parser of a whole text. */
struct rfc_blocks {
    struct tsdl_parser parser;
    struct rfc_types types;
    struct string_map sections; /* names, to indices of stream classes */
};

static bool is_block(const struct rfc_node *block, const char *word)
{
    return block->kind == RFC_BLOCK && block->key == NULL && block->name == NULL && block->text != NULL &&
           strcmp(block->text, word) == 0;
}

static const char *text_of(const struct rfc_node *node)
{
    return node != NULL && (node->kind == RFC_WORD || node->kind == RFC_STRING) ? node->text : NULL;
}

static int fail(const struct rfc_blocks *b, const struct rfc_node *node, const char *cause)
{
    return tsdl_fail(&b->parser, node->line, "%s", cause);
}

/* --- trace { major; minor; } ----------------------------------------------------------------------- */

static void take_version(const struct rfc_node *block, const char *key, uint64_t *out)
{
    const struct rfc_node *node = rfc_node_find(block, key);
    if (node != NULL && node->kind == RFC_NUMBER)
        *out = node->number;
}

/* The document does not say which version it is, so any is accepted. */
static void parse_trace(struct rfc_blocks *b, const struct rfc_node *block)
{
    take_version(block, "major", &b->parser.trace->major);
    take_version(block, "minor", &b->parser.trace->minor);
}

/* --- section { name; event { header_type; context } } ---------------------------------------------- */

static bool is_type(const struct rfc_node *node)
{
    return node->kind == RFC_WORD || is_block(node, "type");
}

/* The grammar of section 7 has no place for the type of section 6.2.1. It may be the value, "context = TYPE",
 * or an item of the block. */
static struct rfc_node *find_context_type(struct rfc_node *context)
{
    if (context->key != NULL && (context->kind == RFC_WORD || context->text != NULL))
        return context;
    for (struct rfc_node *item = context->kind == RFC_BLOCK ? context->items : NULL; item != NULL;
         item = item->next)
        if (item->key == NULL && is_type(item))
            return item;
    return NULL;
}

/* The size of an event's payload, which "event_size = true" puts after the header. */
static int make_size_context(struct rfc_blocks *b, const struct ctf_class **out)
{
    struct ctf_class *size = rfc_type_new_unsigned(b->parser.trace, 16);
    struct ctf_class *made = ctf_trace_new_class(b->parser.trace, CTF_STRUCT, 1);
    if (size == NULL || made == NULL)
        return TRACE_ERR_MEMORY;
    size->u.integer.role = CTF_PAYLOAD_SIZE;
    struct ctf_member member = {.name = "payload_size", .written = "payload_size", .type = size};
    *out = made;
    return ctf_struct_set_members(b->parser.trace, made, &member, 1);
}

static int parse_context(struct rfc_blocks *b, struct rfc_node *context, const struct ctf_class **out)
{
    struct rfc_node *type = find_context_type(context);
    if (type != NULL) {
        int rc = rfc_type_make(&b->types, type, out);
        return rc == 0 && (*out)->kind != CTF_STRUCT ? fail(b, context, "a context must be a structure") : rc;
    }
    if (context->kind != RFC_BLOCK)
        return fail(b, context, "\"context\" must be a block or a type");
    const struct rfc_node *size = rfc_node_find(context, "event_size");
    if (size == NULL || rfc_node_says(size, "false"))
        return 0;
    return rfc_node_says(size, "true") ? make_size_context(b, out)
                                       : fail(b, size, "\"event_size\" must be true or false");
}

static int parse_section_event(struct rfc_blocks *b, const struct rfc_node *event,
                               struct ctf_stream_class *stream)
{
    const struct rfc_node *type = rfc_node_find(event, "header_type");
    struct rfc_node *context = (struct rfc_node *)rfc_node_find(event, "context");
    if (type == NULL || (!rfc_node_says(type, "type1") && !rfc_node_says(type, "type2")))
        return fail(b, type != NULL ? type : event, "\"header_type\" must be type1 or type2");
    int rc =
        rfc_make_event_header(b->parser.trace, rfc_node_says(type, "type1") ? 1 : 2, &stream->event_header);
    if (rc == 0 && context != NULL)
        rc = parse_context(b, context, &stream->common_context);
    return rc;
}

static int parse_section(struct rfc_blocks *b, const struct rfc_node *block)
{
    struct ctf_trace *trace = b->parser.trace;
    const char *name = text_of(rfc_node_find(block, "name"));
    const struct rfc_node *event = rfc_node_find(block, "event");
    if (name == NULL)
        return fail(b, block, "a section has no name");
    if (string_map_get(&b->sections, name, NULL))
        return tsdl_fail(&b->parser, block->line, "the section \"%s\" is declared twice", name);
    if (event == NULL || event->kind != RFC_BLOCK)
        return fail(b, block, "a section has no block \"event\", which says the type of headers");
    struct ctf_stream_class *stream = ctf_trace_add_stream(trace, trace->stream_count);
    if (stream == NULL)
        return TRACE_ERR_MEMORY;
    stream->name = stream->file_name = name;
    stream->clock = trace->clocks[0];
    stream->line = block->line;
    int rc = string_map_set(&b->sections, name, stream->id);
    return rc == 0 ? parse_section_event(b, event, stream) : rc;
}

/* --- event { name; id; section; fields } ----------------------------------------------------------- */

static int find_section(struct rfc_blocks *b, const struct rfc_node *block, struct ctf_stream_class **out)
{
    const char *name = text_of(rfc_node_find(block, "section"));
    uint64_t index;
    if (name == NULL)
        return fail(b, block, "an event has no section");
    if (!string_map_get(&b->sections, name, &index))
        return tsdl_fail(&b->parser, block->line, "the section \"%s\" is not declared", name);
    *out = b->parser.trace->streams[index];
    return 0;
}

/* trace-cli writes the context of an event class, which the language lacks, as its first field. */
static int separate_context(struct rfc_blocks *b, struct ctf_event_class *event)
{
    const struct ctf_class *all = event->payload;
    const struct ctf_member *first = all->u.structure.members;
    if (all->u.structure.count == 0 || strcmp(first->name, RFC_CONTEXT_FIELD) != 0 ||
        first->type->kind != CTF_STRUCT)
        return 0;
    struct ctf_class *rest = ctf_trace_new_class(b->parser.trace, CTF_STRUCT, 1);
    if (rest == NULL)
        return TRACE_ERR_MEMORY;
    event->context = first->type;
    event->payload = rest;
    return ctf_struct_set_members(b->parser.trace, rest, first + 1, all->u.structure.count - 1);
}

static int parse_fields(struct rfc_blocks *b, const struct rfc_node *block, struct ctf_event_class *event)
{
    struct rfc_node *fields = (struct rfc_node *)rfc_node_find(block, "fields");
    if (fields == NULL)
        return 0;
    int rc = rfc_type_make(&b->types, fields, &event->payload);
    if (rc == 0 && event->payload->kind != CTF_STRUCT)
        rc = fail(b, fields, "\"fields\" must be a structure");
    return rc == 0 ? separate_context(b, event) : rc;
}

static int parse_event(struct rfc_blocks *b, const struct rfc_node *block)
{
    const struct rfc_node *id = rfc_node_find(block, "id");
    const char *name = text_of(rfc_node_find(block, "name"));
    struct ctf_stream_class *stream = NULL;
    int rc = find_section(b, block, &stream);
    if (rc != 0)
        return rc;
    if (name == NULL || id == NULL || id->kind != RFC_NUMBER || id->number > UINT32_MAX)
        return fail(b, block, name == NULL ? "an event has no name" : "an event has no \"id\" of 32 bits");
    if (ctf_stream_find_event(stream, id->number) != NULL)
        return tsdl_fail(&b->parser, id->line, "the event id %llu is declared twice in the section \"%s\"",
                         (unsigned long long)id->number, stream->name);
    struct ctf_event_class *event = ctf_stream_add_event(b->parser.trace, stream, id->number);
    if (event == NULL)
        return TRACE_ERR_MEMORY;
    event->name = name;
    event->line = block->line;
    return parse_fields(b, block, event);
}

/* --- all ------------------------------------------------------------------------------------------- */

static bool is_known(const struct rfc_node *block)
{
    return is_block(block, "trace") || is_block(block, "section") || is_block(block, "event") ||
           (block->kind == RFC_BLOCK && block->name != NULL && block->text != NULL &&
            (strcmp(block->text, "type") == 0 || strcmp(block->text, "abstract_type") == 0));
}

/* Events may stand before their section. */
static int parse_blocks(struct rfc_blocks *b, const struct rfc_node *first)
{
    int rc = 0;
    for (const struct rfc_node *block = first; rc == 0 && block != NULL; block = block->next) {
        if (!is_known(block))
            rc = fail(b, block, "a block is expected: trace, section, event or type NAME");
        else if (is_block(block, "trace"))
            parse_trace(b, block);
        else if (is_block(block, "section"))
            rc = parse_section(b, block);
    }
    for (const struct rfc_node *block = first; rc == 0 && block != NULL; block = block->next)
        if (is_block(block, "event"))
            rc = parse_event(b, block);
    return rc;
}

/* Version 1.1 has no clock. Timestamps are the low bits of a counter that the headers of packets show whole.
 */
static int add_clock(struct ctf_trace *trace)
{
    struct ctf_clock *clock = ctf_trace_add_clock(trace);
    if (clock == NULL)
        return TRACE_ERR_MEMORY;
    clock->has_unix_origin = false;
    return 0;
}

int rfc_parse(struct ctf_trace *trace, const char *file, const char *text, size_t length)
{
    struct rfc_blocks b = {.parser = {.trace = trace}};
    struct rfc_node *first = NULL;
    trace->dialect = CTF_RFC;
    trace->major = trace->minor = 1;
    trace->sizes_are_bytes = true;
    tsdl_lexer_init(&b.parser.lexer, file, text, length);
    int rc = rfc_tree_parse(&b.parser, &first);
    if (rc == 0)
        rc = add_clock(trace);
    if (rc == 0)
        rc = rfc_set_packet_header(trace);
    if (rc == 0)
        rc = rfc_types_init(&b.types, &b.parser, first);
    if (rc == 0)
        rc = parse_blocks(&b, first);
    if (rc == 0 && first == NULL)
        rc = trace_error_set(TRACE_ERR_FORMAT, "%s: there is no block", file);
    rfc_types_fini(&b.types);
    string_map_fini(&b.sections);
    return rc;
}
