/* SPDX-License-Identifier: MIT
 * Writes JSON (RFC 8259) to a buffer, without blanks. Functions append one value, name or bracket each; the
 * writer adds the commas, and trusts the caller to keep the order valid. If memory runs out, the writer's
 * `failed` becomes true; nothing is returned.
 */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include "base/buf.h"

#include <stdbool.h>

struct json_writer {
    struct buf *out; /* borrowed */
    bool comma;      /* the next value needs a comma: it is not the first in its array or object */
    bool failed;     /* out of memory */
};

void json_writer_init(struct json_writer *w, struct buf *out);

static inline void json_begin(struct json_writer *w, char bracket); /* '{' or '[' */
static inline void json_end(struct json_writer *w, char bracket);   /* '}' or ']' */

/* Writes a member's name. The value follows. Nothing in the name is escaped. */
void json_key(struct json_writer *w, const char *name);

void json_null(struct json_writer *w);
void json_bool(struct json_writer *w, bool value);

/* Write an integer as a number if its magnitude is at most 2^53 - 1, which a reader that uses doubles gets
 * right; otherwise as a string with the digits. */
void json_uint(struct json_writer *w, uint64_t value);
void json_sint(struct json_writer *w, int64_t value);

/* Write the fewest digits that distinguish the value from all others of its type. What JSON has no number for
 * is a string: "Infinity", "-Infinity", "NaN", "-NaN", or "NaN(0x…)" with all bits of a NaN with a payload.
 */
void json_float(struct json_writer *w, float value);
void json_double(struct json_writer *w, double value);

/* Writes a string. The bytes should be UTF-8; only the characters that JSON requires are escaped. */
void json_string(struct json_writer *w, const char *text, size_t count);

/* Writes a string if the bytes are UTF-8, otherwise {"base64":"…"}. */
void json_text(struct json_writer *w, const char *text, size_t count);

/* Writes a string always: what is not UTF-8 becomes U+FFFD. */
void json_repaired_text(struct json_writer *w, const char *text, size_t count);

/* Writes a string with the bytes in base64 (RFC 4648, section 4). */
void json_base64(struct json_writer *w, const void *bytes, size_t count);

/* Writes JSON text that is one value, or one member with its name. */
static inline void json_raw(struct json_writer *w, const char *text, size_t count);

/* Writes JSON text as it is, without a comma before it. ended: a value is complete after it, so that the next
 * one needs a comma. */
static inline void json_splice(struct json_writer *w, const char *text, size_t count, bool ended);

/* --- inline, because most texts are short ---------------------------------------------------------- */

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
