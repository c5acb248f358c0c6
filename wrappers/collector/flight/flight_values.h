/* SPDX-License-Identifier: MIT
 * The values in the events of a call that the collector has encoded.
 */
#ifndef COLLECTOR_FLIGHT_VALUES_H
#define COLLECTOR_FLIGHT_VALUES_H

#include "collector/flight/flight_store.h"

#define FLIGHT_MAX_ARGS 32 /* those behind are not seen */

struct flight_values {
    const uint8_t *args[FLIGHT_MAX_ARGS]; /* where the values begin, in the call's events; NULL: absent */
    const uint8_t *ret;
    const uint8_t *end[2]; /* of the enter and the leave event */
};

/* Finds the values; they are lent from call. Of a value in both events, the leave's counts. Returns false if
 * the events are not what the encoder writes. */
bool flight_values_find(struct flight_values *out, const struct flight_call *call);

/* The end of the value at `at`. NULL: it is malformed. */
const uint8_t *flight_value_end(const struct flight_values *v, const uint8_t *at);

/* The number, enum, bitmask, boolean or address there; 0 if it is none of these. */
uint64_t flight_value_uint(const struct flight_values *v, const uint8_t *at);

/* Returns the first element of the array there, or NULL. */
const uint8_t *flight_value_array(const struct flight_values *v, const uint8_t *at, uint64_t *count);

#endif
