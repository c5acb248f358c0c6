/* SPDX-License-Identifier: MIT
 * The raw records that a traced thread appends to its ring.
 * The program only copies; record_encoder.c turns records into trace events later, in another process.
 */
#ifndef RECORDS_RECORD_H
#define RECORDS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

enum record_kind {
    RECORD_THREAD = 1, /* first record of a thread in a ring; body: uint64_t thread number */
    RECORD_DATA = 2,   /* a piece of the body of the last ENTER or LEAVE, which is RECORD_OPEN */
    RECORD_ENTER = 3,  /* body: one 8-byte word an argument, then the payloads of input parameters */
    RECORD_LEAVE = 4,  /* body: the returned word unless void, then the payloads of output parameters and of
                          the returned pointer */
    RECORD_SWITCH = 5, /* says which of several threads that share a ring the next records are of; body: as of
                          RECORD_THREAD. A record that is open is never completed. */
    RECORD_STACK = 6,  /* who makes the next call of `function` that is not fake; see below */
    RECORD_MODULE = 7, /* an object that places of later stacks lie in; body: struct record_module */
    RECORD_END = 8,    /* completes an open record, whose time it has; no body */
};

enum record_flag {
    RECORD_FAKE = 1 << 0,      /* the program did not make this call, but a replay needs it */
    RECORD_INPUTS = 1 << 2,    /* LEAVE: all payloads are there, also those of input parameters */
    RECORD_OPEN = 1 << 3,      /* ENTER, LEAVE: too large for one record. The body begins with a uint64_t, the
                                  bytes of the whole body behind it; the rest comes in RECORD_DATA, then
                                  RECORD_END. `time` is record_open_check(). */
    RECORD_FULL_TIME = 1 << 1, /* a uint64_t with the whole time follows the body, as part of the record */
};

/* Every record starts at a multiple of 8 bytes and is contiguous in the ring's mirrored mapping. It is kept
 * short, since a call costs what writing its memory costs: of order and time, which are numbers of 64 bits,
 * it has the low halves. The receiver knows the high ones. */
struct record {
    uint32_t size;     /* bytes, this header included, a multiple of 8 */
    uint16_t function; /* id of the function: an index into spec_functions */
    uint8_t kind;      /* enum record_kind */
    uint8_t flags;     /* enum record_flag */
    uint32_t order; /* ENTER and LEAVE: position in the one order over all threads, from 0 without gaps. The
                       rings hold fewer records than 2^31. */
    uint32_t time;  /* ENTER and LEAVE: ticks of the segment's clock, just before or just after the call; 0
                       without a clock. Within 2^31 of the ring's last RECORD_FULL_TIME, or of 0. */
};

#define RECORD_TIME_SIZE ((uint32_t)sizeof(uint64_t))

/* The number of 64 bits that is nearest to base and has these low bits. */
static inline uint64_t record_extend(uint64_t base, uint32_t low)
{
    return base + (uint64_t)(int64_t)(int32_t)(low - (uint32_t)base);
}

/* Tells the size of a large body from a number that the program has written there by mistake. */
static inline uint32_t record_open_check(uint64_t body_bytes)
{
    return (uint32_t)((body_bytes * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* Is n more than 2^31 away from base? */
static inline bool record_is_far(uint64_t base, uint64_t n)
{
    return (n - base + ((uint64_t)1 << 31)) >> 32 != 0;
}

/* Call stacks are numbered (`order`) by ring, as their first record in it says: its body has the places, a
 * uint64_t each, innermost first. The same number may get others later. Without a body, the record repeats
 * the stack that the number has. `time` is how many frames are wanted: a place may have several, of functions
 * that were inlined. */
#define RECORD_STACK_NUMBERS 2048 /* numbers are below this */
#define RECORD_STACK_PLACES  256

struct record_module {
    uint64_t start, end; /* of what is loaded of it */
    uint64_t base;       /* what its own addresses are relative to */
    uint32_t serial;     /* from 0; every ring is told of all of them in this order. An address is of the last
                            one that the ring was told of and that it lies in. */
    uint32_t is_program; /* 1: the program itself, and the path is what it was called by */
    uint32_t build_id_size;
    uint8_t build_id[36];
    char path[]; /* with its NUL, padded to 8 bytes */
};

/* A payload is an int64_t count and, when that is not negative, the memory that a pointer parameter refers
 * to, padded to 8 bytes: elements of an array, bytes of a blob, characters of a string, one struct. For
 * SPEC_FORM_STRINGS and SPEC_FORM_BLOBS, count payloads of characters or bytes follow instead. Every
 * parameter that is not a plain value or address has a payload, in parameter order. */
enum {
    PAYLOAD_NULL = -1,   /* the pointer is NULL */
    PAYLOAD_OPAQUE = -2, /* the memory is not recorded: an int64_t with the address follows */
};

/* A function with SPEC_FUNCTION_ONE_ARRAY is recorded and encoded quickly if its array is not larger. */
#define RECORD_SHORT_ARRAY 1024u

#define RECORD_PAD(bytes) (((bytes) + 7) & ~(uint64_t)7)

#endif
