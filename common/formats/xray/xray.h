/* SPDX-License-Identifier: MIT
 * Declarations that the XRay formats share. docs/xray-format.md describes the formats byte by byte.
 */
#ifndef XRAY_H
#define XRAY_H

#include "trace/trace_format.h"

#define XRAY_NAME         "xray"
#define XRAY_PROFILE_NAME "xray-profile"

/* Properties of a log, besides those that formats share. */
#define XRAY_VERSION_PROPERTY      "xray.version"
#define XRAY_TYPE_PROPERTY         "xray.type" /* "fdr", "basic" or "profile" */
#define XRAY_FREQUENCY_PROPERTY    "xray.cycle-frequency"
#define XRAY_CONSTANT_TSC_PROPERTY "xray.constant-tsc" /* "yes" or "no"; likewise the next */
#define XRAY_NONSTOP_TSC_PROPERTY  "xray.nonstop-tsc"
#define XRAY_BUFFER_SIZE_PROPERTY  "xray.buffer-size" /* bytes */
#define XRAY_NAMED_PROPERTY        "xray.named"       /* "yes": functions have names where they are known */

int xray_bid(const struct trace_probe *probe);
int xray_open(struct trace_source **out, struct trace_probe *probe);

/* Both write logs of a flight data recorder: of version 5, and of version 1 as the document describes it. */
int xray_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);
int xray_1_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

/* What the runtime's profiling mode writes. */
int xray_profile_bid(const struct trace_probe *probe);
int xray_profile_open(struct trace_source **out, struct trace_probe *probe);

int xray_yaml_create(struct trace_sink **out, const char *path, const struct trace_sink_options *options);

#endif
