/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/text_frame.h"

#include <string.h>

/* --- where the function's name ends ---------------------------------------------------------------- */

#define DEPTH_MAX 64 /* limit for nested brackets; deeper ones are not distinguished */

struct brackets {
    char open[DEPTH_MAX];
    size_t depth;
};

static void open_bracket(struct brackets *b, char c)
{
    if (b->depth < DEPTH_MAX)
        b->open[b->depth] = c;
    ++b->depth;
}

/* Brackets that are still open inside the closed one were comparison operators. */
static void close_bracket(struct brackets *b, char opened)
{
    size_t depth = b->depth < DEPTH_MAX ? b->depth : DEPTH_MAX;
    while (depth > 0 && b->open[depth - 1] != opened) {
        if (opened == '<')
            return; /* this is an operator, too */
        --depth;
    }
    if (depth > 0)
        b->depth = b->depth > DEPTH_MAX ? b->depth - 1 : depth - 1;
}

static bool is_in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Returns the position after the symbols of the operator that follows "operator", or after the first word of
 * the type that it converts to. */
static const char *pass_operator(const char *p)
{
    size_t signs = strspn(p, "<>=-+*/%^&|~!,");
    if (signs > 0 || *p != ' ')
        return p + signs;
    for (++p; is_in_word(*p); ++p)
        ;
    return p;
}

/* Returns the position after the next piece of a name. */
static const char *pass_piece(struct brackets *b, const char *start, const char *p)
{
    static const char word[] = "operator";
    switch (*p) {
    case '(':
    case '<':
    case '[':
    case '{':
        open_bracket(b, *p);
        return p + 1;
    case ')':
        close_bracket(b, '(');
        return p + 1;
    case '>':
        if (p == start || p[-1] != '-')
            close_bracket(b, '<');
        return p + 1;
    case ']':
        close_bracket(b, '[');
        return p + 1;
    case '}':
        close_bracket(b, '{');
        return p + 1;
    case 'o':
        if ((p == start || !is_in_word(p[-1])) && strncmp(p, word, strlen(word)) == 0 &&
            !is_in_word(p[strlen(word)]))
            return pass_operator(p + strlen(word));
        return p + 1;
    default:
        return p + 1;
    }
}

/* Returns the length of a word that precedes a location, or 0. */
static size_t place_word(const char *p, bool *is_source)
{
    *is_source = *p == 'a';
    return strncmp(p, "at ", 3) == 0 ? 3 : strncmp(p, "from ", 5) == 0 ? 5 : 0;
}

/* Returns the word that ends the name: the first one outside of brackets, or else the first one. Returns NULL
 * if there is none. */
static char *find_place(char *text)
{
    struct brackets brackets;
    char *first = NULL;
    bool is_source;
    brackets.depth = 0;
    for (const char *p = text; *p != '\0';) {
        if ((*p == 'a' || *p == 'f') && (p == text || p[-1] == ' ') && place_word(p, &is_source) != 0) {
            if (brackets.depth == 0)
                return text + (p - text);
            if (first == NULL)
                first = text + (p - text);
        }
        p = pass_piece(&brackets, text, p);
    }
    return first;
}

/* --- what follows it ------------------------------------------------------------------------------- */

static size_t digits_at_end(const char *text, size_t length)
{
    size_t count = 0;
    while (count < length && text[length - 1 - count] >= '0' && text[length - 1 - count] <= '9')
        ++count;
    return count;
}

/* FILE:LINE */
static void split_source(struct trace_frame *frame, char *source)
{
    size_t length = strlen(source), digits = digits_at_end(source, length);
    frame->file = source;
    if (digits == 0 || digits > 18 || digits + 1 >= length || source[length - digits - 1] != ':' ||
        (digits > 1 && source[length - digits] == '0'))
        return;
    frame->line = 0;
    for (const char *p = source + length - digits; *p != '\0'; ++p)
        frame->line = frame->line * 10 + (*p - '0');
    source[length - digits - 1] = '\0';
}

/* Returns where the function's name ends, or the place begins. */
static char *split_place(struct trace_frame *frame, char *text)
{
    bool is_source = false;
    char *place = find_place(text);
    size_t word = place != NULL ? place_word(place, &is_source) : 0;
    if (word == 0 || place[word] == '\0')
        return text + strlen(text);
    if (is_source)
        split_source(frame, place + word);
    else
        frame->module = place + word;
    return place;
}

static bool ends_with_operator(const char *name, size_t length)
{
    static const char word[] = "operator";
    size_t word_length = strlen(word);
    return length >= word_length && memcmp(name + length - word_length, word, word_length) == 0 &&
           (length == word_length || !is_in_word(name[length - word_length - 1]));
}

void text_frame_split(struct trace_frame *frame, char *place)
{
    while (strncmp(place, "in ", 3) == 0) /* the document has that before each name */
        place += 3;
    char *end = split_place(frame, place);
    if (end > place && end[-1] == ' ')
        --end;
    *end = '\0';
    size_t length = (size_t)(end - place);
    char *parenthesis = strchr(place, '(');
    /* Names of C++ functions include parameters. */
    if (length > 2 && parenthesis == end - 2 && end[-1] == ')' && !ends_with_operator(place, length - 2))
        *parenthesis = '\0';
    if (length > 0)
        frame->function = place;
}
