/* SPDX-License-Identifier: MIT
 * Properties of the JSON objects in metadata of CTF 2. Those that an object lacks leave *out as it is, unless
 * they are required.
 */
#ifndef CTF2_PROPERTIES_H
#define CTF2_PROPERTIES_H

#include "base/json_value.h"
#include "formats/ctf/ctf_types.h"

enum ctf2_need {
    CTF2_OPTIONAL,
    CTF2_REQUIRED,
};

struct ctf2_alias {
    const struct json_value *type;
    const struct ctf_class *made[CTF_SCOPES]; /* roles depend on the scope; NULL: not yet */
};

struct ctf2_parser {
    struct ctf_trace *trace;
    const char *file;          /* for messages */
    uint32_t line;             /* of the fragment */
    struct arena arena;        /* of JSON values, and aliases */
    struct string_map aliases; /* names of types, to struct ctf2_alias * */
    struct string_map clocks;  /* ids, to indices of clocks */
    enum ctf_scope scope;      /* in which a type is made */
    unsigned depth;            /* of types that are being made */
};

/* Sets a message with the file and the line of the fragment. Returns TRACE_ERR_FORMAT. */
int ctf2_fail(const struct ctf2_parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the value of a property, or NULL. */
const struct json_value *ctf2_find(const struct json_value *object, const char *name);

bool ctf2_is(const struct json_value *value, const char *text);

/* Copies a string into the trace. */
int ctf2_take_string(struct ctf2_parser *p, const struct json_value *object, const char *name,
                     enum ctf2_need need, const char **out);

/* An integer between 0 and `most`. */
int ctf2_take_number(struct ctf2_parser *p, const struct json_value *object, const char *name,
                     enum ctf2_need need, uint64_t most, uint64_t *out);

/* An integer between -2^63 and 2^64 - 1, as two's complement. */
int ctf2_take_integer(struct ctf2_parser *p, const struct json_value *value, uint64_t *out);

/* A power of two, of at most 2^31. */
int ctf2_take_alignment(struct ctf2_parser *p, const struct json_value *object, const char *name,
                        uint32_t *out);

/* Requires a property, an object or an array. */
int ctf2_take_object(struct ctf2_parser *p, const struct json_value *object, const char *name,
                     enum json_kind kind, enum ctf2_need need, const struct json_value **out);

#endif
