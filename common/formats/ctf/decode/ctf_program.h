/* SPDX-License-Identifier: MIT
 * The fields of a scope as a flat program of reads. Each operation reads one field; those of its parts follow
 * it. Classes are compiled once, so that a decoder neither resolves names nor looks at classes.
 */
#ifndef CTF_PROGRAM_H
#define CTF_PROGRAM_H

#include "formats/ctf/ctf_types.h"
#include "trace/model.h"

enum ctf_code {
    CTF_READ_8, /* whole bytes that begin at one; the size is in bits */
    CTF_READ_16,
    CTF_READ_32,
    CTF_READ_64,
    CTF_READ_16_SWAPPED, /* in the other byte order than the machine's */
    CTF_READ_32_SWAPPED,
    CTF_READ_64_SWAPPED,
    CTF_READ_BITS, /* any size at any bit; little endian, or */
    CTF_READ_BITS_BIG,
    CTF_READ_BITS_REVERSED, /* the first bit is the highest */
    CTF_READ_BITS_BIG_REVERSED,
    CTF_READ_LEB128,
    CTF_READ_FLOAT, /* by the next operation, an integer */
    CTF_READ_STRING,
    CTF_READ_STRUCT,   /* `count` members */
    CTF_READ_ARRAY,    /* `length` times the part that follows; likewise the next */
    CTF_READ_SEQUENCE, /* the length is in a slot */
    CTF_READ_PREFIXED, /* the length is the first part, the element the second */
    CTF_READ_VARIANT,  /* one of `count` parts, selected by a slot */
    CTF_READ_OPTIONAL, /* the part, if the slot has one of the values */
};

/* What becomes of an integer. */
enum ctf_shown_as {
    CTF_AS_NUMBER,
    CTF_AS_BASED,
    CTF_AS_RANGED,
    CTF_AS_BOOL,
};

struct ctf_selection {
    struct ctf_range range;
    uint32_t part; /* number of the part that it selects */
};

#define CTF_NO_SLOT   UINT16_MAX
#define CTF_ALIGN_MAX UINT32_C(32768) /* in bits; the reader of streams moves its window by so much */

struct ctf_op {
    uint8_t code;     /* enum ctf_code */
    uint8_t size;     /* of an integer, in bits */
    uint8_t base;     /* of an integer */
    uint8_t shown_as; /* enum ctf_shown_as */
    uint8_t role;     /* enum ctf_role */
    uint8_t unit;     /* of a bit field, in bits; 0: none */
    bool is_signed;   /* of a selection: that its selector is */
    bool is_hidden;   /* the reader uses it; users do not see it */
    bool is_text;     /* elements of an array are characters; with is_blob, bytes */
    bool is_blob;
    bool is_high_first;  /* of a number of 128 bits: its high half comes first */
    uint8_t encoding;    /* enum ctf_encoding */
    uint16_t slot;       /* in which the value is kept for others; CTF_NO_SLOT: none */
    uint16_t from_slot;  /* that contains the length or the selector */
    uint32_t align_mask; /* alignment in bits, less 1 */
    uint32_t next;       /* index of the operation after this one and its parts */
    uint32_t count;      /* members, parts, selections */
    /* Of an array, in elements. Of a structure of nothing but integers of whole bytes that may begin at each
     * byte, in bits; of other structures 0. */
    uint64_t length;
    bool is_silent; /* of a structure with a length: nothing else depends on its integers */
    union {
        const struct trace_struct_sig *structure;
        const struct trace_range_sig *ranges;
        const struct ctf_selection *selections; /* `selection_count` of them */
    } u;
    uint32_t selection_count;
    uint32_t visible;         /* members that users see */
    const char *const *names; /* of the parts of a variant */
};

struct ctf_program {
    struct ctf_op *ops; /* the first one reads the structure of the scope */
    uint32_t count;     /* 0: there is no such scope */
    size_t room;
    const struct ctf_class **classes; /* of each operation; only while compiling, likewise the next */
    size_t class_room;
};

void ctf_program_fini(struct ctf_program *p);

/* The programs of a stream that may refer to each other, while they are compiled (ctf_compile.h). */
struct ctf_compiler {
    struct ctf_trace *trace;                  /* its arena gets what programs point to */
    bool is_for_writing;                      /* labels of values are of no interest */
    uint16_t slot_count;                      /* slots that were given to fields */
    uint32_t op_count;                        /* operations of all programs */
    struct ctf_program *programs[CTF_SCOPES]; /* of the scopes that can be referred to; NULL: none */
};

#endif
