/* SPDX-License-Identifier: MIT
 * Prints calls of interest into a buffer, as text or as JSON. Each thread that prints has one of its own.
 */
#ifndef CLI_DUMP_PRINTER_H
#define CLI_DUMP_PRINTER_H

#include "dump/dump_json.h"
#include "dump/name_pattern.h"
#include "trace/text/call_text.h"

struct dump_printer_options {
    bool verbose;     /* also calls of little interest */
    const char *grep; /* only functions that match this name_pattern; NULL: all */
    bool as_json;
    enum dump_blobs blobs; /* in JSON */
    struct trace_call_text_style style;
};

struct dump_printer {
    const struct dump_printer_options *options;
    struct name_pattern grep;
    uint64_t hidden;             /* calls that were not printed, being of little interest */
    struct dump_json json;       /* one of the two is in use */
    struct trace_call_text text; /* and holds what is printed */
};

/* A printer is large: keep it off the stack. The options are borrowed. TRACE_ERR_USAGE: grep is not a
 * pattern; then there is nothing to free. */
int dump_printer_init(struct dump_printer *p, const struct dump_printer_options *options);
/* Many calls are to come. */
void dump_printer_expect_many(struct dump_printer *p);
void dump_printer_fini(struct dump_printer *p);

/* The printed text, which the caller empties when it takes it. */
struct buf *dump_printer_output(struct dump_printer *p);

/* Prints what precedes the calls of a trace. */
int dump_printer_put_trace(struct dump_printer *p, const struct trace_reader *reader, const char *path);

/* The call that the reader has returned last, if it is of interest. TRACE_ERR_IO when a blob could not be
 * written.
 */
int dump_printer_put(struct dump_printer *p, const struct trace_reader *reader,
                     const struct trace_call *call);

/* Call this before signatures that the printer has seen are freed. */
void dump_printer_forget_signatures(struct dump_printer *p);

#endif
