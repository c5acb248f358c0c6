/* SPDX-License-Identifier: MIT
 * The rows of the formats in the registry.
 */
#include "formats/xray/xray.h"

extern const struct trace_format trace_format_xray;
extern const struct trace_format trace_format_xray_1;
extern const struct trace_format trace_format_xray_profile;
extern const struct trace_format trace_format_xray_yaml;

const struct trace_format trace_format_xray = {
    .name = XRAY_NAME,
    .summary = "XRay's logs: flight data recorder, versions 1 to 5; basic, 1 to 3; writes FDR 5",
    .bid = xray_bid,
    .open = xray_open,
    .create = xray_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
};

const struct trace_format trace_format_xray_1 = {
    .name = "xray-1",
    .summary = "XRay's flight data recorder logs as the document of version 1 describes them",
    .create = xray_1_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
};

const struct trace_format trace_format_xray_profile = {
    .name = XRAY_PROFILE_NAME,
    .summary = "XRay's profiles: sums of the calls of each path",
    .bid = xray_profile_bid,
    .open = xray_profile_open,
};

const struct trace_format trace_format_xray_yaml = {
    .name = "xray-yaml",
    .summary = "the YAML that llvm-xray makes of a log",
    .create = xray_yaml_create,
    .takes = TRACE_TAKES_ENDS_OF_CALLS,
    .is_export = true,
};
