/* SPDX-License-Identifier: MIT
 * What the driver says about calls (--debug), and what debuggers of GPUs are told about them (--markers).
 */
#ifndef RETRACE_DRIVER_MESSAGES_H
#define RETRACE_DRIVER_MESSAGES_H

#include "replayer.h"

/* Makes the driver report to stderr what it says about calls of the current context, if it can. */
void driver_messages_begin(struct replayer *r);

/* Inserts the number and the name of a call into the commands, if the driver can do that. */
void driver_messages_mark(struct replayer *r, const struct trace_call *call);

#endif
