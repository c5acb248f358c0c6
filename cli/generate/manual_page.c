/* SPDX-License-Identifier: MIT */
#include "generate/manual_page.h"

#include "commands.h"
#include "generate/manual_options.h"
#include "generate/output_file.h"
#include "generate/page_fragment.h"
#include "generate/roff.h"
#include "generate/value_words.h"

#include "base/error.h"

#include <ctype.h>
#include <string.h>

/* The page that is being written. */
struct page {
    FILE *out;
    const struct cli_command *command; /* NULL in the overview */
    const char *name;                  /* "trace-cli-dump" */
    struct page_fragment fragment;
};

static bool is_placeholder_of(const void *context, const char *word, size_t length)
{
    const struct cli_command *c = context;
    if (value_name_has_placeholder(c->operands, word, length))
        return true;
    for (const struct cli_option *o = c->options; o->kind != CLI_OPTION_END; ++o)
        if (value_name_has_placeholder(cli_option_value_name(o), word, length))
            return true;
    return false;
}

static struct roff_marks marks_of(const struct page *p, bool sentence)
{
    return (struct roff_marks){is_placeholder_of, p->command, sentence};
}

/* Turns "Show the calls" into "show the calls". */
static void put_uncapitalised(FILE *out, const char *text)
{
    char first = (char)tolower((unsigned char)text[0]);
    roff_literal(out, &first, 1);
    roff_literal_string(out, text + 1);
    fputc('\n', out);
}

static void put_heading(const struct page *p)
{
    fputs(".\\\" Generated from the table of options and from docs/man: changes here will be lost.\n.TH ",
          p->out);
    for (const char *c = p->name; *c != '\0'; ++c)
        fputc(toupper((unsigned char)*c), p->out);
    fputs(" 1 \"\" \"trace-cli " TRACE_CLI_VERSION "\" \"User commands\"\n.SH NAME\n", p->out);
}

/* --- the other sections ---------------------------------------------------------------------------- */

static void put_section(struct page *p, const char *title, const char *otherwise)
{
    const char *body = page_fragment_take(&p->fragment, title);
    fprintf(p->out, ".SH %s\n%s", title, body != NULL ? body : otherwise);
}

/* Writes the sections with other titles, in their order. */
static void put_own_sections(struct page *p)
{
    for (size_t i = 0; i < p->fragment.count; ++i) {
        struct page_section *s = &p->fragment.sections[i];
        if (s->used || strncmp(s->title, "OPTION ", 7) == 0 || strcmp(s->title, "SEE ALSO") == 0)
            continue;
        s->used = true;
        fprintf(p->out, ".SH %s\n%s", s->title, s->body);
    }
}

static void put_synopsis(const struct page *p, const char *name)
{
    struct roff_marks marks = marks_of(p, false);
    fprintf(p->out, "\\fBtrace\\-cli %s\\fR%s", name, p->command->operands[0] != '\0' ? " " : "");
    /* "[--]" is not a named option, and is printed as it is. */
    roff_text(p->out, p->command->operands, strlen(p->command->operands), &marks);
}

static void put_name_and_synopsis(struct page *p)
{
    const struct cli_command *c = p->command;
    put_heading(p);
    roff_literal_string(p->out, p->name);
    if (c->alias != NULL)
        fprintf(p->out, ", trace\\-cli\\-%s", c->alias);
    fputs(" \\- ", p->out);
    put_uncapitalised(p->out, c->summary);
    fputs(".SH SYNOPSIS\n", p->out);
    put_synopsis(p, c->name);
    if (c->alias != NULL) {
        fputs(".br\n", p->out);
        put_synopsis(p, c->alias);
    }
}

static void put_description(struct page *p)
{
    const char *body = page_fragment_take(&p->fragment, "DESCRIPTION");
    struct roff_marks marks = marks_of(p, false), sentence = marks_of(p, true);
    fputs(".SH DESCRIPTION\n", p->out);
    if (body != NULL) {
        fputs(body, p->out);
        return;
    }
    roff_text(p->out, p->command->summary, strlen(p->command->summary), &sentence);
    if (p->command->details != NULL) {
        fputs(".PP\n", p->out);
        roff_paragraphs(p->out, p->command->details, &marks);
    }
}

/* Writes references to the overview, to the commands under the same heading, and to those in the hand-written
 * part. */
static void put_see_also(struct page *p)
{
    const char *body = page_fragment_take(&p->fragment, "SEE ALSO");
    fputs(".SH SEE ALSO\n.BR trace\\-cli (1)", p->out);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
        if (*c != p->command && (*c)->group == p->command->group && (*c)->group != CLI_GROUP_OTHER)
            fprintf(p->out, ",\n.BR trace\\-cli\\-%s (1)", (*c)->name);
    fprintf(p->out, "%s\n%s", body != NULL ? "," : "", body != NULL ? body : "");
}

static void put_command_page(struct page *p)
{
    struct roff_marks sentence = marks_of(p, true);
    put_name_and_synopsis(p);
    put_description(p);
    manual_options(p->out, p->command, &p->fragment, &sentence);
    put_section(p, "EXIT STATUS", "0, or 1 after an error.\n");
    put_own_sections(p);
    if (p->command->examples != NULL) {
        fputs(".SH EXAMPLES\n", p->out);
        roff_examples(p->out, p->command->examples);
    }
    put_see_also(p);
}

/* --- the overview ---------------------------------------------------------------------------------- */

static void put_command_entry(FILE *out, const struct cli_command *c)
{
    fputs(".TP\n\\fBtrace\\-cli\\-", out);
    roff_literal_string(out, c->name);
    fputs("\\fR(1)\n", out);
    put_uncapitalised(out, c->summary);
    if (c->alias != NULL)
        fprintf(out, "(also called \\fB%s\\fR)\n", c->alias);
}

static void put_overview(struct page *p)
{
    put_heading(p);
    fputs("trace\\-cli \\- capture, inspect and replay OpenGL programs\n"
          ".SH SYNOPSIS\n"
          "\\fBtrace\\-cli\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n.br\n"
          "\\fBtrace\\-cli \\-\\-help\\fR\n.br\n"
          "\\fBtrace\\-cli \\-\\-version\\fR\n",
          p->out);
    put_section(p, "DESCRIPTION", "");
    fputs(".SH COMMANDS\n", p->out);
    for (enum cli_group group = CLI_GROUP_RECORD; group < CLI_GROUP_END; ++group) {
        fprintf(p->out, ".SS %s\n", cli_group_title(group));
        for (const struct cli_command *const *c = cli_commands; *c != NULL; ++c)
            if ((*c)->group == group)
                put_command_entry(p->out, *c);
    }
    put_own_sections(p);
    fputs(".SH EXAMPLES\n", p->out);
    roff_examples(p->out, cli_first_steps);
    put_section(p, "SEE ALSO", "");
}

/* --- files ----------------------------------------------------------------------------------------- */

static int write_page(struct page *p, const char *fragments, const char *directory,
                      void (*put)(struct page *p))
{
    int rc = page_fragment_read(&p->fragment, fragments, p->name);
    if (rc == 0)
        rc = output_file_open(&p->out, "%s/%s.1", directory, p->name);
    if (rc == 0) {
        put(p);
        rc = output_file_close(p->out, p->name);
    }
    if (rc == 0)
        rc = page_fragment_check_used(&p->fragment);
    page_fragment_free(&p->fragment);
    return rc;
}

static int write_alias_page(const struct cli_command *c, const char *directory)
{
    FILE *out;
    int rc = output_file_open(&out, "%s/trace-cli-%s.1", directory, c->alias);
    if (rc != 0)
        return rc;
    fprintf(out, ".so man1/trace-cli-%s.1\n", c->name);
    return output_file_close(out, c->alias);
}

int manual_page_write(const struct cli_command *c, const char *fragments, const char *directory)
{
    char name[128];
    struct page p = {.command = c, .name = name};
    snprintf(name, sizeof name, "trace-cli-%s", c->name);
    int rc = write_page(&p, fragments, directory, put_command_page);
    return rc != 0 || c->alias == NULL ? rc : write_alias_page(c, directory);
}

int manual_page_write_overview(const char *fragments, const char *directory)
{
    struct page p = {.name = "trace-cli"};
    return write_page(&p, fragments, directory, put_overview);
}
