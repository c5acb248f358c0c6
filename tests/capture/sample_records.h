/* SPDX-License-Identifier: MIT
 * Records that a test writes, and the trace that they become.
 */
#ifndef SAMPLE_RECORDS_H
#define SAMPLE_RECORDS_H

#include "records/record_encoder.h"
#include "records/shared_ring.h"

#include "formats/apitrace/read/reader.h"

/* Appends a record with a body of count words; an ENTER or LEAVE takes its place in the order. Returns where
 * it is in the ring. wait is called when there is no room. */
uint8_t *append_record(struct ring_producer *p, uint16_t function, uint8_t kind, const uint64_t *words,
                       unsigned count, bool (*wait)(struct ring_producer *p));

/* What was encoded, as a trace. The caller closes it. */
struct trace_reader *open_encoded(const struct record_encoder *encoder);

#endif
