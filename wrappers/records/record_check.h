/* SPDX-License-Identifier: MIT
 * Which bytes of a ring can be a record, and where records go on behind some that cannot. A program that
 * writes where it should not may have hit the ring.
 */
#ifndef RECORDS_RECORD_CHECK_H
#define RECORDS_RECORD_CHECK_H

#include "records/record.h"

#include <stddef.h>

/* Could a producer have written this, with `available` bytes published from its start on? */
bool record_is_sound(const struct record *r, uint64_t available);

/* How many of the `available` bytes at data (contiguous, and ending where a record ends) are to be passed
 * over, from 8 up, so that what follows are records again: that of the one at data if its size is right. All
 * of them if nothing follows that looks like records. */
uint64_t record_next_sound(const uint8_t *data, uint64_t available);

#endif
