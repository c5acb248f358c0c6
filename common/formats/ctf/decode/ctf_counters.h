/* SPDX-License-Identifier: MIT
 * The counters by which losses are found. A tracer may write an instance of a stream class to one file after
 * another, even in several directories: its counters go on from file to file.
 */
#ifndef CTF_COUNTERS_H
#define CTF_COUNTERS_H

#include "base/hash_map.h"
#include "formats/ctf/ctf_types.h"

/* What the packets before told. */
struct ctf_counters {
    bool has_discarded;
    bool has_sequence;
    bool has_time;
    uint64_t discarded; /* events, so far */
    uint64_t sequence;  /* number of the last packet */
    uint64_t end_clock; /* at its end */
};

/* The counters of all instances. Zero-initialise it. */
struct ctf_instances {
    struct string_map by_name;
};

void ctf_instances_fini(struct ctf_instances *instances);

/* Finds the counters of an instance, which live until ctf_instances_fini(). Traces with the same UUID are
 * one. Errors: TRACE_ERR_MEMORY, also if there are more than a million. */
int ctf_instances_find(struct ctf_instances *instances, const struct ctf_trace *trace, uint64_t stream_class,
                       uint64_t instance, struct ctf_counters **out);

#endif
