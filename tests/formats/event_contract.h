/* SPDX-License-Identifier: MIT
 * Reads a source to its end and checks what every reader of events relies on (trace/event.h, trace/source.h).
 */
#ifndef TESTS_EVENT_CONTRACT_H
#define TESTS_EVENT_CONTRACT_H

#include "trace/source.h"

#include <stddef.h>

/* What a source yielded. */
struct events_read {
    size_t events;   /* all but the end */
    size_t threads;  /* different ones that are known */
    size_t calls;    /* those with a call */
    size_t losses;   /* how often the file was damaged or ended too early */
    bool has_failed; /* with an error that ends the reading */
};

/* Reads all of the source, whose messages begin with name and which yields no more than limit events and
 * losses. is_sound: the file is not damaged, so no error is allowed, and declarations come first. Several
 * events are held before they are released. A breach fails the test. */
struct events_read event_contract_read(struct trace_source *source, const char *name, size_t limit,
                                       bool is_sound);

/* An error of opening or reading: its code is one that those may return, and its message begins with name. */
void event_contract_check_error(int rc, const char *name);

#endif
