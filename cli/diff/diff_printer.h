/* SPDX-License-Identifier: MIT
 * Declarations that the printers of all formats share.
 */
#ifndef CLI_DIFF_PRINTER_H
#define CLI_DIFF_PRINTER_H

#include "diff/diff_changes.h"
#include "diff/diff_align.h"
#include "diff/diff_trace.h"
#include "trace/text/call_text.h"

#define DIFF_WHOLE SIZE_MAX /* context value: print all calls, without headings */

enum diff_format {
    DIFF_LIKE_APITRACE,
    DIFF_UNIFIED,
    DIFF_SIDE_BY_SIDE,
};

struct diff_style {
    enum diff_format format;
    const struct diff_rules *rules; /* the rules with which the traces were compared */
    bool headings;                  /* print lines that say where each group of differences is */
    size_t context; /* number of equal calls around a difference; DIFF_LIKE_APITRACE: 0 or DIFF_WHOLE */
    unsigned width; /* side by side: total number of columns */
    bool call_nos;
    bool arg_names;
    bool color;
};

#define STYLE_NORMAL  "\33[0m"
#define STYLE_HEADING "\33[1m"
#define STYLE_PLACE   "\33[36m"
#define STYLE_DELETED "\33[31m"
#define STYLE_ADDED   "\33[32m"

struct diff_side {
    struct diff_cursor cursor;
    struct trace_call_text formatter; /* holds the text of the current call */
    size_t length;                    /* length of that text in bytes, without line end */
};

struct diff_printer {
    const struct diff_style *style;
    const struct diff_script *script;
    struct diff_side a, b;
    struct buf out;
};

/* A call's text, without line end. */
struct diff_line {
    const char *text;
    size_t size;
    struct diff_changes changes;
};

int diff_put_style(struct diff_printer *p, const char *code);
int diff_end_line(struct diff_printer *p, const char *code);

/* Takes the side's next call and formats it. */
int diff_take_call(struct diff_side *s);

/* Prints the text up to the column `limit`, with its changed parts highlighted. */
int diff_put_line(struct diff_printer *p, const struct diff_line *l, size_t limit);

/* Aligns the calls of a hunk by function. Between the hunks of *out, calls are of the same functions. */
int diff_pair_by_name(const struct diff_printer *p, const struct diff_hunk *h, struct diff_script *out);

#endif
