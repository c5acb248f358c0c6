/* SPDX-License-Identifier: MIT */
#include "state/state_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void state_writer_init(struct state_writer *w, struct buf *out, bool binary)
{
    *w = (struct state_writer){.out = out, .binary = binary};
    json_writer_init(&w->json, out);
}

bool state_writer_failed(const struct state_writer *w)
{
    return w->failed || w->json.failed;
}

/* --- UBJSON ---------------------------------------------------------------------------------------- */

static void put(struct state_writer *w, const void *bytes, size_t count)
{
    if (buf_append(w->out, bytes, count) != 0)
        w->failed = true;
}

static void put_marker(struct state_writer *w, char marker)
{
    put(w, &marker, 1);
}

/* Numbers are big-endian. */
static void put_big_endian(struct state_writer *w, uint64_t bits, unsigned size)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < size; ++i)
        bytes[i] = (uint8_t)(bits >> 8 * (size - 1 - i));
    put(w, bytes, size);
}

/* Writes the number in the smallest type that holds it, with the type's marker. */
static void put_integer(struct state_writer *w, int64_t value)
{
    static const struct {
        char marker;
        uint8_t size;
        int64_t min, max;
    } types[] = {{'i', 1, INT8_MIN, INT8_MAX},
                 {'U', 1, 0, UINT8_MAX},
                 {'I', 2, INT16_MIN, INT16_MAX},
                 {'l', 4, INT32_MIN, INT32_MAX},
                 {'L', 8, INT64_MIN, INT64_MAX}};
    unsigned i = 0;
    while (value < types[i].min || value > types[i].max)
        ++i;
    put_marker(w, types[i].marker);
    put_big_endian(w, (uint64_t)value, types[i].size);
}

static void put_text(struct state_writer *w, const char *text)
{
    size_t length = strlen(text);
    put_integer(w, (int64_t)length);
    put(w, text, length);
}

/* --- either ---------------------------------------------------------------------------------------- */

static void begin(struct state_writer *w, char bracket)
{
    if (w->binary)
        put_marker(w, bracket);
    else
        json_begin(&w->json, bracket);
}

static void end(struct state_writer *w, char bracket)
{
    if (w->binary)
        put_marker(w, bracket);
    else
        json_end(&w->json, bracket);
}

void state_begin_object(struct state_writer *w)
{
    begin(w, '{');
}

void state_end_object(struct state_writer *w)
{
    end(w, '}');
}

void state_begin_array(struct state_writer *w)
{
    begin(w, '[');
}

void state_end_array(struct state_writer *w)
{
    end(w, ']');
}

void state_key(struct state_writer *w, const char *name)
{
    if (w->binary) {
        put_text(w, name);
        return;
    }
    /* json_key() does not escape, but labels and names of uniforms are the program's. */
    json_string(&w->json, name, strlen(name));
    json_splice(&w->json, ":", 1, false);
}

void state_key_format(struct state_writer *w, const char *format, ...)
{
    char name[512];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    state_key(w, name);
}

void state_null(struct state_writer *w)
{
    if (w->binary)
        put_marker(w, 'Z');
    else
        json_null(&w->json);
}

void state_bool(struct state_writer *w, bool value)
{
    if (w->binary)
        put_marker(w, value ? 'T' : 'F');
    else
        json_bool(&w->json, value);
}

void state_integer(struct state_writer *w, int64_t value)
{
    if (w->binary)
        put_integer(w, value);
    else
        json_sint(&w->json, value);
}

void state_float(struct state_writer *w, float value)
{
    uint32_t bits;
    if (!w->binary) {
        json_float(&w->json, value);
        return;
    }
    memcpy(&bits, &value, sizeof bits);
    put_marker(w, 'd');
    put_big_endian(w, bits, sizeof bits);
}

void state_double(struct state_writer *w, double value)
{
    uint64_t bits;
    if (!w->binary) {
        json_double(&w->json, value);
        return;
    }
    memcpy(&bits, &value, sizeof bits);
    put_marker(w, 'D');
    put_big_endian(w, bits, sizeof bits);
}

void state_string(struct state_writer *w, const char *text)
{
    if (w->binary) {
        put_marker(w, 'S');
        put_text(w, text);
    } else {
        json_text(&w->json, text, strlen(text));
    }
}

void state_bytes(struct state_writer *w, const void *bytes, size_t count)
{
    if (!w->binary) {
        json_base64(&w->json, bytes, count);
        return;
    }
    put(w, "[$U#", 4);
    put_integer(w, (int64_t)count);
    put(w, bytes, count);
}
