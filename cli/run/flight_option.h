/* SPDX-License-Identifier: MIT
 * How much a flight recorder keeps, as the user says it.
 */
#ifndef CLI_FLIGHT_OPTION_H
#define CLI_FLIGHT_OPTION_H

#include "collector/flight/flight_recorder.h"

/* Parses "64M", "30s", or both, with a comma in between. A duration alone is limited to 1 GiB. Errors:
 * TRACE_ERR_USAGE, with a message that says what is possible. */
int flight_option_parse(struct flight_limits *out, const char *text);

#endif
