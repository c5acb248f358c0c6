/* SPDX-License-Identifier: MIT
 * Declarations that the row of the format and its source share. docs/ctf.md describes what is read.
 */
#ifndef CTF_H
#define CTF_H

#include "trace/trace_format.h"

#define CTF_NAME     "ctf"
#define CTF2_NAME    "ctf2"
#define CTF_RFC_NAME "ctf-rfc"

/* A variable of the environment of what trace-cli writes, and its value. */
#define CTF_WRITER      "writer"
#define CTF_WRITER_NAME "trace-cli"

/* The clock of what it writes of a trace without times. */
#define CTF_EVENT_COUNT "event_count"

int ctf_bid(const struct trace_probe *probe);
int ctf_open(struct trace_source **out, struct trace_probe *probe);
int ctf_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);
int ctf2_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);
int ctf_rfc_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
