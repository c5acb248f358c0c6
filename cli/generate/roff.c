/* SPDX-License-Identifier: MIT */
#include "generate/roff.h"

#include <ctype.h>
#include <string.h>

static void put_char(FILE *out, char c)
{
    switch (c) {
    case '\\':
        fputs("\\e", out);
        break;
    case '-':
        fputs("\\-", out);
        break;
    case '\'':
        fputs("\\(aq", out);
        break;
    case '`':
        fputs("\\(ga", out);
        break;
    case '^':
        fputs("\\(ha", out);
        break;
    case '~':
        fputs("\\(ti", out);
        break;
    default:
        fputc(c, out);
    }
}

void roff_literal(FILE *out, const char *text, size_t length)
{
    if (length > 0 && text[0] == '.')
        fputs("\\&", out); /* a control character at the beginning of a line */
    for (size_t i = 0; i < length; ++i)
        put_char(out, text[i]);
}

void roff_literal_string(FILE *out, const char *text)
{
    roff_literal(out, text, strlen(text));
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the length of "-x" or "--name" at text, which is at the beginning of a word, or 0 if there is no
 * option. */
static size_t option_length(const char *text, size_t length)
{
    size_t dashes = length > 1 && text[0] == '-' ? (text[1] == '-' ? 2 : 1) : 0;
    size_t n = dashes;
    if (dashes == 0 || n == length || !isalpha((unsigned char)text[n]))
        return 0;
    while (n < length && (isalnum((unsigned char)text[n]) || (text[n] == '-' && dashes == 2)))
        ++n;
    return n;
}

static size_t capitals_length(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && isupper((unsigned char)text[n]))
        ++n;
    return n;
}

static void put_in_font(FILE *out, char font, const char *text, size_t length)
{
    fprintf(out, "\\f%c", font);
    roff_literal(out, text, length);
    fputs("\\fR", out);
}

/* Writes the word at text if it needs a mark. text is at the start of a word. Returns the word's length, or 0
 * if nothing was written. */
static size_t put_marked(FILE *out, const char *text, size_t length, const struct roff_marks *marks)
{
    size_t n = option_length(text, length);
    if (n > 0) {
        put_in_font(out, 'B', text, n);
        return n;
    }
    n = capitals_length(text, length);
    if (n > 0 && marks->is_placeholder != NULL && marks->is_placeholder(marks->context, text, n)) {
        put_in_font(out, 'I', text, n);
        return n;
    }
    return 0;
}

void roff_text(FILE *out, const char *text, size_t length, const struct roff_marks *marks)
{
    char before = '\n';
    for (size_t i = 0; i < length;) {
        size_t n = is_word_char(before) || before == '-' ? 0 : put_marked(out, text + i, length - i, marks);
        if (n == 0) {
            if (before == '\n' && (text[i] == '.' || text[i] == '\''))
                fputs("\\&", out);
            bool dash = text[i] == '-' && is_word_char(before); /* a hyphen */
            if (i == 0 && marks->sentence)
                put_char(out, (char)toupper((unsigned char)text[i]));
            else if (dash)
                fputc('-', out);
            else
                put_char(out, text[i]);
            n = 1;
        }
        i += n;
        before = text[i - 1];
    }
    if (marks->sentence && length > 0 && strchr(".:;", text[length - 1]) == NULL)
        fputc('.', out);
    fputc('\n', out);
}

/* Returns the end of the lines from text on that are all indented, or all not; a blank line also ends them.
 */
static const char *block_end(const char *text, bool indented)
{
    while (*text != '\0' && *text != '\n' && (*text == ' ') == indented) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

static void put_lines(FILE *out, const char *text, const char *end, const struct roff_marks *marks)
{
    while (text < end) {
        size_t n = strcspn(text, "\n");
        roff_text(out, text, n, marks);
        text += n + (text[n] == '\n');
    }
}

void roff_paragraphs(FILE *out, const char *text, const struct roff_marks *marks)
{
    while (*text != '\0') {
        if (*text == '\n') {
            fputs(".PP\n", out);
            ++text;
            continue;
        }
        bool indented = *text == ' ';
        const char *end = block_end(text, indented);
        if (indented)
            fputs(".PP\n.nf\n", out);
        put_lines(out, text, end, marks);
        if (indented)
            fputs(".fi\n", out);
        text = end;
        if (indented && *text != '\0' && *text != '\n')
            fputs(".PP\n", out);
    }
}

void roff_examples(FILE *out, const char *lines)
{
    fputs(".nf\n", out);
    while (*lines != '\0') {
        size_t n = strcspn(lines, "\n");
        roff_literal(out, lines, n);
        fputc('\n', out);
        lines += n + (lines[n] == '\n');
    }
    fputs(".fi\n", out);
}
