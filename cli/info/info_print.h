/* SPDX-License-Identifier: MIT
 * Prints the result of `trace-cli info` on the standard output.
 */
#ifndef CLI_INFO_PRINT_H
#define CLI_INFO_PRINT_H

#include "info/trace_info.h"

/* The names and the layout are those of `apitrace info`. */
void info_print_json(const struct trace_info *info);
void info_print_table(const struct trace_info *info);

#endif
