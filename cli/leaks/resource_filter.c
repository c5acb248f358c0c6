/* SPDX-License-Identifier: MIT */
#include "leaks/resource_filter.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers in a file ----------------------------------------------------------------------------- */

void event_numbers_fini(struct event_numbers *n)
{
    free(n->numbers);
    *n = (struct event_numbers){NULL, 0};
}

static int add_number(struct event_numbers *n, uint64_t number)
{
    if ((n->count & (n->count - 1)) == 0) { /* grow at every power of two */
        size_t room = n->count == 0 ? 1 : n->count * 2;
        uint64_t *numbers = realloc(n->numbers, room * sizeof *numbers);
        if (numbers == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        n->numbers = numbers;
    }
    n->numbers[n->count++] = number;
    return 0;
}

static int add_line(struct event_numbers *n, const char *text)
{
    char *end;
    while (isspace((unsigned char)*text))
        ++text;
    if (*text == '\0' || *text == '#')
        return 0;
    errno = 0;
    uint64_t number = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    while (isspace((unsigned char)*end))
        ++end;
    if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0)
        return trace_error_set(TRACE_ERR_FORMAT, "not the number of an event: %.*s", (int)strcspn(text, "\n"),
                               text);
    return add_number(n, number);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int event_numbers_read(struct event_numbers *out, const char *path)
{
    char *line = NULL;
    size_t size = 0;
    unsigned long number = 0;
    int rc = 0;
    FILE *file = fopen(path, "re");
    event_numbers_fini(out);
    if (file == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot open", path);
    while (rc == 0 && getline(&line, &size, file) >= 0) {
        ++number;
        rc = add_line(out, line);
    }
    if (rc != 0)
        trace_error_prefix(rc, "%s: line %lu", path, number);
    else if (ferror(file))
        rc = trace_error_set(TRACE_ERR_IO, "%s: cannot read", path);
    free(line);
    fclose(file);
    if (out->count > 0)
        qsort(out->numbers, out->count, sizeof *out->numbers, compare);
    return rc;
}

static bool contains(const struct event_numbers *n, uint64_t number)
{
    return n != NULL && n->count > 0 &&
           bsearch(&number, n->numbers, n->count, sizeof number, compare) != NULL;
}

/* --- the address of a call ------------------------------------------------------------------------- */

static bool take_hex(const char **text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(*text, &end, 16);
    bool is_number = isxdigit((unsigned char)**text) && errno == 0;
    *text = end;
    return is_number;
}

int resource_filter_set_address(struct resource_filter *f, char *text)
{
    char *colon = strrchr(text, ':');
    const char *p = colon != NULL ? colon + 1 : text;
    uint64_t size;
    if (colon == NULL || colon == text || !take_hex(&p, &f->call_from) || *p++ != '+' ||
        !take_hex(&p, &size) || *p != '\0' || size > UINT64_MAX - f->call_from)
        return trace_error_set(
            TRACE_ERR_USAGE, "\"%s\" is not MODULE:START+SIZE, as in libfoo.so:1a40+200 (hexadecimal)", text);
    *colon = '\0';
    f->call_module = text;
    f->call_to = f->call_from + size;
    return 0;
}

static bool has_address(const struct resource_filter *f, const struct stack *stack,
                        const struct mapped_files *files)
{
    for (uint32_t i = 0; i < stack->frame_count; ++i) {
        uint64_t address = stack->frames[i].address;
        const struct trace_mapping *mapping = mapped_files_find(files, address);
        if (mapping == NULL || strstr(mapping->path, f->call_module) == NULL)
            continue;
        /* Absolute addresses name a place in a program that is not relocated. */
        uint64_t offset = address - mapping->from;
        if ((offset >= f->call_from && offset < f->call_to) ||
            (address >= f->call_from && address < f->call_to))
            return true;
    }
    return false;
}

/* --- all of it ------------------------------------------------------------------------------------- */

static bool lists_name(const char *list, const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;
    for (const char *p = list; length > 0; ++p) {
        size_t n = strcspn(p, ",");
        if (n == length && memcmp(p, name, n) == 0)
            return true;
        p += n;
        if (*p == '\0')
            return false;
    }
    return false;
}

bool resource_filter_accepts_type(const struct resource_filter *f, const struct trace_resource_type *type)
{
    return f->types == NULL || lists_name(f->types, type != NULL ? type->name : NULL);
}

bool resource_filter_accepts(const struct resource_filter *f, const struct live_resource *r,
                             const struct stack *stack, const struct mapped_files *files)
{
    uint32_t contexts = r->kind->origin != NULL ? r->kind->origin->contexts : 0;
    if (contains(f->include, r->number))
        return true;
    if (contains(f->exclude, r->number))
        return false;
    if (f->calls != NULL && !trace_call_set_contains(f->calls, r->number, 0))
        return false;
    if (!resource_filter_accepts_type(f, r->kind->type))
        return false;
    if (f->has_contexts && (f->contexts == 0 ? contexts != 0 : (contexts & f->contexts) == 0))
        return false;
    return f->call_module == NULL || has_address(f, stack, files);
}
