/* SPDX-License-Identifier: MIT
 * Writes text for manual pages, in groff's man macros. Characters that are special to groff are escaped.
 */
#ifndef CLI_GENERATE_ROFF_H
#define CLI_GENERATE_ROFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns true if this word of capitals is a placeholder, which is set in italics. */
typedef bool (*roff_is_placeholder)(const void *context, const char *word, size_t length);

/* How text is marked up. All zero: not at all. */
struct roff_marks {
    roff_is_placeholder is_placeholder;
    const void *context;
    bool sentence; /* give the text a capital letter and a full stop */
};

/* Writes text as it is, without markup. */
void roff_literal(FILE *out, const char *text, size_t length);
void roff_literal_string(FILE *out, const char *text);

/* Writes running text: options in bold, placeholders in italics. Line ends are kept; the last line gets one.
 */
void roff_text(FILE *out, const char *text, size_t length, const struct roff_marks *marks);

/* Does the same for the paragraphs of help texts. Blank lines separate paragraphs, and indented lines are not
 * joined. */
void roff_paragraphs(FILE *out, const char *text, const struct roff_marks *marks);

/* Writes examples: command lines, each with its line end. */
void roff_examples(FILE *out, const char *lines);

#endif
