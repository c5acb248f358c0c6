/* SPDX-License-Identifier: MIT
 * Tells records from other bytes in a ring, and finds the next record behind damage. A program that writes
 * through a wild pointer may hit the ring.
 */
#ifndef RECORDS_RECORD_CHECK_H
#define RECORDS_RECORD_CHECK_H

#include "records/record.h"

#include <stddef.h>

/* Returns true if r is well-formed. available: published bytes from the start of r. */
bool record_is_sound(const struct record *r, uint64_t available);

/* Returns how many of the `available` bytes at data must be skipped to reach the next record, at least 8: the
 * size of the damaged record if that is plausible, or all bytes if no record follows. The bytes are
 * contiguous and end at the end of a record. */
uint64_t record_next_sound(const uint8_t *data, uint64_t available);

#endif
