/* SPDX-License-Identifier: MIT
 * How many elements a pointer argument refers to.
 * specgen compiles each length rule into a short program over the call's arguments; what also depends on GL
 * state comes from struct spec_state, which the caller tracks (never queried from the driver).
 */
#ifndef RUNTIME_LENGTH_H
#define RUNTIME_LENGTH_H

#include "runtime/spec.h"

/* glPixelStorei parameters of one direction; zero-initialised plus alignment 4 is GL's initial state. */
struct spec_pixel_store {
    int32_t row_length, image_height, skip_rows, skip_pixels, skip_images, alignment;
};

/* Questions about state that is not tracked, asked only for sizes that rare calls need. Any member may be
 * NULL: the length is then unknown. */
/* Queries of one number by two. */
enum spec_query {
    SPEC_QUERY_MAP, /* the product of its two, when there are two */
    SPEC_QUERY_COLOR_TABLE,
    SPEC_QUERY_CONVOLUTION,
    SPEC_QUERY_HISTOGRAM,
    SPEC_QUERY_PROGRAM_ARB,
    SPEC_QUERY_PROGRAM_NV,
    SPEC_QUERY_PATH
};

struct spec_driver {
    void *context; /* passed to the functions */
    /* What glGetIntegerv answers to pname; -1 when it cannot be told. */
    int64_t (*get_integer)(void *context, uint32_t pname);
    /* … glGetTexLevelParameteriv to pname; -1 likewise, as below. */
    int64_t (*get_level)(void *context, uint32_t target, int32_t level, uint32_t pname);
    /* … glGetTextureLevelParameterivEXT, or (unit) glGetMultiTexLevelParameterivEXT. */
    int64_t (*get_named_level)(void *context, bool unit, uint32_t name, uint32_t target, int32_t level,
                               uint32_t pname);
    /* … glGetMapiv, glGetColorTableParameteriv and so on, to a target or object and a pname. */
    int64_t (*get_parameter)(void *context, enum spec_query query, uint32_t of, uint32_t pname);
    /* … glGetNamedProgramivEXT. */
    int64_t (*get_named_program)(void *context, uint32_t program, uint32_t target, uint32_t pname);
    /* Values that glGetUniform* writes for one element of the uniform at location. */
    int64_t (*get_uniform_size)(void *context, uint32_t program, int32_t location);
    /* Can these bytes be read? Asked before any pointer of the call is followed; NULL: all can. */
    bool (*is_readable)(const void *memory, size_t size);
};

/* GL state that sizes depend on, of the current context. */
struct spec_state {
    struct spec_pixel_store unpack, pack;
    bool unpack_buffer, pack_buffer; /* a buffer is bound to GL_PIXEL_(UN)PACK_BUFFER: pointers are offsets */
    bool element_buffer;             /* … to GL_ELEMENT_ARRAY_BUFFER (of the current vertex array object) */
    bool array_buffer;               /* … to GL_ARRAY_BUFFER */
    bool indirect_buffer;            /* … to GL_DRAW_INDIRECT_BUFFER */
    bool query_buffer;               /* … to GL_QUERY_BUFFER */
    const struct spec_driver *driver; /* NULL: none to ask */
};

enum {
    SPEC_LENGTH_UNKNOWN = -1, /* no rule, not computable, or not readable: record the address */
    SPEC_LENGTH_OFFSET = -2,  /* the pointer is an offset into a bound buffer: record the address */
};

#define SPEC_MAX_ATTRIBS 4096 /* elements of an attribute list; unknown when it has no end by then */
#define SPEC_MAX_STRING  ((size_t)256 << 20) /* characters of a string that are looked at for its NUL */

/* Elements (bytes for BLOB, characters for STRING, pointers for STRINGS, 1 for STRUCT) that parameter index
 * of f refers to in this call, or one of the negative codes. args holds every argument, pointers as passed;
 * pointers that the rule names are dereferenced, so for OUT parameters call it after the function has run. A
 * string without a NUL ends with the memory. The length is what the call says: that much need not be
 * readable. */
int64_t spec_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                    const struct spec_state *state);

/* The same after the function has run, when its rule may also name what it returned. */
int64_t spec_output_length(const struct spec_function *f, const union spec_arg *args,
                           const union spec_arg *ret, unsigned index, const struct spec_state *state);

/* The same for what a returned pointer refers to. */
int64_t spec_return_length(const struct spec_function *f, const union spec_arg *args,
                           const union spec_arg *ret, const struct spec_state *state);

/* Characters of string, which is (or was, when other threads change the array) element of parameter index,
 * whose form is SPEC_FORM_STRINGS: what the lengths array says, or up to its NUL; SPEC_LENGTH_UNKNOWN when
 * the string is NULL or not readable. */
int64_t spec_string_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                           size_t element, const char *string, const struct spec_state *state);

/* Bytes that pointer `element` of parameter index, whose form is SPEC_FORM_BLOBS, refers to, or one of the
 * negative codes. Arrays that the rule names stand for their element of the same number. */
int64_t spec_item_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                         size_t element, const struct spec_state *state);

/* Elements that one entry of an attribute list takes: 2 (key and value), or 1 for the terminator and for keys
 * that have no value. p is a parameter with SPEC_PARAM_ATTRIBS. */
unsigned spec_attrib_width(const struct spec_param *p, int64_t key);

/* Bytes of an image that GL reads (or writes) for these parameters with this pixel store: 0 when GL has no
 * such format or type, or the sizes are wrong, for then it reads nothing; SPEC_LENGTH_UNKNOWN on overflow.
 * For calls without a depth, pass 1 and a store whose image members are zero. */
int64_t spec_image_size(uint32_t format, uint32_t type, int64_t width, int64_t height, int64_t depth,
                        const struct spec_pixel_store *store);

/* Bytes of one pixel, rounded up; 0 when format or type is not known. */
int64_t spec_pixel_size(uint32_t format, uint32_t type);

#endif
