/* SPDX-License-Identifier: MIT
 * Tokens of the Trace Stream Description Language, the language of the metadata of CTF 1.8.
 */
#ifndef TSDL_LEXER_H
#define TSDL_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tsdl_token_kind {
    TSDL_END,
    TSDL_WORD,        /* an identifier or a keyword */
    TSDL_NUMBER,      /* an integer constant */
    TSDL_STRING,      /* a string literal; text is between the quotes, with escapes */
    TSDL_CHARACTER,   /* a character constant; likewise */
    TSDL_ASSIGN_TYPE, /* := */
    TSDL_ELLIPSIS,    /* ... */
    TSDL_ARROW,       /* -> */
    TSDL_SIGN,        /* any other character, in `sign` */
};

struct tsdl_token {
    uint8_t kind; /* enum tsdl_token_kind */
    char sign;
    uint32_t line; /* from 1 */
    const char *text;
    size_t length; /* bytes */
    uint64_t number;
};

struct tsdl_lexer {
    const char *file; /* for messages */
    const char *at;
    const char *end;
    uint32_t line;
};

void tsdl_lexer_init(struct tsdl_lexer *l, const char *file, const char *text, size_t length);

/* Errors: TRACE_ERR_FORMAT, with file and line. */
int tsdl_lexer_next(struct tsdl_lexer *l, struct tsdl_token *out);

bool tsdl_token_is(const struct tsdl_token *t, const char *word);
bool tsdl_token_is_keyword(const struct tsdl_token *t);

/* Writes the text of a string or a character constant without its escapes to out, which has room for its
 * length. Returns the length. */
size_t tsdl_token_unescape(const struct tsdl_token *t, char *out);

#endif
