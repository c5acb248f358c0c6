/* SPDX-License-Identifier: MIT
 * Completes a trace whose sender did not come to its end.
 */
#ifndef CLI_RECEIVED_END_H
#define CLI_RECEIVED_END_H

/* Cuts the file after its last whole event, and adds an index. It must end with a whole chunk. Errors, after
 * which the file has no index: TRACE_ERR_IO, TRACE_ERR_FORMAT, TRACE_ERR_TRUNCATED, TRACE_ERR_MEMORY. */
int received_end_complete(const char *path);

#endif
