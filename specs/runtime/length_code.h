/* SPDX-License-Identifier: MIT
 * The instructions of length programs. A program is a sequence of 16-bit words for a small stack machine.
 * specgen writes programs, spec_length() runs them. Internal to specs/.
 */
#ifndef RUNTIME_LENGTH_CODE_H
#define RUNTIME_LENGTH_CODE_H

#include <stdint.h>

/* Each instruction is followed by the operand words that its comment names before the colon. An instruction
 * that has no answer makes the length unknown. */
enum length_op {
    LENGTH_END,     /* the top of the stack is the result */
    LENGTH_CONST,   /* low word, high word: push a signed 32-bit number */
    LENGTH_ARG,     /* parameter: push its value */
    LENGTH_LOAD,    /* parameter: push what the pointer points at; unknown if it is NULL */
    LENGTH_ELEMENT, /* parameter: pop an index, push that element of the array the pointer points at */
    LENGTH_PRESENT, /* parameter: push 1 when its pointer is not NULL, else 0 */
    LENGTH_STATE,   /* enum length_state: push that member of the state */
    LENGTH_ADD,     /* pop b, pop a, push a + b; the others below do the same */
    LENGTH_SUB,
    LENGTH_MUL,
    LENGTH_DIV, /* unknown when b is 0 */
    LENGTH_EQ,  /* push 1 or 0 */
    LENGTH_NE,
    LENGTH_LT,
    LENGTH_MAX,
    LENGTH_MIN,
    LENGTH_JUMP_IF_ZERO, /* words to skip: pop a value, jump if it is 0 */
    LENGTH_JUMP,         /* words to skip: jump */
    LENGTH_OFFSET,       /* the result is SPEC_LENGTH_OFFSET */
    LENGTH_UNKNOWN,      /* the result is SPEC_LENGTH_UNKNOWN */
    LENGTH_LOOKUP,       /* count table: pop an enum, push its count; unknown if the table lacks it */
    LENGTH_CALL,         /* enum length_call: pop its operands, push its result */
    LENGTH_ATTRIBS,      /* count, terminator, valueless keys…: push the length of this attribute list */
    LENGTH_RESULT,       /* push what the function returned; unknown if it has not returned yet */
    LENGTH_OP_COUNT
};

/* Members of struct spec_state, under the names that rules use. */
#define LENGTH_STATES(X)                                                                                     \
    X(unpack_buffer)                                                                                         \
    X(pack_buffer)                                                                                           \
    X(element_buffer)                                                                                        \
    X(array_buffer)                                                                                          \
    X(indirect_buffer)                                                                                       \
    X(query_buffer)

enum length_state {
#define X(name) LENGTH_STATE_##name,
    LENGTH_STATES(X)
#undef X
        LENGTH_STATE_COUNT
};

/* Functions that rules may call: the name and the number of operands. "Asks X" means: returns what the driver
 * answers to X. */
#define LENGTH_CALLS(X)                                                                                      \
    X(image, 4)         /* format, type, width, height: bytes that glTexImage2D reads */                     \
    X(volume, 5)        /* the same with a depth: glTexImage3D */                                            \
    X(packed_image, 4)  /* format, type, width, height: bytes that glReadPixels writes */                    \
    X(packed_volume, 5) /* the same with a depth: glGetTexImage */                                           \
    X(pixel, 2)         /* format, type: bytes of one pixel */                                               \
    X(strlen, 0)        /* characters before the NUL of this parameter */                                    \
    X(texts, 2)   /* count, size: characters of `count` texts in `size` bytes, with the NULs between them */ \
    X(get, 1)     /* pname: asks glGetIntegerv */                                                            \
    X(level, 3)   /* target, level, pname: asks glGetTexLevelParameteriv */                                  \
    X(uniform, 2) /* program, location: how many values one element of a uniform has */                      \
    X(texture_level, 4) /* texture, target, level, pname: asks glGetTextureLevelParameterivEXT */            \
    X(unit_level, 4)    /* texunit, target, level, pname: asks glGetMultiTexLevelParameterivEXT */           \
    X(map, 2)           /* target, pname: asks glGetMapiv; if it answers with two numbers, their product */  \
    X(color_table, 2)   /* target, pname: asks glGetColorTableParameteriv */                                 \
    X(convolution, 2)   /* target, pname: asks glGetConvolutionParameteriv */                                \
    X(histogram, 2)     /* target, pname: asks glGetHistogramParameteriv */                                  \
    X(program_arb, 2)   /* target, pname: asks glGetProgramivARB */                                          \
    X(program_nv, 2)    /* id, pname: asks glGetProgramivNV */                                               \
    X(named_program, 3) /* program, target, pname: asks glGetNamedProgramivEXT */                            \
    X(path, 2)          /* path, pname: asks glGetPathParameterivNV */                                       \
    X(compressed, 4)    /* imageSize, width, height, depth: bytes that glCompressedTexImage3D reads */

enum length_call {
#define X(name, operands) LENGTH_CALL_##name,
    LENGTH_CALLS(X)
#undef X
        LENGTH_CALL_COUNT
};

#define LENGTH_STACK 16 /* values; specgen refuses programs that need more */

/* An entry of a count table. The entries of a table ascend by value. */
struct length_count {
    uint32_t value;
    int32_t count;
    uint32_t get; /* if not 0, the count is what glGetIntegerv answers to this name */
};

struct length_table {
    uint32_t entries; /* index into spec_length_counts of the first one */
    uint32_t entry_count;
    int32_t otherwise; /* the count of values that are not listed; -1: unknown */
};

extern const struct length_count spec_length_counts[];
extern const struct length_table spec_length_tables[];
extern const unsigned spec_length_table_count;

#endif
