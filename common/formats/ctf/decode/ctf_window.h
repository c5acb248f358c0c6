/* SPDX-License-Identifier: MIT
 * The part of a stream file that is in memory. It is smaller than that of file_window.h, because a trace may
 * have hundreds of streams.
 */
#ifndef CTF_WINDOW_H
#define CTF_WINDOW_H

#include "base/buf.h"
#include "formats/ctf/decode/ctf_files.h"

struct ctf_window {
    struct ctf_file *file; /* lent */
    size_t step;           /* bytes that are read at once */
    uint64_t start;        /* file offset of the first byte in memory */
    struct buf bytes;
};

void ctf_window_fini(struct ctf_window *w);

/* Gets the bytes from offset on, lent until the next call; *got is at least count, unless the file ends
 * before. Bytes before offset are forgotten. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int ctf_window_get(struct ctf_window *w, uint64_t offset, size_t count, const uint8_t **out, size_t *got);

#endif
