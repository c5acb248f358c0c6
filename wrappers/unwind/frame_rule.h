/* SPDX-License-Identifier: MIT
 * How to unwind a frame: where the caller's stack pointer, frame pointer and return address are. A rule is a
 * compact form of the call frame information (.eh_frame) for a location in the code, small enough for a
 * cache. Frames that it cannot express, or that have no call frame information, may have a frame pointer.
 */
#ifndef UNWIND_FRAME_RULE_H
#define UNWIND_FRAME_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* How the canonical frame address (CFA: the caller's stack pointer) is computed. */
enum cfa_kind {
    CFA_UNKNOWN, /* no information: the frame pointer may help */
    CFA_OUTERMOST,
    CFA_SP,        /* sp + offset */
    CFA_FP,        /* fp + offset */
    CFA_AT_SP,     /* the word at sp + offset: the frame of a signal */
    CFA_AT_FP,     /* the word at fp + offset: a function that aligns its stack */
    CFA_NO_OBJECT, /* no information either: code that the program has generated */
};

/* What an offset in the frame is relative to. */
enum frame_base { BASE_NONE, BASE_CFA, BASE_SP, BASE_FP };

struct frame_rule {
    int32_t cfa; /* offset in bytes */
    int16_t fp;  /* offset of the caller's frame pointer; BASE_NONE: it is in the register */
    signed int return_address : 7; /* the same for the return address, in words */
    unsigned int plain : 1;   /* kind is CFA_SP or CFA_FP, other offsets are relative to the CFA, no signal */
    unsigned int kind : 3;    /* enum cfa_kind */
    unsigned int fp_base : 2; /* enum frame_base */
    unsigned int return_base : 2; /* enum frame_base, never BASE_NONE */
    unsigned int signal : 1;      /* the caller was interrupted, so its address is not after a call */
};

enum { RULE_RETURN_MIN = -64, RULE_RETURN_MAX = 63 };

_Static_assert(sizeof(struct frame_rule) == sizeof(uint64_t), "a rule fits into a word");

#endif
