/* SPDX-License-Identifier: MIT
 * The first pass over a binary log: what is said of the whole, whatever its place.
 */
#ifndef SP_RTRACE_BINARY_SCAN_H
#define SP_RTRACE_BINARY_SCAN_H

#include "formats/sp_rtrace/declared.h"
#include "formats/shared/log_names.h"
#include "formats/sp_rtrace/packet_walk.h"

struct log_summary {
    bool has_process; /* the last PINF: */
    uint32_t pid;
    uint32_t seconds;
    uint32_t microseconds;
    uint32_t depth; /* NO_DEPTH: unknown */
    char *process;  /* owned */
    bool has_allocations;
    uint64_t lowest_block; /* ids of allocations */
    uint64_t highest_block;
    uint64_t unknown_packets;
    bool has_other_logs;      /* joined to the first one */
    struct declared declared; /* of heap statistics, the last */
};

/* Declares the log's types of resources in names. *out is to be finished also after an error. What is damaged
 * is passed over: the second pass tells of it. */
int binary_scan(struct log_summary *out, struct log_names *names, struct trace_file *file,
                const struct packet_style *style, uint64_t offset);
void log_summary_fini(struct log_summary *s);

/* What a packet declares; false: nothing. */
bool packet_declares(uint32_t type, enum declared_kind *kind);

/* The type that a RESR packet declares. Its strings are allocated; packet_resource_fini() frees them. */
int packet_resource(const struct packet_style *style, const uint8_t *data, struct trace_resource_type *out);
void packet_resource_fini(struct trace_resource_type *type);

#endif
