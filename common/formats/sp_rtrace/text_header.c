/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/text_header.h"

#include "formats/sp_rtrace/text_heap.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Keys for the properties that formats share. The key "version" is always that of the text. */
static const struct {
    const char *key;
    const char *property; /* NULL: is not kept */
} known_keys[] = {
    {"version", NULL},
    {"arch", "arch"},
    {"process", "process.name"},
    {"pid", "process.id"},
    {"backtrace depth", "backtrace.depth"},
    {"origin", "tracer"},
};

bool text_is_header(struct text_slice line)
{
    static const char *const first[] = {"version=", "arch=", "timestamp=", "process=", "pid="};
    if (memchr(line.text, ',', line.length) == NULL || memchr(line.text, '\0', line.length) != NULL)
        return false;
    for (size_t i = 0; i < sizeof first / sizeof *first; ++i)
        if (line.length >= strlen(first[i]) && memcmp(line.text, first[i], strlen(first[i])) == 0)
            return true;
    return false;
}

void text_header_fini(struct text_header *h)
{
    free(h->text);
}

/* Parses year, month and day as the tools print them, or day, month and year as their library does. Local
 * time. */
static bool parse_time(const char *value, int64_t *seconds)
{
    struct tm t = {.tm_isdst = -1};
    int day, year, end = 0;
    if (sscanf(value, "%4d.%2d.%4d %2d:%2d:%2d%n", &year, &t.tm_mon, &day, &t.tm_hour, &t.tm_min, &t.tm_sec,
               &end) != 6 ||
        value[end] != '\0')
        return false;
    if (year <= 31) {
        int first = year;
        year = day;
        day = first;
    }
    t.tm_year = year - 1900;
    t.tm_mon -= 1;
    t.tm_mday = day;
    if (t.tm_mon < 0 || t.tm_mon > 11 || day < 1 || day > 31 || t.tm_hour > 23 || t.tm_min > 59 ||
        t.tm_sec > 60)
        return false;
    *seconds = (int64_t)mktime(&t);
    return year >= 1970 && *seconds >= 0;
}

static void add(struct text_header *h, const char *name, const char *value)
{
    h->properties[h->count++] = (struct trace_property){name, value};
}

/* Removes "compress" from filters that are separated by |, because a reader of this source gets each call
 * separately. */
static void drop_compression(char *filters)
{
    static const char word[] = "compress";
    char *to = filters, *from = filters;
    while (*from != '\0') {
        size_t length = strcspn(from, "|");
        bool is_last = from[length] == '\0';
        if (length != strlen(word) || memcmp(from, word, length) != 0) {
            if (to != filters)
                *to++ = '|';
            memmove(to, from, length);
            to += length;
        }
        from += length + !is_last;
    }
    *to = '\0';
}

/* There must be room for TEXT_HEADER_PREFIX before key. */
static void add_pair(struct text_header *h, char *key, char *value)
{
    int64_t seconds;
    for (size_t i = 0; i < sizeof known_keys / sizeof *known_keys; ++i)
        if (strcmp(key, known_keys[i].key) == 0) {
            if (known_keys[i].property != NULL)
                add(h, known_keys[i].property, value);
            if (strcmp(key, "pid") == 0)
                h->process = strtoll(value, NULL, 10);
            return;
        }
    if (strcmp(key, "timestamp") == 0 && h->start[0] == '\0' && parse_time(value, &seconds)) {
        snprintf(h->start, sizeof h->start, "%lld000000000", (long long)seconds);
        add(h, "process.start", h->start);
        return;
    }
    if (strcmp(key, "filter") == 0) {
        drop_compression(value);
        if (*value == '\0')
            return;
    }
    key -= strlen(TEXT_HEADER_PREFIX);
    memcpy(key, TEXT_HEADER_PREFIX, strlen(TEXT_HEADER_PREFIX));
    add(h, key, value);
}

size_t text_header_value_end(const struct text_slice *s)
{
    for (size_t i = 0; i < s->length; ++i) {
        if (s->text[i] != ',')
            continue;
        size_t key = i + 1;
        while (key < s->length && s->text[key] == ' ')
            ++key;
        if (key == s->length)
            return i;
        size_t end = key;
        while (end < s->length && s->text[end] != ',' && s->text[end] != '=')
            ++end;
        if (end > key && end < s->length && s->text[end] == '=')
            return i;
    }
    return s->length;
}

static char *copy(char **to, const char *text, size_t length)
{
    char *start = *to;
    memcpy(start, text, length);
    start[length] = '\0';
    *to += length + 1;
    return start;
}

static void skip_separator(struct text_slice *s)
{
    while (s->length > 0 && (*s->text == ',' || *s->text == ' ')) {
        ++s->text;
        --s->length;
    }
}

int text_header_parse(struct text_header *out, struct text_slice line)
{
    size_t prefix = strlen(TEXT_HEADER_PREFIX);
    memset(out, 0, sizeof *out);
    out->process = -1;
    out->text = malloc(line.length + TEXT_HEADER_MAX * (prefix + 2) + 1);
    if (out->text == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    char *to = out->text;
    for (skip_separator(&line); line.length > 0; skip_separator(&line)) {
        const char *equals = memchr(line.text, '=', line.length);
        if (equals == NULL || out->count == TEXT_HEADER_MAX)
            return trace_error_set(TRACE_ERR_FORMAT, "its header has %s",
                                   equals == NULL ? "a key without a value" : "too many keys");
        to += prefix;
        char *key = copy(&to, line.text, (size_t)(equals - line.text));
        line.length -= (size_t)(equals + 1 - line.text);
        line.text = equals + 1;
        size_t end = text_header_value_end(&line);
        char *value = copy(&to, line.text, end);
        line.text += end;
        line.length -= end;
        add_pair(out, key, value);
    }
    return 0;
}
