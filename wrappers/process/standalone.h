/* SPDX-License-Identifier: MIT
 * Without a collector: the traced process encodes and writes its own trace, at flush points.
 */
#ifndef PROCESS_STANDALONE_H
#define PROCESS_STANDALONE_H

#include "records/ring_pool.h"

/* Opens the trace file: $TRACE_FILE, or a name made from the program's, with a number if such a file exists.
 * pool will map the segment's rings; it need not be ready yet. */
int standalone_open(struct segment *segment, const struct ring_pool *pool);

/* In a forked child: drops what was inherited, writing nothing. */
void standalone_forget(void);

/* Encodes and writes what all rings hold. last: also records that wait for others, which will not come any
 * more. False when the file can no longer be written. */
bool standalone_flush(bool last);

/* The same, but at most a few times a second. */
void standalone_offer_flush(void);

#endif
