/* SPDX-License-Identifier: MIT */
#include "base/json_writer.h"

#include "base/base64.h"
#include "base/format_number.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>

#define MAX_EXACT ((UINT64_C(1) << 53) - 1)

#define FLOAT_NAN  UINT32_C(0x7fc00000)
#define DOUBLE_NAN UINT64_C(0x7ff8000000000000)

void json_writer_init(struct json_writer *w, struct buf *out)
{
    *w = (struct json_writer){.out = out};
}

/* Reserves count bytes. Returns NULL if there is no memory. */
static char *reserve(struct json_writer *w, size_t count)
{
    if (buf_reserve(w->out, count) != 0) {
        w->failed = true;
        return NULL;
    }
    return (char *)w->out->data + w->out->len;
}

static void put(struct json_writer *w, const char *bytes, size_t count)
{
    json_splice(w, bytes, count, true);
}

/* Begins a value or a member's name. */
static void separate(struct json_writer *w)
{
    if (w->comma)
        put(w, ",", 1);
    w->comma = true;
}

void json_key(struct json_writer *w, const char *name)
{
    separate(w);
    put(w, "\"", 1);
    put(w, name, strlen(name));
    put(w, "\":", 2);
    w->comma = false;
}

void json_null(struct json_writer *w)
{
    json_raw(w, "null", 4);
}

void json_bool(struct json_writer *w, bool value)
{
    json_raw(w, value ? "true" : "false", value ? 4 : 5);
}

/* --- numbers --------------------------------------------------------------------------------------- */

/* Returns the position for its digits. */
static char *begin_number(struct json_writer *w)
{
    separate(w);
    return reserve(w, FORMAT_REAL_BYTES);
}

static void put_digits(struct json_writer *w, const char *digits, size_t count)
{
    separate(w);
    put(w, "\"", 1);
    put(w, digits, count);
    put(w, "\"", 1);
}

void json_uint(struct json_writer *w, uint64_t value)
{
    char digits[FORMAT_INT_BYTES];
    if (value > MAX_EXACT) {
        put_digits(w, digits, format_uint(digits, value));
        return;
    }
    char *p = begin_number(w);
    if (p != NULL)
        w->out->len += format_uint(p, value);
}

void json_sint(struct json_writer *w, int64_t value)
{
    char digits[FORMAT_INT_BYTES];
    if (value > (int64_t)MAX_EXACT || value < -(int64_t)MAX_EXACT)
        put_digits(w, digits, format_sint(digits, value));
    else
        json_raw(w, digits, format_sint(digits, value));
}

static void put_special(struct json_writer *w, double value, bool plain_nan, uint64_t bits)
{
    char text[32];
    if (isinf(value))
        snprintf(text, sizeof text, "\"%sInfinity\"", signbit(value) ? "-" : "");
    else if (plain_nan)
        snprintf(text, sizeof text, "\"%sNaN\"", signbit(value) ? "-" : "");
    else
        snprintf(text, sizeof text, "\"NaN(0x%llx)\"", (unsigned long long)bits);
    json_raw(w, text, strlen(text));
}

void json_float(struct json_writer *w, float value)
{
    uint32_t bits;
    char *p;
    memcpy(&bits, &value, sizeof bits);
    if (!isfinite(value))
        put_special(w, (double)value, (bits & 0x7fffffff) == FLOAT_NAN, bits);
    else if (bits == 0x80000000)
        json_raw(w, "-0.0", 4); /* for readers that distinguish it from 0 */
    else if ((p = begin_number(w)) != NULL)
        w->out->len += format_float(p, value);
}

void json_double(struct json_writer *w, double value)
{
    uint64_t bits;
    char *p;
    memcpy(&bits, &value, sizeof bits);
    if (!isfinite(value))
        put_special(w, value, (bits & INT64_MAX) == DOUBLE_NAN, bits);
    else if (bits == UINT64_C(1) << 63)
        json_raw(w, "-0.0", 4);
    else if ((p = begin_number(w)) != NULL)
        w->out->len += format_double(p, value);
}

/* --- strings --------------------------------------------------------------------------------------- */

static void put_escape(struct json_writer *w, uint8_t c)
{
    /* Each character, followed by the letter of its escape. */
    static const char letters[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    for (const char *p = letters; *p != '\0'; p += 2)
        if ((uint8_t)*p == c) {
            const char escape[2] = {'\\', p[1]};
            put(w, escape, sizeof escape);
            return;
        }
    char text[8];
    put(w, text, (size_t)snprintf(text, sizeof text, "\\u%04x", c));
}

void json_string(struct json_writer *w, const char *text, size_t count)
{
    separate(w);
    put(w, "\"", 1);
    for (size_t i = 0; i < count;) {
        size_t from = i;
        while (i < count && (uint8_t)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\')
            ++i;
        put(w, text + from, i - from);
        if (i < count)
            put_escape(w, (uint8_t)text[i++]);
    }
    put(w, "\"", 1);
}

void json_text(struct json_writer *w, const char *text, size_t count)
{
    if (utf8_is_valid(text, count)) {
        json_string(w, text, count);
        return;
    }
    json_begin(w, '{');
    json_key(w, "base64");
    json_base64(w, text, count);
    json_end(w, '}');
}

void json_repaired_text(struct json_writer *w, const char *text, size_t count)
{
    struct buf repaired = BUF_INIT;
    if (utf8_is_valid(text, count))
        json_string(w, text, count);
    else if (utf8_append_repaired(&repaired, text, count) == 0)
        json_string(w, (const char *)repaired.data, repaired.len);
    else
        w->failed = true;
    buf_fini(&repaired);
}

void json_base64(struct json_writer *w, const void *bytes, size_t count)
{
    separate(w);
    char *p = reserve(w, BASE64_SIZE(count) + 2);
    if (p == NULL)
        return;
    char *start = p;
    *p++ = '"';
    p += base64_encode(p, bytes, count);
    *p++ = '"';
    w->out->len += (size_t)(p - start);
}
