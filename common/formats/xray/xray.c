/* SPDX-License-Identifier: MIT
 * The rows of the formats in the registry.
 */
#include "formats/xray/xray.h"

extern const struct trace_format trace_format_xray;

const struct trace_format trace_format_xray = {
    .name = XRAY_NAME,
    .summary = "XRay's logs: flight data recorder, versions 1 to 5; basic, versions 1 to 3",
    .bid = xray_bid,
    .open = xray_open,
};
