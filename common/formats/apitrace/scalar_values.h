/* SPDX-License-Identifier: MIT
 * Encodes values that have no signature. Each function writes to p, which must have room, and returns the
 * position after the value. The encoder uses them, and so do callers that reserve room for many arguments at
 * once, such as the collector of the capture.
 */
#ifndef FORMATS_SCALAR_VALUES_H
#define FORMATS_SCALAR_VALUES_H

#include "base/varint.h"
#include "trace/model.h"
#include "formats/apitrace/format.h"

#include <stdint.h>
#include <string.h>

#define TRACE_SCALAR_BYTES (1 + VARINT_MAX_BYTES) /* the highest size of a value */

static inline uint8_t *trace_put_tagged(uint8_t *p, uint8_t tag, uint64_t number)
{
    *p = tag;
    return p + 1 + varint_put(p + 1, number);
}

static inline uint8_t *trace_put_null(uint8_t *p)
{
    *p = TRACE_NULL;
    return p + 1;
}

static inline uint8_t *trace_put_uint(uint8_t *p, uint64_t value)
{
    return trace_put_tagged(p, TRACE_UINT, value);
}

/* Negative numbers have their own tag, followed by the magnitude. */
static inline uint8_t *trace_put_sint(uint8_t *p, int64_t value)
{
    return value < 0 ? trace_put_tagged(p, TRACE_SINT, 0 - (uint64_t)value)
                     : trace_put_uint(p, (uint64_t)value);
}

/* An address; 0 is encoded as NULL. */
static inline uint8_t *trace_put_opaque(uint8_t *p, uint64_t address)
{
    return address != 0 ? trace_put_tagged(p, TRACE_OPAQUE, address) : trace_put_null(p);
}

/* Floating-point values are stored in memory order, so only little-endian machines are supported. bits: a
 * float, which need not be aligned. */
static inline uint8_t *trace_put_float(uint8_t *p, const void *bits)
{
    *p = TRACE_FLOAT;
    memcpy(p + 1, bits, sizeof(float));
    return p + 1 + sizeof(float);
}

static inline uint8_t *trace_put_double(uint8_t *p, double value)
{
    *p = TRACE_DOUBLE;
    memcpy(p + 1, &value, sizeof value);
    return p + 1 + sizeof value;
}

/* Begins argument `index`; a value must follow. */
static inline uint8_t *trace_put_argument(uint8_t *p, uint32_t index)
{
    return trace_put_tagged(p, TRACE_DETAIL_ARG, index);
}

#endif
