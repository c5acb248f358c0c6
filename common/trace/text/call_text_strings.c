/* SPDX-License-Identifier: MIT
 * Formats strings: as apitrace prints them, or with all their characters.
 */
#include "trace/text/call_text_strings.h"

#include "base/utf8.h"
#include "trace/text/call_text_put.h"

#include <stdio.h>

/* Returns true for printable ASCII that neither style escapes. */
static bool is_literal(uint32_t c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void put_line_end(struct trace_call_text *f)
{
    if (!f->style.multiline) {
        PUT_LITERAL(f, "\\n");
        return;
    }
    PUT_STYLE(f, STYLE_NORMAL);
    put_byte(f, '\n');
    PUT_STYLE(f, STYLE_LITERAL);
}

/* --- apitrace's style ------------------------------------------------------------------------------ */

/* Writes an octal escape with apitrace's bug: the middle digit also replaces the first one, and both are left
 * out if it is 0. */
static void put_octal(struct trace_call_text *f, uint32_t c)
{
    char text[4] = {'\\'};
    size_t n = 1;
    uint32_t middle = (c >> 3) & 7;
    if (middle != 0) {
        text[n++] = (char)('0' + middle);
        text[n++] = (char)('0' + middle);
    }
    text[n++] = (char)('0' + (c & 7));
    put_bytes(f, text, n);
}

static void put_special(struct trace_call_text *f, uint32_t c)
{
    switch (c) {
    case '"':
        PUT_LITERAL(f, "\\\"");
        break;
    case '\\':
        PUT_LITERAL(f, "\\\\");
        break;
    case '\t':
        put_byte(f, '\t');
        break;
    case '\r':
        break;
    case '\n':
        put_line_end(f);
        break;
    default:
        put_octal(f, c);
    }
}

/* Stops at the first NUL, as apitrace does. */
static void put_bytes_of_string(struct trace_call_text *f, const char *string)
{
    while (*string != '\0') {
        size_t literal = 0;
        while (is_literal((uint8_t)string[literal]))
            ++literal;
        put_bytes(f, string, literal);
        string += literal;
        if (*string != '\0')
            put_special(f, (uint8_t)*string++);
    }
}

static void put_chars_of_wstring(struct trace_call_text *f, const uint32_t *chars)
{
    for (; *chars != 0; ++chars) {
        if (is_literal(*chars))
            put_byte(f, (char)*chars);
        else
            put_special(f, *chars);
    }
}

/* --- all that they hold ---------------------------------------------------------------------------- */

static void put_octal_byte(struct trace_call_text *f, uint8_t byte)
{
    const char text[4] = {'\\', (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)),
                          (char)('0' + (byte & 7))};
    put_bytes(f, text, sizeof text);
}

static void put_code_point(struct trace_call_text *f, uint32_t c)
{
    char text[12];
    put_bytes(f, text, (size_t)snprintf(text, sizeof text, c <= 0xffff ? "\\u%04x" : "\\U%08x", (unsigned)c));
}

/* Quotes, backslashes, tabs and line ends are written in apitrace's style. All other control characters (C0,
 * DEL, C1) and invalid characters are written as C escapes. */
static void put_character(struct trace_call_text *f, uint32_t c)
{
    char text[UTF8_MAX_BYTES];
    if (c == '\r')
        PUT_LITERAL(f, "\\r");
    else if (c == '"' || c == '\\' || c == '\t' || c == '\n')
        put_special(f, c);
    else if (c < 0x20 || c == 0x7f)
        put_octal_byte(f, (uint8_t)c);
    else if ((c > 0x7f && c < 0xa0) || !utf8_is_character(c))
        put_code_point(f, c);
    else
        put_bytes(f, text, utf8_encode(text, c));
}

/* Bytes that are not valid UTF-8 are escaped one by one. */
static void put_all_of_string(struct trace_call_text *f, const char *string, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t literal = 0;
        while (i + literal < count && is_literal((uint8_t)string[i + literal]))
            ++literal;
        put_bytes(f, string + i, literal);
        i += literal;
        if (i == count)
            break;
        size_t size = utf8_character_size(string + i, count - i);
        if (size == 0)
            put_octal_byte(f, (uint8_t)string[i]);
        else
            put_character(f, utf8_decode(string + i, size));
        i += size == 0 ? 1 : size;
    }
}

/* Traces from Windows contain UTF-16. */
static void put_all_of_wstring(struct trace_call_text *f, const uint32_t *chars, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint32_t c = chars[i];
        bool pair = c >> 10 == 0xd800 >> 10 && i + 1 < count && chars[i + 1] >> 10 == 0xdc00 >> 10;
        if (pair)
            c = 0x10000 + ((c & 0x3ff) << 10 | (chars[++i] & 0x3ff));
        put_character(f, c);
    }
}

/* --- either ---------------------------------------------------------------------------------------- */

void trace_call_text_put_string(struct trace_call_text *f, const char *string, size_t count)
{
    PUT_STYLE(f, STYLE_LITERAL);
    put_byte(f, '"');
    if (f->style.utf8)
        put_all_of_string(f, string, count);
    else
        put_bytes_of_string(f, string);
    put_byte(f, '"');
    PUT_STYLE(f, STYLE_NORMAL);
}

void trace_call_text_put_wstring(struct trace_call_text *f, const uint32_t *string, size_t count)
{
    PUT_STYLE(f, STYLE_LITERAL);
    put_byte(f, 'L');
    PUT_STYLE(f, STYLE_LITERAL);
    put_byte(f, '"');
    if (f->style.utf8)
        put_all_of_wstring(f, string, count);
    else
        put_chars_of_wstring(f, string);
    put_byte(f, '"');
    PUT_STYLE(f, STYLE_NORMAL);
}
