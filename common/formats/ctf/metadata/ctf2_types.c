/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/ctf2_types.h"

#include "base/array.h"
#include "base/error.h"
#include "formats/ctf/metadata/ctf2_numbers.h"

#include <stdlib.h>

#define DEPTH_MAX 256 /* of types within types, and of aliases of aliases */

/* --- locations of fields --------------------------------------------------------------------------- */

const char *const ctf2_origins[CTF_SCOPES] = {
    [CTF_PACKET_HEADER] = "packet-header",
    [CTF_PACKET_CONTEXT] = "packet-context",
    [CTF_EVENT_HEADER] = "event-record-header",
    [CTF_COMMON_CONTEXT] = "event-record-common-context",
    [CTF_SPECIFIC_CONTEXT] = "event-record-specific-context",
    [CTF_PAYLOAD] = "event-record-payload",
};

static int take_origin(struct ctf2_parser *p, const struct json_value *location, enum ctf_scope *out)
{
    const struct json_value *origin = ctf2_find(location, "origin");
    *out = CTF_NO_SCOPE;
    if (origin == NULL)
        return 0;
    for (int i = 0; i < CTF_SCOPES; ++i)
        if (ctf2_is(origin, ctf2_origins[i])) {
            *out = (enum ctf_scope)i;
            return 0;
        }
    return ctf2_fail(p, "the property \"origin\" is not the name of a scope");
}

/* Null leads to the enclosing structure, which references write as "". */
static int take_path_item(struct ctf2_parser *p, const struct json_value *item, bool is_last,
                          const char **out)
{
    bool is_null = item->kind == JSON_NULL;
    if ((!is_null && item->kind != JSON_STRING) || (is_null && is_last))
        return ctf2_fail(p, "the path of a field must be of strings and null, and end with a string");
    *out = ctf_trace_copy_text(p->trace, is_null ? "" : item->text, is_null ? 0 : item->count);
    return *out != NULL ? 0 : TRACE_ERR_MEMORY;
}

static int take_location(struct ctf2_parser *p, const struct json_value *type, const char *name,
                         struct ctf_reference *out)
{
    const struct json_value *location, *path;
    int rc = ctf2_take_object(p, type, name, JSON_OBJECT, CTF2_REQUIRED, &location);
    if (rc == 0)
        rc = take_origin(p, location, &out->scope);
    if (rc == 0)
        rc = ctf2_take_object(p, location, "path", JSON_ARRAY, CTF2_REQUIRED, &path);
    if (rc == 0 && path->count == 0)
        rc = ctf2_fail(p, "the path of a field is empty");
    if (rc != 0)
        return rc;
    const char **names = arena_alloc(&p->trace->arena, path->count * sizeof *names);
    if (names == NULL)
        return TRACE_ERR_MEMORY;
    for (size_t i = 0; rc == 0 && i < path->count; ++i)
        rc = take_path_item(p, &path->items[i], i + 1 == path->count, &names[i]);
    out->names = names;
    out->count = (uint32_t)path->count;
    out->line = p->line;
    return rc;
}

/* --- structures ------------------------------------------------------------------------------------ */

/* No role says which processor a packet is of. Its field has the same name in every tracer. */
static bool is_processor(const struct ctf2_parser *p, const struct ctf_member *m)
{
    return p->scope == CTF_PACKET_CONTEXT && strcmp(m->name, "cpu_id") == 0 && m->type->kind == CTF_INTEGER &&
           m->type->u.integer.role == CTF_NO_ROLE;
}

static int take_member(struct ctf2_parser *p, const struct json_value *item, struct ctf_member *out)
{
    const struct json_value *type = ctf2_find(item, "field-class");
    int rc = ctf2_take_string(p, item, "name", CTF2_REQUIRED, &out->name);
    if (rc == 0 && type == NULL)
        rc = ctf2_fail(p, "the field \"%.40s\" has no \"field-class\"", out->name);
    if (rc == 0)
        rc = ctf2_type_make(p, type, &out->type);
    if (rc != 0 || !is_processor(p, out))
        return rc;
    struct ctf_class *copy = arena_copy(&p->trace->arena, out->type, sizeof *copy);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    copy->u.integer.role = CTF_CPU;
    out->type = copy;
    return 0;
}

static int check_new_name(struct ctf2_parser *p, struct string_map *seen, const char *name)
{
    if (string_map_get(seen, name, NULL))
        return ctf2_fail(p, "the field \"%.40s\" is declared twice", name);
    return string_map_set(seen, name, 1);
}

static int fill_struct(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    const struct json_value *list;
    struct string_map seen = {0};
    struct ctf_member *members = NULL;
    size_t count = 0, room = 0;
    int rc = ctf2_take_alignment(p, type, "minimum-alignment", &out->align);
    if (rc == 0)
        rc = ctf2_take_object(p, type, "member-classes", JSON_ARRAY, CTF2_OPTIONAL, &list);
    if (rc != 0 || list == NULL)
        return rc;
    for (size_t i = 0; rc == 0 && i < list->count; ++i) {
        rc = ARRAY_RESERVE(members, count, room);
        if (rc == 0)
            rc = take_member(p, &list->items[i], &members[count]);
        if (rc == 0)
            rc = check_new_name(p, &seen, members[count].name);
        if (rc == 0) {
            members[count].written = members[count].name;
            count++;
        }
    }
    if (rc == 0)
        rc = ctf_struct_set_members(p->trace, out, members, count);
    free(members);
    string_map_fini(&seen);
    return rc;
}

/* --- arrays, strings and blobs ------------------------------------------------------------------------ */

static int take_length(struct ctf2_parser *p, const struct json_value *type, bool is_dynamic,
                       struct ctf_class *out)
{
    if (is_dynamic)
        return take_location(p, type, "length-field-location", &out->u.array.count);
    return ctf2_take_number(p, type, "length", CTF2_REQUIRED, UINT64_MAX / 64, &out->u.array.length);
}

static int fill_array(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    const struct json_value *element = ctf2_find(type, "element-field-class");
    int rc = element != NULL ? ctf2_type_make(p, element, &out->u.array.element)
                             : ctf2_fail(p, "an array has no \"element-field-class\"");
    if (rc == 0)
        rc = ctf2_take_alignment(p, type, "minimum-alignment", &out->align);
    if (rc == 0 && out->u.array.element->align > out->align)
        out->align = out->u.array.element->align;
    return rc == 0 ? take_length(p, type, out->kind == CTF_SEQUENCE, out) : rc;
}

static int take_encoding(struct ctf2_parser *p, const struct json_value *type, uint8_t *out)
{
    static const char *const names[] = {[CTF_UTF8] = "utf-8",
                                        [CTF_UTF16LE] = "utf-16le",
                                        [CTF_UTF16BE] = "utf-16be",
                                        [CTF_UTF32LE] = "utf-32le",
                                        [CTF_UTF32BE] = "utf-32be"};
    const struct json_value *encoding = ctf2_find(type, "encoding");
    if (encoding == NULL)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (ctf2_is(encoding, names[i])) {
            *out = (uint8_t)i;
            return 0;
        }
    return ctf2_fail(p, "the property \"encoding\" is not that of a known encoding");
}

static int fill_string(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    out->align = 8;
    return take_encoding(p, type, &out->u.encoding);
}

static int fill_text(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    out->align = 8;
    int rc = take_encoding(p, type, &out->u.array.encoding);
    return rc == 0 ? take_length(p, type, out->kind == CTF_TEXT_SEQUENCE, out) : rc;
}

static int fill_blob(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    out->align = 8;
    out->u.array.role = out->kind == CTF_BLOB ? ctf2_find_role(p, type) : (uint8_t)CTF_NO_ROLE;
    int rc = take_length(p, type, out->kind == CTF_BLOB_SEQUENCE, out);
    if (rc == 0 && out->u.array.role == CTF_UUID && out->u.array.length != 16)
        rc = ctf2_fail(p, "a blob with the role \"metadata-stream-uuid\" must have 16 bytes");
    return rc;
}

/* --- optional fields and variants ------------------------------------------------------------------ */

static int fill_optional(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    const struct json_value *ranges = ctf2_find(type, "selector-field-ranges");
    const struct json_value *part = ctf2_find(type, "field-class");
    int rc = take_location(p, type, "selector-field-location", &out->u.optional.selector);
    if (rc == 0 && ranges != NULL)
        rc = ctf2_take_ranges(p, ranges, &out->u.optional.ranges, &out->u.optional.range_count);
    if (rc != 0)
        return rc;
    return part != NULL ? ctf2_type_make(p, part, &out->u.optional.type)
                        : ctf2_fail(p, "an optional field has no \"field-class\"");
}

static int take_option(struct ctf2_parser *p, const struct json_value *item, struct ctf_option *out)
{
    const struct json_value *ranges = ctf2_find(item, "selector-field-ranges");
    const struct json_value *type = ctf2_find(item, "field-class");
    if (ranges == NULL || type == NULL)
        return ctf2_fail(p, "an option of a variant needs \"field-class\" and \"selector-field-ranges\"");
    int rc = ctf2_take_ranges(p, ranges, &out->ranges, &out->range_count);
    if (rc == 0)
        rc = ctf2_take_string(p, item, "name", CTF2_OPTIONAL, &out->name);
    out->written = out->name;
    return rc == 0 ? ctf2_type_make(p, type, &out->type) : rc;
}

static int fill_variant(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    const struct json_value *list;
    int rc = take_location(p, type, "selector-field-location", &out->u.variant.selector);
    if (rc == 0)
        rc = ctf2_take_object(p, type, "options", JSON_ARRAY, CTF2_REQUIRED, &list);
    if (rc == 0 && list->count == 0)
        rc = ctf2_fail(p, "a variant has no options");
    if (rc != 0)
        return rc;
    struct ctf_option *options = arena_alloc(&p->trace->arena, list->count * sizeof *options);
    if (options == NULL)
        return TRACE_ERR_MEMORY;
    memset(options, 0, list->count * sizeof *options);
    for (size_t i = 0; rc == 0 && i < list->count; ++i)
        rc = take_option(p, &list->items[i], &options[i]);
    out->u.variant.options = options;
    out->u.variant.count = (uint32_t)list->count;
    return rc;
}

/* --- all ------------------------------------------------------------------------------------------- */

struct type_name {
    const char *name;
    enum ctf_kind kind;
    int (*fill)(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out);
};

static const struct type_name type_names[] = {
    {"fixed-length-bit-array", CTF_BITS, ctf2_fill_integer},
    {"fixed-length-bit-map", CTF_BITS, ctf2_fill_integer},
    {"fixed-length-boolean", CTF_BOOL, ctf2_fill_integer},
    {"fixed-length-unsigned-integer", CTF_INTEGER, ctf2_fill_integer},
    {"fixed-length-signed-integer", CTF_INTEGER, ctf2_fill_integer},
    {"variable-length-unsigned-integer", CTF_INTEGER, ctf2_fill_integer},
    {"variable-length-signed-integer", CTF_INTEGER, ctf2_fill_integer},
    {"fixed-length-floating-point-number", CTF_FLOAT, ctf2_fill_float},
    {"null-terminated-string", CTF_STRING, fill_string},
    {"static-length-string", CTF_TEXT, fill_text},
    {"dynamic-length-string", CTF_TEXT_SEQUENCE, fill_text},
    {"static-length-blob", CTF_BLOB, fill_blob},
    {"dynamic-length-blob", CTF_BLOB_SEQUENCE, fill_blob},
    {"structure", CTF_STRUCT, fill_struct},
    {"static-length-array", CTF_ARRAY, fill_array},
    {"dynamic-length-array", CTF_SEQUENCE, fill_array},
    {"optional", CTF_OPTIONAL, fill_optional},
    {"variant", CTF_VARIANT, fill_variant},
};

static const struct type_name *find_type_name(const struct json_value *name)
{
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; ++i)
        if (ctf2_is(name, type_names[i].name))
            return &type_names[i];
    return NULL;
}

static int make_alias(struct ctf2_parser *p, const char *name, const struct ctf_class **out)
{
    uint64_t known;
    if (!string_map_get(&p->aliases, name, &known))
        return ctf2_fail(p, "the type \"%.40s\" is not declared", name);
    struct ctf2_alias *alias = (struct ctf2_alias *)(uintptr_t)known;
    int rc = 0;
    if (alias->made[p->scope] == NULL)
        rc = ctf2_type_make(p, alias->type, &alias->made[p->scope]);
    *out = alias->made[p->scope];
    return rc;
}

static int make(struct ctf2_parser *p, const struct json_value *type, const struct ctf_class **out)
{
    if (type->kind == JSON_STRING)
        return make_alias(p, type->text, out);
    const struct json_value *name = ctf2_find(type, "type");
    const struct type_name *known = name != NULL ? find_type_name(name) : NULL;
    if (known == NULL)
        return ctf2_fail(p, "\"%.40s\" is not a type of fields",
                         name != NULL && name->kind == JSON_STRING ? name->text : "");
    struct ctf_class *made = ctf_trace_new_class(p->trace, known->kind, 1);
    if (made == NULL)
        return TRACE_ERR_MEMORY;
    *out = made;
    return known->fill(p, type, made);
}

int ctf2_type_make(struct ctf2_parser *p, const struct json_value *type, const struct ctf_class **out)
{
    if (p->depth == DEPTH_MAX)
        return ctf2_fail(p, "more than %d types are nested", DEPTH_MAX);
    p->depth++;
    int rc = make(p, type, out);
    p->depth--;
    return rc;
}

int ctf2_type_make_scope(struct ctf2_parser *p, const struct json_value *object, const char *name,
                         enum ctf_scope scope, const struct ctf_class **out)
{
    const struct json_value *type = ctf2_find(object, name);
    if (type == NULL)
        return 0;
    p->scope = scope;
    int rc = ctf2_type_make(p, type, out);
    return rc == 0 && (*out)->kind != CTF_STRUCT ? ctf2_fail(p, "\"%s\" must be a structure", name) : rc;
}
