/* SPDX-License-Identifier: MIT */
#include "generate/value_words.h"

#include "formats/format_registry.h"
#include "runtime/spec.h"

#include <stdio.h>
#include <string.h>

/* Names that have the same meaning in every table. For other names there is no completion. */
static const struct {
    const char *name;
    enum value_kind kind;
    const char *words;
} known_names[] = {
    {"BOOL", VALUE_WORDS, "yes no"},
    {"CALLSET", VALUE_LIST, "frame rendertarget render draw"},
    {"COMMAND", VALUE_COMMAND, ""},
    {"FILE", VALUE_FILE, ""},
    {"IN", VALUE_TRACE, ""},
    {"OUT", VALUE_TRACE, ""},
    {"PREFIX", VALUE_FILE, ""},
    {"PROGRAM", VALUE_PROGRAM, ""},
    {"SET", VALUE_LIST, "frame rendertarget render draw"},
    {"TRACE", VALUE_TRACE, ""},
};

#define LIST_SUFFIX ",..."

bool value_alternative_is_placeholder(const char *alternative, size_t length)
{
    return memchr(alternative, '.', length) != NULL;
}

/* Turns "a|b|NAME.ARG" into "a b". */
static void split_alternatives(const char *name, size_t length, struct value_words *out)
{
    size_t used = 0;
    for (const char *end = name + length; name < end;) {
        const char *bar = memchr(name, '|', (size_t)(end - name));
        size_t n = (size_t)((bar != NULL ? bar : end) - name);
        if (!value_alternative_is_placeholder(name, n) && used + n + 2 < sizeof out->words) {
            if (used > 0)
                out->words[used++] = ' ';
            memcpy(out->words + used, name, n);
            used += n;
        }
        name += n + 1;
    }
    out->words[used] = '\0';
}

/* KIND is a kind of object in the API tables. */
static void list_object_kinds(struct value_words *out)
{
    size_t used = 0;
    for (unsigned i = 1; i < spec_object_count && used < sizeof out->words; ++i) /* number 0 is not a kind */
        used += (size_t)snprintf(out->words + used, sizeof out->words - used, "%s%s", used > 0 ? " " : "",
                                 spec_string(spec_object_kinds[i].name));
}

/* FORMAT: the names of those that can be written. */
static void list_formats(struct value_words *out)
{
    const struct trace_format *format;
    size_t used = 0;
    for (size_t i = 0; (format = trace_format_at(i)) != NULL && used < sizeof out->words; ++i)
        if (format->create != NULL)
            used += (size_t)snprintf(out->words + used, sizeof out->words - used, "%s%s", used > 0 ? " " : "",
                                     format->name);
}

static void look_up(const char *name, size_t length, struct value_words *out)
{
    for (size_t i = 0; i < sizeof known_names / sizeof known_names[0]; ++i)
        if (strlen(known_names[i].name) == length && memcmp(known_names[i].name, name, length) == 0) {
            out->kind = known_names[i].kind;
            snprintf(out->words, sizeof out->words, "%s", known_names[i].words);
        }
    if (length == strlen("KIND") && memcmp(name, "KIND", length) == 0) {
        out->kind = VALUE_WORDS;
        list_object_kinds(out);
    }
    if (length == strlen("FORMAT") && memcmp(name, "FORMAT", length) == 0) {
        out->kind = VALUE_WORDS;
        list_formats(out);
    }
}

static struct value_words words_of_name(const char *name, size_t length)
{
    struct value_words out = {.kind = VALUE_OTHER, .words = ""};
    size_t suffix = strlen(LIST_SUFFIX);
    bool list = length > suffix && memcmp(name + length - suffix, LIST_SUFFIX, suffix) == 0;
    if (list)
        length -= suffix;
    if (memchr(name, '|', length) != NULL) {
        out.kind = VALUE_WORDS;
        split_alternatives(name, length, &out);
    } else {
        look_up(name, length, &out);
    }
    if (list && out.kind == VALUE_WORDS)
        out.kind = VALUE_LIST;
    return out;
}

struct value_words value_words_of_option(const struct cli_option *o)
{
    const char *name = cli_option_value_name(o);
    return words_of_name(name, strlen(name));
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Finds the next run of capitals from *text on. Returns its length, or 0 at the end. */
static size_t next_capitals(const char **text)
{
    size_t length = 0;
    while (**text != '\0' && !is_capital(**text))
        ++*text;
    while (is_capital((*text)[length]))
        ++length;
    return length;
}

struct value_words value_words_of_operands(const struct cli_command *c)
{
    struct value_words out = {.kind = VALUE_OTHER, .words = ""};
    size_t length;
    for (const char *at = c->operands; (length = next_capitals(&at)) > 0; at += length) {
        struct value_words found = words_of_name(at, length);
        if (found.kind != VALUE_OTHER)
            return found;
    }
    return out;
}

bool value_name_has_placeholder(const char *name, const char *word, size_t length)
{
    size_t found;
    for (const char *at = name; (found = next_capitals(&at)) > 0; at += found) {
        const char *begin = at, *end = at + found;
        while (begin > name && begin[-1] != '|')
            --begin;
        end += strcspn(end, "|");
        bool literal =
            strchr(name, '|') != NULL && !value_alternative_is_placeholder(begin, (size_t)(end - begin));
        if (!literal && found == length && memcmp(at, word, length) == 0)
            return true;
    }
    return false;
}

void each_option(const struct cli_command *c, void (*each)(void *context, const struct cli_option *o),
                 void *context)
{
    each(context, &cli_help_option);
    for (const struct cli_option *o = c->options; o != NULL && o->kind != CLI_OPTION_END; ++o)
        each(context, o);
}
