/* SPDX-License-Identifier: MIT */
#include "formats/xray/yaml_scalar.h"

#include "base/error.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>

enum quotes {
    PLAIN,
    SINGLE,
    DOUBLE,
};

static bool is_one_of(const char *text, size_t length, const char *const *words)
{
    for (; *words != NULL; ++words)
        if (strlen(*words) == length && memcmp(*words, text, length) == 0)
            return true;
    return false;
}

static bool is_keyword(const char *text, size_t length)
{
    static const char *const words[] = {"null", "Null",  "NULL",  "~",     "true", "True",
                                        "TRUE", "false", "False", "FALSE", NULL};
    return is_one_of(text, length, words);
}

static size_t count_digits(const char *text, size_t length, const char *digits)
{
    size_t n = 0;
    while (n < length && text[n] != '\0' && strchr(digits, text[n]) != NULL)
        ++n;
    return n;
}

/* A decimal number: digits with at most one point and an exponent. */
static bool is_decimal(const char *text, size_t length)
{
    size_t before = count_digits(text, length, "0123456789"), at = before, after = 0;
    if (at < length && text[at] == '.') {
        after = count_digits(text + at + 1, length - at - 1, "0123456789");
        at += 1 + after;
    }
    if (before + after == 0)
        return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at += 1;
        at += at < length && (text[at] == '+' || text[at] == '-');
        size_t digits = count_digits(text + at, length - at, "0123456789");
        at += digits;
        if (digits == 0)
            return false;
    }
    return at == length;
}

static bool is_number(const char *text, size_t length)
{
    static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};
    static const char *const infinities[] = {".inf", ".Inf", ".INF", NULL};
    if (is_one_of(text, length, nans))
        return true;
    if (length > 2 && text[0] == '0' && (text[1] == 'o' || text[1] == 'x')) {
        const char *digits = text[1] == 'o' ? "01234567" : "0123456789abcdefABCDEF";
        return count_digits(text + 2, length - 2, digits) == length - 2;
    }
    size_t sign = text[0] == '+' || text[0] == '-';
    return is_one_of(text + sign, length - sign, infinities) || is_decimal(text + sign, length - sign);
}

/* The quotes that the characters require, whatever they mean together. */
static enum quotes quotes_of_bytes(const char *text, size_t length)
{
    enum quotes quotes = PLAIN;
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)text[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
            c == '-' || c == '^' || c == '.' || c == ',' || c == ' ' || c == '\t')
            continue;
        if (c < ' ' || c >= 0x7f)
            return DOUBLE;
        quotes = SINGLE;
    }
    return quotes;
}

static enum quotes quotes_of(const char *text, size_t length)
{
    if (length == 0)
        return SINGLE;
    enum quotes quotes = quotes_of_bytes(text, length);
    bool has_blank = isspace((unsigned char)text[0]) || isspace((unsigned char)text[length - 1]);
    if (quotes == PLAIN && (has_blank || strchr("-?:\\,[]{}#&*!|>'\"%@`", text[0]) != NULL ||
                            is_keyword(text, length) || is_number(text, length)))
        quotes = SINGLE;
    return quotes;
}

static int append_single(struct buf *out, const char *text, size_t length)
{
    int rc = buf_append_byte(out, '\'');
    for (size_t i = 0; i < length && rc == 0; ++i) {
        if (text[i] == '\'')
            rc |= buf_append_byte(out, '\'');
        rc |= buf_append_byte(out, (uint8_t)text[i]);
    }
    return rc | buf_append_byte(out, '\'');
}

/* The character after the backslash, or 0. */
static char escape_of(unsigned char c)
{
    static const char letters[] = {['\0'] = '0', ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
                                   ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r', [0x1b] = 'e'};
    if (c == '\\' || c == '"')
        return (char)c;
    return c < sizeof letters ? letters[c] : '\0';
}

/* Characters that end lines or are blank, although they look like nothing. */
static char escape_of_wide(const char *text, size_t length)
{
    static const struct {
        const char *text;
        char letter;
    } wide[] = {{"\xc2\x85", 'N'}, {"\xc2\xa0", '_'}, {"\xe2\x80\xa8", 'L'}, {"\xe2\x80\xa9", 'P'}};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; ++i)
        if (strlen(wide[i].text) == length && memcmp(wide[i].text, text, length) == 0)
            return wide[i].letter;
    return '\0';
}

/* What is not UTF-8 ends the text, with a character that says so. */
static int append_double(struct buf *out, const char *text, size_t length)
{
    int rc = buf_append_byte(out, '"');
    for (size_t i = 0; i < length && rc == 0;) {
        unsigned char c = (unsigned char)text[i];
        size_t count = c < 0x80 ? 1 : utf8_character_size(text + i, length - i);
        char letter = c < 0x80 ? escape_of(c) : escape_of_wide(text + i, count);
        if (count == 0) {
            rc |= buf_append_string(out, "\xef\xbf\xbd");
            break;
        }
        if (letter != '\0' || c == '\0')
            rc |= buf_printf(out, "\\%c", letter != '\0' ? letter : '0');
        else if (c < ' ')
            rc |= buf_printf(out, "\\x%02X", c);
        else
            rc |= buf_append(out, text + i, count);
        i += count;
    }
    return rc | buf_append_byte(out, '"');
}

int yaml_scalar_append(struct buf *out, const char *text, size_t length)
{
    switch (quotes_of(text, length)) {
    case SINGLE:
        return append_single(out, text, length);
    case DOUBLE:
        return append_double(out, text, length);
    default:
        return buf_append(out, text, length);
    }
}
