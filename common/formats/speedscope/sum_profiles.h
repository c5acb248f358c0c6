/* SPDX-License-Identifier: MIT
 * Sums of calls as profiles of Speedscope: stacks with weights, which have no order.
 */
#ifndef SPEEDSCOPE_SUM_PROFILES_H
#define SPEEDSCOPE_SUM_PROFILES_H

#include "formats/shared/log_output.h"
#include "formats/shared/summed_calls.h"

/* Writes a profile for each thread of the sums, which are finished. frames: the index of each function's
 * frame, by its number. follows: there is a profile before them. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int sum_profiles_put(const struct summed_calls *sums, const uint64_t *frames, bool follows,
                     struct log_output *out);

#endif
