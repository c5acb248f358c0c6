/* SPDX-License-Identifier: MIT
 * Where a traced process gets its segment from: it makes one and announces itself on the collector's socket,
 * or, where it may not do that, it claims one that the collector made ahead.
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

/* Tells the collector that this process, which may have printed why, is not recorded. */
void segment_source_decline(const char *socket_path);

/* Does a seccomp filter hold for this process that does not hold for the collector? It cannot be read, and
 * may kill the process for a system call. */
bool segment_source_is_filtered(void);

/* A program may have used up its descriptors: gives it some more, where it could take them itself. True with
 * the old limit in *limit, for setrlimit() soon. */
bool descriptor_limit_raise(struct rlimit *limit);

#endif
