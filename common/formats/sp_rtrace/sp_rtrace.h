/* SPDX-License-Identifier: MIT
 * What the parts of sp-rtrace's formats share. docs/sp-rtrace-format.md describes the formats byte by byte.
 */
#ifndef SP_RTRACE_H
#define SP_RTRACE_H

#include "trace/trace_format.h"

#define SP_RTRACE_TEXT   "sp-rtrace-text" /* the name of the text format */
#define SP_RTRACE_FILTER "header.filter"  /* the property that says what was done with a log */

/* The tool that made a binary log: it does not say, and this is what the last release calls itself. */
#define SP_RTRACE_TRACER "sp-rtrace 1.8"

int sp_rtrace_binary_bid(const struct trace_probe *probe);
int sp_rtrace_binary_open(struct trace_source **out, struct trace_probe *probe);

/* What programs of version 2.0 write and read, and what the document of version 1.4 says. */
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

/* Puts a call of several that share a backtrace into a sink of the text format. summary: a comment behind the
 * last of them, before the backtrace; NULL: others of the group follow. */
int sp_rtrace_text_put_member(struct trace_sink *sink, const struct trace_event *event, const char *summary);

#endif
