/* SPDX-License-Identifier: MIT
 * The quick way from records to events. It takes the records of functions whose arguments and result are all
 * scalars, which are most calls of most programs. All records of such a function begin with the same eight
 * bytes, and all its events have the same shape: both are worked out once.
 */
#ifndef RECORDS_PLAIN_RECORDS_H
#define RECORDS_PLAIN_RECORDS_H

#include "records/encoder_state.h"

int plain_encoder_init(struct plain_encoder *p); /* TRACE_ERR_MEMORY */
void plain_encoder_fini(struct plain_encoder *p);

/* To be called when f's signature has been written. From now on its records may be plain. */
void plain_encoder_learn(struct record_encoder *e, const struct spec_function *f);

/* Encodes the plain records at the front of the size bytes at records, which begin with a record of thread t.
 * The first one has to have the number order, and each the number after the last one's. full_time: of the
 * ring's last record with RECORD_FULL_TIME. *count: how many there were. Returns their size in bytes. Stops
 * at any record that needs record_encode(), and where memory runs out. */
size_t plain_records_encode(struct record_encoder *e, struct record_thread *t, const uint8_t *records,
                            size_t size, uint64_t order, uint64_t full_time, uint64_t *count);

/* Tells the hook about all events that are encoded. */
void plain_records_tell(struct record_encoder *e);

#endif
