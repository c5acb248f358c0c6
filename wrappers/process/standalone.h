/* SPDX-License-Identifier: MIT
 * Recording without a collector: the traced process encodes and writes its own trace at certain calls.
 */
#ifndef PROCESS_STANDALONE_H
#define PROCESS_STANDALONE_H

#include "records/ring_pool.h"

/* Opens the trace file: $TRACE_FILE, or a name made from the program's, with a number if the file exists.
 * pool will map the segment's rings; it need not be initialised yet. */
int standalone_open(struct segment *segment, const struct ring_pool *pool);

/* In a forked child: drops what was inherited, without writing. */
void standalone_forget(void);

/* Encodes and writes the contents of all rings. last: also records that wait for others, which will not come
 * any more. Returns false if the file cannot be written any more. */
bool standalone_flush(bool last);

/* Does the same, but at most a few times a second. */
void standalone_offer_flush(void);

#endif
