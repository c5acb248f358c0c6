/* SPDX-License-Identifier: MIT */
#include "specgen/annotation.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Removes a comment and the blanks at both ends. Returns the first remaining character. */
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

/* `kind subject = value`. Some kinds of rules have no subject or no value; they check that themselves. */
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

/* Appends a line to a rule. Returns true if the rule continues on the next line: a struct continues up to its
 * closing brace, any other rule while its lines end in a backslash. No blank is inserted after a comma, so
 * that lists in braces can be broken there. */
static int append_line(struct buf *rule, char *text, bool *goes_on)
{
    size_t n = strlen(text);
    *goes_on = n > 0 && text[n - 1] == '\\';
    if (*goes_on) {
        text[n - 1] = '\0';
        text = trim(text);
        n = strlen(text);
    }
    int rc = 0;
    if (rule->len > 0 && n > 0 && rule->data[rule->len - 1] != ',')
        rc = buf_append(rule, " ", 1);
    if (rc == 0)
        rc = buf_append(rule, text, n);
    if (rc == 0 && rule->len >= 7 && memcmp(rule->data, "struct ", 7) == 0)
        *goes_on = rule->data[rule->len - 1] != '}';
    return rc;
}

static void read_rules(struct specgen *g, FILE *file, const char *path)
{
    struct source at = {path, 0}, start = at;
    struct buf rule = BUF_INIT;
    char *line = NULL;
    size_t cap = 0;
    while (getline(&line, &cap, file) >= 0) {
        bool goes_on;
        char *text = trim(line);
        at.line++;
        if (rule.len == 0)
            start = at;
        if (append_line(&rule, text, &goes_on) != 0) {
            specgen_error(g, at, "out of memory");
            break;
        }
        if (goes_on || rule.len == 0)
            continue;
        if (buf_append_byte(&rule, '\0') == 0)
            add_rule(g, start, (char *)rule.data);
        buf_clear(&rule);
    }
    if (rule.len > 0)
        specgen_error(g, start, "the file ends inside this rule");
    buf_fini(&rule);
    free(line);
}

void annotation_read(struct specgen *g, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        g->errors++;
        return;
    }
    read_rules(g, file, path);
    fclose(file);
}
