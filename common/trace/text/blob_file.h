/* SPDX-License-Identifier: MIT
 * Blobs as files of their own, named as `apitrace dump --blobs` names them.
 */
#ifndef TRACE_BLOB_FILE_H
#define TRACE_BLOB_FILE_H

#include <stdint.h>

#define TRACE_BLOB_PATH_SIZE 48

/* Writes count bytes into a file of the current directory: blob_callNUMBER.bin, for further blobs of a call
 * (index 1, 2, …) blob_callNUMBER_INDEX.bin. path: room for its name. TRACE_ERR_IO. */
int trace_blob_write_file(char path[TRACE_BLOB_PATH_SIZE], const uint8_t *bytes, uint64_t count,
                          uint64_t call_number, unsigned index);

#endif
