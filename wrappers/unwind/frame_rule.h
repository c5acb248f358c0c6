/* SPDX-License-Identifier: MIT
 * How a function's frame is left: where the caller's stack pointer, frame pointer and return address are. It
 * is a digest of what call frame information (.eh_frame) says of one place in the code, small enough for a
 * cache. Frames that it cannot express, or that have no such information, may have a frame pointer.
 */
#ifndef UNWIND_FRAME_RULE_H
#define UNWIND_FRAME_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* What the canonical frame address (CFA: the caller's stack pointer) is computed from. */
enum cfa_kind {
    CFA_UNKNOWN, /* nothing is said here: the frame pointer may help */
    CFA_OUTERMOST,
    CFA_SP,        /* sp + offset */
    CFA_FP,        /* fp + offset */
    CFA_AT_SP,     /* the word at sp + offset: a signal's frame */
    CFA_AT_FP,     /* the word at fp + offset: of a function that aligns its stack */
    CFA_NO_OBJECT, /* unknown, too: code that the program has made itself */
};

/* What a place in the frame is relative to. */
enum frame_base { BASE_NONE, BASE_CFA, BASE_SP, BASE_FP };

struct frame_rule {
    int32_t cfa;                   /* offset, bytes */
    int16_t fp;                    /* where the caller's frame pointer is; BASE_NONE: in the register */
    signed int return_address : 7; /* likewise, in words */
    unsigned int plain : 1;        /* kind CFA_SP or CFA_FP, the rest relative to the CFA, no signal */
    unsigned int kind : 3;         /* enum cfa_kind */
    unsigned int fp_base : 2;      /* enum frame_base */
    unsigned int return_base : 2;  /* enum frame_base, never BASE_NONE */
    unsigned int signal : 1;       /* the caller was interrupted: its address is not behind a call */
};

enum { RULE_RETURN_MIN = -64, RULE_RETURN_MAX = 63 };

_Static_assert(sizeof(struct frame_rule) == sizeof(uint64_t), "a rule fits into a word");

#endif
