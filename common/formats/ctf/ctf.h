/* SPDX-License-Identifier: MIT
 * Declarations that the row of the format and its source share. docs/ctf.md describes what is read.
 */
#ifndef CTF_H
#define CTF_H

#include "trace/trace_format.h"

#define CTF_NAME "ctf"

int ctf_bid(const struct trace_probe *probe);
int ctf_open(struct trace_source **out, struct trace_probe *probe);

#endif
