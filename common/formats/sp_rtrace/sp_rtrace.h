/* SPDX-License-Identifier: MIT
 * Declarations that the sp-rtrace formats share. docs/sp-rtrace-format.md describes the formats byte by byte.
 */
#ifndef SP_RTRACE_H
#define SP_RTRACE_H

#include "trace/trace_format.h"

#define SP_RTRACE_TEXT   "sp-rtrace-text" /* the name of the text format */
#define SP_RTRACE_FILTER "header.filter"  /* the property that names the filters applied to a log */

/* The only known flag of a resource type. Other flags are words in a text, and bits in a binary log. */
#define TEXT_REFCOUNT "refcount"

/* The tool that wrote a binary log. The log does not contain it; this is the name and version of the last
 * release. */
#define SP_RTRACE_TRACER "sp-rtrace 1.8"

int sp_rtrace_binary_bid(const struct trace_probe *probe);
int sp_rtrace_binary_open(struct trace_source **out, struct trace_probe *probe);

/* The first writes logs as programs of version 2.0 do, the second as the document of version 1.4 describes
 * them. */
int sp_rtrace_binary_create(struct trace_sink **out, const char *path,
                            const struct trace_sink_options *options);
int sp_rtrace_document_create(struct trace_sink **out, const char *path,
                              const struct trace_sink_options *options);

const char *sp_rtrace_binary_likeness(const struct trace_probe *probe);
const char *sp_rtrace_text_likeness(const struct trace_probe *probe);

int sp_rtrace_text_bid(const struct trace_probe *probe);
int sp_rtrace_text_open(struct trace_source **out, struct trace_probe *probe);
int sp_rtrace_text_create(struct trace_sink **out, const char *path,
                          const struct trace_sink_options *options);

/* Puts a call of a group that shares a backtrace into a sink of the text format. summary: for the last call
 * of the group, a comment that is written between it and the backtrace; NULL for the other calls. */
int sp_rtrace_text_put_member(struct trace_sink *sink, const struct trace_event *event, const char *summary);

#endif
