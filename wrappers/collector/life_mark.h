/* SPDX-License-Identifier: MIT
 * Marks in a segment that the collector's thread is alive, with a robust futex: the kernel changes the futex
 * when the thread ends, even by SIGKILL. This needs no descriptor, and works across namespaces and with
 * reused process ids.
 */
#ifndef COLLECTOR_LIFE_MARK_H
#define COLLECTOR_LIFE_MARK_H

#include "records/shared_ring.h"

#include <linux/futex.h>

/* The robust list that the kernel walks is in the collector's own memory, where the program cannot damage it.
 */
struct life_mark {
    struct robust_list_head head;
    struct robust_list entry;
};

/* Marks that the calling thread serves s until it ends. A thread has one mark. Until then, the mark must not
 * be moved and s must not be unmapped. The thread must not have robust mutexes of its own. */
void life_mark_set(struct life_mark *mark, struct segment_control *s);

/* Clears the mark: the thread continues, but no longer serves s. */
void life_mark_clear(struct life_mark *mark, struct segment_control *s);

#endif
