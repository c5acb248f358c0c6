/* SPDX-License-Identifier: MIT
 * Shows a trace on the standard output, as text or as JSON.
 */
#ifndef CLI_DUMP_TRACE_H
#define CLI_DUMP_TRACE_H

#include "dump_json.h"
#include "name_pattern.h"
#include "selected_calls.h"
#include "trace/text/call_text.h"

struct dump {
    struct call_selection selection;
    bool verbose;    /* also calls of little interest */
    bool grep_ready; /* only functions that match: */
    struct name_pattern grep;

    bool timestamps; /* show times; in JSON they are always there, if the trace has them */
    bool as_json;
    struct dump_json json;       /* one of the two is in use */
    struct trace_call_text text; /* and gives the rest of the style */

    uint64_t calls_read;
    int64_t flushed_at; /* clock_milliseconds(); 0: not yet */

    bool cut_off; /* the last trace was shown, as far as it goes */
    bool damaged; /* of one, parts could not be shown; the warnings are printed */
};

/* Shows the trace at path; text and json are initialised. ERR_TRUNCATED (cut_off): after all that is there.
 */
int dump_trace(struct dump *d, const char *path);

#endif
