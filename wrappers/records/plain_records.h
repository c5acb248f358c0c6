/* SPDX-License-Identifier: MIT
 * A fast path of the encoder, for functions whose arguments and result are scalars, but for at most one short
 * array. Most calls of most programs are calls of such functions. The first eight bytes of such a record are
 * the same for every call of the function, and so is the shape of the events. Both are computed once.
 */
#ifndef RECORDS_PLAIN_RECORDS_H
#define RECORDS_PLAIN_RECORDS_H

#include "records/encoder_state.h"

/* Errors: TRACE_ERR_MEMORY. */
int plain_encoder_init(struct plain_encoder *p);
void plain_encoder_fini(struct plain_encoder *p);

/* Call this when the signature of f has been written. Its records can be plain from now on. */
void plain_encoder_learn(struct record_encoder *e, const struct spec_function *f);

/* Encodes the plain records at the start of [records, records + size). The first record must be of thread t
 * and have the number `order`; each following one must have the next number. full_time is the time of the
 * ring's last record with RECORD_FULL_TIME. *count receives the number of records. Returns their size in
 * bytes. Stops at the first record that needs record_encode(), and when memory runs out. */
size_t plain_records_encode(struct record_encoder *e, struct record_thread *t, const uint8_t *records,
                            size_t size, uint64_t order, uint64_t full_time, uint64_t *count);

/* Passes all encoded events to the hook. */
void plain_records_tell(struct record_encoder *e);

#endif
