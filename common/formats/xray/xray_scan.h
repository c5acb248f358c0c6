/* SPDX-License-Identifier: MIT
 * The first pass through a log: finds its headers and segments, and what belongs to none. Of a buffer, only
 * what it begins with is read, except in version 1, where only its last record tells where it ends.
 */
#ifndef XRAY_SCAN_H
#define XRAY_SCAN_H

#include "formats/xray/xray_log.h"

/* The file of the log, which is not a pipe, begins with a header. Errors: TRACE_ERR_FORMAT (it does not),
 * TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int xray_scan(struct xray_log *log);

#endif
