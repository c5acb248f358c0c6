/* SPDX-License-Identifier: MIT
 * A trace format: one row in the registry (formats/format_registry.c), in a directory of its own below
 * formats/.
 */
#ifndef TRACE_FORMAT_ROW_H
#define TRACE_FORMAT_ROW_H

#include "trace/probe.h"
#include "trace/sink.h"
#include "trace/source.h"

enum {
    TRACE_BID_NONE = 0,      /* not this format */
    TRACE_BID_LAST = 1,      /* a format without a mark: if nobody else wants it */
    TRACE_BID_LIKELY = 50,   /* it reads like this format */
    TRACE_BID_CERTAIN = 100, /* it has the format's mark */
};

struct trace_format {
    const char *name;    /* for --to and `formats` */
    const char *summary; /* one line */

    /* How sure is it that this is the format? Looks at the head, reads nothing else. NULL: is only written.
     */
    int (*bid)(const struct trace_probe *probe);

    /* What a file looks like that is not quite of this format, in words that follow "it looks like": for the
     * message, if no format's mark is there. It must not take another format's traces for that. A constant;
     * NULL: like nothing of this format. May be NULL itself. */
    const char *(*likeness)(const struct trace_probe *probe);

    /* Opens a source, which takes the file over (trace_probe_take_file()) if it succeeds. NULL: is only
     * written. */
    int (*open)(struct trace_source **out, struct trace_probe *probe);

    /* Begins a file. NULL: is only read. */
    int (*create)(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

    /* The name of the format in which `dump` prints a trace of this one; NULL: as calls, like apitrace. */
    const char *text;
};

#endif
