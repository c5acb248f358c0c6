/* SPDX-License-Identifier: MIT
 * Tells records from other bytes in a ring, and finds the next record behind damage. A program that writes
 * through a wild pointer may hit the ring.
 */
#ifndef RECORDS_RECORD_CHECK_H
#define RECORDS_RECORD_CHECK_H

#include "records/record.h"

#include <stddef.h>

/* Could a producer have written this, with `available` bytes published from its start on? */
bool record_is_sound(const struct record *r, uint64_t available);

/* How many of the `available` bytes at data to skip, at least 8, so that records follow again. If the size of
 * the record at data is right, that is its size; if nothing that looks like records follows, it is all of
 * them. The bytes are contiguous, and end where a record ends. */
uint64_t record_next_sound(const uint8_t *data, uint64_t available);

#endif
