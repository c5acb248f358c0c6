/* SPDX-License-Identifier: MIT
 * Reads the events of a trace once and counts what `trace-cli info` prints.
 */
#ifndef CLI_INFO_SCAN_H
#define CLI_INFO_SCAN_H

#include "info/trace_info.h"
#include "input/event_input.h"

/* Fills in *info from the index, or by reading the input as far as possible. The caller sets path and what is
 * wanted. Warns of errors in the index and the input. */
int info_scan(struct trace_info *info, struct event_input *in);

#endif
