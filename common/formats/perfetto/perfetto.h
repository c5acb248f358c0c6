/* SPDX-License-Identifier: MIT
 * Perfetto's traces: a stream of packets in protobuf's encoding (docs/perfetto-format.md).
 */
#ifndef PERFETTO_H
#define PERFETTO_H

#include "trace/trace_format.h"

int perfetto_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
