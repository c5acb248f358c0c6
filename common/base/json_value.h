/* SPDX-License-Identifier: MIT
 * Values of JSON in memory, and how readers put them together.
 */
#ifndef BASE_JSON_VALUE_H
#define BASE_JSON_VALUE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_INTEGER, /* without point and exponent */
    JSON_REAL,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json_value;

struct json_member {
    const char *name; /* ends with a NUL; may contain others */
    size_t name_size;
    struct json_value *value;
};

/* A value. All memory is in the arena that was passed to the reader. */
struct json_value {
    enum json_kind kind;
    size_t count;                /* bytes of text, items, or members */
    const char *text;            /* of a number as it was written, or of a string; ends with a NUL */
    struct json_value *items;    /* of an array */
    struct json_member *members; /* of an object, in the order of the file; names may occur twice */
};

struct json_reader {
    struct arena *arena; /* borrowed */
    const char *start, *at, *end;
    unsigned depth;
};

/* The items of an array, or the members of an object, while they are being read. Zero-initialise it before
 * use. */
struct json_children {
    struct json_value *values;
    struct json_member *members; /* their values are set at the end */
    size_t count, value_room, member_room;
};

/* Deeper values are rejected, so that reading needs little of the stack. */
#define JSON_MOST_DEPTH 200

/* name: NULL for an item. Errors: TRACE_ERR_MEMORY. */
int json_children_add(struct json_children *c, const char *name, size_t name_size,
                      const struct json_value *value);

/* Makes an array or object of them, unless rc is an error, and frees *c. Returns rc, or TRACE_ERR_MEMORY. */
int json_children_finish(struct json_children *c, struct arena *arena, struct json_value *out,
                         enum json_kind kind, int rc);

#endif
