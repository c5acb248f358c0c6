/* SPDX-License-Identifier: MIT
 * Whether the events of a trace of version 1.1 are aligned as its layout has it. Section 4.1.2 leaves it to
 * the architecture whether basic types, and with them the headers of events, have their natural alignment or
 * that of a byte, and no metadata tell.
 */
#ifndef RFC_PACKING_H
#define RFC_PACKING_H

#include "formats/ctf/decode/ctf_stream.h"

/* Reads the first packets of a few of `count` stream files. *out is in how many there was an event that
 * cannot be read, or is later than the end of its packet. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int rfc_packing_count_misfits(const struct ctf_stream_place *place, char *const *streams, size_t count,
                              unsigned *out);

#endif
