/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl_lexer.h"

#include "base/error.h"

#include <ctype.h>
#include <string.h>

void tsdl_lexer_init(struct tsdl_lexer *l, const char *file, const char *text, size_t length)
{
    *l = (struct tsdl_lexer){.file = file, .at = text, .end = text + length, .line = 1};
}

static int fail(const struct tsdl_lexer *l, uint32_t line, const char *cause)
{
    return trace_error_set(TRACE_ERR_FORMAT, "%s:%u: %s", l->file, (unsigned)line, cause);
}

static bool begins(const struct tsdl_lexer *l, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(l->end - l->at) >= length && memcmp(l->at, text, length) == 0;
}

/* --- what separates tokens ------------------------------------------------------------------------- */

static void skip_line(struct tsdl_lexer *l)
{
    while (l->at < l->end && *l->at != '\n')
        l->at++;
}

static int skip_comment(struct tsdl_lexer *l)
{
    uint32_t line = l->line;
    for (l->at += 2; l->at < l->end && !begins(l, "*/"); l->at++)
        l->line += *l->at == '\n';
    if (l->at == l->end)
        return fail(l, line, "the comment that begins here does not end");
    l->at += 2;
    return 0;
}

/* Metadata of several packets may have NULs between their parts. */
static int skip_space(struct tsdl_lexer *l)
{
    int rc = 0;
    while (rc == 0 && l->at < l->end) {
        if (begins(l, "/*"))
            rc = skip_comment(l);
        else if (begins(l, "//"))
            skip_line(l);
        else if (isspace((unsigned char)*l->at) || *l->at == '\0')
            l->line += *l->at++ == '\n';
        else
            break;
    }
    return rc;
}

/* --- numbers --------------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static unsigned skip_base(struct tsdl_lexer *l)
{
    if (l->end - l->at < 2 || l->at[0] != '0')
        return 10;
    char second = (char)tolower((unsigned char)l->at[1]);
    if (second == 'x' || second == 'b') {
        l->at += 2;
        return second == 'x' ? 16 : 2;
    }
    return isdigit((unsigned char)second) ? 8 : 10;
}

static int read_number(struct tsdl_lexer *l, struct tsdl_token *out)
{
    unsigned base = skip_base(l);
    const char *digits = l->at;
    out->kind = TSDL_NUMBER;
    out->number = 0;
    for (; l->at < l->end && digit_of(*l->at) < (int)base; l->at++)
        if (__builtin_mul_overflow(out->number, base, &out->number) ||
            __builtin_add_overflow(out->number, (uint64_t)digit_of(*l->at), &out->number))
            return fail(l, l->line, "a number does not fit in 64 bits");
    bool has_digits = l->at > digits;
    while (l->at < l->end && memchr("uUlL", *l->at, 4) != NULL)
        l->at++;
    if (!has_digits || (l->at < l->end && (isalnum((unsigned char)*l->at) || *l->at == '_')))
        return fail(l, l->line, "a number is malformed");
    return 0;
}

/* --- the others ------------------------------------------------------------------------------------ */

static int read_quoted(struct tsdl_lexer *l, struct tsdl_token *out)
{
    char quote = *l->at++;
    uint32_t line = l->line;
    out->kind = quote == '"' ? TSDL_STRING : TSDL_CHARACTER;
    out->text = l->at;
    while (l->at < l->end && *l->at != quote && *l->at != '\n')
        l->at += *l->at == '\\' && l->end - l->at > 1 ? 2 : 1;
    if (l->at >= l->end || *l->at != quote)
        return fail(l, line, "the quotation that begins in this line does not end");
    out->length = (size_t)(l->at++ - out->text);
    return 0;
}

static void read_word(struct tsdl_lexer *l, struct tsdl_token *out)
{
    out->kind = TSDL_WORD;
    while (l->at < l->end && (isalnum((unsigned char)*l->at) || *l->at == '_'))
        l->at++;
    out->length = (size_t)(l->at - out->text);
}

static void read_sign(struct tsdl_lexer *l, struct tsdl_token *out)
{
    out->kind = begins(l, ":=")    ? TSDL_ASSIGN_TYPE
                : begins(l, "...") ? TSDL_ELLIPSIS
                : begins(l, "->")  ? TSDL_ARROW
                                   : TSDL_SIGN;
    out->sign = *l->at;
    l->at += out->kind == TSDL_SIGN ? 1 : out->kind == TSDL_ELLIPSIS ? 3 : 2;
    out->length = (size_t)(l->at - out->text);
}

int tsdl_lexer_next(struct tsdl_lexer *l, struct tsdl_token *out)
{
    int rc = skip_space(l);
    *out = (struct tsdl_token){.kind = TSDL_END, .line = l->line, .text = l->at};
    if (rc != 0 || l->at == l->end)
        return rc;
    if (isdigit((unsigned char)*l->at)) {
        rc = read_number(l, out);
        out->length = (size_t)(l->at - out->text);
        return rc;
    }
    if (*l->at == '"' || *l->at == '\'')
        return read_quoted(l, out);
    if (isalpha((unsigned char)*l->at) || *l->at == '_') {
        read_word(l, out);
        return 0;
    }
    if (!ispunct((unsigned char)*l->at) || strchr("$@#`\\", *l->at) != NULL)
        return trace_error_set(TRACE_ERR_FORMAT, "%s:%u: no token begins with the byte 0x%02x", l->file,
                               (unsigned)l->line, (unsigned)(unsigned char)*l->at);
    read_sign(l, out);
    return 0;
}

bool tsdl_token_is(const struct tsdl_token *t, const char *word)
{
    return t->kind == TSDL_WORD && strlen(word) == t->length && memcmp(t->text, word, t->length) == 0;
}

bool tsdl_token_is_keyword(const struct tsdl_token *t)
{
    static const char *const keywords[] = {
        "align",   "callsite", "char",    "clock",          "const",  "double",   "enum",
        "env",     "event",    "float",   "floating_point", "int",    "integer",  "long",
        "short",   "signed",   "stream",  "string",         "struct", "trace",    "typealias",
        "typedef", "unsigned", "variant", "void",           "_Bool",  "_Complex", "_Imaginary"};
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; ++i)
        if (tsdl_token_is(t, keywords[i]))
            return true;
    return false;
}

/* --- escapes --------------------------------------------------------------------------------------- */

static char escaped(char c)
{
    static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
    const char *letter = c != '\0' ? strchr(letters, c) : NULL;
    return letter != NULL ? meanings[letter - letters] : c;
}

/* Reads up to `most` digits. Returns the place after them. */
static const char *read_code(const char *p, const char *end, int base, int most, char *out)
{
    unsigned value = 0;
    for (int i = 0; i < most && p < end && digit_of(*p) < base; ++i)
        value = value * (unsigned)base + (unsigned)digit_of(*p++);
    *out = (char)value;
    return p;
}

size_t tsdl_token_unescape(const struct tsdl_token *t, char *out)
{
    const char *p = t->text, *end = p + t->length;
    char *begin = out;
    while (p < end) {
        if (*p != '\\' || end - p < 2) {
            *out++ = *p++;
            continue;
        }
        char c = p[1];
        if (c == 'x' && end - p > 2 && digit_of(p[2]) < 16) {
            p = read_code(p + 2, end, 16, 3, out++);
        } else if (c >= '0' && c <= '7') {
            p = read_code(p + 1, end, 8, 3, out++);
        } else {
            *out++ = escaped(c);
            p += 2;
        }
    }
    return (size_t)(out - begin);
}
