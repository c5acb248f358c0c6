/* SPDX-License-Identifier: MIT
 * What the parts of the parser of TSDL share: the next token, messages, and the types that are declared where
 * it stands.
 */
#ifndef TSDL_PARSER_H
#define TSDL_PARSER_H

#include "formats/ctf/ctf_types.h"
#include "formats/ctf/metadata/tsdl_lexer.h"

#define TSDL_DEPTH_MAX 128 /* of types within types */

/* A name of a type. Structures, variants and enumerations have name spaces of their own. */
enum tsdl_name_space {
    TSDL_TYPE,
    TSDL_STRUCT,
    TSDL_VARIANT,
    TSDL_ENUM,
    TSDL_NAME_SPACES,
};

struct tsdl_scope {
    struct string_map types[TSDL_NAME_SPACES]; /* addresses of struct ctf_class */
    struct tsdl_scope *outer;
};

struct tsdl_parser {
    struct ctf_trace *trace;
    struct tsdl_lexer lexer;
    struct tsdl_token token; /* the next one */
    struct tsdl_scope *scope;
    unsigned depth; /* number of types within which the next token stands */
};

/* Sets a message with the file and a line; 0 is that of the next token. Returns TRACE_ERR_FORMAT. */
int tsdl_fail(const struct tsdl_parser *p, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says that something else was expected than the next token. */
int tsdl_fail_expected(const struct tsdl_parser *p, const char *what);

int tsdl_advance(struct tsdl_parser *p);
bool tsdl_at_sign(const struct tsdl_parser *p, char sign);
bool tsdl_at_word(const struct tsdl_parser *p, const char *word);
int tsdl_expect_sign(struct tsdl_parser *p, char sign); /* and advances */
/* Advances if the next token is that; *had says whether. */
int tsdl_skip_sign(struct tsdl_parser *p, char sign, bool *had);
int tsdl_skip_word(struct tsdl_parser *p, const char *word, bool *had);

/* Copies a word into the arena, and advances. */
int tsdl_take_word(struct tsdl_parser *p, const char **out, const char *what);
/* The same of a word that is no keyword. */
int tsdl_take_name(struct tsdl_parser *p, const char **out, const char *what);
/* Copies a string literal. */
int tsdl_take_string(struct tsdl_parser *p, const char **out);
/* An integer constant, a negative one as two's complement, or a character. */
int tsdl_take_number(struct tsdl_parser *p, uint64_t *out, bool *is_negative);
/* Copies words with dots or arrows between them, as "a.b.c". */
int tsdl_take_path(struct tsdl_parser *p, const char **out);

/* Types that are declared between the two are forgotten. */
void tsdl_scope_enter(struct tsdl_parser *p, struct tsdl_scope *scope);
void tsdl_scope_leave(struct tsdl_parser *p);
int tsdl_scope_declare(struct tsdl_parser *p, enum tsdl_name_space space, const char *name,
                       const struct ctf_class *type);
const struct ctf_class *tsdl_scope_find(const struct tsdl_parser *p, enum tsdl_name_space space,
                                        const char *name);

#endif
