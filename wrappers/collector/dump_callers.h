/* SPDX-License-Identifier: MIT
 * Those who have asked for files of all flight recorders (trace-cli trigger), and wait until these are
 * written.
 */
#ifndef COLLECTOR_DUMP_CALLERS_H
#define COLLECTOR_DUMP_CALLERS_H

#include "collector/rendezvous.h"
#include "collector/session.h"

/* A file that a caller waits for. */
struct dump_part {
    const struct session *session;
    uint64_t request;
};

struct dump_callers {
    struct dump_caller {
        int fd; /* the connection for the answer */
        struct dump_part *parts;
        size_t count;
    } list[RENDEZVOUS_CALLERS];
    unsigned count;
};

/* Asks all sessions of the list for files. The caller with this connection is answered when they are written.
 * Returns why there will be none, or NULL. */
const char *dump_callers_add(struct dump_callers *c, int fd, struct session *sessions);

/* Answers those whose files are written: their names, a line each. The sessions must still exist. */
void dump_callers_answer(struct dump_callers *c);

#endif
