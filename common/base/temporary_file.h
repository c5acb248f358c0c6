/* SPDX-License-Identifier: MIT
 * Files for what does not fit into memory. They have no name, and vanish when they are closed.
 */
#ifndef BASE_TEMPORARY_FILE_H
#define BASE_TEMPORARY_FILE_H

/* Opens an empty file in the directory of the environment variable TMPDIR; without it in /var/tmp, since on
 * many systems /tmp is in memory; else in /tmp. *out: a descriptor for reading and writing, which the caller
 * closes. Errors: TRACE_ERR_IO. */
int temporary_file_open(int *out);

#endif
