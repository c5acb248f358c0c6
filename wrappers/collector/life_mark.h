/* SPDX-License-Identifier: MIT
 * Says in a segment that the collector's thread lives: a robust futex, which the kernel marks when the thread
 * ends, also by SIGKILL. Needs no descriptor, and holds across namespaces and reused process ids.
 */
#ifndef COLLECTOR_LIFE_MARK_H
#define COLLECTOR_LIFE_MARK_H

#include "records/shared_ring.h"

#include <linux/futex.h>

/* The list that the kernel walks is here, in the collector's own memory: the program cannot lead it astray.
 */
struct life_mark {
    struct robust_list_head head;
    struct robust_list entry;
};

/* The calling thread serves s from here on, until it ends. One mark a thread; it has to stay where it is, and
 * s mapped, for as long. The thread may have no robust mutexes of its own. */
void life_mark_set(struct life_mark *mark, struct segment_control *s);

/* Takes it back: the thread may go on without s. */
void life_mark_clear(struct life_mark *mark, struct segment_control *s);

#endif
