/* SPDX-License-Identifier: MIT */
#include "edit/sed_rules.h"

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/varint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sed_rules_fini(struct sed_rules *r)
{
    for (size_t i = 0; i < r->count; ++i) {
        free(r->items[i].search.bytes);
        free(r->items[i].replace.bytes);
    }
    free(r->items);
    free(r->edits);
    if (r->has_arena)
        arena_fini(&r->arena);
    *r = (struct sed_rules){0};
}

/* --- rules ----------------------------------------------------------------------------------------- */

static int read_file(struct sed_text *out, const char *path)
{
    struct buf contents = BUF_INIT;
    FILE *file = fopen(path, "rb");
    int rc = file == NULL ? trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot open", path) : 0;
    for (size_t got = 1; rc == 0 && got > 0; contents.len += got) {
        rc = buf_reserve(&contents, 65536);
        got = rc == 0 ? fread(contents.data + contents.len, 1, 65536, file) : 0;
    }
    if (rc == 0 && ferror(file))
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot read", path);
    if (file != NULL)
        fclose(file);
    out->count = contents.len;
    if (rc == 0)
        rc = buf_append_byte(&contents, '\0');
    if (rc != 0)
        buf_fini(&contents);
    out->bytes = (char *)contents.data;
    return rc;
}

/* Reads one side of a rule: count bytes of text, or the file that they name. */
static int read_side(struct sed_text *out, const char *text, size_t count)
{
    static const char prefix[] = "@file(";
    const size_t skip = sizeof prefix - 1;
    int rc = 0;
    out->bytes = strndup(text, count);
    out->count = count;
    if (out->bytes == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (count > skip && memcmp(text, prefix, skip) == 0 && text[count - 1] == ')') {
        char *path = out->bytes;
        path[count - 1] = '\0';
        rc = read_file(out, path + skip);
        free(path);
    }
    if (rc == 0 && out->count > 2 && memcmp(out->bytes, "0x", 2) == 0) {
        char *end;
        out->address = strtoull(out->bytes, &end, 16);
        out->is_address = *end == '\0';
    }
    return rc;
}

int sed_rules_add(struct sed_rules *r, const char *text)
{
    const char *search = text[0] == 's' && text[1] != '\0' ? text + 2 : NULL;
    const char *middle = search != NULL ? strchr(search, text[1]) : NULL;
    const char *end = middle != NULL ? strchr(middle + 1, text[1]) : NULL;
    if (end == NULL || end[1] != '\0' || middle == search)
        return trace_error_set(TRACE_ERR_USAGE, "\"%s\" is not s/SEARCH/REPLACE/", text);
    struct sed_rule *items = realloc(r->items, (r->count + 1) * sizeof *items);
    if (items == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    r->items = items;
    struct sed_rule *rule = &items[r->count++];
    *rule = (struct sed_rule){.text = text};
    int rc = read_side(&rule->search, search, (size_t)(middle - search));
    return rc != 0 ? rc : read_side(&rule->replace, middle + 1, (size_t)(end - middle - 1));
}

/* --- values ---------------------------------------------------------------------------------------- */

static bool is_named(const struct sed_text *text, const char *name)
{
    return strcmp(text->bytes, name) == 0;
}

/* A value of an enum is identified by the first of its names. */
static int64_t replace_enum(const struct sed_rule *rule, const struct trace_enum_sig *sig, int64_t value)
{
    uint32_t i = 0;
    while (i < sig->count && sig->names[i].value != value)
        i++;
    if (i == sig->count || !is_named(&rule->search, sig->names[i].name))
        return value;
    for (i = 0; i < sig->count; ++i)
        if (is_named(&rule->replace, sig->names[i].name))
            return sig->names[i].value;
    return value; /* the enum has no such name, so the value is unchanged */
}

static uint64_t replace_flag(const struct sed_rule *rule, const struct trace_bitmask_sig *sig, uint64_t value)
{
    const struct trace_flag_name *from = NULL;
    const struct trace_flag_name *to = NULL;
    for (uint32_t i = 0; i < sig->count; ++i) {
        if (from == NULL && is_named(&rule->search, sig->flags[i].name))
            from = &sig->flags[i];
        if (to == NULL && is_named(&rule->replace, sig->flags[i].name))
            to = &sig->flags[i];
    }
    if (from == NULL || to == NULL || (value & from->value) != from->value ||
        (from->value == 0 && value != 0))
        return value;
    return (value & ~from->value) | to->value;
}

static uint64_t replace_number(const struct sed_rule *rule, const struct trace_mark *mark, uint64_t value)
{
    switch (mark->kind) {
    case TRACE_MARK_ENUM:
        return (uint64_t)replace_enum(rule, mark->u.enumeration, (int64_t)value);
    case TRACE_MARK_BITMASK:
        return replace_flag(rule, mark->u.bitmask, value);
    default:
        return rule->search.is_address && rule->replace.is_address && rule->search.address == value
                   ? rule->replace.address
                   : value;
    }
}

/* --- edits ----------------------------------------------------------------------------------------- */

static int add_edit(struct sed_rules *r, size_t *count, const struct trace_edit *edit)
{
    if (ARRAY_RESERVE(r->edits, *count, r->edit_cap) != 0)
        return TRACE_ERR_MEMORY;
    r->edits[*count] = *edit;
    if (edit->bytes == NULL)
        return TRACE_ERR_MEMORY; /* the message is set */
    ++*count;
    return 0;
}

static int edit_string(struct sed_rules *r, const struct trace_mark *mark, size_t *count)
{
    const char *bytes = mark->u.string;
    size_t size = mark->count;
    for (size_t i = 0; i < r->count; ++i) {
        const struct sed_rule *rule = &r->items[i];
        if (size != rule->search.count || memcmp(bytes, rule->search.bytes, size) != 0)
            continue;
        bytes = rule->replace.bytes;
        size = rule->replace.count;
        r->items[i].found = true;
    }
    if (bytes == mark->u.string)
        return 0;
    uint8_t *encoded = arena_alloc(&r->arena, VARINT_MAX_BYTES + size);
    struct trace_edit edit = {mark->at, mark->size, encoded, 0};
    if (encoded != NULL) {
        edit.count = varint_put(encoded, size);
        memcpy(encoded + edit.count, bytes, size);
        edit.count += size;
    }
    return add_edit(r, count, &edit);
}

static uint64_t replace_found(struct sed_rule *rule, const struct trace_mark *mark, uint64_t value)
{
    uint64_t other = replace_number(rule, mark, value);
    rule->found |= other != value;
    return other;
}

static int edit_number(struct sed_rules *r, const struct trace_mark *mark, size_t *count)
{
    uint64_t value = mark->value;
    for (size_t i = 0; i < r->count; ++i)
        value = replace_found(&r->items[i], mark, value);
    if (value == mark->value)
        return 0;
    uint8_t *encoded = arena_alloc(&r->arena, 1 + VARINT_MAX_BYTES);
    struct trace_edit edit = {mark->at, mark->size, encoded, 0};
    if (encoded == NULL)
        return add_edit(r, count, &edit);
    if (mark->kind == TRACE_MARK_ENUM) {
        bool negative = (int64_t)value < 0;
        encoded[edit.count++] = negative ? TRACE_SINT : TRACE_UINT;
        value = negative ? 0 - value : value;
    }
    if (mark->kind == TRACE_MARK_OPAQUE && value == 0) { /* a null pointer is encoded with another type */
        edit.at--;
        edit.size++;
        encoded[edit.count++] = TRACE_NULL;
    } else {
        edit.count += varint_put(encoded + edit.count, value);
    }
    return add_edit(r, count, &edit);
}

int sed_rules_apply(struct sed_rules *r, const struct trace_raw_event *event, const struct trace_edit **edits,
                    size_t *count)
{
    int rc = 0;
    *count = 0;
    if (!r->has_arena)
        arena_init(&r->arena);
    r->has_arena = true;
    arena_reset(&r->arena);
    for (size_t i = 0; i < event->mark_count && rc == 0; ++i) {
        const struct trace_mark *mark = &event->marks[i];
        if (mark->kind == TRACE_MARK_STRING)
            rc = edit_string(r, mark, count);
        else if (mark->kind > TRACE_MARK_STRING)
            rc = edit_number(r, mark, count);
    }
    *edits = r->edits;
    return rc;
}
