/* SPDX-License-Identifier: MIT
 * The tracepoint of write_lttng.c. LTTng's headers include this file several times.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_tick.h"

#if !defined(LTTNG_TICK_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_TICK_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(bench, tick, LTTNG_UST_TP_ARGS(int, number, const char *, text),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, n, number)
                                                   lttng_ust_field_string(msg, text)))

#endif
#include <lttng/tracepoint-event.h>
