/* SPDX-License-Identifier: MIT
 * A trace format. Each has one row in the registry (formats/format_registry.c) and a directory below
 * formats/.
 */
#ifndef TRACE_FORMAT_ROW_H
#define TRACE_FORMAT_ROW_H

#include "trace/probe.h"
#include "trace/sink.h"
#include "trace/source.h"

enum {
    TRACE_BID_NONE = 0,      /* not this format */
    TRACE_BID_LAST = 1,      /* could be a format without a magic number; used if no other format matches */
    TRACE_BID_LIKELY = 50,   /* looks like this format */
    TRACE_BID_CERTAIN = 100, /* begins with the format's magic number */
};

/* The form in which the sink of a format requires calls. Code that copies a trace converts them if possible.
 */
enum trace_takes {
    TRACE_TAKES_ANY_CALLS = 0, /* whole calls, and ends of calls */
    TRACE_TAKES_WHOLE_CALLS,
    TRACE_TAKES_ENDS_OF_CALLS, /* in chronological order */
};

struct trace_format {
    const char *name;    /* for --to and `trace-cli formats` */
    const char *summary; /* one line */

    /* Says how certain it is that the file has this format. Only reads the head. NULL: the format can only be
     * written. */
    int (*bid)(const struct trace_probe *probe);

    /* Says what a file resembles that is not quite of this format, in words that follow "it looks like". The
     * text is for the error message if no format's magic number is found. It must not match traces of other
     * formats. Returns a constant, or NULL if the file does not resemble this format. May be NULL. */
    const char *(*likeness)(const struct trace_probe *probe);

    /* Opens a source. On success the source takes over the file (trace_probe_take_file()). NULL: the format
     * can only be written. */
    int (*open)(struct trace_source **out, struct trace_probe *probe);

    /* Creates a file. options is never NULL here. NULL: the format can only be read. */
    int (*create)(struct trace_sink **out, const char *path, const struct trace_sink_options *options);
    enum trace_takes takes; /* the sink that it creates */
    bool is_folder;         /* its traces are folders */
    bool is_export;         /* no format reads what it creates: it is for other programs */

    /* The name of the format in which `dump` prints traces of this one. NULL: as calls, like apitrace. */
    const char *text;
};

#endif
