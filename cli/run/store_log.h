/* SPDX-License-Identifier: MIT
 * Makes an XRay log of what a traced process has left in its store (wrappers/xray/xray_store.h).
 */
#ifndef CLI_STORE_LOG_H
#define CLI_STORE_LOG_H

#include "collector/tick_clock.h"
#include "xray/xray_store.h"

#include <stdbool.h>

/* Two measurements of the clock that the records were stamped with, as far apart as can be. */
struct store_clock {
    enum capture_clock clock;
    struct tick_pair first, last;
};

/* Returns 1 if it cannot be determined. */
double store_clock_ticks_per_nanosecond(const struct store_clock *c);

struct store_log {
    const struct store_clock *clock;
    int store;       /* descriptor of the store, for reading and writing */
    int32_t process; /* whose store it is */
    uint64_t chunks; /* that it has */
    uint64_t records, bytes;
};

/* Reads the header of the store. Returns false if it is none, because the process was killed before. */
bool store_log_read_header(int store, struct xray_store *out);

/* Writes the log of l->store to `output`, a descriptor, and counts records and bytes. The store of a process
 * that has ended gives back its disk space meanwhile, and is empty then. Errors: TRACE_ERR_IO,
 * TRACE_ERR_MEMORY. */
int store_log_write(struct store_log *l, int output);

/* Gives the disk space of a part that has been read back: if the process has used all, the log has no other.
 * Where this cannot be done, the log may not fit. offset and size are in bytes. */
void store_log_give_back(int file, uint64_t offset, uint64_t size);

/* Returns whether the store has any record. */
bool store_log_has_records(const struct store_log *l);

#endif
