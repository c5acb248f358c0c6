/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/ctf2_properties.h"

#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int ctf2_fail(const struct ctf2_parser *p, const char *format, ...)
{
    char cause[256];
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    return trace_error_set(TRACE_ERR_FORMAT, "%s:%u: %s", p->file, (unsigned)p->line, cause);
}

/* Of properties of the same name the last one counts. */
const struct json_value *ctf2_find(const struct json_value *object, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = object->kind == JSON_OBJECT ? object->count : 0; i > 0; --i) {
        const struct json_member *m = &object->members[i - 1];
        if (m->name_size == size && memcmp(m->name, name, size) == 0)
            return m->value;
    }
    return NULL;
}

bool ctf2_is(const struct json_value *value, const char *text)
{
    return value != NULL && value->kind == JSON_STRING && strcmp(value->text, text) == 0;
}

static int find(struct ctf2_parser *p, const struct json_value *object, const char *name, enum ctf2_need need,
                const struct json_value **out)
{
    *out = ctf2_find(object, name);
    return *out == NULL && need == CTF2_REQUIRED ? ctf2_fail(p, "the property \"%s\" is missing", name) : 0;
}

int ctf2_take_string(struct ctf2_parser *p, const struct json_value *object, const char *name,
                     enum ctf2_need need, const char **out)
{
    const struct json_value *value;
    int rc = find(p, object, name, need, &value);
    if (rc != 0 || value == NULL)
        return rc;
    if (value->kind != JSON_STRING || memchr(value->text, '\0', value->count) != NULL)
        return ctf2_fail(p, "the property \"%s\" must be a string", name);
    *out = ctf_trace_copy_text(p->trace, value->text, value->count);
    return *out != NULL ? 0 : TRACE_ERR_MEMORY;
}

int ctf2_take_integer(struct ctf2_parser *p, const struct json_value *value, uint64_t *out)
{
    errno = 0;
    if (value->kind == JSON_INTEGER)
        *out = value->text[0] == '-' ? (uint64_t)strtoll(value->text, NULL, 10)
                                     : (uint64_t)strtoull(value->text, NULL, 10);
    if (value->kind != JSON_INTEGER || errno != 0)
        return ctf2_fail(p, "an integer of 64 bits is expected%s%.40s%s",
                         value->text != NULL ? " for \"" : "", value->text != NULL ? value->text : "",
                         value->text != NULL ? "\"" : "");
    return 0;
}

int ctf2_take_number(struct ctf2_parser *p, const struct json_value *object, const char *name,
                     enum ctf2_need need, uint64_t most, uint64_t *out)
{
    const struct json_value *value;
    int rc = find(p, object, name, need, &value);
    if (rc != 0 || value == NULL)
        return rc;
    uint64_t number = 0;
    bool fits = ctf2_take_integer(p, value, &number) == 0 && value->text[0] != '-' && number <= most;
    if (!fits)
        return ctf2_fail(p, "the property \"%s\" must be an integer from 0 to %" PRIu64, name, most);
    *out = number;
    return 0;
}

int ctf2_take_alignment(struct ctf2_parser *p, const struct json_value *object, const char *name,
                        uint32_t *out)
{
    uint64_t align = *out;
    int rc = ctf2_take_number(p, object, name, CTF2_OPTIONAL, UINT64_C(1) << 31, &align);
    if (rc == 0 && (align == 0 || (align & (align - 1)) != 0))
        rc = ctf2_fail(p, "the property \"%s\" must be a power of two", name);
    *out = (uint32_t)align;
    return rc;
}

int ctf2_take_object(struct ctf2_parser *p, const struct json_value *object, const char *name,
                     enum json_kind kind, enum ctf2_need need, const struct json_value **out)
{
    int rc = find(p, object, name, need, out);
    if (rc != 0 || *out == NULL || (*out)->kind == kind)
        return rc;
    return ctf2_fail(p, "the property \"%s\" must be an %s", name, kind == JSON_OBJECT ? "object" : "array");
}
