/* SPDX-License-Identifier: MIT
 * Checks that a call that a program composed can be written so that every reader accepts it.
 */
#ifndef TRACE_VALUE_CHECK_H
#define TRACE_VALUE_CHECK_H

#include "trace/model.h"

/* Returns 0, or TRACE_ERR_USAGE with a message that says what is wrong and where. */
int trace_check_call(const struct trace_call *call);

#endif
