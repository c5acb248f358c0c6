/* SPDX-License-Identifier: MIT
 * What is kept from one state dump to the next: the memory of pictures and texts, because pages that come
 * from the system take longer than what is written to them, and the names of enums.
 */
#ifndef RETRACE_STATE_MEMORY_H
#define RETRACE_STATE_MEMORY_H

#include "base/buf.h"
#include "base/hash_map.h"
#include "image/png_encoder.h"

/* Zero-initialise it before use. */
struct state_memory {
    struct int_map enum_names; /* maps values to indices in spec_groups[0]; empty before the first dump */
    struct buf pixels;         /* of the picture that is being dumped */
    struct buf text;           /* of the dump */
    struct png_encoder encoder;
};

static inline void state_memory_fini(struct state_memory *m)
{
    int_map_fini(&m->enum_names);
    buf_fini(&m->pixels);
    buf_fini(&m->text);
    png_encoder_fini(&m->encoder);
}

#endif
