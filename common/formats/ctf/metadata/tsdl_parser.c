/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl_parser.h"

#include "base/buf.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

/* --- messages -------------------------------------------------------------------------------------- */

int tsdl_fail(const struct tsdl_parser *p, uint32_t line, const char *format, ...)
{
    char cause[256];
    va_list args;
    va_start(args, format);
    vsnprintf(cause, sizeof cause, format, args);
    va_end(args);
    return trace_error_set(TRACE_ERR_FORMAT, "%s:%u: %s", p->lexer.file,
                           (unsigned)(line != 0 ? line : p->token.line), cause);
}

int tsdl_fail_expected(const struct tsdl_parser *p, const char *what)
{
    if (p->token.kind == TSDL_END)
        return tsdl_fail(p, 0, "%s is missing: the metadata end here", what);
    int length = p->token.length < 40 ? (int)p->token.length : 40;
    return tsdl_fail(p, 0, "%s is expected where \"%.*s\" stands", what, length, p->token.text);
}

/* --- tokens ---------------------------------------------------------------------------------------- */

int tsdl_advance(struct tsdl_parser *p)
{
    return tsdl_lexer_next(&p->lexer, &p->token);
}

bool tsdl_at_sign(const struct tsdl_parser *p, char sign)
{
    return p->token.kind == TSDL_SIGN && p->token.sign == sign;
}

bool tsdl_at_word(const struct tsdl_parser *p, const char *word)
{
    return tsdl_token_is(&p->token, word);
}

int tsdl_expect_sign(struct tsdl_parser *p, char sign)
{
    const char what[] = {'"', sign, '"', '\0'};
    return tsdl_at_sign(p, sign) ? tsdl_advance(p) : tsdl_fail_expected(p, what);
}

int tsdl_skip_sign(struct tsdl_parser *p, char sign, bool *had)
{
    *had = tsdl_at_sign(p, sign);
    return *had ? tsdl_advance(p) : 0;
}

int tsdl_skip_word(struct tsdl_parser *p, const char *word, bool *had)
{
    *had = tsdl_at_word(p, word);
    return *had ? tsdl_advance(p) : 0;
}

/* --- values ---------------------------------------------------------------------------------------- */

int tsdl_take_word(struct tsdl_parser *p, const char **out, const char *what)
{
    if (p->token.kind != TSDL_WORD)
        return tsdl_fail_expected(p, what);
    *out = ctf_trace_copy_text(p->trace, p->token.text, p->token.length);
    return *out != NULL ? tsdl_advance(p) : TRACE_ERR_MEMORY;
}

int tsdl_take_name(struct tsdl_parser *p, const char **out, const char *what)
{
    if (!tsdl_token_is_keyword(&p->token))
        return tsdl_take_word(p, out, what);
    return tsdl_fail(p, 0, "%s must not be the keyword \"%.*s\"", what, (int)p->token.length, p->token.text);
}

int tsdl_take_string(struct tsdl_parser *p, const char **out)
{
    if (p->token.kind != TSDL_STRING)
        return tsdl_fail_expected(p, "a string");
    char *text = ctf_trace_copy_text(p->trace, p->token.text, p->token.length); /* it becomes no longer */
    if (text == NULL)
        return TRACE_ERR_MEMORY;
    text[tsdl_token_unescape(&p->token, text)] = '\0';
    *out = text;
    return tsdl_advance(p);
}

static int take_character(struct tsdl_parser *p, uint64_t *out)
{
    char text[16];
    if (p->token.length >= sizeof text || tsdl_token_unescape(&p->token, text) != 1)
        return tsdl_fail(p, 0, "a character constant must have one character");
    *out = (uint64_t)(int64_t)text[0];
    return tsdl_advance(p);
}

int tsdl_take_number(struct tsdl_parser *p, uint64_t *out, bool *is_negative)
{
    bool plus;
    *is_negative = false;
    int rc = tsdl_skip_sign(p, '-', is_negative);
    if (rc == 0 && !*is_negative)
        rc = tsdl_skip_sign(p, '+', &plus);
    if (rc == 0 && p->token.kind == TSDL_CHARACTER)
        return take_character(p, out);
    if (rc == 0 && p->token.kind != TSDL_NUMBER)
        rc = tsdl_fail_expected(p, "a number");
    if (rc != 0)
        return rc;
    if (*is_negative && p->token.number > (uint64_t)1 << 63)
        return tsdl_fail(p, 0, "a number does not fit in 64 bits");
    *out = *is_negative ? 0 - p->token.number : p->token.number;
    return tsdl_advance(p);
}

int tsdl_take_path(struct tsdl_parser *p, const char **out)
{
    struct buf text = BUF_INIT;
    bool more = true;
    int rc = 0;
    while (rc == 0 && more) {
        if (p->token.kind != TSDL_WORD)
            rc = tsdl_fail_expected(p, "a name");
        if (rc == 0)
            rc = buf_append(&text, p->token.text, p->token.length);
        if (rc == 0)
            rc = tsdl_advance(p);
        more = rc == 0 && (tsdl_at_sign(p, '.') || p->token.kind == TSDL_ARROW);
        if (more)
            rc = buf_append_byte(&text, '.');
        if (more && rc == 0)
            rc = tsdl_advance(p);
    }
    *out = rc == 0 ? ctf_trace_copy_text(p->trace, (const char *)text.data, text.len) : NULL;
    buf_fini(&text);
    return rc == 0 && *out == NULL ? TRACE_ERR_MEMORY : rc;
}

/* --- scopes ---------------------------------------------------------------------------------------- */

void tsdl_scope_enter(struct tsdl_parser *p, struct tsdl_scope *scope)
{
    *scope = (struct tsdl_scope){.outer = p->scope};
    p->scope = scope;
}

void tsdl_scope_leave(struct tsdl_parser *p)
{
    for (int space = 0; space < TSDL_NAME_SPACES; ++space)
        string_map_fini(&p->scope->types[space]);
    p->scope = p->scope->outer;
}

int tsdl_scope_declare(struct tsdl_parser *p, enum tsdl_name_space space, const char *name,
                       const struct ctf_class *type)
{
    struct string_map *types = &p->scope->types[space];
    if (string_map_get(types, name, NULL))
        return tsdl_fail(p, 0, "the type \"%s\" is declared twice", name);
    return string_map_set(types, name, (uintptr_t)type) == 0
               ? 0
               : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
}

const struct ctf_class *tsdl_scope_find(const struct tsdl_parser *p, enum tsdl_name_space space,
                                        const char *name)
{
    uint64_t type;
    for (const struct tsdl_scope *scope = p->scope; scope != NULL; scope = scope->outer)
        if (string_map_get(&scope->types[space], name, &type))
            return (const struct ctf_class *)(uintptr_t)type;
    return NULL;
}
