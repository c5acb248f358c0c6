/* SPDX-License-Identifier: MIT
 * Prints calls into a buffer, as text or as JSON. Selects calls by name, and leaves out verbose ones. Each
 * thread has its own printer.
 */
#ifndef CLI_DUMP_PRINTER_H
#define CLI_DUMP_PRINTER_H

#include "formats/apitrace/read/reader.h"
#include "trace/text/trace_json.h"
#include "dump/name_pattern.h"
#include "formats/ctf/babeltrace/babeltrace.h"
#include "trace/text/call_text.h"

struct dump_printer_options {
    bool verbose;     /* also print calls with the flag TRACE_CALL_VERBOSE */
    const char *grep; /* print only functions that match this name_pattern; NULL: all */
    bool as_json;
    bool as_fdr_records;         /* the records of a log of XRay, in the order of the file */
    const char *format;          /* name of the format that is printed instead of text or JSON; NULL: none */
    enum trace_json_blobs blobs; /* for JSON */
    struct babeltrace_style babeltrace; /* for the format of that name */
    struct trace_call_text_style style;
};

struct dump_printer {
    const struct dump_printer_options *options;
    struct name_pattern grep;
    uint64_t hidden;             /* number of calls that were left out because they are verbose */
    struct trace_json json;      /* one of these two is used, depending on the options; */
    struct trace_call_text text; /* this one contains the output in either case */
};

/* A printer is large, so do not put it on the stack. The options are borrowed. Errors: TRACE_ERR_USAGE if
 * grep is not a valid pattern; there is then nothing to free. */
int dump_printer_init(struct dump_printer *p, const struct dump_printer_options *options);
/* Call this if many calls will follow. */
void dump_printer_expect_many(struct dump_printer *p);
void dump_printer_fini(struct dump_printer *p);

/* Returns the buffer with the output. The caller clears it after use. */
struct buf *dump_printer_output(struct dump_printer *p);

/* Prints what comes before the calls of a trace. */
int dump_printer_put_trace(struct dump_printer *p, const struct trace_reader *reader, const char *path);

/* Prints the call that the reader returned last, unless the options leave it out. Errors: TRACE_ERR_MEMORY,
 * TRACE_ERR_IO (a blob cannot be written). */
int dump_printer_put(struct dump_printer *p, const struct trace_reader *reader,
                     const struct trace_call *call);

/* Prints some of the calls of a batch that follow, if there is a faster way for them, and returns how many.
 * The next call must be printed by dump_printer_put(). */
uint64_t dump_printer_put_scalar_calls(struct dump_printer *p, struct trace_reader *clone);

/* Call this before signatures that the printer has seen are freed. */
void dump_printer_forget_signatures(struct dump_printer *p);

#endif
