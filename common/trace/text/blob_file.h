/* SPDX-License-Identifier: MIT
 * Writes blobs to separate files, with the names that `apitrace dump --blobs` gives them.
 */
#ifndef TRACE_BLOB_FILE_H
#define TRACE_BLOB_FILE_H

#include <stdint.h>

#define TRACE_BLOB_PATH_SIZE 48

/* Writes count bytes to a file in the current directory. Its name is blob_callNUMBER.bin for the first blob
 * of a call (index 0), and blob_callNUMBER_INDEX.bin for the others. path receives the name. Errors:
 * TRACE_ERR_IO. */
int trace_blob_write_file(char path[TRACE_BLOB_PATH_SIZE], const uint8_t *bytes, uint64_t count,
                          uint64_t call_number, unsigned index);

#endif
