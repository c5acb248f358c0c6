/* SPDX-License-Identifier: MIT
 * The records of a basic log, which all have the same size.
 */
#ifndef XRAY_BASIC_H
#define XRAY_BASIC_H

#include "formats/xray/xray_records.h"

#define XRAY_BASIC_SIZE 32

enum xray_basic_kind {
    XRAY_BASIC_FUNCTION,
    XRAY_BASIC_ARGUMENT, /* of the call before it */
    XRAY_BASIC_NOTHING,  /* not a record */
};

struct xray_basic_record {
    enum xray_basic_kind kind;
    enum xray_action action;
    int32_t cpu; /* -1: not told */
    uint32_t function;
    uint64_t ticks; /* ARGUMENT: its value */
    int64_t thread;
    int64_t process; /* -1: not told, as before version 3 */
};

void xray_basic_decode(const struct xray_header *h, const uint8_t *bytes, struct xray_basic_record *out);

#endif
