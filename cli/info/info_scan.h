/* SPDX-License-Identifier: MIT
 * One pass over the events of a trace that counts what `trace-cli info` tells.
 */
#ifndef CLI_INFO_SCAN_H
#define CLI_INFO_SCAN_H

#include "info/trace_info.h"
#include "input/event_input.h"

/* Fills *info, in which path and what is wanted are set, from the input or from its index, as far as it can
 * be read. Warns of what is wrong with either. */
int info_scan(struct trace_info *info, struct event_input *in);

#endif
