/* SPDX-License-Identifier: MIT
 * Arguments of calls, of which XRay has numbers only.
 */
#ifndef XRAY_ARGS_H
#define XRAY_ARGS_H

#include "trace/model.h"

/* Returns true if the value can be an argument in a log. */
bool xray_arg_is_number(const struct trace_value *value);

/* Returns how many of the call's arguments from this one on are known. */
uint32_t xray_args_known_from(const struct trace_call *call, uint32_t first);

#endif
