/* SPDX-License-Identifier: MIT
 * Calls of functions that take nothing but floats, such as glVertex3f(), are almost always encoded alike:
 * only the floats differ. One masked comparison recognises such a call, and the floats are copied from where
 * they always are. Private to plain_calls.c.
 */
#ifndef TRACE_PLAIN_FLOATS_H
#define TRACE_PLAIN_FLOATS_H

#include "formats/apitrace/scan/event_shapes.h"

struct trace_plain_function;

#define TRACE_PLAIN_FLOATS (TRACE_SHAPE_BYTES / 5) /* a float takes five bytes, with its tag */

struct trace_plain_floats {
    unsigned count;           /* of the floats; 0: calls of the function have no such form */
    struct trace_shape shape; /* the arguments, up to the end of the details */
    struct {
        uint8_t from; /* bytes from the start of the encoded arguments */
        uint8_t to;   /* bytes from the start of the arguments in memory */
    } floats[TRACE_PLAIN_FLOATS];
};

/* Says what calls of a function with arg_count arguments look like. */
void trace_plain_floats_init(struct trace_plain_floats *f, const struct trace_plain_function *function,
                             uint32_t arg_count);

/* Reads the arguments at p, after which TRACE_SHAPE_BYTES are readable. Returns the position of the end of
 * the details, or NULL if they have another form. f->count must not be 0. */
static inline const uint8_t *trace_plain_floats_read(const struct trace_plain_floats *f, const uint8_t *p,
                                                     uint8_t *out)
{
    if (!trace_shape_fits(&f->shape, p))
        return NULL;
    for (unsigned i = 0, count = f->count; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, p + f->floats[i].from, sizeof bits);
        memcpy(out + f->floats[i].to, &bits, sizeof bits);
    }
    return p + f->shape.size;
}

#endif
