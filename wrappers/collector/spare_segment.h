/* SPDX-License-Identifier: MIT
 * A segment that is created in advance for processes that must not create one, because a seccomp filter may
 * kill them for memfd_create() or socket(). Such a process opens the segment by a name beside the socket, and
 * claims it in the segment itself. A thread then announces the process on the socket, and creates the next
 * segment.
 */
#ifndef COLLECTOR_SPARE_SEGMENT_H
#define COLLECTOR_SPARE_SEGMENT_H

struct spare_segments;

/* socket_path: the collector's; borrowed. The caller owns *out. */
int spare_segments_start(struct spare_segments **out, const char *socket_path);

/* Call it before the collector stops listening. s may be NULL. */
void spare_segments_stop(struct spare_segments *s);

#endif
