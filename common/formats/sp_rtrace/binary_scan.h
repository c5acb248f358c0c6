/* SPDX-License-Identifier: MIT
 * The first pass over a binary log. It collects what applies to the whole log, wherever it is stored.
 */
#ifndef SP_RTRACE_BINARY_SCAN_H
#define SP_RTRACE_BINARY_SCAN_H

#include "formats/sp_rtrace/declared.h"
#include "formats/shared/log_names.h"
#include "formats/sp_rtrace/packet_walk.h"

struct log_summary {
    bool has_process; /* from the last PINF packet */
    uint32_t pid;
    uint32_t seconds;
    uint32_t microseconds;
    uint32_t depth; /* NO_DEPTH: unknown */
    char *process;  /* owned */
    bool has_allocations;
    uint64_t lowest_block; /* lowest and highest id of an allocation */
    uint64_t highest_block;
    uint64_t unknown_packets;
    bool has_other_logs;      /* other logs are joined to the first one */
    struct declared declared; /* of statistics of the heap, only the last ones */
};

/* Scans the log and declares its resource types in names. Call log_summary_fini() even after an error.
 * Damaged parts are skipped, since the second pass reports them. */
int binary_scan(struct log_summary *out, struct log_names *names, struct trace_file *file,
                const struct packet_style *style, uint64_t offset);
void log_summary_fini(struct log_summary *s);

/* Says what a packet declares. Returns false if it declares nothing. */
bool packet_declares(uint32_t type, enum declared_kind *kind);

/* Reads the resource type that a RESR packet declares. Its strings are allocated; packet_resource_fini()
 * frees them. */
int packet_resource(const struct packet_style *style, const uint8_t *data, struct trace_resource_type *out);
void packet_resource_fini(struct trace_resource_type *type);

#endif
