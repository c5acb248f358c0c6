/* SPDX-License-Identifier: MIT
 * What trace-cli writes of events that are no calls - resources, and facts about the program - as it was
 * before (docs/ctf.md, "Writing").
 */
#ifndef CTF_FACTS_H
#define CTF_FACTS_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "formats/ctf/ctf_arguments.h"
#include "trace/event.h"

/* Zero-initialise it before use. */
struct ctf_facts {
    struct arena arena;        /* what lives as long as the source */
    struct string_map types;   /* maps names of types of resources to their addresses */
    struct string_map sigs;    /* maps names of functions in sums to addresses of signatures */
    struct string_map strings; /* maps names to themselves */
};

void ctf_facts_fini(struct ctf_facts *f);

/* Finds out whether events of this class are such, and of which kind. */
void ctf_facts_classify(struct ctf_event_layout *layout);

/* Whether the stream's clock is trace-cli's count of events, because there were no times. */
bool ctf_facts_count_events(const struct ctf_trace *trace, const struct ctf_stream_layout *stream);

/* Makes *event, an instant of this class, what it was. Only resources keep the call. What lacks a field that
 * it cannot do without stays an instant. Errors: TRACE_ERR_MEMORY. */
int ctf_facts_understand(struct ctf_facts *f, struct ctf_functions *functions,
                         const struct ctf_event_layout *layout, struct arena *arena,
                         struct trace_event *event, struct trace_call *call);

#endif
