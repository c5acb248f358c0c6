/* SPDX-License-Identifier: MIT
 * Writes records for tests, and opens the trace that they become.
 */
#ifndef SAMPLE_RECORDS_H
#define SAMPLE_RECORDS_H

#include "records/record_encoder.h"
#include "records/shared_ring.h"

#include "formats/apitrace/read/reader.h"

/* Appends a record with a body of count words. An ENTER or LEAVE gets the next order number. Returns its
 * place in the ring. wait is called if there is no room. */
uint8_t *append_record(struct ring_producer *p, uint16_t function, uint8_t kind, const uint64_t *words,
                       unsigned count, bool (*wait)(struct ring_producer *p));

/* Opens the encoded events as a trace. The caller closes it. */
struct trace_reader *open_encoded(const struct record_encoder *encoder);

#endif
