/* SPDX-License-Identifier: MIT
 * Reads a source to its end and checks what every reader of events relies on (trace/event.h, trace/source.h).
 */
#ifndef TESTS_EVENT_CONTRACT_H
#define TESTS_EVENT_CONTRACT_H

#include "trace/source.h"

#include <stddef.h>

/* What a source yielded. */
struct events_read {
    size_t events;   /* number of events, without the end */
    size_t threads;  /* number of different known threads */
    size_t calls;    /* number of events with a call */
    size_t losses;   /* how often the file was damaged or truncated */
    bool has_failed; /* reading ended with an error */
};

/* Reads the source to its end. Its messages must begin with name, and it must not yield more than limit
 * events and losses. is_sound: the file is not damaged, so no error is allowed, and declarations come first.
 * Several events are held before they are released. A breach of the contract fails the test. */
struct events_read event_contract_read(struct trace_source *source, const char *name, size_t limit,
                                       bool is_sound);

/* Checks an error of opening or reading: its code must be one that these functions may return, and its
 * message must begin with name. */
void event_contract_check_error(int rc, const char *name);

#endif
