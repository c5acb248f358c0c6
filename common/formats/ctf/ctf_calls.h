/* SPDX-License-Identifier: MIT
 * Calls of functions among the events: LTTng's cyg-profile libraries record that a function was entered or
 * left, by its address.
 */
#ifndef CTF_CALLS_H
#define CTF_CALLS_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "formats/ctf/decode/ctf_layout.h"
#include "formats/ctf/ctf_arguments.h"
#include "trace/mapped_files.h"

struct ctf_call_stack;

struct ctf_calls {
    struct arena arena;       /* signatures, and stacks of threads */
    struct int_map functions; /* maps an address to a signature's */
    struct int_map threads;   /* maps process and thread to the address of a stack */
    struct mapped_files modules;
    struct ctf_functions named;
    const struct trace_origin *last_origin; /* whose stack was used last */
    struct ctf_call_stack *last_stack;
};

void ctf_calls_init(struct ctf_calls *c);
void ctf_calls_fini(struct ctf_calls *c);

/* Makes *event, an instant of this class, the end of a call if it is one, with its signature and its number;
 * a call that is entered gets the event's number. Its fields are then only in its record, but for the
 * arguments that trace-cli writes, whose values are in the arena. Remembers where files are mapped, by which
 * functions get their names. Errors: TRACE_ERR_MEMORY. */
int ctf_calls_understand(struct ctf_calls *c, const struct ctf_event_layout *layout, struct arena *arena,
                         struct trace_event *event, struct trace_call *call);

/* Finds out what events of this class mean. */
void ctf_calls_classify(struct ctf_event_layout *layout);

#endif
