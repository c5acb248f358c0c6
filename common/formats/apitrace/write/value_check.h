/* SPDX-License-Identifier: MIT
 * Can a call that a program made up be written so that every reader takes it?
 */
#ifndef TRACE_VALUE_CHECK_H
#define TRACE_VALUE_CHECK_H

#include "trace/model.h"

/* 0, or TRACE_ERR_USAGE with what is wrong and where. */
int trace_check_call(const struct trace_call *call);

#endif
