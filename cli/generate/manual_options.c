/* SPDX-License-Identifier: MIT */
#include "generate/manual_options.h"

#include "generate/value_words.h"

#include <getopt.h>
#include <string.h>

struct options_section {
    FILE *out;
    struct page_fragment *fragment;
    const struct roff_marks *sentence;
};

/* Writes "a|b|NAME.ARG,..." with words in bold and placeholders in italics. */
static void put_value_name(FILE *out, const char *name)
{
    const char *const end = name + strcspn(name, ",");
    bool choice = strchr(name, '|') != NULL;
    while (name < end) {
        size_t n = strcspn(name, "|,");
        bool literal = choice && !value_alternative_is_placeholder(name, n);
        fputs(literal ? "\\fB" : "\\fI", out);
        roff_literal(out, name, n);
        fputs("\\fR", out);
        name += n;
        if (*name == '|')
            fputc(*name++, out);
    }
    roff_literal_string(out, end);
}

/* "--name[=VALUE]" or "-x VALUE". */
static void put_spelling(FILE *out, const char *dashes, const char *name, const struct cli_option *o)
{
    bool is_long = dashes[1] == '-';
    fputs("\\fB", out);
    roff_literal_string(out, dashes);
    roff_literal_string(out, name);
    fputs("\\fR", out);
    switch (cli_option_value_mode(o)) {
    case required_argument:
        fputc(is_long ? '=' : ' ', out);
        put_value_name(out, cli_option_value_name(o));
        break;
    case optional_argument:
        fputs(is_long ? "[=" : "[", out);
        put_value_name(out, cli_option_value_name(o));
        fputc(']', out);
        break;
    default:
        break;
    }
}

static void put_all_spellings(FILE *out, const struct cli_option *o)
{
    const char letter[2] = {o->letter, '\0'};
    const char *separator = "";
    if (o->letter != 0) {
        put_spelling(out, "-", letter, o);
        separator = ", ";
    }
    if (o->name != NULL) {
        fputs(separator, out);
        put_spelling(out, "--", o->name, o);
        separator = ", ";
    }
    if (o->alias != NULL) {
        fputs(separator, out);
        put_spelling(out, "--", o->alias, o);
    }
    fputc('\n', out);
}

static void put_option(void *context, const struct cli_option *o)
{
    const struct options_section *s = context;
    char title[128];
    fputs(".TP\n", s->out);
    put_all_spellings(s->out, o);
    roff_text(s->out, o->help, strlen(o->help), s->sentence);
    if (o->name != NULL)
        snprintf(title, sizeof title, "OPTION --%s", o->name);
    else
        snprintf(title, sizeof title, "OPTION -%c", o->letter);
    const char *more = page_fragment_take(s->fragment, title);
    if (more != NULL)
        fputs(more, s->out);
}

static bool takes_bool(const struct cli_command *c)
{
    for (const struct cli_option *o = c->options; o->kind != CLI_OPTION_END; ++o)
        if (strcmp(cli_option_value_name(o), "BOOL") == 0)
            return true;
    return false;
}

void manual_options(FILE *out, const struct cli_command *c, struct page_fragment *fragment,
                    const struct roff_marks *sentence)
{
    struct options_section section = {out, fragment, sentence};
    fputs(".SH OPTIONS\n", out);
    each_option(c, put_option, &section);
    if (takes_bool(c))
        fputs(".PP\n\\fIBOOL\\fR is \\fB0\\fR, \\fBno\\fR or \\fBfalse\\fR, or \\fB1\\fR, \\fByes\\fR or "
              "\\fBtrue\\fR;\nthe option alone means yes.\n",
              out);
}
