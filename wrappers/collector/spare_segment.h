/* SPDX-License-Identifier: MIT
 * A segment made in advance, for a process that may not make one itself: a seccomp filter may kill it for
 * memfd_create() or socket(). It opens the segment by a name beside the socket, and claims it in the segment
 * itself; a thread here then announces it on the socket in the process's name, and makes the next one.
 */
#ifndef COLLECTOR_SPARE_SEGMENT_H
#define COLLECTOR_SPARE_SEGMENT_H

struct spare_segments;

/* socket_path: the collector's, borrowed. The caller owns *out. */
int spare_segments_start(struct spare_segments **out, const char *socket_path);

/* To be called before the collector stops listening. s may be NULL. */
void spare_segments_stop(struct spare_segments *s);

#endif
