/* SPDX-License-Identifier: MIT
 * Gets the segment of a traced process. The process creates it and announces itself on the collector's
 * socket. A process that must not do that claims a segment that the collector has created in advance.
 */
#ifndef PROCESS_SEGMENT_SOURCE_H
#define PROCESS_SEGMENT_SOURCE_H

#include "records/shared_ring.h"

#include <sys/resource.h>
#include <sys/types.h>

/* socket_path: the collector's. *collector receives its process id, if it has sent one. Errors:
 * TRACE_ERR_UNSUPPORTED if the collector refuses, TRACE_ERR_IO. */
int segment_source_open(struct segment *out, const char *socket_path, pid_t *collector);

/* Tells the collector that this process is not recorded. */
void segment_source_decline(const char *socket_path);

/* Returns true if this process has a seccomp filter that the collector does not have. The filter's rules
 * cannot be read, and it may kill the process for a system call. */
bool segment_source_is_filtered(void);

/* Raises the limit of open descriptors, for a program that may have used all of its own. Returns true if it
 * did. The caller must then restore the old limit, *limit, with setrlimit() soon. */
bool descriptor_limit_raise(struct rlimit *limit);

#endif
