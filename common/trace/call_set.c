/* SPDX-License-Identifier: MIT */
#include "trace/call_set.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/model.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE_DEPTH 8 /* a file may include itself */

struct kind {
    const char *name;
    uint32_t flags;
};

/* The end of a frame also ends a render target. */
static const struct kind kinds[] = {
    {"frame", TRACE_CALL_END_FRAME},
    {"rendertarget", TRACE_CALL_SWAP_RENDERTARGET | TRACE_CALL_END_FRAME},
    {"fbo", TRACE_CALL_SWAP_RENDERTARGET | TRACE_CALL_END_FRAME},
    {"render", TRACE_CALL_RENDER},
    {"draw", TRACE_CALL_RENDER},
};

void trace_call_set_fini(struct trace_call_set *s)
{
    free(s->ranges);
    *s = (struct trace_call_set){.ranges = NULL};
}

static int add_range(struct trace_call_set *s, struct trace_call_range range)
{
    if (range.first > range.last) {
        s->turned = true;
        return 0;
    }
    if (ARRAY_RESERVE(s->ranges, s->count, s->cap) != 0)
        return TRACE_ERR_MEMORY;
    s->ranges[s->count++] = range;
    if (range.last > s->last)
        s->last = range.last;
    return 0;
}

int trace_call_set_add_all(struct trace_call_set *s)
{
    return add_range(s, (struct trace_call_range){0, UINT64_MAX, 1, 0});
}

bool trace_call_set_contains(const struct trace_call_set *s, uint64_t number, uint32_t flags)
{
    for (size_t i = 0; i < s->count; ++i) {
        const struct trace_call_range *r = &s->ranges[i];
        if (number >= r->first && number <= r->last && (r->step == 1 || (number - r->first) % r->step == 0) &&
            (r->flags == 0 || (flags & r->flags) != 0))
            return true;
    }
    return false;
}

/* Finds the lowest number, at least from, that r may contain. Returns false if there is none. */
static bool next_in_range(const struct trace_call_range *r, uint64_t from, uint64_t *out)
{
    if (from > r->last)
        return false;
    if (from <= r->first) {
        *out = r->first;
        return true;
    }
    uint64_t past = (from - r->first) % r->step;
    uint64_t ahead = past == 0 ? 0 : r->step - past;
    *out = from + ahead;
    return ahead <= r->last - from;
}

bool trace_call_set_next(const struct trace_call_set *s, uint64_t from, uint64_t *out)
{
    bool found = false;
    for (size_t i = 0; i < s->count; ++i) {
        uint64_t number;
        if (next_in_range(&s->ranges[i], from, &number) && (!found || number < *out)) {
            *out = number;
            found = true;
        }
    }
    return found;
}

static uint64_t behind(uint64_t number)
{
    return number < UINT64_MAX ? number + 1 : number;
}

enum trace_call_set_part trace_call_set_part(const struct trace_call_set *s, uint64_t from, uint64_t *until)
{
    uint64_t next, all_until = from;
    *until = UINT64_MAX;
    for (size_t i = 0; i < s->count; ++i) {
        const struct trace_call_range *r = &s->ranges[i];
        bool inside = from >= r->first && from <= r->last;
        if (inside && r->step == 1 && r->flags == 0 && behind(r->last) > all_until)
            all_until = behind(r->last);
        uint64_t end = inside ? behind(r->last) : from < r->first ? r->first : UINT64_MAX;
        *until = end < *until ? end : *until;
    }
    if (all_until > from) {
        *until = all_until;
        return TRACE_CALL_SET_ALL;
    }
    if (trace_call_set_next(s, from, &next) && next == from)
        return TRACE_CALL_SET_SOME;
    *until = trace_call_set_next(s, from, &next) ? next : UINT64_MAX;
    return TRACE_CALL_SET_NONE;
}

/* --- parsing --------------------------------------------------------------------------------------- */

static bool is_separator(char c)
{
    return c == ',' || isspace((unsigned char)c);
}

static int parse_number(const char **p, uint64_t *out)
{
    if (!isdigit((unsigned char)**p))
        return trace_error_set(TRACE_ERR_USAGE, "call set: expected a number at \"%s\"", *p);
    char *end;
    errno = 0;
    *out = strtoull(*p, &end, 10);
    if (errno != 0)
        return trace_error_set(TRACE_ERR_USAGE, "call set: the number at \"%s\" is too large", *p);
    *p = end;
    return 0;
}

static int parse_kind(const char **p, uint32_t *flags)
{
    size_t length = 0;
    while (isalpha((unsigned char)(*p)[length]))
        ++length;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, *p, length) == 0) {
            *flags = kinds[i].flags;
            *p += length;
            return 0;
        }
    }
    return trace_error_set(
        TRACE_ERR_USAGE, "call set: expected a number, *, frame, rendertarget, fbo, render or draw at \"%s\"",
        *p);
}

static int parse_step(const char **p, struct trace_call_range *r)
{
    if (!isdigit((unsigned char)**p))
        return parse_kind(p, &r->flags);
    int rc = parse_number(p, &r->step);
    if (rc == 0 && r->step == 0)
        rc = trace_error_set(TRACE_ERR_USAGE, "call set: the step must not be 0");
    return rc;
}

static int parse_range(struct trace_call_set *s, const char **p)
{
    struct trace_call_range r = {0, UINT64_MAX, 1, 0};
    const char *start = *p;
    int rc = 0;
    if (**p == '*') {
        ++*p;
    } else if (isalpha((unsigned char)**p)) {
        rc = parse_kind(p, &r.flags);
    } else {
        rc = parse_number(p, &r.first);
        r.last = r.first;
        if (rc == 0 && **p == '-') {
            ++*p;
            r.last = UINT64_MAX;
            if (isdigit((unsigned char)**p))
                rc = parse_number(p, &r.last);
        }
    }
    if (rc == 0 && **p == '/' && r.flags == 0) {
        ++*p;
        rc = parse_step(p, &r);
    }
    if (rc == 0 && **p != '\0' && !is_separator(**p))
        rc = trace_error_set(TRACE_ERR_USAGE, "call set: cannot understand \"%s\" in \"%s\"", *p, start);
    return rc != 0 ? rc : add_range(s, r);
}

static int parse_list(struct trace_call_set *s, const char *text, int depth);

static int read_text_file(const char *path, char **out)
{
    FILE *f = fopen(path, "r");
    size_t size = 0;
    *out = NULL;
    if (f == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot open", path);
    errno = 0;
    if (getdelim(out, &size, '\0', f) < 0 && ferror(f)) {
        int rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot read", path);
        fclose(f);
        return rc;
    }
    fclose(f);
    return 0;
}

static int parse_file(struct trace_call_set *s, const char **p, int depth)
{
    size_t length = strcspn(*p, ", \t\r\n");
    char *path = strndup(*p, length);
    char *text = NULL;
    int rc = path == NULL ? trace_error_set(TRACE_ERR_MEMORY, "out of memory") : read_text_file(path, &text);
    *p += length;
    if (rc == 0 && depth == MAX_FILE_DEPTH)
        rc = trace_error_set(TRACE_ERR_USAGE, "%s: call set files nested too deep", path);
    else if (rc == 0 && text != NULL && (rc = parse_list(s, text, depth + 1)) != 0)
        trace_error_prefix(rc, "%s", path);
    free(path);
    free(text);
    return rc;
}

static int parse_list(struct trace_call_set *s, const char *text, int depth)
{
    int rc = 0;
    while (rc == 0) {
        while (is_separator(*text))
            ++text;
        if (*text == '\0')
            return 0;
        if (*text == '@') {
            ++text;
            rc = parse_file(s, &text, depth);
        } else {
            rc = parse_range(s, &text);
        }
    }
    return rc;
}

int trace_call_set_parse(struct trace_call_set *s, const char *text)
{
    return parse_list(s, text, 0);
}
