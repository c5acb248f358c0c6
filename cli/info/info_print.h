/* SPDX-License-Identifier: MIT
 * What `trace-cli info` tells, on the standard output.
 */
#ifndef CLI_INFO_PRINT_H
#define CLI_INFO_PRINT_H

#include "info/trace_info.h"

/* With the names and the layout of `apitrace info`. */
void info_print_json(const struct trace_info *info);
void info_print_table(const struct trace_info *info);

#endif
