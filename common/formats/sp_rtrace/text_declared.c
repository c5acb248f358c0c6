/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/text_declared.h"

#include "formats/sp_rtrace/sp_rtrace.h"
#include "formats/sp_rtrace/text_heap.h"

#include "base/error.h"

#include <stdlib.h>

bool text_line_declares(enum text_line_kind kind, enum declared_kind *out)
{
    switch (kind) {
    case TEXT_LINE_ATTACHMENT:
        *out = DECLARED_ATTACHMENT;
        return true;
    case TEXT_LINE_HEAP:
        *out = DECLARED_HEAP;
        return true;
    case TEXT_LINE_MODULE:
        *out = DECLARED_MODULE;
        return true;
    case TEXT_LINE_CONTEXT:
        *out = DECLARED_CONTEXT;
        return true;
    case TEXT_LINE_RESOURCE:
        *out = DECLARED_RESOURCE;
        return true;
    case TEXT_LINE_MAPPING:
        *out = DECLARED_MAPPING;
        return true;
    default:
        return false;
    }
}

/* --- types of resources ---------------------------------------------------------------------------- */

static void free_type(struct trace_resource_type *type)
{
    free((char *)(uintptr_t)type->name);
    free((char *)(uintptr_t)type->description);
    free((char *)(uintptr_t)type->flags);
}

/* Removes the known flags from the text, and separates the others by |. The text becomes the type's, or is
 * freed. */
static void sort_flags(struct trace_resource_type *type, char *flags)
{
    char *to = flags;
    for (char *from = flags; *from != '\0';) {
        size_t length = strcspn(from, "|, ");
        bool is_last = from[length] == '\0';
        if (length == strlen(TEXT_REFCOUNT) && memcmp(from, TEXT_REFCOUNT, length) == 0) {
            type->refcounted = true;
        } else if (length > 0) {
            if (to != flags)
                *to++ = '|';
            memmove(to, from, length);
            to += length;
        }
        from += length + !is_last;
    }
    *to = '\0';
    type->flags = flags;
    if (to != flags)
        return;
    free(flags);
    type->flags = NULL;
}

/* The strings are allocated; free_type() frees them. */
static int make_type(struct trace_resource_type *out, uint32_t *next_id, const struct text_line *line)
{
    uint64_t bit = line->u.resource.bit;
    struct text_slice name = line->u.resource.name, description = line->u.resource.description,
                      flags = line->u.resource.flags;
    *out = (struct trace_resource_type){.id = bit != 0 ? (uint32_t)__builtin_ctzll(bit) + 1 : (*next_id)++};
    out->name = strndup(name.text, name.length);
    out->description = strndup(description.text, description.length);
    char *words = strndup(flags.text, flags.length);
    if (out->name == NULL || out->description == NULL || words == NULL) {
        free(words);
        free_type(out);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    }
    sort_flags(out, words);
    return 0;
}

static int declare_type(struct log_names *names, uint32_t *next_id, const struct text_line *line)
{
    struct trace_resource_type type;
    int rc = make_type(&type, next_id, line);
    if (rc != 0)
        return rc;
    rc = log_names_declare(names, &type);
    free_type(&type);
    return rc;
}

/* --- first pass ------------------------------------------------------------------------------------ */

/* A quick test by the first character, since most lines belong to calls. */
static bool may_declare(struct text_slice line)
{
    char c = line.length > 0 ? line.text[0] : '\0';
    return c == '&' || c == '#' || c == '@' || c == '<' || c == ':';
}

int text_take_heap(struct line_reader *r, struct trace_heap *heap, bool *found)
{
    uint64_t start = r->offset;
    *found = true;
    for (size_t i = 0; i < TEXT_HEAP_LINES && *found; ++i) {
        struct text_slice line;
        int rc = line_reader_next(r, &line, found);
        if (rc != 0)
            return rc;
        *found = *found && text_line_parse_heap(line, i, heap);
    }
    if (!*found)
        r->offset = start;
    return 0;
}

static int see_line(struct declared *d, struct log_names *names, uint32_t *next_id,
                    struct line_reader *reader, struct text_slice line, uint64_t offset)
{
    struct declared_place place = {.offset = offset};
    struct text_line parsed;
    text_line_parse(&parsed, line);
    if (!text_line_declares(parsed.kind, &place.kind))
        return 0;
    bool found = true;
    int rc = 0;
    if (parsed.kind == TEXT_LINE_HEAP && d->has_heap)
        return 0; /* a text has one; further ones are comments */
    if (parsed.kind == TEXT_LINE_HEAP) {
        struct trace_heap heap;
        rc = text_take_heap(reader, &heap, &found);
    } else if (parsed.kind == TEXT_LINE_RESOURCE) {
        rc = declare_type(names, next_id, &parsed);
    }
    return rc == 0 && found ? declared_add(d, &place) : rc;
}

int text_scan(struct declared *out, struct log_names *names, struct trace_file *file, uint64_t offset)
{
    struct line_reader reader;
    struct text_slice line;
    uint32_t next_id = TEXT_IDS_WITHOUT_BIT;
    bool found = true;
    int rc = 0;
    line_reader_init(&reader, file);
    reader.offset = offset;
    while (rc == 0 && found) {
        offset = reader.offset;
        rc = line_reader_next(&reader, &line, &found);
        if (rc == 0 && found && may_declare(line))
            rc = see_line(out, names, &next_id, &reader, line, offset);
    }
    line_reader_fini(&reader);
    return rc;
}

/* --- events ---------------------------------------------------------------------------------------- */

static const char *add(struct event_block *block, struct text_slice s)
{
    return event_block_add_text(block, s.text, s.length);
}

static int fill_type(struct trace_event *event, struct log_names *names, uint32_t *next_id,
                     const struct text_line *line)
{
    struct trace_resource_type type;
    int rc = make_type(&type, next_id, line);
    if (rc != 0)
        return rc;
    event->kind = TRACE_EVENT_RESOURCE_TYPE;
    event->u.resource_type = log_names_declaration(names, &type);
    free_type(&type);
    return event->u.resource_type != NULL ? 0 : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

/* Returns the total size of its strings in bytes. */
static size_t text_size(const struct text_line *line)
{
    switch (line->kind) {
    case TEXT_LINE_ATTACHMENT:
        return line->u.attachment.name.length + line->u.attachment.path.length + 2;
    case TEXT_LINE_MODULE:
        return line->u.module.name.length + 1;
    case TEXT_LINE_CONTEXT:
        return line->u.context.name.length + 1;
    default:
        return line->u.mapping.path.length + 1;
    }
}

int text_declared_event(struct event_block *block, struct log_names *names, uint32_t *next_id,
                        const struct text_line *line)
{
    struct trace_event *event = &block->event;
    *event = (struct trace_event){.time = TRACE_NO_TIME};
    if (line->kind == TEXT_LINE_RESOURCE)
        return fill_type(event, names, next_id, line);
    int rc = event_block_reserve_text(block, text_size(line));
    if (rc != 0)
        return rc;
    switch (line->kind) {
    case TEXT_LINE_ATTACHMENT:
        event->kind = TRACE_EVENT_ATTACHMENT;
        event->u.attachment.name = add(block, line->u.attachment.name);
        event->u.attachment.path = add(block, line->u.attachment.path);
        return 0;
    case TEXT_LINE_MODULE:
        event->kind = TRACE_EVENT_TRACER;
        event->u.tracer = (struct trace_tracer){.id = line->u.module.id,
                                                .major = line->u.module.major,
                                                .minor = line->u.module.minor,
                                                .name = add(block, line->u.module.name)};
        return 0;
    case TEXT_LINE_CONTEXT:
        event->kind = TRACE_EVENT_CONTEXT;
        event->u.context.id = line->u.context.id;
        event->u.context.name = add(block, line->u.context.name);
        return 0;
    default: /* MAPPING */
        event->kind = TRACE_EVENT_MAPPING;
        event->u.mapping = (struct trace_mapping){.from = line->u.mapping.from,
                                                  .to = line->u.mapping.to,
                                                  .offset = TRACE_NO_OFFSET,
                                                  .path = add(block, line->u.mapping.path)};
        return 0;
    }
}
