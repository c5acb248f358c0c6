/* SPDX-License-Identifier: MIT
 * Who called: the addresses on the calling thread's stack, by call frame information, else by frame pointers.
 * It copes with any stack (a coroutine's, a signal handler's, 16 KB), allocates nothing, and reads no memory
 * before it is known to be readable. What it finds out about a place in the code it remembers, so that a
 * frame costs a few nanoseconds.
 */
#ifndef UNWIND_STACK_WALK_H
#define UNWIND_STACK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#define STACK_MEMO_READS 40

/* A walk up the stack that was made, as what it began with and read. If that is still the same, another walk
 * would find the same, and need not be made. Zero-initialise before use. */
struct stack_memo {
    uintptr_t sp, fp; /* in the walk's beginning */
    uintptr_t high;   /* where the pages end that were read */
    const void *frame;
    uint32_t age; /* stack_walk_age() */
    bool fp_matters;
    uint8_t read_count; /* 0: there is none */
    uint64_t digest; /* of the places; for the caller to set after the walk. 0: the memo is not used, since a
                        signal handler may have left the walk, or what was to follow it, by siglongjmp(). */
    struct {
        const uintptr_t *at;
        uintptr_t value;
    } reads[STACK_MEMO_READS];
};

#define STACK_WAYS 4

/* Some walks that ended at the same place. */
struct stack_memos {
    struct stack_memo ways[STACK_WAYS];
    uint32_t next; /* is given up next */
};

#define STACK_SAME UINT32_MAX

/* Writes the places that called to pcs, innermost first, at most limit of them, and returns how many there
 * are: from the function on whose stack pointer was `frame` when it called. A place is an address within the
 * instruction that calls; of a function that a signal interrupted, where it was.
 * memos: of earlier walks with the same limit, or empty. STACK_SAME means that the places are the same as in
 * the walk of *memo, and pcs is not written to. Else *memo is of this walk, or empty if that cannot be
 * remembered. The loaded objects that the places lie in are in the list (loaded_modules.h). */
unsigned stack_walk(uint64_t *pcs, unsigned limit, const void *frame, struct stack_memos *memos,
                    struct stack_memo **memo);

/* To be called when the program has loaded or unloaded a library: what was found out may be of another one.
 */
void stack_walk_forget(void);

/* A number that changes with each stack_walk_forget(): equal addresses mean the same only while it does not.
 */
uint32_t stack_walk_age(void);

#endif
