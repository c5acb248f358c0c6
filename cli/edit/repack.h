/* SPDX-License-Identifier: MIT
 * Compresses a trace of apitrace's format in another way: the same stream in another container.
 */
#ifndef CLI_REPACK_H
#define CLI_REPACK_H

#include "trace/container_kind.h"
#include "trace/probe.h"

struct repack_options {
    enum trace_container container;
    int level;
    unsigned jobs; /* threads that compress */
    bool verify;   /* read the output back before it gets its name */
};

/* Takes over the probe's file; trace_probe_close() follows in any case. out_path must not be the same file.
 */
int repack_probed(const struct repack_options *o, struct trace_probe *probe, const char *out_path);

#endif
