/* SPDX-License-Identifier: MIT
 * How many elements a pointer argument refers to.
 * specgen compiles each length rule into a short program over the call's arguments; what also depends on GL state
 * comes from struct spec_state, which the caller tracks (never queried from the driver).
 */
#ifndef RUNTIME_LENGTH_H
#define RUNTIME_LENGTH_H

#include "runtime/spec.h"

/* glPixelStorei parameters of one direction; zero-initialised plus alignment 4 is GL's initial state. */
struct spec_pixel_store {
    int32_t row_length, image_height, skip_rows, skip_pixels, skip_images, alignment;
};

/* GL state that sizes depend on, of the current context. */
struct spec_state {
    struct spec_pixel_store unpack, pack;
    bool unpack_buffer, pack_buffer;     /* a buffer is bound to GL_PIXEL_(UN)PACK_BUFFER: pointers are offsets */
    bool element_buffer;                 /* … to GL_ELEMENT_ARRAY_BUFFER (of the current vertex array object) */
    bool array_buffer;                   /* … to GL_ARRAY_BUFFER */
    bool indirect_buffer;                /* … to GL_DRAW_INDIRECT_BUFFER */
    bool query_buffer;                   /* … to GL_QUERY_BUFFER */
};

enum {
    SPEC_LENGTH_UNKNOWN = -1, /* no rule, or not computable: record the address */
    SPEC_LENGTH_OFFSET = -2,  /* the pointer is an offset into a bound buffer: record the address */
};

/* Elements (bytes for BLOB, characters for STRING, pointers for STRINGS) that parameter index of f refers to in
 * this call, or one of the negative codes. args holds every argument, pointers as passed; pointers that the
 * rule names are dereferenced, so for OUT parameters call it after the function has run. */
int64_t spec_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                    const struct spec_state *state);

#endif
