/* SPDX-License-Identifier: MIT
 * Where a traced process gets its segment from. It makes one and announces itself on the collector's socket.
 * A process that may not do that claims a segment that the collector made in advance.
 */
#ifndef PROCESS_SEGMENT_SOURCE_H
#define PROCESS_SEGMENT_SOURCE_H

#include "records/shared_ring.h"

#include <sys/resource.h>
#include <sys/types.h>

/* socket_path: the collector's. *collector: its process, where it said so. TRACE_ERR_UNSUPPORTED when it
 * refuses.
 */
int segment_source_open(struct segment *out, const char *socket_path, pid_t *collector);

/* Tells the collector that this process is not recorded. */
void segment_source_decline(const char *socket_path);

/* Does a seccomp filter hold for this process that does not hold for the collector? It cannot be read, and
 * may kill the process for a system call. */
bool segment_source_is_filtered(void);

/* Raises the limit of open descriptors, for a program that may have used all of its own. True if it did: the
 * caller soon restores *limit, the old limit, by setrlimit(). */
bool descriptor_limit_raise(struct rlimit *limit);

#endif
