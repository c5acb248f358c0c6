/* SPDX-License-Identifier: MIT */
#include "specgen/specgen.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts a comment and the blanks around; returns the first character that counts. */
static char *trim(char *line)
{
    line[strcspn(line, "#\r\n")] = '\0';
    while (isspace((unsigned char)*line))
        ++line;
    size_t n = strlen(line);
    while (n > 0 && isspace((unsigned char)line[n - 1]))
        line[--n] = '\0';
    return line;
}

/* `kind subject = value`; subject and value may be empty for kinds that want it so, which they check. */
static void add_rule(struct specgen *g, struct source at, char *text)
{
    struct rule r = {.source = at, .subject = "", .value = ""};
    size_t kind = strcspn(text, " \t");
    r.kind = specgen_strndup(g, text, kind);
    char *rest = text + kind;
    char *equals =
        strcmp(r.kind, "prototype") == 0 || strcmp(r.kind, "struct") == 0 ? NULL : strchr(rest, '=');
    if (equals != NULL) {
        *equals = '\0';
        char *value = trim(equals + 1);
        r.value = specgen_strndup(g, value, strlen(value));
    }
    char *subject = trim(rest);
    r.subject = specgen_strndup(g, subject, strlen(subject));
    list_push(g, &g->rules, &r, sizeof r);
}

void annotation_read(struct specgen *g, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        g->errors++;
        return;
    }
    struct source at = {path, 0}, start = at;
    struct buf pending = BUF_INIT; /* a rule so far, when it goes on over several lines */
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, file) >= 0) {
        at.line++;
        char *text = trim(line);
        size_t n = strlen(text);
        bool goes_on = n > 0 && text[n - 1] == '\\';
        if (n == 0 && pending.len == 0)
            continue;
        if (pending.len == 0)
            start = at;
        if (buf_append(&pending, text, n - goes_on) != 0 || buf_append(&pending, " ", 1) != 0) {
            specgen_error(g, at, "out of memory");
            break;
        }
        /* A struct goes on to its closing brace, any other rule while its lines end in a backslash. */
        if (strncmp((char *)pending.data, "struct ", 7) == 0)
            goes_on = n == 0 || text[n - 1] != '}';
        if (goes_on)
            continue;
        pending.data[pending.len - 1] = '\0';
        add_rule(g, start, trim((char *)pending.data));
        buf_clear(&pending);
    }
    if (pending.len > 0)
        specgen_error(g, start, "the file ends inside this rule");
    buf_fini(&pending);
    free(line);
    fclose(file);
}
