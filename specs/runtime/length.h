/* SPDX-License-Identifier: MIT
 * The number of elements to which a pointer argument refers. specgen compiles each length rule to a short
 * program, which computes the length from the call's arguments. Some lengths also depend on GL state. The
 * caller tracks most of that state in struct spec_state; the rest is queried from the driver through struct
 * spec_driver.
 */
#ifndef RUNTIME_LENGTH_H
#define RUNTIME_LENGTH_H

#include "runtime/spec.h"

/* The glPixelStorei parameters for one direction. GL's initial state is an alignment of 4 and zero for the
 * rest. inverted (GL_PACK_INVERT_MESA, GL_PACK_REVERSE_ROW_ORDER_ANGLE): rows are stored from the last one to
 * the first, so that those that are skipped are below the address; 0 or 1. */
struct spec_pixel_store {
    int32_t row_length, image_height, skip_rows, skip_pixels, skip_images, alignment, inverted;
};

/* The queries of spec_driver.get_parameter(). */
enum spec_query {
    SPEC_QUERY_MAP, /* if the result has two numbers, their product */
    SPEC_QUERY_COLOR_TABLE,
    SPEC_QUERY_CONVOLUTION,
    SPEC_QUERY_HISTOGRAM,
    SPEC_QUERY_PROGRAM_ARB,
    SPEC_QUERY_PROGRAM_NV,
    SPEC_QUERY_PATH
};

/* Queries of the driver, for state that is not tracked. Only rare calls need them. Each get function returns
 * -1 if it has no answer. Any of them may be NULL; lengths that need it are then unknown. */
struct spec_driver {
    void *context; /* passed to the functions */
    /* Queries glGetIntegerv. */
    int64_t (*get_integer)(void *context, uint32_t pname);
    /* Queries glGetTexLevelParameteriv. */
    int64_t (*get_level)(void *context, uint32_t target, int32_t level, uint32_t pname);
    /* Queries glGetTextureLevelParameterivEXT, or glGetMultiTexLevelParameterivEXT if unit is true: name is
     * then a texture unit. */
    int64_t (*get_named_level)(void *context, bool unit, uint32_t name, uint32_t target, int32_t level,
                               uint32_t pname);
    /* Queries glGetMapiv, glGetColorTableParameteriv, … `of` is a target or the name of an object. */
    int64_t (*get_parameter)(void *context, enum spec_query query, uint32_t of, uint32_t pname);
    /* Queries glGetNamedProgramivEXT. */
    int64_t (*get_named_program)(void *context, uint32_t program, uint32_t target, uint32_t pname);
    /* Returns how many values glGetUniform* writes for one element of the uniform at location. */
    int64_t (*get_uniform_size)(void *context, uint32_t program, int32_t location);
    /* Tells whether these bytes can be read. It is asked before any pointer of the call is followed. NULL:
     * all memory can be read. */
    bool (*is_readable)(const void *memory, size_t size);
};

/* The GL state of the current context that lengths depend on. While a buffer is bound to one of the targets
 * below, pointers that the target concerns are offsets into the buffer. */
struct spec_state {
    struct spec_pixel_store unpack, pack;
    bool unpack_buffer, pack_buffer;  /* GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_PACK_BUFFER */
    bool element_buffer;              /* GL_ELEMENT_ARRAY_BUFFER, of the current vertex array object */
    bool array_buffer;                /* GL_ARRAY_BUFFER */
    bool indirect_buffer;             /* GL_DRAW_INDIRECT_BUFFER */
    bool query_buffer;                /* GL_QUERY_BUFFER */
    const struct spec_driver *driver; /* NULL: there is no driver to ask */
};

enum {
    SPEC_LENGTH_UNKNOWN = -1, /* no rule, not computable, or memory not readable: record the address */
    SPEC_LENGTH_OFFSET = -2,  /* the pointer is an offset into a bound buffer: record the address */
};

#define SPEC_MAX_ATTRIBS 4096 /* elements; the length of an attribute list with more is unknown */
#define SPEC_MAX_STRING  ((size_t)256 << 20) /* characters of a string that are searched for its NUL */

/* Returns how many elements parameter index of f refers to in this call, or one of the negative codes.
 * Elements are bytes for BLOB, characters for STRING and pointers for STRINGS; a STRUCT is 1 element. args
 * holds every argument, pointers as passed. Pointers that the rule names are dereferenced: for an OUT
 * parameter, ask after the function has run. A string without a NUL ends where readable memory ends.
 * Otherwise the length is what the call claims; the memory need not be readable that far. */
int64_t spec_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                    const struct spec_state *state);

/* Does the same as spec_length() after the function has run. The rule may also use the return value, *ret. */
int64_t spec_output_length(const struct spec_function *f, const union spec_arg *args,
                           const union spec_arg *ret, unsigned index, const struct spec_state *state);

/* Does the same as spec_output_length() for a returned pointer. */
int64_t spec_return_length(const struct spec_function *f, const union spec_arg *args,
                           const union spec_arg *ret, const struct spec_state *state);

/* Returns the length of one string of parameter index, whose form is SPEC_FORM_STRINGS: what the array of
 * lengths says, or the characters before the NUL. The caller passes the string itself, since another thread
 * may change the array meanwhile. SPEC_LENGTH_UNKNOWN: the string is NULL or not readable. */
int64_t spec_string_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                           size_t element, const char *string, const struct spec_state *state);

/* Returns how many bytes pointer `element` of parameter index refers to, or one of the negative codes. The
 * parameter's form is SPEC_FORM_BLOBS. Where the rule names an array, its element of the same index counts.
 */
int64_t spec_item_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                         size_t element, const struct spec_state *state);

/* Returns how many elements one entry of an attribute list takes: 2 for a key and its value, 1 for the
 * terminator or a key that has no value. p is a parameter with SPEC_PARAM_ATTRIBS. */
unsigned spec_attrib_width(const struct spec_param *p, int64_t key);

/* Returns the bytes of an image that GL reads or writes with this pixel store. It is 0 if GL has no such
 * format or type, or if a size is wrong: GL then reads nothing. SPEC_LENGTH_UNKNOWN on overflow. For calls
 * without a depth, pass 1 and a store whose image members are zero. */
int64_t spec_image_size(uint32_t format, uint32_t type, int64_t width, int64_t height, int64_t depth,
                        const struct spec_pixel_store *store);

/* GL_UNPACK_COMPRESSED_BLOCK_SIZE in bytes, and _WIDTH, _HEIGHT and _DEPTH in pixels. One that is not above 0
 * is not set. */
struct spec_block_store {
    int64_t size, width, height, depth;
};

/* Returns the bytes of a compressed image that GL reads with this pixel store (OpenGL 4.6 core, section 8.7):
 * at least image_size, which is what the image itself takes. size: its width, height and depth; 0: it has no
 * such dimension. SPEC_LENGTH_UNKNOWN on overflow. */
int64_t spec_compressed_size(int64_t image_size, const int64_t size[3], const struct spec_pixel_store *store,
                             const struct spec_block_store *block);

/* Returns the bytes of one pixel, rounded up; 0 if the format or type is not known. */
int64_t spec_pixel_size(uint32_t format, uint32_t type);

#endif
