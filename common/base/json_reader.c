/* SPDX-License-Identifier: MIT */
#include "base/json_reader.h"

#include "base/error.h"
#include "base/ubjson_reader.h"
#include "base/utf8.h"

#include <string.h>

void json_reader_init(struct json_reader *r, struct arena *arena, const void *bytes, size_t size)
{
    *r = (struct json_reader){.arena = arena, .start = bytes, .at = bytes, .end = (const char *)bytes + size};
}

static int malformed(const struct json_reader *r, const char *what)
{
    size_t line = 1;
    for (const char *p = r->start; p < r->at && p < r->end; ++p)
        line += *p == '\n';
    return trace_error_set(TRACE_ERR_FORMAT, "line %zu: %s", line, what);
}

static void skip_blanks(struct json_reader *r)
{
    for (; r->at < r->end; ++r->at) {
        if (r->end - r->at >= 2 && r->at[0] == '/' && r->at[1] == '/')
            while (r->at < r->end && *r->at != '\n')
                ++r->at;
        else if (strchr(" \t\r\n", *r->at) == NULL || *r->at == '\0')
            return;
        if (r->at == r->end)
            return;
    }
}

static bool skip_character(struct json_reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c)
        return false;
    ++r->at;
    return true;
}

static bool skip_word(struct json_reader *r, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(r->end - r->at) < size || memcmp(r->at, word, size) != 0)
        return false;
    r->at += size;
    return true;
}

/* --- strings --------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* The four digits of \uXXXX. Returns -1 if they are not there. */
static int32_t read_unit(struct json_reader *r)
{
    int32_t unit = 0;
    if (r->end - r->at < 4)
        return -1;
    for (int i = 0; i < 4; ++i) {
        int digit = hex_digit(*r->at++);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

/* After \u. Half a surrogate pair becomes U+FFFD. Returns the end of what was written; NULL: malformed. */
static char *read_escaped_character(struct json_reader *r, char *out)
{
    int32_t unit = read_unit(r);
    if (unit < 0)
        return NULL;
    if (unit >= 0xd800 && unit < 0xdc00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
        const char *before = r->at;
        r->at += 2;
        int32_t low = read_unit(r);
        if (low >= 0xdc00 && low < 0xe000)
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        else
            r->at = before;
    }
    return out + utf8_encode(out, utf8_is_character((uint32_t)unit) ? (uint32_t)unit : 0xfffd);
}

/* After the backslash. */
static char *read_escape(struct json_reader *r, char *out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char letter = r->at < r->end ? *r->at++ : '\0';
    if (letter == 'u')
        return read_escaped_character(r, out);
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    if (found == NULL)
        return NULL;
    *out++ = meanings[found - letters];
    return out;
}

/* Returns the end of the string's text in the file, which is at least as long as the string; NULL: none. */
static const char *find_quote(const struct json_reader *r)
{
    for (const char *p = r->at; p < r->end; ++p) {
        if (*p == '"')
            return p;
        if (*p == '\\')
            ++p;
    }
    return NULL;
}

static int read_string(struct json_reader *r, const char **text, size_t *size)
{
    if (!skip_character(r, '"'))
        return malformed(r, "a string is expected");
    const char *quote = find_quote(r);
    if (quote == NULL)
        return malformed(r, "a string does not end");
    char *start = arena_alloc(r->arena, (size_t)(quote - r->at) + 1), *out = start;
    if (start == NULL)
        return TRACE_ERR_MEMORY;
    while (r->at < quote && out != NULL) {
        const char *escape = memchr(r->at, '\\', (size_t)(quote - r->at));
        size_t plain = (size_t)((escape != NULL ? escape : quote) - r->at);
        memcpy(out, r->at, plain);
        out += plain;
        r->at += plain;
        if (escape != NULL) {
            ++r->at;
            out = read_escape(r, out);
        }
    }
    if (out == NULL || r->at != quote)
        return malformed(r, "an unknown escape in a string");
    *out = '\0';
    *text = start;
    *size = (size_t)(out - start);
    ++r->at;
    return 0;
}

/* --- numbers --------------------------------------------------------------------------------------- */

static size_t skip_digits(struct json_reader *r)
{
    const char *start = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        ++r->at;
    return (size_t)(r->at - start);
}

/* Returns whether there is a number. */
static bool skip_number(struct json_reader *r, enum json_kind *kind)
{
    *kind = JSON_INTEGER;
    skip_word(r, "-");
    if (skip_word(r, "Infinity")) {
        *kind = JSON_REAL;
        return true;
    }
    if (skip_digits(r) == 0)
        return false;
    if (skip_word(r, ".")) {
        *kind = JSON_REAL;
        if (skip_digits(r) == 0)
            return false;
    }
    if (skip_word(r, "e") || skip_word(r, "E")) {
        *kind = JSON_REAL;
        if (!skip_word(r, "+"))
            skip_word(r, "-");
        return skip_digits(r) > 0;
    }
    return true;
}

static int read_number(struct json_reader *r, struct json_value *out)
{
    const char *start = r->at;
    if (skip_word(r, "NaN"))
        out->kind = JSON_REAL;
    else if (!skip_number(r, &out->kind))
        return malformed(r, "a value is expected");
    out->count = (size_t)(r->at - start);
    char *text = arena_alloc(r->arena, out->count + 1);
    if (text == NULL)
        return TRACE_ERR_MEMORY;
    memcpy(text, start, out->count);
    text[out->count] = '\0';
    out->text = text;
    return 0;
}

/* --- values ---------------------------------------------------------------------------------------- */

static int read_value(struct json_reader *r, struct json_value *out);

static int read_array(struct json_reader *r, struct json_value *out)
{
    struct json_children children = {0};
    int rc = 0;
    if (!skip_character(r, ']')) {
        do {
            struct json_value value;
            rc = read_value(r, &value);
            if (rc == 0)
                rc = json_children_add(&children, NULL, 0, &value);
        } while (rc == 0 && skip_character(r, ','));
        if (rc == 0 && !skip_character(r, ']'))
            rc = malformed(r, "an array does not end");
    }
    return json_children_finish(&children, r->arena, out, JSON_ARRAY, rc);
}

static int read_member(struct json_reader *r, struct json_children *children)
{
    struct json_value value;
    const char *name;
    size_t size;
    int rc = read_string(r, &name, &size);
    if (rc == 0 && !skip_character(r, ':'))
        rc = malformed(r, "a colon is expected");
    if (rc == 0)
        rc = read_value(r, &value);
    return rc != 0 ? rc : json_children_add(children, name, size, &value);
}

static int read_object(struct json_reader *r, struct json_value *out)
{
    struct json_children children = {0};
    int rc = 0;
    if (!skip_character(r, '}')) {
        do
            rc = read_member(r, &children);
        while (rc == 0 && skip_character(r, ','));
        if (rc == 0 && !skip_character(r, '}'))
            rc = malformed(r, "an object does not end");
    }
    return json_children_finish(&children, r->arena, out, JSON_OBJECT, rc);
}

static int read_nested(struct json_reader *r, struct json_value *out)
{
    if (r->depth == JSON_MOST_DEPTH)
        return malformed(r, "too many arrays and objects in each other");
    r->depth++;
    int rc = *r->at++ == '[' ? read_array(r, out) : read_object(r, out);
    r->depth--;
    return rc;
}

static int read_value(struct json_reader *r, struct json_value *out)
{
    *out = (struct json_value){.kind = JSON_NULL};
    skip_blanks(r);
    char first = r->at < r->end ? *r->at : '\0';
    if (first == '[' || first == '{')
        return read_nested(r, out);
    if (first == '"') {
        out->kind = JSON_STRING;
        return read_string(r, &out->text, &out->count);
    }
    if (skip_word(r, "null"))
        return 0;
    if (skip_word(r, "true")) {
        out->kind = JSON_TRUE;
        return 0;
    }
    if (skip_word(r, "false")) {
        out->kind = JSON_FALSE;
        return 0;
    }
    return read_number(r, out);
}

/* Both kinds of objects begin alike; in UBJSON, the type of a length follows, or of what the object contains.
 */
static bool is_ubjson(const struct json_reader *r)
{
    return r->end - r->at >= 2 && *r->at == '{' && strchr("iUIlL$#", r->at[1]) != NULL && r->at[1] != '\0';
}

int json_reader_next(struct json_reader *r, struct json_value *out, bool *found)
{
    skip_blanks(r);
    *found = r->at < r->end;
    if (!*found)
        return 0;
    return is_ubjson(r) ? ubjson_read_value(r, out) : read_value(r, out);
}
