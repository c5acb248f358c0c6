/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/plain_floats.h"

#include "formats/apitrace/format.h"
#include "formats/apitrace/read/plain_function.h"

/* Appends bytes that must be equal. Returns false if the shape has no room. */
static bool add_bytes(struct trace_plain_floats *f, const uint8_t *bytes, unsigned count)
{
    struct trace_shape *shape = &f->shape;
    if (shape->size + count > TRACE_SHAPE_BYTES)
        return false;
    memcpy(shape->bytes + shape->size, bytes, count);
    memset(shape->mask + shape->size, 0xff, count);
    shape->size += count;
    return true;
}

/* Appends a float, which is stored at the offset `to`. */
static bool add_float(struct trace_plain_floats *f, unsigned to)
{
    const uint8_t tag = TRACE_FLOAT;
    if (to > UINT8_MAX || !add_bytes(f, &tag, 1) || f->shape.size + sizeof(float) > TRACE_SHAPE_BYTES)
        return false;
    f->floats[f->count].from = (uint8_t)f->shape.size;
    f->floats[f->count].to = (uint8_t)to;
    f->count++;
    f->shape.size += sizeof(float);
    return true;
}

static bool add_param(struct trace_plain_floats *f, const struct trace_plain_param *param, uint32_t index)
{
    const uint8_t head[] = {TRACE_DETAIL_ARG, (uint8_t)index, TRACE_ARRAY, param->count};
    unsigned elements = param->count > 0 ? param->count : 1;
    bool added = param->kind == TRACE_PLAIN_F32 && add_bytes(f, head, param->count > 0 ? 4 : 2);
    for (unsigned i = 0; added && i < elements; ++i)
        added = add_float(f, param->offset + i * (unsigned)sizeof(float));
    return added;
}

void trace_plain_floats_init(struct trace_plain_floats *f, const struct trace_plain_function *function,
                             uint32_t arg_count)
{
    bool fits = true;
    *f = (struct trace_plain_floats){.count = 0};
    for (uint32_t i = 0; fits && i < arg_count; ++i)
        fits = add_param(f, &function->params[i], i);
    if (!fits)
        f->count = 0;
}
