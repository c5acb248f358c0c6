/* SPDX-License-Identifier: MIT
 * JSON (RFC 8259), appended to a buffer piece by piece, without blanks. Commas come by themselves: what is
 * written must be in an order that makes sense. Running out of memory is noted in the writer, not returned.
 */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include "base/buf.h"

#include <stdbool.h>

struct json_writer {
    struct buf *out; /* borrowed */
    bool comma;      /* what comes next is not the first in its array or object */
    bool failed;     /* out of memory */
};

void json_writer_init(struct json_writer *w, struct buf *out);

static inline void json_begin(struct json_writer *w, char bracket); /* '{' or '[' */
static inline void json_end(struct json_writer *w, char bracket);   /* '}' or ']' */

/* A member's name; its value follows. No character of it is escaped. */
void json_key(struct json_writer *w, const char *name);

void json_null(struct json_writer *w);
void json_bool(struct json_writer *w, bool value);

/* Numbers up to 2^53 - 1 and down to its negative, which whoever reads numbers as doubles gets right; beyond
 * them, a string with the digits. */
void json_uint(struct json_writer *w, uint64_t value);
void json_sint(struct json_writer *w, int64_t value);

/* The shortest digits that tell the value from all others of its type. What is no number is a string:
 * "Infinity", "-Infinity", "NaN", "-NaN", or, for a NaN that has a payload, "NaN(0x…)" with all its bits. */
void json_float(struct json_writer *w, float value);
void json_double(struct json_writer *w, double value);

/* A string. Its bytes should be UTF-8: they are taken as they are, but for what JSON must have escaped. */
void json_string(struct json_writer *w, const char *text, size_t count);

/* A string if the bytes are UTF-8, otherwise {"base64":"…"}. */
void json_text(struct json_writer *w, const char *text, size_t count);

/* A string with the bytes in base64 (RFC 4648, section 4). */
void json_base64(struct json_writer *w, const void *bytes, size_t count);

/* Text that is one value, or one member with its name. */
static inline void json_raw(struct json_writer *w, const char *text, size_t count);

/* Text as it is, without a comma before it; sets comma as json_end() does if `ended`, else as json_begin().
 */
static inline void json_splice(struct json_writer *w, const char *text, size_t count, bool ended);

/* --- inline, since most of what is written is short ------------------------------------------------ */

static inline __attribute__((always_inline)) void json_splice(struct json_writer *w, const char *text,
                                                              size_t count, bool ended)
{
    if (buf_reserve(w->out, count) != 0) {
        w->failed = true;
        return;
    }
    memcpy(w->out->data + w->out->len, text, count);
    w->out->len += count;
    w->comma = ended;
}

static inline __attribute__((always_inline)) void json_raw(struct json_writer *w, const char *text,
                                                           size_t count)
{
    if (w->comma)
        json_splice(w, ",", 1, false);
    json_splice(w, text, count, true);
}

static inline void json_begin(struct json_writer *w, char bracket)
{
    json_raw(w, &bracket, 1);
    w->comma = false;
}

static inline void json_end(struct json_writer *w, char bracket)
{
    json_splice(w, &bracket, 1, true);
}

#endif
