/* SPDX-License-Identifier: MIT
 * Text as manual pages have it: groff's man macros, with what is special to them escaped.
 */
#ifndef CLI_GENERATE_ROFF_H
#define CLI_GENERATE_ROFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Is this word of capitals one to be filled in, and so to be set in italics? */
typedef bool (*roff_is_placeholder)(const void *context, const char *word, size_t length);

/* How text is marked up. Zero: not at all. */
struct roff_marks {
    roff_is_placeholder is_placeholder;
    const void *context;
    bool sentence; /* begins with a capital and ends with a full stop */
};

/* As it is. */
void roff_literal(FILE *out, const char *text, size_t length);
void roff_literal_string(FILE *out, const char *text);

/* Running text: options bold, placeholders in italics, line ends as they are. Ends with one. */
void roff_text(FILE *out, const char *text, size_t length, const struct roff_marks *marks);

/* The same for help's paragraphs: blank lines divide them, indented lines stay apart. */
void roff_paragraphs(FILE *out, const char *text, const struct roff_marks *marks);

/* Command lines, each with its line end. */
void roff_examples(FILE *out, const char *lines);

#endif
