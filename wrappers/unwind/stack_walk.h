/* SPDX-License-Identifier: MIT
 * Walks up the calling thread's stack and finds the callers, by call frame information, or else by frame
 * pointers. Works on any stack (of a coroutine, of a signal handler, of 16 KB), allocates nothing, and checks
 * that memory is readable before reading it. Rules for places in the code are cached, so that a frame costs a
 * few nanoseconds.
 */
#ifndef UNWIND_STACK_WALK_H
#define UNWIND_STACK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#define STACK_MEMO_READS 40

/* An earlier walk: the registers at its start, and every word that it read. If these have not changed,
 * another walk would find the same callers, so it is skipped. Zero-initialise it before use. */
struct stack_memo {
    uintptr_t sp, fp; /* at the start of the walk */
    uintptr_t high;   /* the end of the pages that were read */
    const void *frame;
    uint32_t age; /* stack_walk_age() */
    bool fp_matters;
    uint8_t read_count; /* 0: the memo is empty */
    uint64_t digest; /* of the places; the caller sets it after the walk. While it is 0, the memo is not used:
                        a signal handler may have left the walk, or the caller, by siglongjmp(). */
    struct {
        const uintptr_t *at;
        uintptr_t value;
    } reads[STACK_MEMO_READS];
};

#define STACK_WAYS 4

/* Recent walks. Which of them share a struct is up to the caller. */
struct stack_memos {
    struct stack_memo ways[STACK_WAYS];
    uint32_t next; /* the memo that is replaced next, modulo STACK_WAYS */
};

#define STACK_SAME UINT32_MAX

/* Writes the callers' places to pcs, innermost first, at most limit of them, and returns their number. The
 * first one is in the function whose stack pointer was `frame` when it called. A place is an address inside
 * the call instruction, or, in a function that was interrupted by a signal, the address where it was
 * interrupted.
 * memos: of earlier walks with the same limit, or empty. The result STACK_SAME means that the places are
 * those of the walk in *memo; pcs is then not written. Otherwise *memo is set to this walk, or is empty if
 * the walk cannot be stored. The objects that contain the places are added to the list in loaded_modules.h.
 */
unsigned stack_walk(uint64_t *pcs, unsigned limit, const void *frame, struct stack_memos *memos,
                    struct stack_memo **memo);

/* Call it when the program has loaded or unloaded a library: cached rules may belong to another one. */
void stack_walk_forget(void);

/* Returns a number that changes with each stack_walk_forget(). Equal addresses mean the same code only as
 * long as it does not change. */
uint32_t stack_walk_age(void);

#endif
