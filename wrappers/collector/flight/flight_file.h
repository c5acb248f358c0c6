/* SPDX-License-Identifier: MIT
 * Writes what a flight recorder holds into a trace file, as trace-cli trim would copy it from a trace of
 * everything: signatures are defined where they are first used, calls are numbered from 0, an index is at the
 * end. The calls that made the state come first.
 */
#ifndef COLLECTOR_FLIGHT_FILE_H
#define COLLECTOR_FLIGHT_FILE_H

#include "collector/flight/flight_snapshot.h"

struct flight_written {
    uint64_t calls, frames;
    uint64_t bytes; /* of the file */
};

/* Writes the trace to fd. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. The file is of no use then. */
int flight_file_write(const struct flight_snapshot *s, int fd, struct flight_written *out);

#endif
