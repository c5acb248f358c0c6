/* SPDX-License-Identifier: MIT
 * Shows in a segment that the collector's thread is alive, by a robust futex: the kernel marks it when the
 * thread ends, also by SIGKILL. It needs no descriptor, and works across namespaces and with reused process
 * ids.
 */
#ifndef COLLECTOR_LIFE_MARK_H
#define COLLECTOR_LIFE_MARK_H

#include "records/shared_ring.h"

#include <linux/futex.h>

/* The list that the kernel walks lies in the collector's own memory, where the program cannot damage it.
 */
struct life_mark {
    struct robust_list_head head;
    struct robust_list entry;
};

/* The calling thread serves s from now on, until it ends. A thread has one mark. The mark must not be moved,
 * nor s unmapped, until then. The thread must have no robust mutexes of its own. */
void life_mark_set(struct life_mark *mark, struct segment_control *s);

/* Clears the mark: the thread goes on, but no longer serves s. */
void life_mark_clear(struct life_mark *mark, struct segment_control *s);

#endif
