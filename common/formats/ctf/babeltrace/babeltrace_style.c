/* SPDX-License-Identifier: MIT */
#include "formats/ctf/babeltrace/babeltrace.h"

#include "base/error.h"

#include <string.h>

struct word {
    const char *name;
    unsigned bits;
    bool is_alone; /* nothing else may be in the list */
};

static const struct word names[] = {
    {"payload", BABELTRACE_PAYLOAD_NAMES, false},
    {"args", BABELTRACE_PAYLOAD_NAMES, false},
    {"context", BABELTRACE_CONTEXT_NAMES, false},
    {"ctx", BABELTRACE_CONTEXT_NAMES, false},
    {"scope", BABELTRACE_SCOPE_NAMES, false},
    {"header", BABELTRACE_HEADER_NAMES, false},
    {"all",
     BABELTRACE_PAYLOAD_NAMES | BABELTRACE_CONTEXT_NAMES | BABELTRACE_SCOPE_NAMES | BABELTRACE_HEADER_NAMES,
     true},
    {"none", 0, true},
    {NULL, 0, false},
};

static const struct word fields[] = {
    {"trace", BABELTRACE_TRACE, false},
    {"trace:hostname", BABELTRACE_HOSTNAME, false},
    {"trace:domain", BABELTRACE_DOMAIN, false},
    {"trace:procname", BABELTRACE_PROCNAME, false},
    {"trace:vpid", BABELTRACE_VPID, false},
    {"loglevel", BABELTRACE_LOG_LEVEL, false},
    {"emf", BABELTRACE_EMF, false},
    {"all",
     BABELTRACE_HOSTNAME | BABELTRACE_DOMAIN | BABELTRACE_PROCNAME | BABELTRACE_VPID | BABELTRACE_LOG_LEVEL |
         BABELTRACE_EMF | BABELTRACE_TRACE,
     true},
    {NULL, 0, false},
};

static const struct word *find(const struct word *words, const char *text, size_t length)
{
    for (; words->name != NULL; ++words)
        if (strlen(words->name) == length && memcmp(words->name, text, length) == 0)
            return words;
    return NULL;
}

static int parse(const struct word *words, const char *list, const char *what, uint8_t *out)
{
    *out = 0;
    for (const char *p = list;; ++p) {
        size_t length = strcspn(p, ",");
        const struct word *word = find(words, p, length);
        if (word == NULL || (word->is_alone && length != strlen(list)))
            return trace_error_set(TRACE_ERR_USAGE, "\"%.*s\" is not one of the %s", (int)length, p, what);
        *out |= (uint8_t)word->bits;
        p += length;
        if (*p == '\0')
            return 0;
    }
}

int babeltrace_style_set_names(struct babeltrace_style *style, const char *list)
{
    style->has_names = true;
    return parse(names, list, "names: payload, context, scope, header, or alone all or none", &style->names);
}

int babeltrace_style_set_fields(struct babeltrace_style *style, const char *list)
{
    style->has_fields = true;
    return parse(fields, list,
                 "fields: trace, trace:hostname, trace:domain, trace:procname, trace:vpid, loglevel, emf, or "
                 "alone all",
                 &style->fields);
}
