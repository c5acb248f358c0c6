/* SPDX-License-Identifier: MIT
 * What a source does with events before the time from which on they are wanted: it passes over packets, and
 * over events in those packets that it has to read.
 */
#ifndef CTF_PASSING_H
#define CTF_PASSING_H

#include "formats/ctf/decode/ctf_merge.h"
#include "trace/source.h"

struct ctf_passing {
    trace_begin_chooser chooser; /* NULL: all events are wanted */
    void *context;
    bool needs_modules; /* there are calls, whose functions are named by where files are mapped */
    bool is_chosen;     /* the next member counts */
    int64_t begin;
};

/* Returns whether the item, which was just taken, is before the time from which on events are wanted. */
bool ctf_passing_takes(struct ctf_passing *p, const struct ctf_stream *s);

/* Passes over packets that end before that time, if nothing of them is needed: the first packets of a stream
 * tell where files were mapped when a program began. *done: the item is gone. Otherwise, the caller reads its
 * event or passes over it. Errors: those of ctf_merge_next(). */
int ctf_passing_skip(struct ctf_passing *p, struct ctf_merge *m, struct ctf_stream *s, bool *done);

#endif
