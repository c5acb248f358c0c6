/* SPDX-License-Identifier: MIT */
#include "base/ubjson_reader.h"

#include "base/base64.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the beginning of an array or object says of all that follows. */
struct container {
    char type; /* of all items; 0: each has its own */
    bool has_count;
    uint64_t count;
};

static int malformed(const struct json_reader *r, const char *what)
{
    return trace_error_set(TRACE_ERR_FORMAT, "byte %zu: %s", (size_t)(r->at - r->start), what);
}

static int read_byte(struct json_reader *r, char *out)
{
    if (r->at == r->end)
        return malformed(r, "the end is missing");
    *out = *r->at++;
    return 0;
}

/* Integers are big-endian. */
static int read_bits(struct json_reader *r, size_t size, uint64_t *out)
{
    *out = 0;
    if ((size_t)(r->end - r->at) < size)
        return malformed(r, "the end is missing");
    for (size_t i = 0; i < size; ++i)
        *out = *out << 8 | (uint8_t)*r->at++;
    return 0;
}

/* Returns the size of a number of this type in bytes, or 0. */
static size_t number_size(char type)
{
    switch (type) {
    case 'i':
    case 'U':
        return 1;
    case 'I':
        return 2;
    case 'l':
    case 'd':
        return 4;
    case 'L':
    case 'D':
        return 8;
    default:
        return 0;
    }
}

static int64_t with_sign(uint64_t bits, size_t size)
{
    unsigned unused = 64 - 8 * (unsigned)size;
    return (int64_t)(bits << unused) >> unused;
}

static int read_integer(struct json_reader *r, char type, int64_t *out)
{
    uint64_t bits;
    size_t size = number_size(type);
    if (size == 0 || type == 'd' || type == 'D')
        return malformed(r, "an integer is expected");
    int rc = read_bits(r, size, &bits);
    *out = type == 'U' ? (int64_t)bits : with_sign(bits, size);
    return rc;
}

/* A length or count, which cannot be more than the bytes that are left. */
static int read_size(struct json_reader *r, uint64_t *out)
{
    char type = 0;
    int64_t value = 0;
    int rc = read_byte(r, &type);
    if (rc == 0)
        rc = read_integer(r, type, &value);
    if (rc == 0 && (value < 0 || value > r->end - r->at))
        rc = malformed(r, "a length goes beyond the end");
    *out = (uint64_t)value;
    return rc;
}

static int copy_text(struct json_reader *r, const char *text, size_t size, struct json_value *out)
{
    char *copy = arena_alloc(r->arena, size + 1);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    memcpy(copy, text, size);
    copy[size] = '\0';
    out->text = copy;
    out->count = size;
    return 0;
}

static int read_text(struct json_reader *r, struct json_value *out)
{
    uint64_t size;
    int rc = read_size(r, &size);
    if (rc == 0)
        rc = copy_text(r, r->at, (size_t)size, out);
    if (rc == 0)
        r->at += size;
    return rc;
}

static int read_real(struct json_reader *r, char type, struct json_value *out)
{
    uint64_t bits;
    char text[64];
    int rc = read_bits(r, number_size(type), &bits);
    if (rc != 0)
        return rc;
    double value;
    if (type == 'd') {
        uint32_t half = (uint32_t)bits;
        float single;
        memcpy(&single, &half, sizeof single);
        value = (double)single;
    } else {
        memcpy(&value, &bits, sizeof value);
    }
    out->kind = JSON_REAL;
    return copy_text(r, text, (size_t)snprintf(text, sizeof text, type == 'd' ? "%.9g" : "%.17g", value),
                     out);
}

static int read_whole(struct json_reader *r, char type, struct json_value *out)
{
    int64_t value;
    char text[32];
    int rc = read_integer(r, type, &value);
    if (rc != 0)
        return rc;
    out->kind = JSON_INTEGER;
    return copy_text(r, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value), out);
}

/* --- arrays and objects ---------------------------------------------------------------------------- */

static int read_typed(struct json_reader *r, char type, struct json_value *out);

static int read_container(struct json_reader *r, struct container *c)
{
    *c = (struct container){.type = 0};
    int rc = 0;
    if (r->at < r->end && *r->at == '$') {
        ++r->at;
        rc = read_byte(r, &c->type);
        if (rc == 0 && (r->at == r->end || *r->at != '#'))
            rc = malformed(r, "a count is expected");
    }
    if (rc == 0 && r->at < r->end && *r->at == '#') {
        ++r->at;
        c->has_count = true;
        rc = read_size(r, &c->count);
    }
    return rc;
}

/* Whether another item or member follows. Skips the end. */
static bool has_next(struct json_reader *r, const struct container *c, uint64_t done, char end)
{
    if (c->has_count)
        return done < c->count;
    if (r->at < r->end && *r->at == end) {
        ++r->at;
        return false;
    }
    return true;
}

/* An item without bytes of its own, such as a null, could be there any number of times. */
static int check_container(struct json_reader *r, const struct container *c)
{
    if (c->type != 0 && strchr("ZTFN", c->type) != NULL)
        return malformed(r, "an array of values without contents");
    return 0;
}

/* An array of bytes is a picture, which is in base64 in JSON. */
static int read_bytes(struct json_reader *r, size_t count, struct json_value *out)
{
    char *text = arena_alloc(r->arena, BASE64_SIZE(count) + 1);
    if (text == NULL)
        return TRACE_ERR_MEMORY;
    size_t size = base64_encode(text, r->at, count);
    text[size] = '\0';
    r->at += count;
    *out = (struct json_value){.kind = JSON_STRING, .text = text, .count = size};
    return 0;
}

static int read_children(struct json_reader *r, char bracket, struct json_value *out)
{
    struct json_children children = {0};
    struct container c;
    bool is_object = bracket == '{';
    int rc = read_container(r, &c);
    if (rc == 0)
        rc = check_container(r, &c);
    if (rc == 0 && !is_object && c.type == 'U' && c.has_count)
        return read_bytes(r, (size_t)c.count, out);
    for (uint64_t i = 0; rc == 0 && has_next(r, &c, i, is_object ? '}' : ']'); ++i) {
        struct json_value name = {.text = NULL}, value;
        if (is_object)
            rc = read_text(r, &name);
        char type = c.type;
        if (rc == 0 && type == 0)
            rc = read_byte(r, &type);
        if (rc == 0)
            rc = read_typed(r, type, &value);
        if (rc == 0)
            rc = json_children_add(&children, name.text, name.count, &value);
    }
    return json_children_finish(&children, r->arena, out, is_object ? JSON_OBJECT : JSON_ARRAY, rc);
}

static int read_nested(struct json_reader *r, char type, struct json_value *out)
{
    if (r->depth == JSON_MOST_DEPTH)
        return malformed(r, "too many arrays and objects in each other");
    r->depth++;
    int rc = read_children(r, type, out);
    r->depth--;
    return rc;
}

static int read_typed(struct json_reader *r, char type, struct json_value *out)
{
    *out = (struct json_value){.kind = JSON_NULL};
    switch (type) {
    case 'N': /* no operation: as good as a null */
    case 'Z':
        return 0;
    case 'T':
    case 'F':
        out->kind = type == 'T' ? JSON_TRUE : JSON_FALSE;
        return 0;
    case 'd':
    case 'D':
        return read_real(r, type, out);
    case 'C':
        out->kind = JSON_STRING;
        if (r->at == r->end)
            return malformed(r, "the end is missing");
        return copy_text(r, r->at++, 1, out);
    case 'S':
        out->kind = JSON_STRING;
        return read_text(r, out);
    case 'H':
        out->kind = JSON_REAL;
        return read_text(r, out);
    case '[':
    case '{':
        return read_nested(r, type, out);
    default:
        return number_size(type) != 0 ? read_whole(r, type, out) : malformed(r, "an unknown type");
    }
}

int ubjson_read_value(struct json_reader *r, struct json_value *out)
{
    char type = 0;
    int rc = read_byte(r, &type);
    return rc != 0 ? rc : read_typed(r, type, out);
}
